package plan

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// widened is an operator in types wide enough for partial results.
//
//	f() = max(min(k - f(), in(r)), f()) on i32   →   intm(u) in i64, and the merge narrows
//
// An answer under nsw is a theorem over the unbounded integers, and
// nsw promises that the serial loop overflows nowhere. Partial results of slices, which that
// loop does not compute, may be greater than its type. They are therefore computed in i64:
//
//   - the operator and the equation update = x ⊕ inject are proven again in i64;
//   - inject and ⊕ grow by sums at most (see growth), so that partial results of n elements
//     stay below n times a bound, and Needs has the n up to which nothing overflows;
//   - no identity is used, but a flag;
//   - slices are merged in their order. What the merge stores after each slice is then what
//     the serial loop has there, which the promise says fits its type.
type widened struct {
	types         []ir.Type
	exprs, inject []ir.Expr // over wider x_i, y_i, and casts of leaves and constants
	elements      int64     // that may be combined without overflow; zero where nothing is wider

	// Of a lift, whose types, exprs and inject are of parameters:
	states   []ir.Type // of the state
	action   []ir.Expr // what a step does to it: over x_i, of the state, and y_i
	identity []ir.Expr // the step that changes nothing, if there is one
	starts   int64     // slices of a buffer that may start from it; zero where nothing is wider
}

// wideLimit bounds the magnitude of every wider value. It leaves room below 2^63 for the terms that
// proofs pass through.
const wideLimit = 1 << 61

// widen makes the operation of an answer that assumes nsw one in i64; nil where that is not
// possible, and reason says why.
func (s *scheduler) widen(a *rfactor.Answer) (w *widened, reason string) {
	w = &widened{types: a.Types, exprs: a.Operator.Exprs, inject: a.Inject}
	reason, update := w.widen(a)
	if reason != "" {
		return nil, reason
	}
	p := w.exprs[0].Pool()
	o := proof.Operator{Types: w.types, Exprs: w.exprs}
	problems := o.Associativity()
	x, _ := p.Operands(w.types)
	for i, e := range o.Apply(x, w.inject) {
		problems = append(problems, proof.Problem{Left: update[i], Right: e})
	}
	if t := prove.Prove(s.ctx, problems, prove.Options{Allowed: s.opts.Match.Allowed &^ ir.NUW}); t.Status != prove.Proved {
		return nil, "it is not proven of wider partial results"
	}
	return w, ""
}

// widen puts wider types into w and gives the update in them. The reason why that is not
// possible is empty where it is.
func (w *widened) widen(a *rfactor.Answer) (reason string, update []ir.Expr) {
	switch {
	case a.Assumes&ir.NUW != 0:
		return "partial results in a wider type may be negative, which nuw excludes", nil
	case len(a.Given) > 0:
		return "its invariants are not known of wider partial results", nil
	}
	for i, t := range a.Types {
		if t.IsInt() && t.Bits() == 64 {
			return fmt.Sprintf("component %d is %s, and nothing wider exists", i, t), nil
		}
	}
	ok := true
	all := func(es []ir.Expr, operands bool) (out []ir.Expr) {
		for _, e := range es {
			v, good := widenExpr(e, operands)
			ok = ok && good
			out = append(out, v)
		}
		return out
	}
	w.types, w.states = widerAll(w.types), widerAll(w.states)
	w.exprs, w.inject, w.action = all(w.exprs, true), all(w.inject, false), all(w.action, true)
	update = all(a.Update, false)
	if !ok {
		return "it does more than add, subtract, compare and choose", nil
	}
	if w.elements = elementLimit(w); w.elements < 2 {
		return "wider partial results overflow as well, since it multiplies", nil
	}
	return "", update
}

func widerAll(types []ir.Type) []ir.Type {
	var out []ir.Type
	for _, t := range types {
		out = append(out, wider(t))
	}
	return out
}

// wider is the type of a partial result.
func wider(t ir.Type) ir.Type {
	if t.IsSigned() && t.Bits() < 64 {
		return ir.I64
	}
	return t
}

// widenExpr is e computed in wider types: equal to e where that does not overflow. With
// operands, leaves are y_i and wider themselves.
func widenExpr(e ir.Expr, operands bool) (ir.Expr, bool) {
	p, t := e.Pool(), wider(e.Type())
	if t == e.Type() && t != ir.Bool && e.Op() != ir.Var {
		// Of other types are leaves alone: what is computed from x_i would be cut off, and
		// sums in i64 might overflow where the serial loop has none.
		return e, (t != ir.I64 || e.Op() == ir.Const) && e.States() == 0 && !(operands && mentionsLeaf(e))
	}
	switch e.Op() {
	case ir.Const:
		return p.Const(t, e.Value()), true
	case ir.Var:
		switch {
		case e.Kind() == ir.State:
			return p.X(e.Index(), t), true
		case e.Kind() == ir.Leaf && operands:
			return p.Y(e.Index(), t), true
		}
		return ir.CastTo(t, e), true
	case ir.Cast:
		if from := e.Arg(0).Type(); !from.IsInt() || from.Bits() > e.Type().Bits() || from.Bits() == e.Type().Bits() && from != e.Type() {
			return e, false
		}
		v, ok := widenExpr(e.Arg(0), operands)
		return ir.CastTo(t, v), ok
	case ir.Mod:
		if k := e.Arg(1); k.Op() != ir.Const || k.Int() <= 0 {
			return e, false
		}
	case ir.Neg, ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max, ir.Select, ir.Not, ir.And, ir.Or,
		ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne:
	default:
		return e, false
	}
	var args []ir.Expr
	for i := range e.NumArgs() {
		v, ok := widenExpr(e.Arg(i), operands)
		if !ok {
			return e, false
		}
		args = append(args, v)
	}
	return ir.Make(e.Op(), args...), true
}

func mentionsLeaf(e ir.Expr) bool {
	for _, v := range ir.Vars(e) {
		if v.Kind() == ir.Leaf {
			return true
		}
	}
	return false
}

// growth bounds |e| by x·X + y·Y + k, where X and Y bound the components of the operands.
type growth struct{ x, y, k float64 }

func (a growth) plus(b growth) growth { return growth{a.x + b.x, a.y + b.y, a.k + b.k} }
func (a growth) most(b growth) growth {
	return growth{max(a.x, b.x), max(a.y, b.y), max(a.k, b.k)}
}

// elementLimit returns the number of elements that can be combined so that no value exceeds wideLimit;
// 0 where no bound is known. If |inject| <= m and |x ⊕ y| <= |x| + |y| + k, a combination of n
// elements is at most n·(m + k) - k; m is at least the greatest initial value.
func elementLimit(w *widened) int64 { return w.limit(wideLimit, 1<<31) }

// maxBuffers bounds the functions of a program whose wider slices start from an identity.
const maxBuffers = 64

// startLimit returns the number of slices of each of maxBuffers that may start from wideEnd. All of
// them together add at most half of what wideLimit allows; elements have the other half.
func startLimit(w *widened) int64 { return w.limit(wideLimit/2, wideEnd) / maxBuffers }

// limit returns the number of elements that stay below most, where least is a lower bound of the
// magnitude m that is taken for an element.
func (w *widened) limit(most, least float64) int64 {
	if w.stays(most, least) {
		return math.MaxInt32
	}
	var top, peak growth
	for _, e := range w.exprs {
		top = top.most(grow(e, true, &peak))
	}
	m := growth{k: least}
	for _, e := range w.inject {
		m = m.most(grow(e, false, &peak))
	}
	for _, e := range w.action {
		grow(e, true, &peak)
	}
	if !(top.x <= 1 && top.y <= 1) || peak.k > most {
		return 0
	}
	return int64((most - peak.k) / (max(peak.x+peak.y, 1) * (m.k + top.k)))
}

// stays reports whether the parameters of a lift stay below bounds of their own, however many steps
// are composed, as remainders do, and nothing exceeds most where states do not exceed least.
func (w *widened) stays(most, least float64) bool {
	if w.states == nil {
		return false
	}
	state, operands := make([]float64, len(w.states)), make([]float64, len(w.inject))
	peak := 0.0
	for i := range state {
		state[i] = least
	}
	for i, e := range w.inject {
		operands[i] = bound(e, nil, nil, &peak)
		if w.identity != nil {
			operands[i] = max(operands[i], bound(w.identity[i], nil, nil, &peak))
		}
	}
	for range 3 {
		after := make([]float64, len(w.exprs))
		for i, e := range w.exprs {
			after[i] = max(operands[i], bound(e, operands, operands, &peak))
		}
		if slices.Equal(after, operands) {
			for _, e := range w.action {
				bound(e, state, operands, &peak)
			}
			return peak <= most
		}
		operands = after
	}
	return false
}

// bound returns a bound of |e| for the bounds x and y of |x_i| and |y_i|. It raises peak to the greatest
// bound of the terms on the way.
func bound(e ir.Expr, x, y []float64, peak *float64) (most float64) {
	if e.Type() != ir.I64 && e.Type() != ir.Bool {
		return 0
	}
	var args []float64
	for i := range e.NumArgs() {
		args = append(args, bound(e.Arg(i), x, y, peak))
	}
	switch e.Op() {
	case ir.Const:
		most = math.Abs(float64(e.Int()))
	case ir.Var:
		switch {
		case e.Kind() == ir.State && x != nil:
			most = x[e.Index()]
		case e.Kind() == ir.Leaf && y != nil:
			most = y[e.Index()]
		default:
			most = magnitude(e.Type())
		}
	case ir.Cast:
		most = magnitude(e.Arg(0).Type())
	case ir.Neg:
		most = args[0]
	case ir.Add, ir.Sub:
		most = args[0] + args[1]
	case ir.Mul:
		most = args[0] * args[1]
	case ir.Min, ir.Max:
		most = max(args[0], args[1])
	case ir.Select:
		most = max(args[1], args[2])
	case ir.Mod:
		most = math.Abs(float64(e.Arg(1).Int()))
	}
	*peak = max(*peak, most)
	return most
}

// magnitude is the greatest absolute value of an integer type.
func magnitude(t ir.Type) float64 {
	if t.IsSigned() {
		return math.Ldexp(1, t.Bits()-1)
	}
	return math.Ldexp(1, t.Bits())
}

// grow bounds e, and everything that is computed on the way in peak.
func grow(e ir.Expr, operands bool, peak *growth) growth {
	if e.Type() != ir.I64 && e.Type() != ir.Bool {
		return growth{}
	}
	var args []growth
	for i := range e.NumArgs() {
		args = append(args, grow(e.Arg(i), operands, peak))
	}
	var g growth
	switch e.Op() {
	case ir.Const:
		g.k = math.Abs(float64(e.Int()))
	case ir.Var:
		switch {
		case e.Type() == ir.Bool:
		case e.Kind() == ir.State:
			g.x = 1
		case e.Kind() == ir.Leaf && operands:
			g.y = 1
		default:
			g.k = magnitude(e.Type())
		}
	case ir.Cast:
		g.k = magnitude(e.Arg(0).Type())
	case ir.Neg:
		g = args[0]
	case ir.Add, ir.Sub:
		g = args[0].plus(args[1])
	case ir.Min, ir.Max:
		g = args[0].most(args[1])
	case ir.Select:
		g = args[1].most(args[2])
	case ir.Mod:
		g.k = math.Abs(float64(e.Arg(1).Int()))
	case ir.Mul:
		a, b := args[0], args[1]
		g = growth{float64(a.x*b.k) + float64(b.x*a.k), float64(a.y*b.k) + float64(b.y*a.k), a.k * b.k}
		if (a.x+a.y)*(b.x+b.y) > 0 {
			g.x = math.Inf(1)
		}
	}
	*peak = peak.most(g)
	return g
}

// needElements states that an update combines at most so many elements.
func (s *scheduler) needElements(d *program.Definition, limit int64) {
	if d.Domain != nil {
		s.needProduct(d.Pos, d.Domain.Dims, limit, d.String()+" would combine more elements than its wider partial results can hold")
	}
}

// needSlices states that a buffer has at most so many elements.
func (s *scheduler) needSlices(b *Buffer, limit int64) {
	var dims []program.Dim
	for _, d := range b.Dims {
		dims = append(dims, program.Dim{Extent: d.Extent})
	}
	s.needProduct(b.Func.Pos, dims, limit, b.Name+" would have more elements than its wider partial results allow")
}

// needProduct states that the product of extents is at most limit, and less than 2^31.
func (s *scheduler) needProduct(pos ir.Pos, dims []program.Dim, limit int64, message string) {
	p := s.pool
	most := p.Int(ir.I64, 1<<31)
	product := p.Int(ir.I64, 1)
	for i, dim := range dims {
		extent := ir.CastTo(ir.I64, positive(dim.Extent))
		if n, ok := literal(dim.Extent); ok {
			extent = p.Int(ir.I64, max(n, 0))
		}
		product = times(product, extent)
		if i > 0 {
			product = fold(ir.Min, product, most) // so that the next product does not overflow
		}
	}
	s.need(pos, fold(ir.Le, product, p.Int(ir.I64, min(limit, 1<<31-1))), message)
}
