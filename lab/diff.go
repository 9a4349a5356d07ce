package lab

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
)

// rank orders verdicts: a verdict of a lower rank is a loss.
var rank = map[string]int{"error": -1, "refused": 0, "staged": 1, "lifted": 2, "associative": 3}

// Comparison is what changed from one run to another: verdicts gained and lost, and times with their noise. Matches of one
// run only are counted, and no losses.
type Comparison struct {
	A, B         string
	Both         int // matches that both have
	OnlyA, OnlyB int
	Lost, Gained []Change // in the order of their keys
	Times        []TimeChange
	Differ       []string // what of the programs is not the same
}

// Change is a match whose verdict changed, and why: how it is answered now, or why it is refused.
type Change struct {
	Key           Key
	Before, After string
	Why           string
}

// TimeChange is the times of a configuration in both runs, each with its noise.
type TimeChange struct{ Config, Before, After string }

// Compare compares the results of directory a with those of b.
// A directory may be followed by a colon and a configuration: then only that one is compared.
func Compare(a, b string) (*Comparison, error) {
	ra, before, err := verdictsIn(a)
	if err != nil {
		return nil, err
	}
	rb, after, err := verdictsIn(b)
	if err != nil {
		return nil, err
	}
	var both []Key
	for k := range before {
		if after[k] != nil {
			both = append(both, k)
		}
	}
	slices.SortFunc(both, compareKeys)
	out := &Comparison{A: a, B: b, Both: len(both), OnlyA: len(before) - len(both), OnlyB: len(after) - len(both), Times: compareTimes(both, before, after)}
	for _, k := range both {
		x, y := before[k], after[k]
		switch c := cmp.Compare(rank[y.Status], rank[x.Status]); {
		case c < 0:
			out.Lost = append(out.Lost, Change{k, x.Status, y.Status, y.Reason})
		case c > 0:
			out.Gained = append(out.Gained, Change{k, x.Status, y.Status, y.Via})
		}
	}
	for _, d := range []struct{ name, a, b string }{{"rules", ra.Head.Rules, rb.Head.Rules}, {"tables", ra.Head.Tables, rb.Head.Tables}} {
		if d.a != d.b {
			out.Differ = append(out.Differ, fmt.Sprintf("the %s differ: %s then %s", d.name, d.a, d.b))
		}
	}
	return out, nil
}

// Text writes a comparison, a line for each change.
func (c *Comparison) Text(w io.Writer) {
	for _, d := range c.Lost {
		fmt.Fprintf(w, "lost\t%s\t%s then %s\t%s\n", d.Key, d.Before, d.After, d.Why)
	}
	for _, d := range c.Gained {
		fmt.Fprintf(w, "gained\t%s\t%s then %s\t%s\n", d.Key, d.Before, d.After, d.Why)
	}
	for _, t := range c.Times {
		fmt.Fprintf(w, "time\t%s\t%s then %s\n", t.Config, t.Before, t.After)
	}
	fmt.Fprintf(w, "%d verdicts lost, %d gained, of %d matches; %d in %s only, %d in %s only\n", len(c.Lost), len(c.Gained), c.Both, c.OnlyA, c.A, c.OnlyB, c.B)
	for _, line := range c.Differ {
		fmt.Fprintln(w, line)
	}
}

//go:embed diff.html
var comparisonText string

var comparisonPage = template.Must(template.New("diff").Parse(comparisonText))

// HTML writes a comparison as a page, in one file that asks nobody for anything.
func (c *Comparison) HTML(w io.Writer) error { return comparisonPage.Execute(w, c) }

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

// compareTimes returns for each configuration the median and the p99 of both, and the noise: the median over
// updates of how far repeated runs lie apart, in percent of their median.
func compareTimes(both []Key, before, after map[Key]*Verdict) (out []TimeChange) {
	var configs []string
	for _, k := range both {
		if k.Seed == 0 && !strings.Contains(k.Config, " ") && !slices.Contains(configs, k.Config) {
			configs = append(configs, k.Config)
		}
	}
	for _, c := range configs {
		out = append(out, TimeChange{c, timesOf(both, before, c), timesOf(both, after, c)})
	}
	return out
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
