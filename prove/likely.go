package prove

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// LikelyIdentity is the candidate that evaluation makes most likely to be an identity of an
// operator, at least a middle one. Nothing is proven of it.
func (w *Prover) LikelyIdentity(o proof.Operator, allowed ir.Assume) ([]ir.Expr, bool) {
	p := &Proven{Claims: proof.Claims{Operator: o}}
	all := p.candidates()
	right, left, middle := w.survivors(p, all, allowed)
	for _, list := range [][]int{intersect(right, left), right, left, middle} {
		if len(list) > 0 {
			return all.tuple(list[0]), true
		}
	}
	return nil, false
}
