package lab

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// rank orders verdicts: a verdict of a lower rank is a loss.
var rank = map[string]int{"error": -1, "refused": 0, "staged": 1, "lifted": 2, "associative": 3}

// Diff writes what changed from the results of directory a to those of b: verdicts gained and lost, and times with
// their noise. It returns the number of losses. Matches of one directory only are counted, and no losses.
// A directory may be followed by a colon and a configuration: then only that one is compared.
func Diff(w io.Writer, a, b string) (losses int, err error) {
	ra, before, err := verdictsIn(a)
	if err != nil {
		return 0, err
	}
	rb, after, err := verdictsIn(b)
	if err != nil {
		return 0, err
	}
	var both []Key
	for k := range before {
		if after[k] != nil {
			both = append(both, k)
		}
	}
	slices.SortFunc(both, compareKeys)
	gains := 0
	for _, k := range both {
		x, y := before[k], after[k]
		switch c := cmp.Compare(rank[y.Status], rank[x.Status]); {
		case c < 0:
			losses++
			fmt.Fprintf(w, "lost\t%s\t%s then %s\t%s\n", k, x.Status, y.Status, y.Reason)
		case c > 0:
			gains++
			fmt.Fprintf(w, "gained\t%s\t%s then %s\t%s\n", k, x.Status, y.Status, y.Via)
		}
	}
	compareTimes(w, both, before, after)
	fmt.Fprintf(w, "%d verdicts lost, %d gained, of %d matches; %d in %s only, %d in %s only\n", losses, gains, len(both), len(before)-len(both), a, len(after)-len(both), b)
	for _, line := range [][2]string{{"rules", ra.Head.Rules + " then " + rb.Head.Rules}, {"tables", ra.Head.Tables + " then " + rb.Head.Tables}} {
		if x, y, _ := strings.Cut(line[1], " then "); x != y {
			fmt.Fprintf(w, "the %s differ: %s\n", line[0], line[1])
		}
	}
	return losses, nil
}

// verdictsIn reads the verdicts in a directory; of one configuration, where name says so after a colon, without
// its name.
func verdictsIn(name string) (*Results, map[Key]*Verdict, error) {
	dir, config, one := strings.Cut(name, ":")
	r, err := ReadResults(dir)
	if err != nil {
		return nil, nil, err
	}
	all := verdictsOf(r.Records)
	if !one {
		return r, all, nil
	}
	some := map[Key]*Verdict{}
	for k, v := range all {
		if k.Config == config {
			k.Config = ""
			some[k] = v
		}
	}
	if len(some) == 0 {
		return nil, nil, fmt.Errorf("%s has no match in the configuration %q", dir, config)
	}
	return r, some, nil
}

// String names a match.
func (k Key) String() string {
	s := k.Config + "\t" + k.Corpus + ":" + k.Name
	if k.Seed != 0 {
		s += fmt.Sprintf(" scrambled by %d steps, seed %d", k.Depth, k.Seed)
	}
	return s
}

func compareKeys(a, b Key) int {
	return cmp.Or(cmp.Compare(a.Config, b.Config), cmp.Compare(a.Corpus, b.Corpus), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Seed, b.Seed))
}

// compareTimes prints for each configuration the median and the p99 of both, and the noise: the median over
// updates of how far repeated runs lie apart, in percent of their median.
func compareTimes(w io.Writer, both []Key, before, after map[Key]*Verdict) {
	var configs []string
	for _, k := range both {
		if k.Seed == 0 && !strings.Contains(k.Config, " ") && !slices.Contains(configs, k.Config) {
			configs = append(configs, k.Config)
		}
	}
	for _, c := range configs {
		fmt.Fprintf(w, "time\t%s\t%s then %s\n", c, timesOf(both, before, c), timesOf(both, after, c))
	}
}

func timesOf(keys []Key, of map[Key]*Verdict, config string) string {
	var times, noise []float64
	for _, k := range keys {
		if v := of[k]; k.Config == config && k.Seed == 0 {
			times = append(times, v.Micros)
			if v.Runs > 1 {
				noise = append(noise, 100*(v.High-v.Low)/max(v.Micros, 0.1))
			}
		}
	}
	slices.Sort(times)
	slices.Sort(noise)
	if len(noise) == 0 {
		return fmt.Sprintf("%.0f µs (p99 %.0f, of one run each)", quantile(times, 0.5), quantile(times, 0.99))
	}
	return fmt.Sprintf("%.0f µs (p99 %.0f, noise %.0f %%)", quantile(times, 0.5), quantile(times, 0.99), quantile(noise, 0.5))
}
