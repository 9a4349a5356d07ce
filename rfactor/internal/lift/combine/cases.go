package combine

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/family"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Bounds of finite control: its classes, and the values of one integer that are given, of one that is compared by order. Such numbers count, and
// have other lifts; one that is asked for equality alone, as the state of a lexer is, may have as many values as there are classes.
const (
	maxClasses = 16
	maxGiven   = 10
)

// joinCases fits steps with finite control: what they do to the state depends on conditions that read the
// state and no varying input. Lexers, decoders, debouncing, predictors, loops that stop at an element.
//
//	select(x0 != 10, y0, x0)   →   where x0 != 10: v = y0;  elsewhere x0 is kept
//	v ∘ v' = select(v != 10, v', v)
//
// A component that such conditions read is under control: in each class of states, which is one
// outcome of the conditions, a step keeps that component or sets it to an input. The other
// components are lifted by any family in each class. The cells are the effect of a slice in each
// class.
func joinCases(cx *lift.Context, p *tuple.Part, memory family.Memory, unbounded bool) *lift.Shape {
	switch memory {
	case family.Conditions:
		return family.Decided(cx, p, func(p *tuple.Part) *lift.Shape { return joinCases(cx, p, family.None, unbounded) })
	case family.Elements, family.Pairs:
		return nil
	}
	c := controlOf(cx, p)
	if c == nil {
		return nil
	}
	parts := make([]*tuple.Part, c.classes())
	effects := make([][]ir.Expr, len(parts))
	for s := range parts {
		values := c.under(s)
		if c.excluded(s) { // any data will do
			values = c.under(0)
		}
		if effects[s] = c.effect(s, values); effects[s] == nil {
			return nil
		}
		if parts[s] = c.data(values); parts[s] == nil {
			return nil
		}
	}
	inner := []*lift.Shape{}
	if len(c.rest) > 0 {
		if inner = sideBySide(cx.Within(c.rest), parts, unbounded); inner == nil {
			return nil
		}
	}
	return c.shape(effects, inner)
}

// axis is a condition, or one of several exclusive ones, on components under control.
type axis struct {
	tests  []ir.Expr
	values []ir.Expr // the component where the test holds; no list where it is not known
	binary bool      // the one test is a flag, or a condition: it holds or does not
}

// classes returns the number of outcomes of the tests: the last one is that none holds.
func (a *axis) classes() int { return len(a.tests) + 1 }

// control is the finite control of a part.
type control struct {
	cx     *lift.Context
	p      *tuple.Part
	axes   []axis
	comps  []int // under control
	group  []int // of each of those: components that one condition reads are kept together
	groups int
	rest   []int
	told   []bool // of each component under control: its values are all told apart, by type or by what is given
}

// controlOf returns the finite control of a part; nil where it has none or too much.
func controlOf(cx *lift.Context, p *tuple.Part) *control {
	c := &control{cx: cx, p: p}
	var under uint64
	add := func(a axis) {
		c.axes = append(c.axes, a)
		for _, t := range a.tests {
			under |= t.States()
		}
	}
	known := make([]bool, len(p.Types)) // the component is a flag, or its given values are listed
	for i, t := range p.Types {
		x := p.States[i]
		switch {
		case t == ir.Bool:
			known[i] = true
			add(axis{tests: []ir.Expr{x}, values: []ir.Expr{cx.Pool.Bool(true)}, binary: true})
		case t.IsInt():
			most := maxGiven
			if isName(p.Values, x) {
				most = maxClasses
			}
			if values := given(cx, x, most); values != nil {
				known[i] = true
				add(literals(x, values))
			}
		}
	}
	asks := make([][]ir.Expr, len(p.Types))
	ir.Walk(p.Values, func(e ir.Expr) {
		switch {
		case !e.Op().IsComparison() || e.IsLeaf() || len(lift.Varying([]ir.Expr{e})) > 0:
			return
		case slices.ContainsFunc(tuple.Members(e.States()), func(i int) bool { return known[i] }):
			return
		}
		for _, i := range tuple.Members(e.States()) {
			if v, ok := asked(e, p.States[i]); ok && p.Types[i].IsInt() {
				if !slices.Contains(asks[i], v) {
					asks[i] = append(asks[i], v)
				}
				return
			}
		}
		if n := family.Normal(e); !slices.ContainsFunc(c.axes, func(a axis) bool { return a.tests[0] == n }) {
			add(axis{tests: []ir.Expr{n}, binary: true})
		}
	})
	for i, values := range asks {
		if len(values) > 0 {
			slices.SortFunc(values, func(v, w ir.Expr) int { return int(v.Int() - w.Int()) })
			add(literals(p.States[i], values))
		}
	}
	if len(c.axes) == 0 || c.classes() > maxClasses {
		return nil
	}
	c.comps = tuple.Members(under)
	c.rest = tuple.Members((1<<len(p.Types) - 1) &^ under)
	c.groupComponents()
	for _, i := range c.comps {
		c.told = append(c.told, known[i])
	}
	return c
}

// literals tells apart the values of an integer.
func literals(x ir.Expr, values []ir.Expr) axis {
	a := axis{values: values}
	for _, v := range values {
		a.tests = append(a.tests, ir.EqOf(x, v))
	}
	return a
}

// groupComponents numbers the components under control so that those that one condition reads have
// the same number.
func (c *control) groupComponents() {
	c.group = tuple.Indices(len(c.comps))
	for _, a := range c.axes {
		members := tuple.Members(a.tests[0].States())
		first := c.group[slices.Index(c.comps, members[0])]
		for _, i := range members[1:] {
			from := c.group[slices.Index(c.comps, i)]
			for j, g := range c.group {
				if g == from {
					c.group[j] = first
				}
			}
		}
	}
	used := slices.Compact(slices.Sorted(slices.Values(c.group)))
	for j, g := range c.group {
		c.group[j] = slices.Index(used, g)
	}
	c.groups = len(used)
}

// Bounds between which given values of an integer are looked for.
const (
	leastGiven    = -16
	greatestGiven = 64
)

// isName reports whether values ask of x nothing but whether it is one literal or another, or which row of a table it is.
func isName(values []ir.Expr, x ir.Expr) bool {
	name := true
	ir.Walk(values, func(e ir.Expr) {
		for i := range e.NumArgs() {
			if e.Arg(i) == x {
				_, ok := asked(e, x)
				name = name && (ok || e.Op() == ir.Select || e.Op() == ir.Cast && isName(values, e) || e.Op() == ir.Mul && e.Arg(1-i).Op() == ir.Const)
			}
		}
	})
	return name
}

// given lists the small integers that satisfy what is given of the state x alone; nil where that is
// nothing, or more than most satisfy it. That no others do is left to the proof.
func given(cx *lift.Context, x ir.Expr, most int) (values []ir.Expr) {
	var conds []ir.Expr
	for _, c := range cx.State {
		if vars := ir.Vars(c); len(vars) == 1 && vars[0] == x {
			conds = append(conds, c)
		}
	}
	if len(conds) == 0 {
		return nil
	}
	for v := int64(leastGiven); v <= greatestGiven; v++ {
		n := cx.Pool.Int(x.Type(), v)
		if v < 0 && x.Type().IsUnsigned() || slices.ContainsFunc(conds, func(c ir.Expr) bool { return canon.Greedy(ir.Subst(c, []ir.Expr{x}, []ir.Expr{n}), 0).IsConst(0) }) {
			continue
		}
		if values = append(values, n); len(values) > most {
			return nil
		}
	}
	return values
}

func (c *control) classes() int {
	n := 1
	for _, a := range c.axes {
		if n *= a.classes(); n > maxClasses {
			break
		}
	}
	return n
}

// outcomes returns which test of each axis holds in class s; len(tests) where none does.
func (c *control) outcomes(s int) []int {
	out := make([]int, len(c.axes))
	for i, a := range c.axes {
		out[i], s = s%a.classes(), s/a.classes()
	}
	return out
}

// under returns the values of all components in class s.
func (c *control) under(s int) []ir.Expr {
	pool := c.cx.Pool
	known := map[ir.Expr]ir.Expr{}
	for i, o := range c.outcomes(s) {
		a := c.axes[i]
		for j, t := range a.tests {
			known[t] = pool.Bool(j == o)
		}
		switch {
		case a.values == nil:
		case o < len(a.values) && a.binary:
			known[a.tests[0]] = a.values[o]
		case o < len(a.values):
			known[a.tests[0].Arg(0)] = a.values[o]
		}
	}
	values := pool.Map(c.p.Values, func(e ir.Expr) ir.Expr {
		if v, ok := known[e]; ok {
			return v
		}
		if !e.Op().IsComparison() || e.IsLeaf() {
			return ir.Expr{}
		}
		n := family.Normal(e)
		v, ok := known[n]
		if !ok && (e.Op() == ir.Eq || e.Op() == ir.Ne) {
			n = ir.EqOf(e.Arg(1), e.Arg(0))
			v, ok = known[n]
		}
		switch {
		case !ok:
			return ir.Expr{}
		case e.Op() == ir.Ne || e.Op() == ir.Ge && n.Op() == ir.Lt || e.Op() == ir.Le && n.Op() == ir.Lt:
			return fold.Not(v)
		}
		return v
	})
	for i, v := range values {
		values[i] = algebra.Settled(v)
	}
	return values
}

// excluded reports whether class s holds values of a component that what is given excludes.
func (c *control) excluded(s int) bool {
	for i, o := range c.outcomes(s) {
		a := c.axes[i]
		if o == len(a.tests) && !a.binary {
			j := slices.Index(c.comps, tuple.Members(a.tests[0].States())[0])
			if c.told[j] {
				return true
			}
		}
	}
	return false
}

// effect returns what a step does to the components under control in class s: for each group whether
// it is kept, and for each component what it is set to. It returns nil where a step does anything
// else.
func (c *control) effect(s int, values []ir.Expr) []ir.Expr {
	pool := c.cx.Pool
	kept, set := make([]ir.Expr, c.groups), make([]ir.Expr, len(c.comps))
	for j, i := range c.comps {
		t := c.p.Types[i]
		k, v := pool.Bool(true), pool.Const(t, 0)
		if !c.excluded(s) {
			f := algebra.NewFitting(c.cx.Within(c.comps), c.p, []int{i}, algebra.NewKeeping(pool, 1))
			cells := f.Element(values[i])
			if cells == nil || values[i].States()&^(1<<i) != 0 {
				return nil
			}
			k, v = cells[0], cells[1]
		}
		switch known := c.value(s, i); {
		case known.IsValid() && v == known && !c.told[j]: // kept, which holds of compositions where it holds of steps
			k, v = pool.Bool(true), pool.Const(t, 0)
		case known.IsValid() && !k.IsConst(1): // what is kept is set to what it is
			k, v = pool.Bool(false), fold.Select(k, known, v)
		}
		if g := c.group[j]; !kept[g].IsValid() {
			kept[g] = k
		} else if kept[g] != k {
			return nil
		}
		set[j] = v
	}
	return append(kept, set...)
}

// value returns what component i is in class s; the zero Expr where that is not known.
func (c *control) value(s, i int) (none ir.Expr) {
	for n, o := range c.outcomes(s) {
		a := c.axes[n]
		if a.values == nil || a.tests[0].States() != 1<<i {
			continue
		}
		if o < len(a.values) {
			return a.values[o]
		}
		if a.binary {
			return fold.Not(a.values[0])
		}
	}
	return none
}

// data returns the other components in a class; nil where these read components under control.
func (c *control) data(values []ir.Expr) *tuple.Part {
	pool := c.cx.Pool
	q := &tuple.Part{Set: c.rest, Types: make([]ir.Type, len(c.rest)), States: make([]ir.Expr, len(c.rest)), Values: tuple.Pick(values, c.rest)}
	for j, i := range c.rest {
		if values[i].States()&^tuple.MaskOf(c.rest) != 0 {
			return nil
		}
		q.Types[j], q.States[j] = c.p.Types[i], pool.X(j, c.p.Types[i])
	}
	q.Values = tuple.MapStates(pool, q.Values, func(i int, t ir.Type) ir.Expr { return pool.X(slices.Index(c.rest, i), t) })
	return q
}

// shape returns the shape of the part from the effects in each class and from the shapes of the other
// components.
func (c *control) shape(effects [][]ir.Expr, inner []*lift.Shape) *lift.Shape {
	k := c.groups + len(c.comps)
	name, data := "cases", &lift.Shape{Identity: []ir.Expr{}}
	if len(inner) > 0 {
		data = inner[0]
		name = "cases of " + data.Name
	}
	var inject, identity []ir.Expr
	for s, e := range effects {
		same := c.identity(s, e)
		if len(inner) > 0 {
			same = append(same, data.Identity...)
			e = slices.Concat(e, inner[s].Inject)
			if c.excluded(s) && data.Identity != nil {
				e = same
			}
		}
		inject, identity = append(inject, e...), append(identity, same...)
	}
	if data.Identity == nil {
		identity = nil
	}
	width := len(inject) / len(effects)
	at := func(cells []ir.Expr, s int) []ir.Expr { return cells[s*width : (s+1)*width] }
	// after returns the values of the components under control after a step, for those before it.
	after := func(before, cells []ir.Expr) []ir.Expr {
		out := make([]ir.Expr, len(before))
		for j := range out {
			out[j] = fold.Select(cells[c.group[j]], before[j], cells[c.groups+j])
		}
		return out
	}
	return &lift.Shape{Name: name, Inject: inject, Identity: identity,
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			options := make([][]ir.Expr, len(effects))
			for s := range options {
				options[s] = append(after(tuple.Pick(x, c.comps), at(cells, s)), at(cells, s)[k:]...)
			}
			chosen := c.choose(options, func(a, j int) ir.Expr { return c.test(a, j, x) })
			out := slices.Clone(x)
			for j, i := range c.comps {
				out[i] = chosen[j]
			}
			if len(inner) > 0 {
				for j, v := range data.Apply(tuple.Pick(x, c.rest), chosen[len(c.comps):]) {
					out[c.rest[j]] = v
				}
			}
			return out
		},
		Compose: func(a, b []ir.Expr) (out []ir.Expr) {
			for s := range effects {
				first := at(a, s)
				options := make([][]ir.Expr, len(effects))
				for t := range options {
					second := at(b, t)
					for g := range c.groups {
						options[t] = append(options[t], fold.And(first[g], second[g]))
					}
					options[t] = append(append(options[t], after(first[c.groups:k], second)...), second[k:]...)
				}
				chosen := c.choose(options, func(a, j int) ir.Expr { return c.testAfter(s, first, a, j) })
				out = append(out, chosen[:k]...)
				if len(inner) > 0 {
					out = append(out, data.Compose(first[k:], chosen[k:])...)
				}
			}
			return out
		}}
}

// identity returns the effect of a step that changes nothing, in class s: in the form that the given
// effect has, where a component is kept or set to what it is.
func (c *control) identity(s int, effect []ir.Expr) []ir.Expr {
	kept, set := make([]ir.Expr, c.groups), make([]ir.Expr, len(c.comps))
	for j, i := range c.comps {
		g := c.group[j]
		known := c.value(s, i)
		keeps := !known.IsValid() || effect[g].IsConst(1)
		kept[g], set[j] = c.cx.Pool.Bool(keeps), known
		if keeps {
			set[j] = c.cx.Pool.Const(c.p.Types[i], 0)
		}
	}
	return append(kept, set...)
}

// choose returns the option of the class that the tests say.
func (c *control) choose(options [][]ir.Expr, test func(axis, j int) ir.Expr) []ir.Expr {
	for n := len(c.axes) - 1; n >= 0; n-- { // the last axis varies slowest
		m := c.axes[n].classes()
		stride := len(options) / m
		merged := slices.Clone(options[(m-1)*stride:])
		for j := m - 2; j >= 0; j-- {
			holds := test(n, j)
			for s := range merged {
				merged[s] = algebra.Chosen(holds, options[j*stride+s], merged[s])
			}
		}
		options = merged
	}
	return options[0]
}

// test returns test j of an axis at a state.
func (c *control) test(n, j int, x []ir.Expr) ir.Expr {
	return c.at(c.axes[n].tests[j], func(i int) ir.Expr { return x[i] })
}

// testAfter returns test j of an axis after a slice with these cells, which begins in class s.
func (c *control) testAfter(s int, cells []ir.Expr, n, j int) ir.Expr {
	t := c.axes[n].tests[j]
	at := func(i int) int { return slices.Index(c.comps, i) }
	kept := cells[c.group[at(tuple.Members(t.States())[0])]]
	after := c.at(t, func(i int) ir.Expr { return cells[c.groups+at(i)] })
	return fold.Select(kept, c.cx.Pool.Bool(c.outcomes(s)[n] == j), after)
}

// at returns a test for some values of the components.
func (c *control) at(t ir.Expr, value func(i int) ir.Expr) ir.Expr {
	e := tuple.MapStates(c.cx.Pool, []ir.Expr{t}, func(i int, _ ir.Type) ir.Expr { return value(i) })[0]
	if e.Op() == ir.Eq && e.Arg(1).Op() == ir.Const {
		return fold.Equal(e.Arg(0), e.Arg(1))
	}
	if e.IsClosed() {
		return canon.Greedy(e, 0)
	}
	return e
}

// asked returns the literal that e compares the state x with for equality; not ok where e is no
// such comparison.
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
