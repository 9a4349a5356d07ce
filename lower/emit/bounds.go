package emit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// limits turns steps into steps over magnitudes, of which sums and differences are sums: what they compute bounds the sum of the magnitudes of all
// terms of a result. However terms are regrouped, a result of so many roundings is off by that sum times the roundings at most.
//
//	x0 - a*0.3 + y   →   x0 + |a*0.3| + |y|
type limits struct {
	p       *plan.Plan
	open    bool // a result is not a sum of products, or an extremum of such sums
	inexact bool // some term is not a whole number, where inputs are whole numbers
	ops     map[ir.Expr]bool
}

// boundsOf is nil where nothing is regrouped or fused, and where results have no bounds.
func (g *testWriter) boundsOf(values ...[]ir.Expr) *limits {
	if !assumed(g.Plan).Has(ir.Reassoc) && !g.Plan.Contract {
		return nil
	}
	b := &limits{p: g.Plan, ops: map[ir.Expr]bool{}}
	b.open, b.inexact = assumed(g.Plan).Has(ir.AFN), assumed(g.Plan) == 0 // whole numbers are drawn where something is assumed
	for _, s := range g.Plan.Stages {
		values = append(values, s.Values)
	}
	for _, r := range g.scanned {
		if s := r.Steps; s != nil && s.Finite {
			values = append(values, s.Inject, s.Combine, s.Apply)
		}
	}
	for _, list := range values {
		for _, v := range list {
			b.of(v)
		}
	}
	if b.open {
		return nil
	}
	return b
}

// rounds reports whether a value depends on floats that stages have computed.
func (b *limits) rounds(e ir.Expr) (found bool) {
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		found = found || e.Type().IsFloat() && (e.Op() == ir.Var && (e.Kind() == ir.State || e.Kind() == ir.Leaf) || access.IsRead(e) && loopnest.BufferNamed(b.p, e.Name()) != nil)
	})
	return found
}

// of is the bound of a value that is a float, and any other value itself.
func (b *limits) of(e ir.Expr) ir.Expr {
	p, op, deep := e.Pool(), e.Op(), b.rounds(e)
	arg := func(i int) ir.Expr { return b.of(e.Arg(i)) }
	if !e.Type().IsFloat() {
		b.open = b.open || deep
		return e
	}
	b.ops[e] = b.ops[e] || op == ir.Add || op == ir.Sub || op == ir.Mul || op == ir.Cast
	switch {
	case op == ir.Add || op == ir.Sub:
		return ir.AddOf(arg(0), arg(1))
	case op == ir.Mul && e.States() != 0: // another order may multiply all but what is small, or 0
		one := e.Pool().Float(arg(0).Type(), 1)
		return ir.MulOf(ir.MaxOf(arg(0), one), ir.MaxOf(arg(1), one))
	case op == ir.Mul:
		return ir.MulOf(arg(0), arg(1))
	case op == ir.Neg || op == ir.Abs:
		return arg(0)
	case op == ir.Min || op == ir.Max:
		return ir.MaxOf(arg(0), arg(1))
	case op == ir.Select && b.rounds(e.Arg(0)) && extremum(e):
		return ir.MaxOf(arg(1), arg(2))
	case op == ir.Select && !b.rounds(e.Arg(0)):
		return ir.SelectOf(e.Arg(0), arg(1), arg(2))
	case op == ir.Cast && e.Arg(0).Type().IsFloat():
		return arg(0)
	case op == ir.Var && deep:
		return p.Var(e.Kind(), e.Name(), e.Index(), ir.F64)
	case access.IsRead(e) && deep:
		return p.Call(ir.F64, e.Name(), e.Index(), access.Operands(e)...)
	}
	b.open = b.open || deep
	b.inexact = b.inexact || !whole(e)
	return ir.Make(ir.Abs, ir.CastTo(ir.F64, e))
}

// extremum reports whether a select takes one of the two values that it compares.
func extremum(e ir.Expr) bool {
	c := e.Arg(0)
	return c.Op().IsComparison() && (c.Arg(0) == e.Arg(1) && c.Arg(1) == e.Arg(2) || c.Arg(0) == e.Arg(2) && c.Arg(1) == e.Arg(1))
}

// whole reports whether a term that is no sum, product or extremum is a whole number where inputs are.
func whole(e ir.Expr) bool {
	if e.Op() == ir.Const {
		x := ir.Float(e.Type(), e.Value())
		return x == math.Trunc(x)
	}
	return e.NumArgs() == 0 || e.Op() == ir.Floor || e.Op() == ir.Round || access.IsRead(e) || e.Op() == ir.Cast && e.Arg(0).Type().IsInt()
}

// types are those of bounds of some components.
func (b *limits) types(of []ir.Type) []ir.Type {
	out := slices.Clone(of)
	for i, t := range out {
		if t.IsFloat() {
			out[i] = ir.F64
		}
	}
	return out
}

// values are the bounds of some values.
func (b *limits) values(of []ir.Expr) (out []ir.Expr) {
	for _, v := range of {
		out = append(out, b.of(v))
	}
	return out
}

// roundings is Go for how many roundings two runs of so many steps have.
func (b *limits) roundings(steps string) string { return fmt.Sprintf("%d*(1+%s)", 2*len(b.ops), steps) }

// bounded writes the function that bounds results, and gives its call, with Go for how many roundings there are; nothing where there are no bounds.
func (g *testWriter) bounded(arguments []string) (b *limits, call, roundings string) {
	stages := serialStages(g.Plan)
	var values [][]ir.Expr
	var steps, names []string
	floats := false
	for _, s := range stages {
		values = append(values, s.Values)
	}
	if b = g.boundsOf(values...); b == nil {
		return nil, "", ""
	}
	of := map[*plan.Buffer]*plan.Buffer{}
	var buffers []*plan.Buffer
	for _, buffer := range outputs(g.Plan) {
		c := *buffer
		c.Types = b.types(c.Types)
		of[buffer], buffers = &c, append(buffers, &c)
		for _, t := range buffer.Types {
			names = append(names, "_")
			if t.IsFloat() {
				names[len(names)-1], floats = fmt.Sprintf("most%d", len(names)-1), true
			}
		}
	}
	if !floats {
		return nil, "", ""
	}
	g.ExtentVar = map[ir.Expr]string{}
	for i, s := range stages {
		c := *s
		c.Buffer, c.Values = of[s.Buffer], b.values(s.Values)
		if s.Places != nil {
			c.Places = &plan.Places{Counter: of[s.Places.Counter]}
		}
		stages[i] = &c
		var extents []string
		for _, l := range s.Loops {
			if !l.Pure {
				extents = append(extents, "("+g.GoInt(l.Span.Extent)+")")
			}
		}
		if len(extents) > 0 {
			steps = append(steps, strings.Join(extents, "*"))
		}
	}
	name := "bound" + g.Function
	g.File.Printf("\n// %s bounds the magnitudes that the results are sums of.\nfunc %s", name, name)
	g.loops(buffers, stages, "", "")
	return b, fmt.Sprintf("%s := %s(%s)\n", strings.Join(names, ", "), name, strings.Join(arguments, ", ")), b.roundings(strings.Join(append(steps, "1"), "+"))
}

// boundedRun does the same for a run, which is called with the names of its arguments.
func (g *testWriter) boundedRun(k *funcs.Run) (b *limits, call string) {
	if b = g.boundsOf(k.Serial.Each().To); b == nil || !slices.ContainsFunc(k.Types, ir.Type.IsFloat) {
		return nil, ""
	}
	each, bounding := k.Serial.Each(), *k.Serial
	bounding.State, bounding.Body = b.types(k.Types), []kernel.Node{kernel.Each{Where: each.Where, To: b.values(each.To)}}
	r := &funcs.Run{Name: g.unused(k.Name + "Bound"), Nest: k.Nest, Loop: k.Loop, Types: bounding.State, Streams: k.Streams, Scalars: k.Scalars, First: k.First, Part: k.Part,
		Plain: &bounding, Of: k, Why: "it bounds magnitudes that results are sums of"}
	r.Portable(&g.Scope)
	names, states := make([]string, len(k.Types)), k.States()
	for i, t := range k.Types {
		names[i] = "_"
		if t.IsFloat() {
			names[i], states[i] = fmt.Sprintf("most%d", i), fmt.Sprintf("%s.Abs(float64(%s))", g.Use("math"), states[i])
		}
	}
	return b, fmt.Sprintf("%s := %sPortable%s\n", strings.Join(names, ", "), r.Name, k.Arguments(states, "", ""))
}

// same is Go for whether the results got and want of component i are the same, within bounds where there are some.
func (g *testWriter) same(t ir.Type, i int, b *limits, roundings string, list bool) string {
	f, more := "", ""
	switch bound := b != nil && t.IsFloat(); {
	case bound && list:
		g.Use("within")
		f, more = g.Use("allWithin"), fmt.Sprintf(", most%d, %s, %t", i, roundings, !b.inexact)
	case bound:
		f, more = g.Use("within"), fmt.Sprintf(", most%d, %s, %t", i, roundings, !b.inexact)
	case list:
		f = g.Use("allOf") + "(" + g.comparison(t) + "[" + kernel.GoType[t] + "])"
	default:
		f = g.comparison(t)
	}
	return fmt.Sprintf("%s(got%d, want%d%s)", f, i, i, more)
}

// comparison is the function of the test that compares results of type t which have no bounds.
func (g *testWriter) comparison(t ir.Type) string {
	switch {
	case !t.IsFloat():
		return g.Use("equal")
	case assumed(g.Plan) == 0 && !g.Plan.Contract:
		return g.Use("sameFloat")
	case !assumed(g.Plan).Has(ir.Reassoc) && !g.Plan.Contract:
		return g.Use("equalFloat")
	}
	return g.Use("closeFloat")
}

var comparers = map[string]gosrc.Helper{
	"equal": {Code: `
func equal[T comparable](a, b T) bool { return a == b }
`},
	"sameFloat": {Uses: []string{"math"}, Code: `
// sameFloat compares bit for bit, up to which NaN it is.
func sameFloat[T float32 | float64](a, b T) bool {
	return a != a && b != b || a == b && math.Signbit(float64(a)) == math.Signbit(float64(b))
}
`},
	"equalFloat": {Code: `
func equalFloat[T float32 | float64](a, b T) bool { return a == b || a != a && b != b }
`},
	"closeFloat": {Uses: []string{"math"}, Code: `
// closeFloat allows for another order of roundings, or for fewer of them.
func closeFloat[T float32 | float64](a, b T) bool {
	return a == b || a != a || b != b || math.IsInf(float64(b), 0) || math.Abs(float64(a-b)) <= 1e-3*math.Abs(float64(b))+1e-3
}
`},
	"within": {Uses: []string{"math"}, Code: `
// within reports whether two results may be of one sum, of terms whose magnitudes add up to most, by so many roundings. Sums of whole numbers are exact
// as far as floats count.
func within[T float32 | float64](a, b T, most float64, roundings int, whole bool) bool {
	unit := 0x1p-53
	if n := T(1 << 24); n+1 == n {
		unit = 0x1p-24
	}
	switch {
	case a == b || b-b != 0 || math.IsInf(float64(T(most)), 0): // some order overflows
		return true
	case whole && most*unit < 1:
		return false
	}
	return math.Abs(float64(a)-float64(b)) <= 1.5*float64(roundings)*(unit*most+0x1p-149)
}
`},
	"allWithin": {Code: `
func allWithin[T float32 | float64](a, b []T, most []float64, roundings int, whole bool) bool {
	for i := range a {
		if i >= len(b) || !within(a[i], b[i], most[i], roundings, whole) {
			return false
		}
	}
	return len(a) == len(b)
}
`},
	"allOf": {Code: `
func allOf[T any](same func(a, b T) bool) func(a, b []T) bool {
	return func(a, b []T) bool {
		for i := range a {
			if i >= len(b) || !same(a[i], b[i]) {
				return false
			}
		}
		return len(a) == len(b)
	}
}
`},
}
