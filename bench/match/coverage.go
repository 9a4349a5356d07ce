package match

import (
	"fmt"

	"github.com/rfactor-go/rfactor/rfactor"
)

// experiments are the ways to match that are compared.
var experiments = []struct {
	name string
	ways rfactor.Matchers
}{
	{"greedy", rfactor.Greedy},
	{"egraph", rfactor.EGraph},
	{"all", rfactor.AllMatchers},
}

// count prints a row for every set of assumptions, experiment and class of updates.
func (b *bench) count() error {
	fmt.Fprintln(b.stdout, "corpus\tmatchers\tclass\tn\tassociative\tlifted\tstaged\trefused\tassuming_nothing")
	for _, s := range settings {
		for _, e := range experiments {
			fmt.Fprintf(b.stderr, "%s:%s %s\n", b.corpus, s.name, e.name)
			if err := b.countOne(b.corpus+":"+s.name, e.name, rfactor.Options{Allowed: s.allowed, Matchers: e.ways}); err != nil {
				return err
			}
		}
	}
	return nil
}

// tally is what is counted of a class.
type tally struct {
	of    map[rfactor.Status]int
	exact int // answers that assume nothing
}

func (b *bench) countOne(name, experiment string, opts rfactor.Options) error {
	var classes []string
	tallies := map[string]*tally{}
	for i, u := range b.updates {
		a, err := rfactor.Match(b.ctx, u, opts)
		if err != nil {
			return fmt.Errorf("%s: %w", b.lines[i].Name, err)
		}
		class := b.lines[i].Class
		t := tallies[class]
		if t == nil {
			t = &tally{of: map[rfactor.Status]int{}}
			tallies[class] = t
			classes = append(classes, class)
		}
		t.of[a.Status]++
		if a.Status != rfactor.Refused && a.Assumes == 0 {
			t.exact++
		}
	}
	for _, class := range classes {
		t := tallies[class]
		associative, lifted, staged, refused := t.of[rfactor.Associative], t.of[rfactor.Lifted], t.of[rfactor.Staged], t.of[rfactor.Refused]
		fmt.Fprintf(b.stdout, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\n", name, experiment, class, associative+lifted+staged+refused, associative, lifted, staged, refused, t.exact)
	}
	return nil
}
