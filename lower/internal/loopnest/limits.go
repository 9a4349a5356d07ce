package loopnest

import (
	"slices"

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

// Check is how it is made sure that an index stays within its limits.
type Check int

// The ways of checking an index.
const (
	Before Check = iota // its bounds are compared with the limits before anything runs, if that is needed; they are reached wherever all loops run
	Kept                // not at all: the conditions of the nest keep it within the limits, as the tail of a split
	Tail                // where it occurs: the conditions of the nest keep it closer than the loops do
	Each                // where it occurs: it depends on data, or has no bounds
)

// CheckOf returns how the index e of dimension d of an array is checked.
func CheckOf(p *plan.Plan, n *Nest, name string, d int, e ir.Expr) Check {
	switch {
	case InRange(p, n, name, d, e):
		return Before
	case ReadsArray(e):
		return Each
	}
	lo, hi, known := Limits(p, name, d)
	positive := n.NonEmpty(name)
	c := max(n.check(e, hi, known, true, positive), n.check(e, lo, true, false, positive))
	if c < Each && n.Fits {
		return Before
	}
	return c
}

// check is CheckOf for one of the limits.
func (n *Nest) check(e ir.Expr, limit Sum, known, greatest bool, positive []ir.Expr) Check {
	bounds := Extremes(SumOf(e), n.Scope, greatest, positive)
	if len(bounds) == 0 {
		return Each
	}
	if known && Within(bounds, limit, greatest, positive) {
		return Before
	}
	vars, closer := VarsOfLoops(n.Scope), Before
	for i, c := range n.Where {
		guarded := guardedSum(SumOf(e), c, greatest, vars)
		if !slices.ContainsFunc(vars, func(v ir.Expr) bool { return SumOf(e).Coef(v) != 0 && guarded.Coef(v) == 0 }) {
			continue // the condition is about others
		}
		kept := Extremes(guarded, n.Scope, greatest, positive)
		if i < n.Tails && known && Within(kept, limit, greatest, positive) { // other conditions may overflow
			return Kept
		}
		for _, b := range kept {
			if !slices.ContainsFunc(bounds, func(a Sum) bool { return atLeast(b, a, greatest) }) {
				closer = Tail
			}
		}
	}
	return closer
}

// guardedSum returns a sum without a variable of s, which s does not exceed (or does not fall below) where the comparison c holds. It is s itself where
// c tells nothing of the variables of s.
//
//	8*r where r < n - u   →   8*r + 8*(n - u - r - 1)
func guardedSum(s Sum, c ir.Expr, greatest bool, vars []ir.Expr) Sum {
	less, more, slack := ir.Lt, ir.Gt, int64(1)
	if c.Op() == ir.Le || c.Op() == ir.Ge {
		less, more, slack = ir.Le, ir.Ge, 0
	}
	if c.Op() != less && c.Op() != more || c.Arg(0).Type() != ir.I32 {
		return s
	}
	a, b := SumOf(c.Arg(0)), SumOf(c.Arg(1))
	if c.Op() == more {
		a, b = b, a
	}
	room := b.Plus(a, -1).Plus(Sum{K: slack}, -1) // is not negative
	for _, v := range vars {
		of, by := s.Coef(v), room.Coef(v)
		if !greatest {
			of = -of
		}
		if of != 0 && by != 0 && of%by == 0 && -of/by > 0 {
			if by = -of / by; !greatest {
				by = -by
			}
			return s.Plus(room, by)
		}
	}
	return s
}

// atLeast reports whether the bound b is no closer than a.
func atLeast(b, a Sum, greatest bool) bool {
	d := b.Plus(a, -1)
	return len(d.Atoms) == 0 && (d.K == 0 || (d.K > 0) == greatest)
}

// NonEmpty lists extents that are positive where an element of an array is looked at, apart from literals: where all of them are, the loops
// around it have an iteration. These are all loops, but for the element that the nest updates, which is held around those that do not
// change it, and the extents without which the nest is left out.
func (n *Nest) NonEmpty(array string) (extents []ir.Expr) {
	loops := n.Scope
	for array == n.Buffer.Name && len(loops) > 0 && !slices.ContainsFunc(n.Index, ReadsArray) && !MentionsAny(n.Index, loops[len(loops)-1].Var) {
		loops = loops[:len(loops)-1]
	}
	var add func(e ir.Expr)
	add = func(e ir.Expr) {
		switch of, _, ok := CeilDiv(e); {
		case e.Op() == ir.Min:
			add(e.Arg(0))
			add(e.Arg(1))
		case e.Op() == ir.Max && e.Arg(1).IsConst(0):
			add(e.Arg(0))
		case ok:
			add(of)
		case MentionsAny([]ir.Expr{e}, VarsOfLoops(n.Scope)...) || slices.Contains(extents, e) || e.Op() == ir.Const && e.Int() > 0:
		default:
			extents = append(extents, e)
		}
	}
	for _, l := range loops {
		add(l.Span.Extent)
	}
	for _, e := range n.Steps {
		add(e)
	}
	return extents
}

// LeaveOut has the nests of a factored update, and the nest that does all that they do, if there is one, left out where it has no step, if its identity or
// its operator reads what the program reads in steps alone.
//
//	f() = f()*2 + y(2)   →   if r > 0 { f0 = -y(2) - 1, … }
func LeaveOut(nests []*Nest, whole *Nest) {
	own := func(a access.Access) bool {
		return slices.ContainsFunc(nests, func(n *Nest) bool { return n.Buffer.Name == a.Array })
	}
	from := nests[0].From
	if from == nil || from.Domain == nil || !slices.ContainsFunc(nests, func(n *Nest) bool {
		return (n.Role == plan.First || n.Role == plan.Merge) && slices.ContainsFunc(n.Reads(), func(a access.Access) bool { return !own(a) })
	}) {
		return
	}
	var steps []ir.Expr
	for _, d := range from.Domain.Dims {
		if e := d.Extent; (e.Op() != ir.Const || e.Int() <= 0) && !slices.Contains(steps, e) {
			steps = append(steps, e)
		}
	}
	if whole != nil {
		whole.Steps = steps
	}
	for _, n := range nests {
		n.Steps = steps
	}
}

// NoStep reports whether some of the extents of loops is never positive.
func NoStep(extents []ir.Expr) bool {
	return slices.ContainsFunc(extents, func(e ir.Expr) bool { return e.Op() == ir.Const && e.Int() <= 0 })
}

// Checked returns how the index of a nest is checked that asks for most: without kernels, unless it is Before.
func Checked(p *plan.Plan, n *Nest) (most Check) {
	for _, a := range n.Accesses() {
		for d, c := range a.Dims {
			most = max(most, CheckOf(p, n, a.Array, d, c.Index))
		}
	}
	return most
}

// Faulty reports whether some index of a nest may be outside of its limits in its loops, whatever is checked before.
func Faulty(p *plan.Plan, n *Nest) bool { return Checked(p, n) != Before }

// Accesses returns the reads of the nest, and the element that it updates.
func (n *Nest) Accesses() []access.Access {
	return append(n.Reads(), access.Access{Array: n.Buffer.Name, Dims: access.Coordinates(n.Index, VarsOfLoops(n.Loops))})
}

// ReadsArray reports whether an element of some array occurs in e.
func ReadsArray(e ir.Expr) bool {
	found := false
	ir.Walk([]ir.Expr{e}, func(s ir.Expr) { found = found || access.IsRead(s) })
	return found
}
