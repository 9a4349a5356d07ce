package scale

import (
	_ "embed"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"text/tabwriter"
)

// measured are the costs of 719 shards of the tables of 5 leaves, all types: rfactor-beam scale -measure tables.
//
//go:embed measured/tables-5.tsv
var measured string

// leaves are sizes of tables, and singles, pairs and triples how many expressions are tried for them, of which predictions draw a curve. The counts are in
// testdata/tables/REPORT.md, the costs of one expression and of choosing in BENCHMARKS.md.
var (
	leaves  = []float64{5, 6, 7, 8}
	singles = []float64{92486, 1826294, 41692100, 933671995}            // expressions tried of one component, signed
	pairs   = []float64{215130, 8301115, 316963440, 12793765703}        // of two
	triples = []float64{71 * 71 * 71, 3 * 71 * 71 * 1515, 1.13e9, 4e10} // of three, of 6 to 9 leaves, over the functions of pairs' components
)

const (
	single  = 0.4e-6  // seconds for an expression
	tuple   = 0.03e-6 // for a pair, or for a triple, which has not been measured
	worlds  = 2       // in which i32 is enumerated
	choose  = 150.0   // seconds to choose among candidates of 8 leaves, on one core
	more    = 30.0    // times as many candidates with each leaf
	update  = 3.5e-3  // seconds for an update of a corpus
	written = 725.0   // bytes of an update and its answer
	join    = 0.5e9   // bytes a second that one worker reads, digests and writes: not measured
	start   = 120.0   // seconds until remote workers run: not measured
	shard   = 0.05    // seconds that an engine adds to a shard: not measured
)

// plan is a job whose run is predicted.
type plan struct {
	name   string
	work   float64 // seconds of processor time
	finish float64 // on one core
}

// plans are the jobs of the scaling plan, with the growth that they rest on.
func plans() ([]plan, map[string]Growth) {
	growth := map[string]Growth{
		"one component": Fit(leaves, singles, 10),
		"two":           Fit(leaves, pairs, 10),
		"three":         Fit([]float64{6, 7, 8, 9}, triples, 10),
	}
	deep := worlds * (single*growth["one component"].At + tuple*growth["two"].At)
	wider := 1.0 // 7 variables in place of 5, in each leaf
	for range 10 {
		wider *= 7.0 / 5
	}
	return []plan{
		{"i32 tables of 10 leaves, 1- and 2-tuples", deep, choose * more * more},
		{"i32 tables of 10 leaves, 3-tuples", worlds * tuple * growth["three"].At * wider, choose * more * more},
		{"10⁹ updates of a corpus", 1e9 * update, 1e9 * written / join},
	}, growth
}

// Report prints the measured distribution, the growth with each leaf, and what the simulation predicts.
func Report(w io.Writer) error {
	costs, err := Read(measured)
	if err != nil {
		return err
	}
	seconds := secondsOf(costs)
	sorted := slices.Sorted(slices.Values(seconds))
	sum, bytes := 0.0, int64(0)
	for _, c := range costs {
		sum, bytes = sum+c.Seconds, bytes+c.Bytes
	}
	at := func(p int) float64 { return sorted[(len(sorted)-1)*p/100] }
	fmt.Fprintf(w, "%d shards, %.1f s of processor time: median %.3f s, p90 %.3f s, p99 %.3f s, longest %.1f s; %.0f kB are left for the merge\n",
		len(costs), sum, at(50), at(90), at(99), at(100), float64(bytes)/1000)
	for _, cores := range []int{1, 2, 10, 100} {
		fmt.Fprintf(w, "on %3d cores: %.1f s\n", cores, Run{Shards: seconds, Slots: cores}.Simulate())
	}
	all, growth := plans()
	for _, name := range []string{"one component", "two", "three"} {
		g := growth[name]
		fmt.Fprintf(w, "%s: %.1f times as many with each leaf; %.2g at %.0f leaves, within a factor of %.2f\n", name, g.Factor, g.At, g.Beyond, g.Off)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "job\tone core\tcores\tshards\tall shards\tfinish\t")
	rng := rand.New(rand.NewPCG(1, 2))
	for _, p := range all {
		for _, cores := range []int{100, 10_000} {
			shards := 20 * cores
			run := Run{Shards: Drawn(seconds, shards, p.work, rng.IntN), Slots: cores, Start: start, Shard: shard}
			fmt.Fprintf(t, "%s\t%.3g h\t%d\t%d\t%.3g h\t%.3g h\t\n", p.name, p.work/3600, cores, shards, run.Simulate()/3600, p.finish/3600)
		}
	}
	return t.Flush()
}
