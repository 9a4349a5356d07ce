package rfactor

import (
	"context"
	"math/big"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/fewest"
	"github.com/rfactor-go/rfactor/rfactor/internal/laws"
	"github.com/rfactor-go/rfactor/verify"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// productsEffort bounds what the search for products of steps spends, in milliseconds of the reference machine.
const productsEffort = 8

// Least returns a proof that no lift of the update has one parameter less of the same types: products of steps that are more
// functions of the state than fewer parameters could tell apart. It is nil where no proof is found. Answers that are no lift, or
// that assume something, have none. Least searches on every call, and adds nothing to the answer's pool.
func (a *Answer) Least() *verify.Products {
	if a.Status != Lifted {
		return nil
	}
	return a.products(verify.Fewer(a.Operator.Types))
}

// NoOperator returns a proof that the update is x ⊕ inject for no operator ⊕ on the state and no inject, as long as nothing is
// assumed. An operator has no more functions x ↦ x ⊕ y than there are states y, and the proof has products of steps that are
// more. It is nil where no proof is found. NoOperator searches on every call, and adds nothing to the answer's pool.
func (a *Answer) NoOperator() *verify.Products {
	if a.Status != Lifted && a.Status != Refused {
		return nil
	}
	return a.products(verify.Values(a.Types))
}

// leastBeside is Least where NoOperator returned none: with one parameter less the parameters often have as many values as the state.
func (a *Answer) leastBeside(none *verify.Products) *verify.Products {
	fewer := verify.Fewer(a.Operator.Types)
	if fewer.Cmp(verify.Values(a.Types)) == 0 {
		return none
	}
	return a.products(fewer)
}

// products looks for products of steps that are more functions of the state than there are values.
func (a *Answer) products(values *big.Int) (out *verify.Products) {
	if a.Assumes != 0 || len(a.Given) > 0 || len(a.terms) > 0 { // no leaf has the values of a term alone
		return nil
	}
	for _, l := range a.Leaves {
		if l.NonNeg {
			return nil
		}
	}
	var meter effort.Meter
	meter.Start(productsEffort * effort.Unit)
	meter.Bound(productsEffort * effort.Unit)
	prover := new(prove.Prover)
	s := &fewest.Search{Update: ir.NewPool().Import(a.Update...), Values: values, Meter: &meter}
	s.Prove = func(p proof.Problem) *proof.Tree {
		t := laws.Words(context.Background(), prover, []proof.Problem{p}, prove.Options{Limit: meter.Left(), Meter: &meter})
		if t.Status != prove.Proved {
			return nil
		}
		tree, err := laws.Certify(p, 0, t.Proof(), &meter)
		if err != nil {
			return nil
		}
		return tree
	}
	if !effort.Within(func() { out = s.Find() }) {
		return nil
	}
	return out
}
