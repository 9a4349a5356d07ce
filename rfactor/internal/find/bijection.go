package find

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// bijection is a map φ of the values of a type onto themselves: x, −x, ~x, !x, x + c or c − x.
type bijection struct {
	op      ir.Op // Neg, BitNot, Not; Add for x + c, Sub for c − x; Const for x itself
	c       ir.Expr
	typ     ir.Type
	row     *sample.Row // of c at the points of the sample
	reverse bool
}

var identityMap = bijection{op: ir.Const}

// cost orders bijections: simple ones are preferred.
func (b bijection) cost() int {
	switch b.op {
	case ir.Const:
		return 0
	case ir.Add:
		return 2
	case ir.Sub:
		return 3
	}
	return 1
}

// name returns the prefix of Via for answers that are found through φ.
func (b bijection) name() string {
	switch b.op {
	case ir.Const:
		return ""
	case ir.Add:
		return "[x + " + b.c.String() + "]"
	case ir.Sub:
		return "[" + b.c.String() + " - x]"
	}
	return "[" + b.op.String() + "x]"
}

// itself returns φ.
func (b bijection) itself() bijection { return b }

// inverse returns φ⁻¹.
func (b bijection) inverse() bijection {
	if b.op == ir.Add {
		b.reverse = !b.reverse
	}
	return b
}

// apply returns φ(e).
func (b bijection) apply(e ir.Expr) ir.Expr {
	switch b.op {
	case ir.Const:
		return e
	case ir.Add:
		if b.reverse {
			return ir.SubOf(e, b.c)
		}
		return ir.AddOf(e, b.c)
	case ir.Sub:
		return ir.SubOf(b.c, e)
	}
	return ir.Make(b.op, e)
}

// applyRow returns φ of a row of values.
func (b bijection) applyRow(in *sample.Rows, r *sample.Row) *sample.Row {
	if b.op == ir.Const {
		return r
	}
	out := in.Take()
	*out = *r
	b.applyTo(out[:])
	return out
}

// applyTo applies φ to values in place, those of the first points.
func (b bijection) applyTo(vs []uint64) {
	if b.op == ir.Const {
		return
	}
	for i, v := range vs {
		switch b.op {
		case ir.Add:
			op := ir.Add
			if b.reverse {
				op = ir.Sub
			}
			vs[i] = ir.Apply2(op, b.typ, v, b.row[i])
		case ir.Sub:
			vs[i] = ir.Apply2(ir.Sub, b.typ, b.row[i], v)
		default:
			vs[i] = ir.Apply1(b.op, b.typ, b.typ, v)
		}
	}
}

// overflows reports whether φ leaves the type at one of the points, where overflow is assumed away:
// under nuw c − x does not map the natural numbers onto themselves.
func (b bijection) overflows(r *sample.Row, at uint64, allowed ir.Assume) bool {
	if !allowed.Unbounded(b.typ) {
		return false
	}
	for ; at != 0; at &= at - 1 {
		lane := bits.TrailingZeros64(at)
		x, c := r[lane], uint64(0)
		switch b.op {
		case ir.Sub:
			x, c = b.row[lane], x
		case ir.Add:
			c = b.row[lane]
		case ir.Neg:
		default:
			return false
		}
		if !ir.Fits(b.op, b.typ, x, c) {
			return true
		}
	}
	return false
}

func (b bijection) applyRows(in *sample.Rows, rs []*sample.Row) []*sample.Row {
	if b.op == ir.Const {
		return rs
	}
	out := make([]*sample.Row, len(rs))
	for i, r := range rs {
		out[i] = b.applyRow(in, r)
	}
	return out
}

// bijections returns the maps to try on a part, the identity first. Other maps are tried on single
// components only; their c are the invariants of the update and ±1.
func (cx *Context) bijections(p *tuple.Part) []bijection {
	out := []bijection{identityMap}
	if len(p.Types) != 1 {
		return out
	}
	t := p.Types[0]
	switch {
	case t == ir.Bool:
		return append(out, bijection{op: ir.Not, typ: t})
	case t.IsFloat():
		out = append(out, bijection{op: ir.Neg, typ: t})
	default:
		out = append(out, bijection{op: ir.Neg, typ: t}, bijection{op: ir.BitNot, typ: t})
	}
	for _, c := range cx.shifts(p, t) {
		r := cx.Points.Value(c)
		out = append(out, bijection{op: ir.Add, typ: t, c: c, row: r}, bijection{op: ir.Sub, typ: t, c: c, row: r})
	}
	return out
}

// maxShifts bounds the number of different c.
const maxShifts = 6

func (cx *Context) shifts(p *tuple.Part, t ir.Type) []ir.Expr {
	out := []ir.Expr{cx.Pool.Int(t, 1), cx.Pool.Int(t, -1)}
	ir.Walk(p.Values, func(v ir.Expr) {
		if !v.IsInvariant() || v.Type() != t || v.IsConst(0) || len(out) >= maxShifts {
			return
		}
		out = append(out, v)
		if v.Op() == ir.Const {
			out = append(out, cx.Pool.Const(t, ir.Apply1(ir.Neg, t, t, v.Value())))
		}
	})
	slices.SortStableFunc(out, func(a, b ir.Expr) int { return a.ID() - b.ID() })
	return slices.Compact(out)
}
