package rfactor

import (
	"context"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/laws"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/extrema"
	"github.com/rfactor-go/rfactor/verify/integers"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// The equations of the corpora's lifts that certificates leave to a room are confirmed there.
func TestRoomsConfirmLifts(t *testing.T) {
	if testing.Short() {
		t.Skip("matching the corpora takes seconds")
	}
	confirmed := map[proof.Kind]int{}
	for _, l := range slices.Concat(readCorpus(t, "unseen_lift.tsv"), readCorpus(t, "updates.tsv")) {
		a, err := Match(context.Background(), parse(t, l.Types, l.Exprs), Options{Name: l.Name, Allowed: ir.AllAssumptions, Matchers: AllMatchers})
		if err != nil {
			t.Fatal(err)
		}
		if a.Lift == nil {
			continue
		}
		for _, law := range a.Lift.Laws() {
			for i, p := range law.Problems {
				kind := (*law.Proofs)[i].Kind
				switch confirmed[kind]++; kind {
				case proof.Bits:
					var tree *proof.Tree // with the order of the variables
					if tree, err = laws.Certify(p, 0, (*law.Proofs)[i]); err == nil {
						err = equation.Check(p, 0, tree)
					}
				case proof.Extrema:
					fuel := 1 << 20
					err = extrema.Equal(p.Left, p.Right, law.Assumes(a.Assumes), &fuel)
				case proof.Integers:
					_, _, _, err = integers.Restate(p.Given, p.Left, p.Right)
				}
				if err != nil {
					t.Errorf("%s: %s = %s: %v", l.Name, p.Left, p.Right, err)
				}
			}
		}
	}
	t.Logf("%d by bits, %d by extrema, %d by integers", confirmed[proof.Bits], confirmed[proof.Extrema], confirmed[proof.Integers])
	if confirmed[proof.Bits] < 10 || confirmed[proof.Extrema] < 50 || confirmed[proof.Integers] < 20 {
		t.Error("too few of some kind: this tests little")
	}
}
