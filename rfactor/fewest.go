package rfactor

import (
	"context"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/fewest"
	"github.com/rfactor-go/rfactor/rfactor/internal/laws"
	"github.com/rfactor-go/rfactor/verify"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// leastEffort bounds what the search for [Answer.Least] spends, in milliseconds of the reference machine.
const leastEffort = 20

// Least returns what shows that no lift of the update has one parameter less of the same types, because products of
// steps are too many functions of the state; nil where that is not known, as of answers that are no lift, that assume
// something, or whose parameters are not used to the full. It searches on every call, and adds nothing to the answer's pool.
func (a *Answer) Least() *verify.Least {
	if a.Status != Lifted || a.Assumes != 0 || len(a.Given) > 0 {
		return nil
	}
	for _, l := range a.Leaves {
		if l.NonNeg {
			return nil
		}
	}
	var meter effort.Meter
	meter.Start(leastEffort * effort.Unit)
	prover := new(prove.Prover)
	s := &fewest.Search{Update: ir.NewPool().Import(a.Update...), Params: a.Operator.Types, Meter: &meter}
	s.Prove = func(p proof.Problem) *proof.Tree {
		t := laws.Words(context.Background(), prover, []proof.Problem{p}, prove.Options{Limit: meter.Left(), Meter: &meter})
		if t.Status != prove.Proved {
			return nil
		}
		tree, err := laws.Certify(p, 0, t.Proof())
		if err != nil {
			return nil
		}
		return tree
	}
	return s.Find()
}
