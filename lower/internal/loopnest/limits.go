package loopnest

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Limits is the range of a dimension of an array: [lo, hi) as sums where they are known.
func Limits(p *plan.Plan, name string, d int) (lo, hi Sum, known bool) {
	if b := BufferNamed(p, name); b != nil {
		s := b.Dims[d]
		lo = SumOf(s.Min)
		return lo, lo.Plus(SumOf(s.Extent), 1), true
	}
	if d < 3 {
		hi = SumOf(p.Program.Pool.Call(ir.I32, name+"."+[]string{"width", "height", "channels"}[d], 0))
	}
	return lo, hi, d < 3
}

// BufferNamed is the buffer of a plan that has a name; nil where there is none.
func BufferNamed(p *plan.Plan, name string) *plan.Buffer {
	for _, b := range p.Buffers {
		if b.Name == name {
			return b
		}
	}
	return nil
}

// InRange reports whether the values of e alone keep it inside of a dimension with literal
// limits.
func InRange(p *plan.Plan, n *Nest, name string, d int, e ir.Expr) bool {
	lo, hi, known := Limits(p, name, d)
	if !known || len(lo.Atoms)+len(hi.Atoms) > 0 {
		return false
	}
	l, h := ValueRange(e)
	return l >= lo.K && h < hi.K
}

// NeedsCheck reports whether an index has to be checked where it occurs.
func NeedsCheck(p *plan.Plan, n *Nest, name string, d int, e ir.Expr) bool {
	if InRange(p, n, name, d, e) {
		return false
	}
	return ReadsArray(e) || len(Extremes(e, n.Scope, true)) == 0 || len(Extremes(e, n.Scope, false)) == 0
}

// Faulty reports whether some index of a nest has to be checked where it occurs.
func Faulty(p *plan.Plan, n *Nest) bool {
	for _, a := range append(n.Reads(), access.Access{Array: n.Buffer.Name, Dims: access.Coordinates(n.Index, nil)}) {
		for d, c := range a.Dims {
			if NeedsCheck(p, n, a.Array, d, c.Index) {
				return true
			}
		}
	}
	return false
}

// ReadsArray reports whether an element of some array occurs in e.
func ReadsArray(e ir.Expr) bool {
	found := false
	ir.Walk([]ir.Expr{e}, func(s ir.Expr) { found = found || access.IsRead(s) })
	return found
}
