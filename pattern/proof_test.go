package pattern

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// TestCorpusProofs derives update = operator(x, inject) for what the table matches, and
// replays the derivations.
func TestCorpusProofs(t *testing.T) {
	s, p := canon.NewSession(), canon.NewSession()
	proven, open, steps := 0, 0, 0
	for _, l := range corpus(t) {
		u, err := program.ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
		if err != nil {
			t.Fatal(err)
		}
		answers, ok := matchAll(s, u)
		if !ok {
			continue
		}
		for _, a := range answers {
			for i, to := range composed(u, a) {
				allowed := a.assumes
				for _, typ := range a.types {
					if typ.IsFloat() {
						allowed |= ir.Reassoc | ir.NNaN | ir.NInf | ir.NSZ
					}
				}
				chain, err := p.Derive(context.Background(), a.values[i], to, allowed)
				if err != nil {
					open++
					t.Logf("%s: %v", l.Name, err)
					continue
				}
				proven++
				steps += len(chain)
				if err := canon.Check(chain, a.values[i], to, allowed); err != nil {
					t.Errorf("%s: %v", l.Name, err)
				}
				if assumed := canon.Assumed(chain); !allowed.Has(assumed) {
					t.Errorf("%s: derived under %s, allowed are %s", l.Name, assumed, allowed)
				}
			}
		}
	}
	t.Logf("%d equations derived in %d steps and replayed, %d left to the prover", proven, steps, open)
	if proven < 300 {
		t.Errorf("only %d derivations", proven)
	}
}
