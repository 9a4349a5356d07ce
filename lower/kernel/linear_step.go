package kernel

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
)

// LinearStep is what a step does to components that are linear in one another, besides combining them with elements: entry i, j is what
// component i takes of component j. A component that is linear in itself alone is a step of one entry; where there are more, they are products.
//
//	{s + y, w + s + y}   →   1 0
//	                         1 1
type LinearStep [][]LinearMap

// Linear is components of one type that are linear in one another.
type Linear struct {
	Comps []int
	Step  LinearStep
	Y     []ir.Expr // what is combined with each, over elements alone; the zero Expr for nothing
}

// LinearOf takes the next values of components apart, each in itself where that is possible, and the others together with those that they
// take. ok is false where some are not linear, as is proven: of floats, under reassoc.
func LinearOf(to []ir.Expr, comps []int) (parts []Linear, ok bool) {
	parts, ok = linear(to, comps)
	return parts, ok && !slices.ContainsFunc(parts, func(l Linear) bool { return !l.holds(to) })
}

// holds reports whether next values are proven to be what the parts say.
func (l Linear) holds(to []ir.Expr) bool {
	var xs []ir.Expr
	for _, c := range l.Comps {
		xs = append(xs, to[c].Pool().X(c, to[c].Type()))
	}
	for i, e := range l.Step.Exprs(xs) {
		if l.Y[i].IsValid() {
			e = ir.Make(l.Step.Combines(), e, l.Y[i])
		}
		assume := ir.Assume(0)
		if e.Type().IsFloat() {
			assume = ir.Reassoc
		}
		if !folds.Holds(assume, to[l.Comps[i]], e) {
			return false
		}
	}
	return true
}

// linear reads the parts off the values.
func linear(to []ir.Expr, comps []int) (parts []Linear, ok bool) {
	var alone []Linear
	var joint []int
	for _, c := range comps {
		m, y, ok := linearOf(to[c], c)
		if ok = ok && (!y.IsValid() || y.States() == 0); !ok {
			joint = append(joint, c)
		}
		alone = append(alone, Linear{[]int{c}, LinearStep{{m}}, []ir.Expr{y}})
	}
	for grown := len(joint) > 0; grown; {
		grown = false
		for _, c := range comps {
			taken := slices.ContainsFunc(joint, func(j int) bool { return to[j].States()>>c&1 != 0 })
			if taken && !slices.Contains(joint, c) {
				joint, grown = append(joint, c), true
			}
		}
	}
	for i, c := range comps {
		if !slices.Contains(joint, c) {
			parts = append(parts, alone[i])
		}
	}
	if len(joint) == 0 {
		return parts, true
	}
	slices.Sort(joint)
	together, ok := jointly(to, joint)
	return append(parts, together), ok
}

// jointly takes components apart that are linear in one another.
func jointly(to []ir.Expr, comps []int) (l Linear, ok bool) {
	l.Comps = comps
	var xs []ir.Expr
	for _, c := range comps {
		if to[c].Type() != to[comps[0]].Type() {
			return l, false
		}
		xs = append(xs, to[c].Pool().X(c, to[c].Type()))
	}
	for _, c := range comps {
		row, y, ok := combination(to[c], xs)
		if !ok || y.IsValid() && y.States() != 0 {
			return l, false
		}
		l.Step, l.Y = append(l.Step, row), append(l.Y, y)
	}
	return l, true
}

// combination takes a sum of products with literals apart.
func combination(e ir.Expr, xs []ir.Expr) (factors []LinearMap, rest ir.Expr, ok bool) {
	t := e.Type()
	factors = make([]LinearMap, len(xs))
	for i := range factors {
		factors[i] = LinearMap{kind: nothing, t: t}
	}
	i := slices.Index(xs, e)
	switch {
	case t == ir.Bool:
		return nil, rest, false
	case e.States() == 0:
		return factors, e, true
	case i >= 0:
		factors[i] = LinearMap{kind: times, t: t}.one()
		return factors, rest, true
	}
	switch op := e.Op(); op {
	case ir.Add, ir.Sub:
		a, p, ok := combination(e.Arg(0), xs)
		b, q, also := combination(e.Arg(1), xs)
		if !ok || !also {
			return nil, rest, false
		}
		for i := range a {
			factors[i] = a[i].plus(op, b[i])
		}
		switch {
		case !q.IsValid():
			return factors, p, true
		case p.IsValid():
			return factors, ir.Make(op, p, q), true
		case op == ir.Sub:
			return factors, ir.NegOf(q), true
		}
		return factors, q, true
	case ir.Mul:
		a, c := e.Arg(0), e.Arg(1)
		if a.IsClosed() {
			a, c = c, a
		}
		b, p, ok := combination(a, xs)
		if !ok || !c.IsClosed() {
			return nil, rest, false
		}
		by := LinearMap{kind: times, t: t, factor: ir.Eval(c, &ir.Env{})}
		for i := range b {
			if !t.IsFloat() || by.factor != 0 { // a zero takes nothing of what is finite
				factors[i] = by.after(b[i])
			}
		}
		if p.IsValid() {
			p = ir.MulOf(p, c)
		}
		return factors, p, true
	}
	return nil, rest, false
}

// plus is the sum or the difference of two products.
func (m LinearMap) plus(op ir.Op, n LinearMap) LinearMap {
	if n.kind == nothing {
		return m
	}
	if m.kind == nothing && op == ir.Add {
		return n
	}
	return LinearMap{kind: times, t: m.t, factor: ir.Apply2(op, m.t, m.factor, n.factor)}
}

// Power returns the step that n steps compose to.
func (s LinearStep) Power(n int) LinearStep {
	if len(s) == 1 {
		return LinearStep{{s[0][0].Power(n)}}
	}
	if s[0][0].t == ir.F32 { // rounded once
		return s.in(ir.F64).Power(n).in(ir.F32)
	}
	var out LinearStep
	for ; n > 0; n >>= 1 {
		if n&1 == 1 && out == nil {
			out = s
		} else if n&1 == 1 {
			out = out.after(s)
		}
		s = s.after(s)
	}
	return out
}

// in is the step with factors of another type.
func (s LinearStep) in(t ir.Type) LinearStep {
	out := make(LinearStep, len(s))
	for i, row := range s {
		for _, m := range row {
			m.t, m.factor = t, ir.Apply1(ir.Cast, m.t, t, m.factor)
			out[i] = append(out[i], m)
		}
	}
	return out
}

// after is the step of what q does first and s then, where entries are products.
func (s LinearStep) after(q LinearStep) LinearStep {
	out := make(LinearStep, len(s))
	for i := range s {
		for j := range s {
			sum := LinearMap{kind: nothing, t: s[i][j].t}
			for k := range s {
				sum = sum.plus(ir.Add, s[i][k].after(q[k][j]))
			}
			out[i] = append(out[i], sum)
		}
	}
	return out
}

// Combines returns the operation that combines components with elements.
func (s LinearStep) Combines() ir.Op { return s[0][0].Combines() }

// Cheap reports whether lanes compute the step in few operations. Of components of floats each has to take part in some other or itself, by a
// factor that holds: then what is not finite stays so.
func (s LinearStep) Cheap() bool {
	for j := range s {
		holds := false
		for i := range s {
			m := s[i][j]
			holds = holds || m.kind != nothing && m.Cheap()
			if m.huge() {
				return false
			}
		}
		if t := s[0][j].t; !holds && (t.IsFloat() || len(s) == 1) {
			return false
		}
	}
	return true
}

// huge reports whether a product of floats is with a number so great that few powers of it overflow.
func (m LinearMap) huge() bool {
	return m.kind == times && m.t.IsFloat() && !(math.Abs(ir.Float(m.t, m.factor)) < most)
}

// Moves reports whether a step differs from the identity.
func (s LinearStep) Moves() bool { return len(s) > 1 || s[0][0].Moves() }

// OfBits reports whether the step maps the bits of a component.
func (s LinearStep) OfBits() bool { return s[0][0].OfBits() }

// Negative reports whether some product is one of floats with a negative number.
func (s LinearStep) Negative() bool {
	return !s.all(func(m LinearMap) bool { return !m.Negative() })
}

func (s LinearStep) all(holds func(LinearMap) bool) bool {
	return !slices.ContainsFunc(s, func(row []LinearMap) bool {
		return slices.ContainsFunc(row, func(m LinearMap) bool { return !holds(m) })
	})
}

// none reports whether a product has no term, or one that vanishes.
func (m LinearMap) none() bool { return m.kind == nothing || m.kind == times && m.factor == 0 }

// Exprs are what the step makes of single values.
func (s LinearStep) Exprs(xs []ir.Expr) []ir.Expr {
	var out []ir.Expr
	for _, row := range s {
		var sum ir.Expr
		for j, m := range row {
			if m.none() {
				continue
			}
			if e := m.Expr(xs[j]); sum.IsValid() {
				sum = ir.AddOf(sum, e)
			} else {
				sum = e
			}
		}
		if !sum.IsValid() {
			sum = xs[0].Pool().Const(xs[0].Type(), 0)
		}
		out = append(out, sum)
	}
	return out
}

// values are what the step makes of lanes.
func (s LinearStep) values(vs []*Value) []*Value {
	var out []*Value
	for _, row := range s {
		var sum *Value
		for j, m := range row {
			if m.none() {
				continue
			}
			if v := m.value(vs[j]); sum != nil {
				sum = Apply(ir.Add, sum, v)
			} else {
				sum = v
			}
		}
		if sum == nil {
			sum = Spread(row[0].t, 0)
		}
		out = append(out, sum)
	}
	return out
}
