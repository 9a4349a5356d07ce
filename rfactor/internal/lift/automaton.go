package lift

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// maxValues bounds the values that the states of an automaton may have.
const maxValues = 6

// automaton is the family of steps that look at an integer only by asking whether it is one of
// some literals: tables of what each of them becomes. Any other value is kept or set. Cells
// are what the literals become, whether another value is kept, and what it is set to.
func (cx *Context) automaton(p *tuple.Part) *Shape {
	if len(p.Types) != 1 || !p.Types[0].IsInt() {
		return nil
	}
	x := p.States[0]
	a := &automaton{cx: cx, x: x}
	for e := range occurring(p.Values) {
		if v, ok := asked(e, x); ok && !slices.Contains(a.values, v) {
			a.values = append(a.values, v)
		}
	}
	if len(a.values) == 0 || len(a.values) > maxValues {
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
		if _, ok := asked(e, x); ok {
			return cx.Pool.Bool(e.Op() == ir.Ne)
		}
		return ir.Expr{}
	})[0]
	f := &fitting{cx: cx, p: p, roles: roles{numbers: []int{0}}, algebra: newKeeping(cx.Pool, 1)}
	kept := f.element(canon.Greedy(other, 0))
	if kept == nil {
		return nil
	}
	return &Shape{Name: "automaton", Inject: append(inject, kept...), Identity: append(identity, f.algebra.state(0, x.Type())...),
		Apply: func(x, cells []ir.Expr) []ir.Expr { return []ir.Expr{a.apply(x[0], cells)} }, Compose: a.compose}
}

// occurring are the distinct subterms of expressions.
func occurring(es []ir.Expr) func(yield func(ir.Expr) bool) {
	return func(yield func(ir.Expr) bool) {
		more := true
		ir.Walk(es, func(e ir.Expr) { more = more && yield(e) })
	}
}

// asked is the literal that a term compares the state with for equality.
func asked(e, x ir.Expr) (v ir.Expr, ok bool) {
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
	cx     *Context
	x      ir.Expr
	values []ir.Expr // the literals, ascending
}

func (a *automaton) apply(x ir.Expr, cells []ir.Expr) ir.Expr {
	n := len(a.values)
	out := fold.Select(cells[n], x, cells[n+1])
	for i, v := range slices.Backward(a.values) {
		out = fold.Select(isValue(x, v), cells[i], out)
	}
	return out
}

// isValue is x == v, decided where both are literals.
func isValue(x, v ir.Expr) ir.Expr {
	if x.Op() == ir.Const {
		return x.Pool().Bool(x == v)
	}
	return ir.EqOf(x, v)
}

func (a *automaton) compose(first, second []ir.Expr) []ir.Expr {
	n := len(a.values)
	var out []ir.Expr
	for _, v := range first[:n] {
		out = append(out, a.apply(v, second))
	}
	return append(out, fold.And(first[n], second[n]), fold.Select(first[n], second[n+1], a.apply(first[n+1], second)))
}
