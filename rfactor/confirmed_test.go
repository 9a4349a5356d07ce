package rfactor

import (
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
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
	lifts, updates := matchCorpus(t, "unseen_lift.tsv", ir.AllAssumptions, 0), matchCorpus(t, "updates.tsv", ir.AllAssumptions, 0)
	for _, a := range slices.Concat(lifts.answers, updates.answers) {
		if a.Lift == nil {
			continue
		}
		for _, law := range a.Lift.Laws() {
			for i, p := range law.Problems {
				var err error
				kind := (*law.Proofs)[i].Kind
				switch confirmed[kind]++; kind {
				case proof.Bits:
					var tree *proof.Tree // with the order of the variables
					if tree, err = laws.Certify(p, 0, (*law.Proofs)[i], nil); err == nil {
						err = equation.Check(p, 0, tree)
					}
				case proof.Extrema:
					fuel := 1 << 20
					err = extrema.Equal(p.Left, p.Right, law.Assumes(a.Assumes), &fuel)
				case proof.Integers:
					_, _, _, err = integers.Restate(p.Given, p.Left, p.Right)
				}
				if err != nil {
					t.Errorf("%s: %s = %s: %v", a.Name, p.Left, p.Right, err)
				}
			}
		}
	}
	t.Logf("%d by bits, %d by extrema, %d by integers", confirmed[proof.Bits], confirmed[proof.Extrema], confirmed[proof.Integers])
	if confirmed[proof.Bits] < suite.More(4, 10) || confirmed[proof.Extrema] < 50 || confirmed[proof.Integers] < 20 {
		t.Error("too few of some kind: this tests little")
	}
}
