package plan

import (
	"math"
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// ofInputs reports whether an expression reads neither states nor functions: every run has the same bits of it.
func (s *shadow) ofInputs(e ir.Expr) bool {
	is, ok := s.inputs[e]
	if !ok {
		is = e.States() == 0
		ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
			if e.Op() == ir.Call {
				_, function := s.cells[e.Name()]
				is = is && !function
			}
		})
		s.inputs[e] = is
	}
	return is
}

// allocate makes the cells of a buffer with so many elements.
func (s *shadow) allocate(b *Buffer, n int) {
	columns := make([][]real, len(b.Types))
	for c, t := range b.Types {
		columns[c] = make([]real, n)
		for i := range columns[c] {
			columns[c][i].typ = t
		}
	}
	s.cells[b.Name] = columns
}

// step does what a step of a stage does to an element, before the run does.
func (s *shadow) step(r *run, stage *Stage, at int, values []uint64) {
	x := &exactly{shadow: s, run: r, regroups: s.regrouped[stage], known: s.known}
	clear(x.known)
	for _, e := range slices.Concat(stage.Where, stage.Index) {
		s.failed = s.failed || !x.of(e).same()
	}
	cells, pool := s.cells[stage.Buffer.Name], stage.Values[0].Pool()
	for c, t := range stage.Buffer.Types {
		x.known[pool.X(c, t)] = &cells[c][at]
	}
	next := make([]real, len(values))
	for c, e := range stage.Values {
		next[c] = *x.of(e)
		next[c].bits = values[c]
		if part, _ := unit(e.Type()); next[c].exact != nil {
			next[c].err += float64(part * float64(stage.operations(c)))
		}
	}
	for c := range next {
		cells[c][at] = next[c]
	}
	if stage.Ends != nil {
		s.failed = s.failed || !next[stage.Ends.Component].same()
	}
}

// operations counts those of floats that combine a step with others, in whatever order.
func (s *Stage) operations(c int) (n int) {
	count := func(es []ir.Expr) {
		ir.Walk(es, func(e ir.Expr) {
			if e.NumArgs() > 0 && e.Type().IsFloat() && e.Op() != ir.Call {
				n++
			}
		})
	}
	if s.Operator != nil && c < len(s.Operator) {
		count([]ir.Expr{s.Operator[c], s.Inject[c]})
	}
	if s.Scan != nil {
		for _, p := range s.Scan.Passes {
			count(slices.Concat(p.Combine, p.Inject, p.Apply))
		}
	}
	return n
}

// exactly evaluates expressions of one step without rounding.
type exactly struct {
	*shadow
	run      *run
	regroups bool
	known    map[ir.Expr]*real
}

func (x *exactly) of(e ir.Expr) *real {
	v := x.known[e]
	if v == nil {
		if v = x.evaluate(e); v.unknown && x.ofInputs(e) {
			v = &real{bits: ir.Eval(e, &x.run.env)}
		}
		if v.exact != nil && (v.err > 0.125 || !(v.size*(1+v.err) <= greatest(e.Type()))) {
			v.unknown = true
		}
		v.typ, x.known[e] = e.Type(), v
	}
	return v
}

// greatest is the greatest finite number of a type.
func greatest(t ir.Type) float64 {
	if t == ir.F32 {
		return math.MaxFloat32
	}
	return math.MaxFloat64
}

// unsure is a value that rounding may decide.
func unsure() *real { return &real{unknown: true} }

func (x *exactly) evaluate(e ir.Expr) *real {
	if leaf := e.NumArgs() == 0 || e.Op() == ir.Call; x.ofInputs(e) && (leaf || !x.regroups || !e.Type().IsFloat()) {
		return &real{bits: ir.Eval(e, &x.run.env)}
	}
	if e.Op() == ir.Select {
		if c := x.of(e.Arg(0)); c.same() {
			v := *x.of(e.Arg(2 - int(c.bits)))
			return &v
		}
		return unsure()
	}
	var args []*real
	bits, same := []uint64{}, true
	for i := range e.NumArgs() {
		a := x.of(e.Arg(i))
		args, bits, same = append(args, a), append(bits, a.bits), same && a.same()
		if absorbs := (e.Op() == ir.And || e.Op() == ir.Or) && a.same() && (a.bits != 0) == (e.Op() == ir.Or); absorbs {
			return &real{bits: a.bits}
		}
	}
	infinite := slices.IndexFunc(args, func(a *real) bool { return a.typ.IsFloat() && !a.finite() })
	switch {
	case same && e.Op() == ir.Call:
		return x.read(e, bits)
	case same && (infinite >= 0 || !x.regroups || !rounds(e)):
		return &real{bits: ir.Eval(e, &x.run.env)}
	case slices.ContainsFunc(args, func(a *real) bool { return a.unknown || !a.typ.IsFloat() }):
		return unsure()
	case infinite >= 0:
		return beside(e, args, infinite)
	}
	switch {
	case len(args) == 1:
		return unary(e, args[0])
	case e.Op().IsComparison():
		return compared(e.Op(), args[0], args[1])
	case len(args) == 2:
		return binary(e, args[0], args[1])
	}
	return unsure()
}

// rounds reports whether an operation may round otherwise where floats are regrouped.
func rounds(e ir.Expr) bool {
	switch e.Op() {
	case ir.Neg, ir.Abs, ir.Min, ir.Max, ir.Cast:
		return false
	}
	return e.Type().IsFloat()
}

// read is an element of a function, or of an input whose place depends on one.
func (x *exactly) read(e ir.Expr, args []uint64) *real {
	cells, function := x.cells[e.Name()]
	if !function {
		return &real{bits: x.run.call(e, args)}
	}
	i, err := x.run.arrays[e.Name()].Dims.Offset(signed(args))
	if err != nil {
		return unsure()
	}
	v := cells[e.Index()][i]
	return &v
}

// unary is an operation on a value that is rounded.
func unary(e ir.Expr, a *real) *real {
	part, least := unit(e.Type())
	v := *a
	v.size = a.magnitude()
	switch z := new(big.Float).SetPrec(precision); e.Op() {
	case ir.Neg:
		v.exact = z.Neg(a.value())
	case ir.Abs:
		v.exact = z.Abs(a.value())
	case ir.IsNaN:
		return &real{}
	case ir.Cast:
		if !e.Type().IsFloat() {
			return unsure()
		}
		if v.exact = a.value(); e.Type().Bits() < a.typ.Bits() {
			v.err, v.size = v.err+part, max(v.size, least)
		}
	case ir.Sqrt:
		f, _ := a.value().Float64()
		if low := f - a.bound(); low > 0 {
			v.exact, v.err, v.size = z.Sqrt(a.value()), v.err+part, v.size/math.Sqrt(low)
			break
		}
		return unsure()
	default:
		return unsure()
	}
	return &v
}

// beside is an operation on a value that is rounded, and on another that is no finite number.
func beside(e ir.Expr, args []*real, infinite int) *real {
	f := ir.Float(args[infinite].typ, args[infinite].bits)
	switch {
	case math.IsNaN(f) || len(args) != 2:
	case (e.Op() == ir.Max || e.Op() == ir.Min) && (f > 0) != (e.Op() == ir.Max): // a limit, which takes no part
		v := *args[1-infinite]
		return &v
	case e.Op() == ir.Max, e.Op() == ir.Min, e.Op() == ir.Add, e.Op() == ir.Sub && infinite == 0:
		return &real{bits: args[infinite].bits}
	}
	return unsure()
}

// binary is an operation on values of which one is rounded, or the operation is.
func binary(e ir.Expr, a, b *real) *real {
	part, least := unit(e.Type())
	x, y, z := a.value(), b.value(), new(big.Float).SetPrec(precision)
	m, n := a.magnitude(), b.magnitude()
	v := &real{err: max(a.err, b.err) + part, size: m + n}
	switch e.Op() {
	case ir.Add:
		v.exact = z.Add(x, y)
	case ir.Sub:
		v.exact = z.Sub(x, y)
	case ir.Mul:
		v.exact, v.err, v.size = z.Mul(x, y), a.err+b.err+part, m*n
		if m != 0 && n != 0 {
			v.size = max(m*n, least)
		}
	case ir.Div:
		f, _ := y.Float64()
		low := math.Abs(f) - b.bound()
		if low <= 0 || e.States() != 0 && b.exact != nil { // regrouped quotients have terms of other magnitudes
			return unsure()
		}
		v.exact, v.err = z.Quo(x, y), a.err+b.err+part
		v.size = max(m*n/(low*low), least)
	case ir.Min, ir.Max:
		v.exact, v.err, v.size = x, max(a.err, b.err), max(m, n)
		if (x.Cmp(y) > 0) == (e.Op() == ir.Min) {
			v.exact = y
		}
	default:
		return unsure()
	}
	return v
}

// compared is a comparison that no rounding decides.
func compared(op ir.Op, a, b *real) *real {
	d, _ := new(big.Float).Sub(a.value(), b.value()).Float64()
	if math.Abs(d) <= a.bound()+b.bound() {
		return unsure()
	}
	return &real{bits: ir.Apply2(op, ir.F64, ir.FloatBits(ir.F64, d), 0)}
}
