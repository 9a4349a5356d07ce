package prove

import (
	"errors"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove/internal/bits"
	"github.com/rfactor-go/rfactor/prove/internal/witness"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Certify completes a proof tree of a Theorem with what package verify asks for as well: why
// decisions contradict each other. The tree itself is not changed. Where the checker does not
// see what the search saw, words may have the same bits all the same. Certify fails where the
// checker accepts neither.
func Certify(p proof.Problem, assume ir.Assume, t *proof.Tree) (*proof.Tree, error) {
	if t.Kind == proof.Bits {
		if t = bits.Diagrams(p); t == nil {
			return nil, errors.New("the bits of both sides have no small diagrams")
		}
		return t, nil
	}
	t, err := witness.Complete(p, assume, t)
	if err != nil && !p.Left.Type().IsFloat() && assume&(ir.NSW|ir.NUW) == 0 {
		if byBits := bits.Diagrams(p); byBits != nil {
			return byBits, nil
		}
	}
	return t, err
}

// divisionHolds asks the checker about a proof over the rationals that divides by what may be
// zero, where NaN is not excluded: the search takes the laws of a field for granted, and
// 0/0 obeys none.
func divisionHolds(p proof.Problem, assume ir.Assume, t *proof.Tree) bool {
	if !assume.Has(ir.Reassoc) || assume.Has(ir.NNaN) {
		return true
	}
	divides := false
	ir.Walk(append([]ir.Expr{p.Left, p.Right}, p.Given...), func(e ir.Expr) {
		switch op := e.Op(); {
		case op == ir.Div:
			divides = divides || e.Type().IsFloat() && e.Arg(1).Op() != ir.Const
		case op == ir.Const && e.Type().IsFloat():
			f := ir.Float(e.Type(), e.Value())
			divides = divides || f-f != 0 // ∞ and NaN
		default:
			divides = divides || op == ir.Exp || op == ir.Log
		}
	})
	if !divides {
		return true
	}
	_, err := Certify(p, assume, t)
	return err == nil
}
