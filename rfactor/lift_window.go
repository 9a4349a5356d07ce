package rfactor

import "github.com/rfactor-go/rfactor/ir"

// window is the family of steps that move a number, x ↦ x + a, and keep a flag only while
// the number lies in a window: balanced parentheses, a balance that must not be overdrawn.
// Cells are a, whether the flag is kept at all, and pairs for the window's two ends, which
// are of the number before the step.
func (m *matcher) window(p *part) *shape {
	if len(p.types) != 2 {
		return nil
	}
	num, flag := 0, 1
	if p.types[0] == ir.Bool {
		num, flag = 1, 0
	}
	t := p.types[num]
	if p.types[flag] != ir.Bool || !t.IsSigned() || p.values[num].States() != 1<<num {
		return nil
	}
	f := &fitting{m: m, p: p, roles: roles{numbers: []int{num}}, algebra: newRing(m.pool, 1)}
	move := f.element(p.values[num])
	if move == nil || !isNumber(move[0], 1) {
		return nil
	}
	keep, low, high := m.pool.Bool(true), missing(m.pool, t), missing(m.pool, t)
	flagSeen := false
	for _, c := range conjuncts(p.values[flag]) {
		if c == p.states[flag] {
			flagSeen = true
			continue
		}
		c = m.where(c, p.states[flag])
		switch {
		case c.IsLeaf():
			keep = and(keep, c)
		default:
			atLeast, end := f.bound(c)
			switch {
			case !end.IsValid():
				return nil
			case atLeast:
				low = better(ir.Max, low, present(end))
			default:
				high = better(ir.Min, high, present(end))
			}
		}
	}
	if !flagSeen {
		return nil
	}
	none := []optional{missing(m.pool, t), missing(m.pool, t)}
	return &shape{name: "window",
		inject:   append([]ir.Expr{move[1], keep}, pack([]optional{low, high})...),
		identity: append([]ir.Expr{number(m.pool, t, 0), m.pool.Bool(true)}, pack(none)...),
		apply: func(x, cells []ir.Expr) []ir.Expr {
			ends := unpack(cells[2:])
			out := make([]ir.Expr, 2)
			out[num] = addTo(x[num], cells[0])
			out[flag] = and(x[flag], cells[1])
			out[flag] = and(out[flag], inside(ends[0], func(end ir.Expr) ir.Expr { return ir.LeOf(end, x[num]) }))
			out[flag] = and(out[flag], inside(ends[1], func(end ir.Expr) ir.Expr { return ir.LeOf(x[num], end) }))
			return out
		},
		compose: func(a, b []ir.Expr) []ir.Expr {
			first, second := unpack(a[2:]), shift(unpack(b[2:]), negative(a[0]))
			return append([]ir.Expr{addTo(a[0], b[0]), and(a[1], b[1])},
				pack([]optional{better(ir.Max, first[0], second[0]), better(ir.Min, first[1], second[1])})...)
		}}
}

// where is e where the flag is set, which another conjunct says.
func (m *matcher) where(e, flag ir.Expr) ir.Expr {
	es := m.pool.Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr {
		if e == flag {
			return m.pool.Bool(true)
		}
		return ir.Expr{}
	})
	return m.tidyAll(es)[0]
}

// inside is the condition that an end of a window sets, where it is there.
func inside(end optional, cond func(ir.Expr) ir.Expr) ir.Expr {
	if end.has.IsConst(0) {
		return not(end.has)
	}
	return or(not(end.has), cond(end.v))
}

func conjuncts(e ir.Expr) []ir.Expr {
	if e.Op() == ir.And && !e.IsLeaf() {
		return append(conjuncts(e.Arg(0)), conjuncts(e.Arg(1))...)
	}
	return []ir.Expr{e}
}

// bound reads a comparison of the number x as end <= x, or as x <= end.
func (f *fitting) bound(c ir.Expr) (atLeast bool, end ir.Expr) {
	if !c.Op().IsComparison() || c.Op() == ir.Eq || c.Op() == ir.Ne || !c.Arg(0).Type().IsSigned() {
		return false, ir.Expr{}
	}
	less, more := c.Arg(0), c.Arg(1) // less <= more, or less < more
	if c.Op() == ir.Gt || c.Op() == ir.Ge {
		less, more = more, less
	}
	a, b := f.element(less), f.element(more)
	if a == nil || b == nil {
		return false, ir.Expr{}
	}
	slope, rest := addTo(b[0], negative(a[0])), addTo(b[1], negative(a[1])) // 0 <= slope·x + rest
	if c.Op() == ir.Lt || c.Op() == ir.Gt {
		rest = addTo(rest, number(f.m.pool, rest.Type(), -1))
	}
	switch {
	case isNumber(slope, 1):
		return true, negative(rest)
	case isNumber(slope, -1):
		return false, rest
	}
	return false, ir.Expr{}
}
