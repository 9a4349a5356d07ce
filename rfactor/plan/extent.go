package plan

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/interval"
	"github.com/rfactor-go/rfactor/ir/program"
)

// dimensions finds what each argument of a function may be: as given, else from the left
// sides of its updates, else from where its pure variables are used as coordinates, else
// from where other functions read it.
func (s *scheduler) dimensions(f *program.Func) ([]Span, *ir.Error) {
	if given, ok := s.opts.Extents[f.Name]; ok {
		var dims []Span
		for _, e := range given {
			dims = append(dims, Span{s.pool.Int(ir.I32, int64(e.Min)), s.pool.Int(ir.I32, int64(e.Extent))})
		}
		return dims, nil
	}
	var dims []Span
	for i := range funcVars(f) {
		d, ok := s.dimension(f, i)
		if !ok {
			return nil, s.prog.Source.Errorf(f.Pos, "what argument %d of %s may be cannot be told from the program; give its extent, as in -extent %s=0:256", i+1, f.Name, f.Name)
		}
		dims = append(dims, d)
	}
	return dims, nil
}

func (s *scheduler) dimension(f *program.Func, i int) (Span, bool) {
	var found []Span
	for _, d := range f.Updates {
		if s.isPureVar(d.Args[i]) {
			continue
		}
		if d.Place != nil {
			if span, ok := s.placeSpan(d); ok {
				found = append(found, span)
			}
			continue
		}
		span, ok := s.rangeOf(d.Args[i], d.Domain)
		if !ok {
			return Span{}, false
		}
		if rec := d.Recurrence(); rec != nil && rec.Dim == i {
			span = s.reach(span, rec)
		}
		found = append(found, span)
	}
	if len(found) > 0 {
		return hull(found)
	}
	if span, ok := s.coordinate(f.Args[i], f.Init, nil); ok {
		return span, true
	}
	for _, d := range f.Updates {
		if span, ok := s.coordinate(d.Args[i], d.Values, d); ok {
			return span, true
		}
	}
	return s.demanded(f, i)
}

// demanded returns the span of coordinate i of f at which another function reads f: where a domain
// runs over it. It is not ok where there is no such read.
func (s *scheduler) demanded(f *program.Func, i int) (span Span, ok bool) {
	for _, d := range s.prog.Definitions() {
		if d.Func == f || d.Domain == nil {
			continue
		}
		ir.Walk(d.Values, func(e ir.Expr) {
			if ok || e.Op() != ir.Call || e.Name() != f.Name {
				return
			}
			for _, dim := range d.Domain.Dims {
				if e.Arg(i) == dim.Var && dim.Extent.IsValid() {
					span, ok = Span{dim.Min, dim.Extent}, true
				}
			}
		})
	}
	return span, ok
}

// hull is the smallest span around several; it is known if they are the same or literal.
func hull(spans []Span) (Span, bool) {
	out := spans[0]
	for _, s := range spans[1:] {
		if s == out {
			continue
		}
		a, ok := literalRange(out)
		b, also := literalRange(s)
		if !ok || !also || !isSpan(interval.Union(a, b)) {
			return Span{}, false
		}
		out = spanOf(s.Min.Pool(), interval.Union(a, b))
	}
	return out, true
}

// rangeOf returns the span of an index while the variables of a domain run over theirs; not ok where
// the span is not known.
func (s *scheduler) rangeOf(e ir.Expr, dom *program.RDom) (Span, bool) {
	shift := s.pool.Int(ir.I32, 0)
	v := e
	if (e.Op() == ir.Add || e.Op() == ir.Sub) && e.Arg(1).Op() == ir.Const {
		v, shift = e.Arg(0), fold(e.Op(), shift, e.Arg(1))
	}
	if span, ok := s.linearRange(e, dom); ok {
		return span, true
	}
	vars := map[ir.Expr]interval.Interval{}
	if dom != nil {
		for _, d := range dom.Dims {
			if !d.Extent.IsValid() {
				continue
			}
			if d.Var == v {
				return Span{plus(d.Min, shift), d.Extent}, true
			}
			if r, ok := literalRange(Span{d.Min, d.Extent}); ok {
				vars[d.Var] = r
			}
		}
	}
	r := interval.Of(e, func(e ir.Expr) (interval.Interval, bool) {
		r, ok := vars[e]
		return r, ok
	})
	if r == interval.Whole(e.Type()) && e.Type().Bits() > 16 || !isSpan(r) {
		return Span{}, false
	}
	return spanOf(s.pool, r), true
}

// reach is the span of an index together with what the first steps of a recurrence read.
func (s *scheduler) reach(span Span, rec *program.Recurrence) Span {
	depth := s.pool.Int(ir.I32, int64(rec.Depth))
	if !rec.Back {
		span.Min = minus(span.Min, depth)
	}
	return Span{s.tidy(span.Min), s.tidy(plus(span.Extent, depth))}
}

// linearRange returns the span of an index that falls or is shifted: c - r or r + c, where c does not change while the
// program runs.
func (s *scheduler) linearRange(e ir.Expr, dom *program.RDom) (Span, bool) {
	if dom == nil || e.Type() != ir.I32 {
		return Span{}, false
	}
	at := ir.LinearOf(e)
	for _, d := range dom.Dims {
		moves := at.Coef(d.Var)
		if !d.Extent.IsValid() || moves != 1 && moves != -1 {
			continue
		}
		least := d.Min // the coordinate where the index is least
		v := d.Var
		if moves < 0 {
			least, v = minus(plus(d.Min, d.Extent), s.pool.Int(ir.I32, 1)), ir.NegOf(v)
		}
		rest := at.Minus(ir.LinearOf(v))
		for _, a := range rest.Atoms {
			if s.isPureVar(a) || !(a.Op() == ir.Var && a.Kind() == ir.Param || a.Op() == ir.Call && a.NumArgs() == 0 && s.target(a.Name()) == nil) {
				return Span{}, false
			}
		}
		if moves < 0 {
			return Span{s.tidy(minus(rest.Expr(s.pool), least)), d.Extent}, true
		}
		return Span{s.tidy(plus(least, rest.Expr(s.pool))), d.Extent}, true
	}
	return Span{}, false
}

// tidy writes a sum with what cancels left out: n for n - 1 + 1.
func (s *scheduler) tidy(e ir.Expr) ir.Expr { return ir.LinearOf(e).Expr(s.pool) }

// literalRange returns a span as an interval, and false where it is not literal or empty.
func literalRange(s Span) (interval.Interval, bool) {
	lo, ok := literal(s.Min)
	n, also := literal(s.Extent)
	return interval.Interval{Lo: lo, Hi: lo + n - 1}, ok && also && n > 0
}

// isSpan reports whether the ends and the extent of an interval are values of i32.
func isSpan(r interval.Interval) bool {
	return r.Lo >= math.MinInt32 && r.Hi <= math.MaxInt32 && r.Hi-r.Lo < math.MaxInt32
}

// spanOf returns the span of an interval of which isSpan holds.
func spanOf(p *ir.Pool, r interval.Interval) Span {
	return Span{p.Int(ir.I32, r.Lo), p.Int(ir.I32, r.Hi-r.Lo+1)}
}

// coordinate finds a read in which a variable, perhaps shifted, is a coordinate: the
// variable then runs over what the input or the function has there.
func (s *scheduler) coordinate(v ir.Expr, in []ir.Expr, d *program.Definition) (span Span, ok bool) {
	es := slices.Clone(in)
	if d != nil {
		es = append(es, d.Args...)
		if d.Domain != nil {
			es = append(es, d.Domain.Where...)
		}
	}
	ir.Walk(es, func(e ir.Expr) {
		if ok || e.Op() != ir.Call || d != nil && e.Name() == d.Func.Name {
			return
		}
		for i := range e.NumArgs() {
			if e.Arg(i) != v {
				continue
			}
			if span, ok = s.sourceDim(e.Name(), i); ok {
				return
			}
		}
	})
	return span, ok
}

// sourceDim returns the span of coordinate i of an input or of a function; not ok where it is not
// known.
func (s *scheduler) sourceDim(name string, i int) (Span, bool) {
	if t := s.target(name); t != nil {
		return t.buffer.Dims[i], true
	}
	sizes := []string{"width", "height", "channels"}
	if i >= len(sizes) {
		return Span{}, false
	}
	return Span{s.pool.Int(ir.I32, 0), s.pool.Call(ir.I32, name+"."+sizes[i], 0)}, true
}
