package match

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/rfactor-go/rfactor/internal/scramble"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor"
)

// stepClasses are the numbers of steps that rows are about: from one more than the last.
var stepClasses = []int{5, 10, 20, 30}

// scrambled counts what became of the operators with a number of steps.
type scrambled struct{ n, matched, lifted int }

// measureScrambled rewrites every operator of the table, each time by 1 to 30 random steps that
// change nothing, and matches it. Misses are printed on stderr.
func measureScrambled(ctx context.Context, times int, seed uint64, only string, stdout, stderr io.Writer) error {
	counts := make([]scrambled, len(stepClasses))
	done := 0
	for _, types := range pattern.Signatures() {
		if only != "" && pattern.TableName(types) != only+".txt" {
			continue
		}
		for _, e := range pattern.Entries(types) {
			for i := range times {
				rng := rand.New(rand.NewPCG(seed, uint64(done)<<8|uint64(i)))
				steps := 1 + rng.IntN(stepClasses[len(stepClasses)-1])
				a, err := matchScrambled(ctx, e, steps, rng, stderr)
				if err != nil {
					return err
				}
				class := 0
				for stepClasses[class] < steps {
					class++
				}
				c := &counts[class]
				c.n++
				switch a.Status {
				case rfactor.Associative:
					c.matched++
				case rfactor.Lifted:
					c.lifted++
				}
			}
			done++
		}
		fmt.Fprintf(stderr, "%s: %d operators\n", pattern.TableName(types), done)
	}
	fmt.Fprintln(stdout, "steps\tn\tmatched\tlifted\trefused\tmatched_%")
	all, from := scrambled{}, 1
	row := func(name string, c scrambled) {
		fmt.Fprintf(stdout, "%s\t%d\t%d\t%d\t%d\t%.2f\n", name, c.n, c.matched, c.lifted, c.n-c.matched-c.lifted, 100*float64(c.matched)/float64(max(c.n, 1)))
	}
	for i, c := range counts {
		row(fmt.Sprintf("%d to %d", from, stepClasses[i]), c)
		all.n, all.matched, all.lifted = all.n+c.n, all.matched+c.matched, all.lifted+c.lifted
		from = stepClasses[i] + 1
	}
	row("all", all)
	return nil
}

// maxSteps is how far an update of a corpus is rewritten: about as far as a programmer's spelling
// is from another's.
const maxSteps = 6

// scramble rewrites every update of the corpus that has an answer, each time by 1 to maxSteps
// random steps that change nothing, and matches it under what the answer assumes and the
// assumptions on floats that are the default. An answer is kept by another of its kind, a lift by an
// operator, too. What is lost is printed on stderr.
func (b *bench) scramble(times int, seed uint64) error {
	var lines, n, kept [2]int // of operators, and of lifts
	for i, u := range b.updates {
		plain, err := rfactor.Match(b.ctx, u, rfactor.Options{Allowed: ir.AllAssumptions})
		if err != nil {
			return fmt.Errorf("%s: %w", b.lines[i].Name, err)
		}
		if plain.Operator == nil {
			continue
		}
		kind := 0
		if plain.Status == rfactor.Lifted {
			kind = 1
		}
		lines[kind]++
		allowed := plain.Assumes | ir.DefaultAssumptions
		for j := range times {
			rng := rand.New(rand.NewPCG(seed, uint64(i)<<8|uint64(j)))
			v := *u
			steps := 1 + rng.IntN(maxSteps)
			v.Values = scramble.New(rng, u, allowed).Scramble(u.Values, steps)
			a, err := rfactor.Match(b.ctx, &v, rfactor.Options{Allowed: allowed})
			if err != nil {
				return fmt.Errorf("%s: %w", b.lines[i].Name, err)
			}
			n[kind]++
			if a.Status == rfactor.Associative || a.Status == plain.Status {
				kept[kind]++
				continue
			}
			fmt.Fprintf(b.stderr, "%s\t%s\t%s\t%s\t%d steps under %s\t%s\t%s\n", a.Status, b.lines[i].Name, b.lines[i].Types, b.lines[i].Exprs, steps, allowed, ir.Strings(v.Values), a.Reason)
		}
	}
	fmt.Fprintln(b.stdout, "corpus\tanswer\tlines\tspellings\tkept\tkept_%")
	for kind, name := range []rfactor.Status{rfactor.Associative, rfactor.Lifted} {
		fmt.Fprintf(b.stdout, "%s\t%s\t%d\t%d\t%d\t%.2f\n", b.corpus, name, lines[kind], n[kind], kept[kind], 100*float64(kept[kind])/float64(max(n[kind], 1)))
	}
	return nil
}

// matchScrambled matches a spelling of an operator, under what it assumes and the assumptions
// on floats that are the default.
func matchScrambled(ctx context.Context, e *pattern.Entry, steps int, rng *rand.Rand, stderr io.Writer) (*rfactor.Answer, error) {
	pool := ir.NewPool()
	allowed := (e.Assumes | ir.DefaultAssumptions) &^ e.Excludes
	u := &ir.Update{Pool: pool, Types: e.Types, Values: pool.Import(e.Exprs...), Source: &ir.Source{Name: "scrambled"}}
	s := scramble.New(rng, u, allowed)
	u.Values = s.Scramble(u.Values, steps)
	for _, r := range s.Rejected {
		fmt.Fprintln(stderr, "a wrong step:", r)
	}
	a, err := rfactor.Match(ctx, u, rfactor.Options{Allowed: allowed})
	if err == nil && a.Status != rfactor.Associative {
		fmt.Fprintf(stderr, "%s\t%s\t%s\t%d steps under %s\t%s\t%s\n", a.Status, pattern.TableName(e.Types), ir.Strings(e.Exprs), steps, allowed, ir.Strings(u.Values), a.Reason)
	}
	return a, err
}
