package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitSoftmax fits sums of exponentials that are kept relative to the greatest exponent, where old
// exponents decay: attention with decay.
//
//	max(x0 - k0, y0); x1*exp(x0 - k0 - max(x0 - k0, y0)) + exp(y0 - max(x0 - k0, y0))   →   w = -k0, m = y0, c = 1
//	(w, m, c) ∘ (w', m', c') = (w + w', M, c*exp(m + w' - M) + c'*exp(m' - M)),  where M = max(m + w', m')
//
// The cells are the decay w, the greatest exponent m of a slice, which may be missing, and for each
// sum its value c relative to m. The laws need afn: a product of exponentials is that of the sum.
func fitSoftmax(cx *lift.Context, p *tuple.Part) *lift.Shape {
	exponential := func(e ir.Expr) bool { return e.Op() == ir.Exp && !e.IsLeaf() }
	if len(p.Types) < 2 || !p.Types[0].IsFloat() || slices.ContainsFunc(p.Types, func(t ir.Type) bool { return t != p.Types[0] }) || !cx.Allowed.Has(ir.Reassoc|ir.NNaN|ir.AFN) || !contains(p.Values, exponential) {
		return nil
	}
	s := softmax{cx: cx, t: p.Types[0], key: -1}
	var row []algebra.Optional
	for i, v := range p.Values {
		if v.States() != 1<<i || contains([]ir.Expr{v}, exponential) {
			continue
		}
		f := algebra.NewFitting(cx, p, []int{i}, algebra.NewMaxPlus(cx.Pool, 1))
		if cells := f.Element(v); cells != nil && s.key < 0 {
			s.key, row = i, algebra.Unpack(cells)
		}
	}
	if s.key < 0 || !row[0].Has.IsConst(1) || row[1].Has.IsConst(0) {
		return nil
	}
	inject := append([]ir.Expr{row[0].Value}, algebra.Pack(row[1:])...)
	zero := fold.Number(cx.Pool, s.t, 0)
	identity := append([]ir.Expr{zero}, algebra.Pack([]algebra.Optional{algebra.Missing(cx.Pool, s.t)})...)
	for i, v := range p.Values {
		if i == s.key {
			continue
		}
		// where the step's exponent is the greatest, and there is nothing to go on from
		from := []ir.Expr{p.Values[s.key], p.States[i]}
		c := canon.Greedy(ir.Subst(v, from, []ir.Expr{row[1].Value, zero}), cx.Allowed)
		if !c.IsLeaf() {
			return nil
		}
		inject, identity = append(inject, c), append(identity, zero)
	}
	return &lift.Shape{Name: "softmax", Inject: inject, Identity: identity, Apply: s.apply, Compose: s.compose}
}

type softmax struct {
	cx  *lift.Context
	t   ir.Type
	key int // the component that holds the greatest exponent
}

// after returns the greatest exponent after a slice with some cells, and the sums relative to it.
func (s softmax) after(now algebra.Optional, sums, cells []ir.Expr) (algebra.Optional, []ir.Expr) {
	at, zero := algebra.Maybe(cells[1], cells[2]), fold.Number(s.cx.Pool, s.t, 0)
	moved := algebra.Sum(now, algebra.Present(cells[0]))
	best := algebra.Better(ir.Max, moved, at)
	relative := func(o algebra.Optional, c ir.Expr) ir.Expr {
		return fold.Select(o.Has, fold.Mul(c, ir.Make(ir.Exp, ir.SubOf(o.Value, best.Value))), zero)
	}
	out := make([]ir.Expr, len(sums))
	for i := range sums {
		out[i] = fold.Add(relative(moved, sums[i]), relative(at, cells[3+i]))
	}
	return best, out
}

func (s softmax) apply(x, cells []ir.Expr) []ir.Expr {
	out := append([]ir.Expr{}, x...)
	var others []int
	for i := range x {
		if i != s.key {
			others = append(others, i)
		}
	}
	best, sums := s.after(algebra.Present(x[s.key]), tuple.Pick(x, others), cells)
	out[s.key] = best.Value
	for j, i := range others {
		out[i] = sums[j]
	}
	return out
}

func (s softmax) compose(a, b []ir.Expr) []ir.Expr {
	best, sums := s.after(algebra.Maybe(a[1], a[2]), a[3:], b)
	return slices.Concat([]ir.Expr{fold.Add(a[0], b[0])}, algebra.Pack([]algebra.Optional{best}), sums)
}
