package scale

import (
	_ "embed"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"text/tabwriter"
)

// Costs that rfactor-beam scale -measure printed: of the 719 shards of the tables of 5 leaves, all types, and of 3,000 updates.
var (
	//go:embed measured/tables-5.tsv
	measuredTables string
	//go:embed measured/updates.tsv
	measuredUpdates string
)

// leaves are sizes of tables, and singles and pairs how many expressions are tried for them, of which predictions draw a curve: see
// testdata/tables/REPORT.md.
var (
	leaves  = []float64{5, 6, 7, 8}
	singles = []float64{92486, 1826294, 41692100, 933671995}     // of one component, signed
	pairs   = []float64{215130, 8301115, 316963440, 12793765703} // of two
)

// functions are how many there are of 2, 3, 4 and 5 leaves over the variables of a triple: go test ./tablegen -run - -bench Triples.
var functions = [...]float64{2: 141, 3: 4284, 4: 169491, 5: 7466180}

// triples are how many there are of 6, 7, 8 and 9 leaves, of which each component has two at least.
func triples() []float64 {
	all := make([]float64, 4)
	for n0 := 2; n0 <= 5; n0++ {
		for n1 := 2; n1 <= 5; n1++ {
			for n2 := 2; n2 <= 5 && n0+n1+n2 <= 9; n2++ {
				all[n0+n1+n2-6] += functions[n0] * functions[n1] * functions[n2]
			}
		}
	}
	return all
}

// The costs of one expression, of a pair and of choosing are in BENCHMARKS.md; that of a triple is of the benchmark Triples.
const (
	single  = 0.4e-6  // seconds for an expression
	tuple   = 0.03e-6 // for a pair, with the screen that drops most of them
	triple  = 4.3e-6  // for a triple, without one
	worlds  = 2       // in which i32 is enumerated
	choose  = 150.0   // seconds to choose among candidates of 8 leaves, on one core
	more    = 30.0    // times as many candidates with each leaf
	chunk   = 500     // updates in a shard
	join    = 0.34e9  // bytes a second that one worker reads, digests and writes: -measure join
	start   = 120.0   // seconds until remote workers run: not measured
	shard   = 0.05    // seconds that a remote engine adds to a shard: not measured; prism adds 0.00001
	perCore = 20      // shards of tables for each core
)

// plan is a job whose run is predicted.
type plan struct {
	name   string
	work   float64   // seconds of processor time
	shape  []float64 // costs that those of shards are drawn from
	shards int       // 0 means perCore for each core
	finish float64   // on one core
}

// plans are the jobs of the scaling plan, with the growth that they rest on.
func plans(tables, updates []Cost, draw func(n int) int) ([]plan, map[string]Growth) {
	growth := map[string]Growth{
		"one component": Fit(leaves, singles, 10),
		"two":           Fit(leaves, pairs, 10),
		"three":         Fit([]float64{6, 7, 8, 9}, triples(), 10),
	}
	shape := secondsOf(tables)
	deep := worlds * (single*growth["one component"].At + tuple*growth["two"].At)
	wide := worlds * growth["three"].At
	count, n := 1e9, float64(len(updates))
	bytes := 0.0
	for _, u := range updates {
		bytes += float64(u.Bytes)
	}
	merge := choose * more * more
	return []plan{
		{"i32 tables of 10 leaves, 1- and 2-tuples", deep, shape, 0, merge},
		{"3-tuples, each at the price of a pair", wide * tuple, shape, 0, merge},
		{"3-tuples, each examined", wide * triple, shape, 0, merge},
		{"10⁹ updates of a corpus", count * sum(secondsOf(updates)) / n, chunks(secondsOf(updates), draw), int(count) / chunk, count * bytes / n / join},
	}, growth
}

// chunks are costs of a thousand shards of updates, each update of which is drawn.
func chunks(updates []float64, draw func(n int) int) []float64 {
	out := make([]float64, 1000)
	for i := range out {
		for range chunk {
			out[i] += updates[draw(len(updates))]
		}
	}
	return out
}

// Report prints the measured distributions, the growth with each leaf, and what the simulation predicts.
func Report(w io.Writer) error {
	tables, err := Read(measuredTables)
	if err != nil {
		return err
	}
	updates, err := Read(measuredUpdates)
	if err != nil {
		return err
	}
	describe(w, "shards of tables", tables)
	describe(w, "updates", updates)
	rng := rand.New(rand.NewPCG(1, 2))
	all, growth := plans(tables, updates, rng.IntN)
	for _, name := range []string{"one component", "two", "three"} {
		g := growth[name]
		fmt.Fprintf(w, "%s: %.1f times as many with each leaf; %.2g at %.0f leaves, within a factor of %.2f\n", name, g.Factor, g.At, g.Beyond, g.Off)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "job\tone core\tcores\tshards\tall shards\tevenly\tthe longest\tfinish\t")
	for _, p := range all {
		for _, cores := range []int{100, 10_000} {
			shards := p.shards
			if shards == 0 {
				shards = perCore * cores
			}
			run := Run{Shards: Drawn(p.shape, shards, p.work, rng.IntN), Slots: cores, Start: start, Shard: shard}
			even := start + (p.work+float64(shards)*shard)/float64(cores)
			fmt.Fprintf(t, "%s\t%.3g h\t%d\t%d\t%.3g h\t%.3g h\t%.3g h\t%.3g h\t\n", p.name, p.work/3600, cores, shards,
				run.Simulate()/3600, even/3600, slices.Max(run.Shards)/3600, p.finish/3600)
		}
	}
	return t.Flush()
}

// describe prints a distribution of costs.
func describe(w io.Writer, what string, costs []Cost) {
	seconds := slices.Sorted(slices.Values(secondsOf(costs)))
	bytes := int64(0)
	for _, c := range costs {
		bytes += c.Bytes
	}
	at := func(p int) float64 { return seconds[(len(seconds)-1)*p/1000] }
	total, n := sum(seconds), float64(len(costs))
	fmt.Fprintf(w, "%d %s, %.1f s of processor time: mean %.4f s, median %.4f s, p90 %.4f s, p99 %.4f s, p99.9 %.3f s, longest %.3f s, %.0f times the mean; %.0f bytes each\n",
		len(costs), what, total, total/n, at(500), at(900), at(990), at(999), at(1000), at(1000)*n/total, float64(bytes)/n)
}
