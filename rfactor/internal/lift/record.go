package lift

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// record fits steps that keep an extremum and, in each other component, set a new value where there
// is a new extremum and go on from the old one elsewhere: how long ago the least element was, what
// has been added since.
//
//	min(x0, y0); select(y0 < x0, y1, x1 + 1)   →   m = y0, v = y1, b = 1
//	(m, v, b) ∘ (m', v', b') = (min(m, m'), select(m' < m, v', v + b'), b + b')
//
// The cells are the extremum of a slice, which may be missing, and for each other component its value
// behind a slice that has the new extremum, and a and b of x ↦ a·x + b for a slice that has not.
func (cx *Context) record(p *tuple.Part) *Shape {
	r := &recordSteps{cx: cx, p: p, key: -1}
	for i, v := range p.Values {
		if v.States() == 1<<i && p.Types[i].IsInt() && r.extremum(i, v) {
			r.key = i
			break
		}
	}
	if r.key < 0 || len(p.Types) < 2 {
		return nil
	}
	inject := pack([]optional{r.best})
	identity := pack([]optional{missing(cx.Pool, p.Types[r.key])})
	for i, v := range p.Values {
		if i == r.key {
			continue
		}
		cells := r.payload(i, v)
		if cells == nil {
			return nil
		}
		inject = append(inject, cells...)
		identity = append(append(identity, fold.Number(cx.Pool, p.Types[i], 0)), newRing(cx.Pool, 1).state(0, p.Types[i])...)
	}
	return &Shape{Name: "record", Inject: inject, Identity: identity, Apply: r.apply, Compose: r.compose}
}

type recordSteps struct {
	cx   *Context
	p    *tuple.Part
	key  int
	op   ir.Op    // Max or Min
	best optional // of the step
	late bool     // an equal element counts as new, too
}

// extremum reports whether v is an extremum of component i and an input, and notes which.
func (r *recordSteps) extremum(i int, v ir.Expr) bool {
	for _, r.op = range []ir.Op{ir.Max, ir.Min} {
		f := &fitting{cx: r.cx, p: r.p, roles: roles{numbers: []int{i}}, algebra: tropical{r.cx.Pool, 1, r.op}}
		cells := f.element(v)
		if cells == nil {
			continue
		}
		row := unpack(cells)
		if row[0] == present(fold.Number(r.cx.Pool, r.p.Types[i], 0)) && !row[1].has.IsConst(0) {
			r.best = row[1]
			return true
		}
	}
	return false
}

// payload returns the cells of another component; nil where it does not have the family's form.
func (r *recordSteps) payload(i int, v ir.Expr) []ir.Expr {
	if v.Op() != ir.Select || v.States()&^(1<<i|1<<r.key) != 0 {
		return nil
	}
	c, set, rest := v.Arg(0), v.Arg(1), v.Arg(2)
	if c.States() != 1<<r.key {
		return nil
	}
	holds := true
	if !set.IsLeaf() || rest.IsLeaf() {
		set, rest, holds = rest, set, false
	}
	if !set.IsLeaf() || rest.States() != 1<<i {
		return nil
	}
	for c.Op() == ir.Not {
		c, holds = c.Arg(0), !holds
	}
	for _, c := range conjuncts(c) {
		switch c.Op() {
		case ir.Lt, ir.Gt:
			r.late = !holds
		case ir.Le, ir.Ge:
			r.late = holds
		}
	}
	f := &fitting{cx: r.cx, p: r.p, roles: roles{numbers: []int{i}}, algebra: newRing(r.cx.Pool, 1)}
	row := f.element(rest)
	if row == nil {
		return nil
	}
	return append([]ir.Expr{set}, row...)
}

// beats returns the condition under which b, the later extremum, counts as new.
func (r *recordSteps) beats(a, b optional) ir.Expr {
	x, y := a.v, b.v
	if r.op == ir.Max {
		x, y = y, x
	}
	c := ir.LtOf(y, x)
	if r.late {
		c = ir.LeOf(y, x)
	}
	return fold.And(b.has, fold.Or(fold.Not(a.has), c))
}

func (r *recordSteps) apply(x, cells []ir.Expr) []ir.Expr {
	at := optional{cells[0], cells[1]}
	now := present(x[r.key])
	beats := r.beats(now, at)
	out := make([]ir.Expr, len(x))
	cells = cells[2:]
	for i := range x {
		if i == r.key {
			out[i] = better(r.op, now, at).v
			continue
		}
		out[i] = fold.Select(beats, cells[0], newRing(r.cx.Pool, 1).apply(x[i:i+1], cells[1:3]))
		cells = cells[3:]
	}
	return out
}

func (r *recordSteps) compose(a, b []ir.Expr) []ir.Expr {
	first, second := optional{a[0], a[1]}, optional{b[0], b[1]}
	out := pack([]optional{better(r.op, first, second)})
	beats := r.beats(first, second)
	ring := newRing(r.cx.Pool, 1)
	for i := 2; i < len(a); i += 3 {
		out = append(out, fold.Select(beats, b[i], ring.apply(a[i:i+1], b[i+1:i+3])))
		out = append(out, ring.compose([][]ir.Expr{a[i+1 : i+3]}, b[i+1:i+3])...)
	}
	return out
}
