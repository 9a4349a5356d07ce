package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitSaturating fits steps of a narrow integer that add and stay between bounds, where integers wrap.
//
//	saturating_add(x0, y0)   →   a = i16(y0), l = -128, h = 127, of 8 bits: the step is x ↦ max(min(x + a, h), l)
//	(a, l, h) ∘ b = (a + b.a, b(l), b(h))
//
// The cells are a, in a type twice as wide as the state, and the bounds, in the state's type, so that
// nothing overflows: a sum of many a's is cut to a range that lies beyond all bounds.
//
// A step is found by evaluation: its bounds are its values at the least and the greatest state, of its type or as given, and a
// is looked for among the terms without the state.
func fitSaturating(cx *lift.Context, p *tuple.Part) *lift.Shape {
	s := wideningOf(cx, p)
	if s == nil || s.t.Bits() > 32 || !bounded(p.Values) || lift.Chooses(p.Values[0], 0) {
		return nil
	}
	inject := byCases(cx, p.Values[0], maxCases, func(v ir.Expr) []ir.Expr { return s.read(v, s.amounts(v)) })
	if inject == nil {
		inject = byCases(cx, p.Values[0], maxCases, func(v ir.Expr) []ir.Expr { return s.read(v, nil) })
	}
	if inject == nil {
		return nil
	}
	return &lift.Shape{Name: "saturating", Inject: inject,
		Identity: []ir.Expr{cx.Pool.Int(s.wide, 0), cx.Pool.Const(s.t, s.t.Min()), cx.Pool.Const(s.t, s.t.Max())},
		Apply:    func(x, cells []ir.Expr) []ir.Expr { return []ir.Expr{s.apply(x[0], cells)} },
		Compose: func(a, b []ir.Expr) []ir.Expr {
			return []ir.Expr{s.plus(a[0], b[0]), s.apply(a[1], b), s.apply(a[2], b)}
		}}
}

// bounded reports whether the state is compared, cast or bounded. Without any of these a sum wraps,
// and no step of the family does.
func bounded(es []ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) {
		if e.States() == 0 {
			return
		}
		switch op := e.Op(); {
		case op == ir.Min || op == ir.Max || op == ir.SatAdd || op == ir.SatSub || op == ir.Cast || op.IsComparison():
			found = true
		}
	})
	return found
}

// widening is a part of one integer, and a signed type that is wide enough for its sums.
type widening struct {
	cx   *lift.Context
	p    *tuple.Part
	t    ir.Type // of the state
	wide ir.Type
}

// wideningOf returns the widening of a part, with a type twice as wide where there is one; nil where
// the part is not one integer, or is a U64.
func wideningOf(cx *lift.Context, p *tuple.Part) *widening {
	if len(p.Types) != 1 || !p.Types[0].IsInt() || p.Types[0] == ir.U64 {
		return nil
	}
	s := &widening{cx: cx, p: p, t: p.Types[0], wide: ir.I16}
	for s.wide.Bits() < min(2*s.t.Bits(), 64) {
		s.wide = s.wide.Wider()
	}
	return s
}

// maxCases bounds the conditions on inputs that are read one inside the other.
const maxCases = 3

// byCases reads a step as a whole or, where read returns nil, under a condition on its inputs and
// under the negation of that condition. It returns nil where neither works.
func byCases(cx *lift.Context, v ir.Expr, depth int, read func(v ir.Expr) []ir.Expr) []ir.Expr {
	if cells := read(v); cells != nil || depth == 0 {
		return cells
	}
	conditions := Resets([]ir.Expr{v})
	if len(conditions) == 0 {
		return nil
	}
	c := conditions[0]
	yes, ok := When(cx, []ir.Expr{v}, c, true)
	no, ok2 := When(cx, []ir.Expr{v}, c, false)
	if !ok || !ok2 {
		return nil
	}
	a := byCases(cx, yes[0], depth-1, read)
	if a == nil {
		return nil
	}
	b := byCases(cx, no[0], depth-1, read)
	if b == nil {
		return nil
	}
	return algebra.ZipCells(a, b, func(a, b ir.Expr) ir.Expr { return fold.Select(c, a, b) })
}

// widened returns a term in the wider type; the zero Expr where it might not fit.
func (s *widening) widened(e ir.Expr) (none ir.Expr) {
	t := e.Type()
	switch {
	case t == s.wide:
		return e
	case !t.IsInt() || t.Bits() >= s.wide.Bits():
		return none
	case e.Op() == ir.Const:
		return s.cx.Pool.Int(s.wide, e.Int())
	}
	return ir.CastTo(s.wide, e)
}

// plus returns a sum that does not leave the wider type.
func (s *widening) plus(a, b ir.Expr) ir.Expr {
	switch {
	case fold.IsNumber(a, 0):
		return b
	case fold.IsNumber(b, 0):
		return a
	case s.narrow(a) && s.narrow(b):
		return ir.AddOf(a, b)
	}
	limit := int64(1) << (s.t.Bits() + 1)
	return ir.AddOf(s.within(a, -limit, limit), s.within(b, -limit, limit))
}

// narrow reports whether the value of a term takes at most half the bits of the wider type.
func (s *widening) narrow(e ir.Expr) bool {
	limit := int64(1) << (s.wide.Bits() / 2)
	return e.Op() == ir.Cast && e.Arg(0).Type().Bits() < s.wide.Bits() || e.Op() == ir.Const && e.Int() < limit && e.Int() > -limit
}

// within returns a term, cut to lo … hi.
func (s *widening) within(e ir.Expr, lo, hi int64) ir.Expr {
	if v := e.Int(); s.narrow(e) && lo < 0 || e.Op() == ir.Const && lo <= v && v <= hi {
		return e
	}
	return ir.MaxOf(ir.MinOf(e, s.cx.Pool.Int(s.wide, hi)), s.cx.Pool.Int(s.wide, lo))
}

func (s *widening) apply(x ir.Expr, cells []ir.Expr) ir.Expr {
	if cells[1] == cells[2] {
		return cells[1]
	}
	sum := s.plus(s.widened(x), cells[0])
	return ir.CastTo(s.t, ir.MaxOf(ir.MinOf(sum, s.widened(cells[2])), s.widened(cells[1])))
}

// read returns the cells of a step that adds one of some amounts, or, with nil, of one that only the
// type bounds. It returns nil where a point of the sample refutes all of these.
func (s *widening) read(v ir.Expr, amounts []ir.Expr) []ir.Expr {
	cx, x := s.cx, s.p.States[0]
	if v.IsLeaf() {
		return []ir.Expr{cx.Pool.Int(s.wide, 0), v, v}
	}
	defer cx.Workspace.Rows.GiveBack(cx.Workspace.Rows.Used)
	q := *s.p
	q.Values = []ir.Expr{v}
	f := cx.Sample
	f.Evaluate(&q, cx.NonNeg, 0)
	f.Restrict(slices.Concat(cx.State, cx.Hypotheses))
	least, most := limits(cx, x)
	at := func(e ir.Expr) ir.Expr { return canon.Greedy(ir.Subst(v, []ir.Expr{x}, []ir.Expr{e}), 0) }
	lo, hi := at(least), at(most)
	if amounts == nil {
		up := ir.SubOf(s.widened(lo), s.widened(least))
		down := ir.SubOf(s.widened(hi), s.widened(most))
		amounts = []ir.Expr{ir.AddOf(up, down)}
	}
	wants, xs, los, his := f.Want[0], f.States[0], f.Value(lo), f.Value(hi)
	fits := func(a, lo, hi *sample.Row) bool {
		for lane := range a {
			if f.Valid>>lane&1 != 0 && int64(wants[lane]) != max(min(int64(xs[lane])+int64(a[lane]), int64(hi[lane])), int64(lo[lane])) {
				return false
			}
		}
		return true
	}
	for _, a := range amounts {
		as := f.Value(a)
		if !fits(as, los, his) {
			continue
		}
		plainer := operandsOf(v) // bounds that serve as well
		for _, e := range append(plainer, least) {
			if l := s.narrowed(e); l.IsValid() && fits(as, f.Value(l), his) {
				lo, los = l, f.Value(l)
			}
		}
		for _, e := range append(plainer, most) {
			if h := s.narrowed(e); h.IsValid() && fits(as, los, f.Value(h)) {
				hi = h
			}
		}
		return []ir.Expr{a, lo, hi}
	}
	return nil
}

// limits returns the least and the greatest value of a state: those of its type, or literals that are given.
func limits(cx *lift.Context, x ir.Expr) (least, most ir.Expr) {
	least, most = cx.Pool.Const(x.Type(), x.Type().Min()), cx.Pool.Const(x.Type(), x.Type().Max())
	for _, given := range cx.State {
		for _, e := range conjuncts(given) {
			switch {
			case e.Op() != ir.Le:
			case e.Arg(1) == x && e.Arg(0).Op() == ir.Const && e.Arg(0).Int() > least.Int():
				least = e.Arg(0)
			case e.Arg(0) == x && e.Arg(1).Op() == ir.Const && e.Arg(1).Int() < most.Int():
				most = e.Arg(1)
			}
		}
	}
	return least, most
}

// narrowed returns a term in the state's type; the zero Expr where its value might be another there.
func (s *widening) narrowed(e ir.Expr) (none ir.Expr) {
	switch {
	case e.Type() == s.t:
		return e
	case e.Op() == ir.Const && s.t.Wrap(e.Value()) == e.Value():
		return s.cx.Pool.Const(s.t, e.Value())
	}
	return none
}

// amounts lists what a step may add, the plainest terms first.
func (s *widening) amounts(v ir.Expr) (out []ir.Expr) {
	out = append(out, s.cx.Pool.Int(s.wide, 0))
	var single []ir.Expr
	for _, e := range operandsOf(v) {
		for e.Op() == ir.Cast && e.Arg(0).Type().IsInt() && e.Arg(0).Type().Bits() < e.Type().Bits() {
			e = e.Arg(0) // the sum may be of another type
		}
		w := s.widened(e)
		if t := e.Type(); e.Op() == ir.Const && t.IsUnsigned() && w.IsValid() && e.Value() > t.Max()/2 {
			w = s.cx.Pool.Int(s.wide, e.Int()-int64(t.Max())-1) // it is subtracted
		}
		if w.IsValid() && !slices.Contains(single, w) && len(single) < maxAmounts && !fold.IsNumber(w, 0) {
			single = append(single, w, fold.Neg(w))
		}
	}
	out = append(out, single...)
	for i, a := range single {
		for _, b := range single[:i] {
			out = append(out, ir.AddOf(b, a))
		}
	}
	return out
}

// maxAmounts bounds the terms that are tried as amounts, alone and in pairs.
const maxAmounts = 8

// operandsOf lists the integer operands without the state of operators on the state.
func operandsOf(v ir.Expr) (out []ir.Expr) {
	ir.Walk([]ir.Expr{v}, func(e ir.Expr) {
		if e.IsLeaf() {
			return
		}
		for i := range e.NumArgs() {
			if a := e.Arg(i); a.IsLeaf() && a.Type().IsInt() && !slices.Contains(out, a) {
				out = append(out, a)
			}
		}
	})
	return out
}
