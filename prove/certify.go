package prove

import (
	"errors"
	"math"

	"github.com/rfactor-go/rfactor/internal/effort"
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
	return certify(p, assume, t, math.MaxInt64, nil)
}

// CertifyWithin is Certify that compares bits only as long as a meter pays for them.
func CertifyWithin(p proof.Problem, assume ir.Assume, t *proof.Tree, m *effort.Meter) (*proof.Tree, error) {
	return certify(p, assume, t, math.MaxInt64, m)
}

// certify is Certify with at most so many nanoseconds of package effort, which a meter is charged for.
func certify(p proof.Problem, assume ir.Assume, t *proof.Tree, limit int64, m *effort.Meter) (*proof.Tree, error) {
	if t.Kind == proof.Exhaustive || t.Kind == proof.Threshold || t.Kind == proof.Scaled {
		return t, nil
	}
	if t.Kind == proof.Integers {
		q, err := restated(p)
		if err != nil {
			return nil, err
		}
		then, err := certify(q, ir.NSW, t.Then, limit, m)
		return &proof.Tree{Kind: proof.Integers, Then: then}, err
	}
	if t.Kind == proof.Bits {
		if t = bits.Diagrams(p, m); t == nil {
			return nil, errors.New("the bits of both sides have no small diagrams")
		}
		return t, nil
	}
	given := effort.Witnesses.Items(limit)
	left := given
	t, err := witness.CompleteWithin(&left, p, assume, t)
	m.Spend(effort.Witnesses, given-left)
	if err != nil && !p.Left.Type().IsFloat() && assume&(ir.NSW|ir.NUW) == 0 {
		if byBits := bits.Diagrams(p, m); byBits != nil {
			return byBits, nil
		}
	}
	return t, err
}

// mayFail reports whether the checker may not see what the search saw in a proof: over the
// rationals where it divides by what may be zero and NaN is not excluded, since the search takes
// the laws of a field for granted and 0/0 obeys none; and where products of numbers are compared,
// of which the search and the checker look for different consequences.
func mayFail(p proof.Problem, assume ir.Assume, t *proof.Tree) (may bool) {
	fields := assume.Has(ir.Reassoc) && !assume.Has(ir.NNaN)
	compares := MethodOf(t) != Ring
	ir.Walk(append([]ir.Expr{p.Left, p.Right}, p.Given...), func(e ir.Expr) {
		switch op := e.Op(); op {
		case ir.Div:
			may = may || fields && e.Type().IsFloat() && e.Arg(1).Op() != ir.Const
		case ir.Const:
			f := ir.Float(e.Type(), e.Value())
			may = may || fields && e.Type().IsFloat() && f-f != 0 // ∞ and NaN
		case ir.Exp, ir.Log, ir.Log1p:
			may = may || fields
		case ir.Mul:
			may = may || compares && assume.Unbounded(e.Type()) && e.Arg(0).Op() != ir.Const && e.Arg(1).Op() != ir.Const
		}
	})
	return may
}
