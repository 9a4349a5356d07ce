package check

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// state examines an identity in arithmetic that wraps: slices start from it at run time.
func (k *checker) state(e []ir.Expr, x, y *term, allowed ir.Assume) {
	r, id := k.report, &term{tuple: e}
	r.Identity, r.Sides, r.Poles = e, nil, k.poles(e)
	if !k.admits(e) {
		return
	}
	examine := func(side proof.Side, left, right *term) Law {
		l := k.law(side.String(), k.op.IdentityOn(side, e), left, right)
		k.examine(&l, allowed&^(ir.NSW|ir.NUW))
		k.examineAtPoles(&l, side, e)
		l.More = 0
		return l
	}
	left := examine(proof.Left, apply(id, y), y)
	right := examine(proof.Right, apply(x, id), x)
	middle := examine(proof.Middle, apply(apply(x, id), y), apply(x, y))
	switch {
	case left.Holds() && right.Holds():
		r.Side = proof.Two
	case left.Holds():
		r.Side = proof.Left
	case right.Holds():
		r.Side = proof.Right
	case middle.Holds():
		r.Side = proof.Middle
	}
	r.Sides = []Law{left, right}
	if r.Side == proof.Middle {
		r.Sides = append(r.Sides, middle)
	}
	for i := range r.Sides {
		if r.Sides[i].Holds() {
			r.Assumes |= r.Sides[i].Assumes()
		}
	}
}

// admits reports whether an identity is proven to have what is given of operands; if not, that is its only law.
func (k *checker) admits(e []ir.Expr) bool {
	ps := k.op.Holds(e, nil)
	if len(ps) == 0 {
		return true
	}
	l := k.law("given", ps, &term{tuple: e}, nil)
	k.examine(&l, k.allowed&^(ir.NSW|ir.NUW))
	if l.Theorem.Status == prove.Proved {
		return true
	}
	k.report.Sides = []Law{l}
	return false
}
