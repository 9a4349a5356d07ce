package laws

import (
	"context"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/gf2"
	"github.com/rfactor-go/rfactor/rfactor/internal/maxplus"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Compositions proves equations of compositions: extrema of sums as sets of sums, others as equations
// of words.
func Compositions(ctx context.Context, w *prove.Prover, ps []proof.Problem, o prove.Options) prove.Theorem {
	assume := o.Allowed
	trees := make([]*proof.Tree, len(ps))
	var rest []proof.Problem
	for i, p := range ps {
		if trees[i] = w.ByChoices(ctx, p, o); trees[i] != nil {
			continue
		}
		if maxplus.Confirms(p, assume, o.Meter) {
			trees[i] = &proof.Tree{Kind: proof.Extrema}
			continue
		}
		if !p.Left.Type().IsFloat() { // which the prover asks itself
			trees[i] = prove.ByScaling(p, assume, o)
		}
		if trees[i] == nil {
			rest = append(rest, p)
		}
	}
	if len(rest) == len(ps) {
		return Words(ctx, w, ps, o)
	}
	t := prove.Theorem{Status: prove.Proved, Assumes: assume}
	if len(rest) > 0 {
		t = Words(ctx, w, rest, o)
	}
	if t.Status != prove.Proved {
		return t
	}
	proofs := t.Proofs
	for i := range trees {
		if trees[i] == nil {
			trees[i], proofs = proofs[0], proofs[1:]
		}
	}
	t.Proofs = trees
	return t
}

// Words proves equations of narrow integers over the integers, those of words that are shifted
// and of many flags bit by bit, and else as the prover can.
func Words(ctx context.Context, w *prove.Prover, ps []proof.Problem, o prove.Options) prove.Theorem {
	assume := o.Allowed
	if assume&(ir.NSW|ir.NUW) != 0 {
		return w.Prove(ctx, ps, o)
	}
	if saturates(ps) {
		if t := eachBy(ps, assume, func(p proof.Problem) *proof.Tree { return w.OverIntegers(ctx, p, o) }); t.Status == prove.Proved {
			return t
		}
	}
	if manyFlags(ps) {
		if t := eachBy(ps, assume, func(p proof.Problem) *proof.Tree { return bitByBit(p, o.Meter) }); t.Status == prove.Proved {
			return t
		}
	}
	if !shifts(ps) {
		return w.Prove(ctx, ps, o)
	}
	cases := o
	cases.Effort = prove.CasesOnly
	t := w.Prove(ctx, ps, cases)
	if t.Status != prove.Unknown || t.Stopped {
		return t
	}
	byBits := eachBy(ps, assume, func(p proof.Problem) *proof.Tree {
		if tree := bitByBit(p, o.Meter); tree != nil {
			return tree
		}
		return w.Prove(ctx, []proof.Problem{p}, o).Proof()
	})
	if byBits.Status == prove.Proved {
		return byBits
	}
	return t
}

// Matrices proves equations of states and matrices over GF(2) by the polynomials of their bits, and
// others among them as Words does.
func Matrices(ctx context.Context, w *prove.Prover, ps []proof.Problem, o prove.Options) prove.Theorem {
	return eachBy(ps, o.Allowed, func(p proof.Problem) *proof.Tree {
		if tree := byPolynomials(p, o); tree != nil {
			return tree
		}
		return Words(ctx, w, []proof.Problem{p}, o).Proof()
	})
}

// byPolynomials asks the checker whether the bits of both sides are the same polynomials, and returns that proof; nil
// where they are not, or are too large.
func byPolynomials(p proof.Problem, o prove.Options) *proof.Tree {
	t := &proof.Tree{Kind: proof.GF2}
	given := effort.Polynomials.Items(o.Meter.Left())
	left := given
	err := equation.CheckWithin(&left, p, o.Allowed, t)
	o.Meter.Spend(effort.Polynomials, given-left)
	if err != nil {
		return nil
	}
	return t
}

// eachBy proves each of some equations in a way that answers its certificate, or nil.
func eachBy(ps []proof.Problem, assume ir.Assume, way func(proof.Problem) *proof.Tree) prove.Theorem {
	out := prove.Theorem{Status: prove.Proved, Assumes: assume}
	for _, p := range ps {
		tree := way(p)
		if tree == nil {
			return prove.Theorem{}
		}
		out.Proofs = append(out.Proofs, tree)
	}
	return out
}

func bitByBit(p proof.Problem, m *effort.Meter) *proof.Tree {
	if !gf2.Equal(p.Left, p.Right, m) {
		return nil
	}
	return &proof.Tree{Kind: proof.Bits}
}

// saturates reports whether integers are cast or saturate, which the prover does not compare well.
func saturates(ps []proof.Problem) (found bool) {
	for _, p := range ps {
		ir.Walk([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) {
			switch e.Op() {
			case ir.SatAdd, ir.SatSub:
				found = true
			case ir.Cast:
				found = found || e.Type().IsInt() && e.States() != 0 && e.Arg(0).Type().IsInt()
			}
		})
	}
	return found
}

// shifts reports whether words are shifted, which the prover takes for products or quotients.
func shifts(ps []proof.Problem) (found bool) {
	for _, p := range ps {
		ir.Walk([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) {
			found = found || e.Op() == ir.Shl || e.Op() == ir.Shr
		})
	}
	return found
}

// maxTold is how many flags are told apart by cases.
const maxTold = 12

// manyFlags reports whether equations of flags have too many of them to tell them apart.
func manyFlags(ps []proof.Problem) bool {
	for _, p := range ps {
		if p.Left.Type() != ir.Bool {
			return false
		}
	}
	flags := 0
	for _, p := range ps {
		flags = max(flags, len(ir.Vars(p.Left, p.Right)))
	}
	return flags > maxTold
}

// Certify completes a proof tree of any kind, as long as a meter pays for it; nil for any time.
func Certify(p proof.Problem, assume ir.Assume, t *proof.Tree, m *effort.Meter) (*proof.Tree, error) {
	switch t.Kind {
	case proof.Extrema, proof.GF2, proof.Exhaustive, proof.Threshold, proof.Scaled:
		return t, nil
	}
	return prove.CertifyWithin(p, assume, t, m)
}
