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

// MaxValues bounds the values of one integer that are told apart.
const MaxValues = 8

// fitAutomaton fits steps of one integer that only ask whether it is one of a few literals.
//
//	select(x0 != 3, select(y0, 3, x0), y1)   →   n = y1, k = !y0, v = select(y0, 3, 0)
//	(n, k, v) ∘ b = (b(n), k && b.k, select(k, b.v, b(v))),  where b(x) = select(x == 3, b.n, select(b.k, x, b.v))
//
// The cells are the successor of each literal, and for all other values whether they are kept, and
// what they are set to. The example has the one literal 3. A successor may be any input.
func fitAutomaton(cx *lift.Context, p *tuple.Part) *lift.Shape {
	if len(p.Types) != 1 || !p.Types[0].IsInt() {
		return nil
	}
	x := p.States[0]
	a := &automaton{cx: cx, x: x}
	for e := range algebra.Occurring(p.Values) {
		if v, ok := Asked(e, x); ok && !slices.Contains(a.values, v) {
			a.values = append(a.values, v)
		}
	}
	if len(a.values) == 0 || len(a.values) > MaxValues {
		return nil
	}
	slices.SortFunc(a.values, func(v, w ir.Expr) int { return int(v.Int() - w.Int()) })
	var inject, identity []ir.Expr
	for _, v := range a.values {
		next := canon.Greedy(ir.Subst(p.Values[0], []ir.Expr{x}, []ir.Expr{v}), 0)
		if !next.IsLeaf() {
			return nil
		}
		inject, identity = append(inject, next), append(identity, v)
	}
	other := cx.Pool.Map(p.Values, func(e ir.Expr) ir.Expr {
		if _, ok := Asked(e, x); ok {
			return cx.Pool.Bool(e.Op() == ir.Ne)
		}
		return ir.Expr{}
	})[0]
	f := algebra.NewFitting(cx, p, []int{0}, algebra.NewKeeping(cx.Pool, 1))
	kept := f.Element(canon.Greedy(other, 0))
	if kept == nil {
		return nil
	}
	return &lift.Shape{Name: "automaton", Inject: append(inject, kept...), Identity: append(identity, f.Algebra.State(0, x.Type())...),
		Apply: func(x, cells []ir.Expr) []ir.Expr { return []ir.Expr{a.apply(x[0], cells)} }, Compose: a.compose}
}

// Asked returns the literal that e compares the state x with for equality; not ok where e is no
// such comparison.
func Asked(e, x ir.Expr) (v ir.Expr, ok bool) {
	if e.Op() != ir.Eq && e.Op() != ir.Ne {
		return v, false
	}
	for i := range 2 {
		if e.Arg(i) == x && e.Arg(1-i).Op() == ir.Const {
			return e.Arg(1 - i), true
		}
	}
	return v, false
}

type automaton struct {
	cx     *lift.Context
	x      ir.Expr
	values []ir.Expr // the literals, ascending
}

func (a *automaton) apply(x ir.Expr, cells []ir.Expr) ir.Expr {
	n := len(a.values)
	out := fold.Select(cells[n], x, cells[n+1])
	for i, v := range slices.Backward(a.values) {
		out = fold.Select(fold.Equal(x, v), cells[i], out)
	}
	return out
}

func (a *automaton) compose(first, second []ir.Expr) []ir.Expr {
	n := len(a.values)
	var out []ir.Expr
	for _, v := range first[:n] {
		out = append(out, a.apply(v, second))
	}
	return append(out, fold.And(first[n], second[n]), fold.Select(first[n], second[n+1], a.apply(first[n+1], second)))
}
