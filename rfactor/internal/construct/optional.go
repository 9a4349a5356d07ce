package construct

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// optional: a component that has the value of the start says that there was no element yet.
//
//	select(y0 == 0, x0, max(x0, y0)); select(y0 == 0, x1, select(x0 < y0, 1 + x1*x0/y0, x1 + y0/x0))
//	→ select(y0 == 0, x, select(x0 == 0, y, …)) with operators of states that have elements

// sentinel reports whether a state whose component j is v leaves every other state as it is, on either
// side. some are the points at which neither operand is such a state.
func (b *bank) sentinel(j int, v ir.Expr) (some mask, ok bool) {
	var xNone, yNone mask
	for n := range points {
		if equals(b.p.Types[j], b.x[j][n], v) {
			xNone.add(n)
		}
		if equals(b.p.Types[j], b.y[j][n], v) {
			yNone.add(n)
		}
	}
	yNone = yNone.and(b.valid)
	xNone = xNone.and(b.valid).minus(yNone)
	if b.p.Types[j] == ir.Bool || count(xNone) < minPoints/4 {
		return mask{}, false
	}
	for i, t := range b.p.Types {
		for n := range points {
			if xNone.has(n) && !b.same(t, b.y[i][n], b.z[i][n]) || yNone.has(n) && !b.same(t, b.x[i][n], b.z[i][n]) {
				return mask{}, false
			}
		}
	}
	return b.valid.minus(xNone).minus(yNone), true
}

// equals reports whether v == e holds of two values, as the language compares them.
func equals(t ir.Type, v uint64, e ir.Expr) bool {
	return v == e.Value() || t.IsFloat() && ir.Float(t, v) == ir.Float(t, e.Value())
}

func (b *bank) same(t ir.Type, v, w uint64) bool {
	return v == w || t.IsFloat() && testpoint.Close(t, b.Allowed, v, w)
}

// optional returns choices that leave the other operand as it is where component j of one is v.
func (b *bank) optional(j int, v ir.Expr, choices [][]ir.Expr) [][]ir.Expr {
	x, y := b.Pool.Operands(b.p.Types)
	for i, list := range choices {
		for k, e := range list {
			list[k] = fold.Select(ir.EqOf(y[j], v), x[i], fold.Select(ir.EqOf(x[j], v), y[i], e))
		}
	}
	return choices
}
