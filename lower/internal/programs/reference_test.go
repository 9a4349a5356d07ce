package programs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// value is what the loop of the program computes, with how far what is computed in another order may be from it.
type value struct {
	bits  uint64
	loose bool    // computed from the state by operations that an answer may order otherwise
	size  float64 // of a loose float: a bound on all sums and products that another order may compute
	lost  bool    // nothing is known of what another order gives
}

// reference runs a program as it says: definition by definition, point by point. It knows nothing of plans.
type reference struct {
	prog   *program.Program
	in     *plan.Inputs
	arrays map[string][]value // of functions, component by component
	dims   map[string]ndarray.Box
	vars   map[ir.Expr]value

	assumes ir.Assume // of the answer to the definition that runs
	given   []ir.Expr
	ops     int       // operations on floats that may round
	divides bool      // some of them divide
	whole   bool      // all loose floats are integers
	broken  ir.Assume // assumptions that do not hold of this run
	unkept  bool      // what is given does not hold
	err     error
}

// run computes all functions. answers say what another order may assume.
func (r *reference) run(answers func(*program.Definition) (ir.Assume, []ir.Expr)) error {
	r.whole = true
	for _, f := range r.prog.Funcs {
		if f.Counts != nil {
			r.begin(f)
		}
	}
	for _, f := range r.prog.Funcs {
		if f.Counts == nil {
			r.begin(f)
		}
		for _, d := range f.Updates {
			r.assumes, r.given = answers(d)
			r.update(d)
		}
		r.assumes, r.given = 0, nil
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

// begin gives a function its initial values.
func (r *reference) begin(f *program.Func) {
	r.arrays[f.Name] = make([]value, r.dims[f.Name].Len()*len(f.Types))
	r.each(f.Args, r.dims[f.Name], func(at []int64) {
		for c, e := range f.Init {
			r.set(f.Name, c, at, r.watched(e, r.eval(e)))
		}
	})
}

// each runs coordinates over a box, the last one outermost.
func (r *reference) each(vars []ir.Expr, box ndarray.Box, body func(at []int64)) {
	at := make([]int64, len(vars))
	var loop func(i int)
	loop = func(i int) {
		if i < 0 {
			body(at)
			return
		}
		for c := box[i].Min; c < box[i].Min+box[i].Extent && r.err == nil; c++ {
			at[i], r.vars[vars[i]] = int64(c), value{bits: uint64(int64(c))}
			loop(i - 1)
		}
		delete(r.vars, vars[i])
	}
	loop(len(vars) - 1)
}

// update runs an update: the coordinates of the function outermost, then the domain.
func (r *reference) update(d *program.Definition) {
	var vars []ir.Expr
	var box ndarray.Box
	for i, a := range d.Args {
		if d.Place == nil && a.Op() == ir.Var && (d.Domain == nil || !coordinateOf(d.Domain, a)) && !r.isParameter(a) {
			vars, box = append(vars, a), append(box, r.dims[d.Func.Name][i])
		}
	}
	end := d.Update().Ended
	r.each(vars, box, func([]int64) {
		if d.Domain == nil {
			r.step(d, end)
			return
		}
		var inner []ir.Expr
		var over ndarray.Box
		for _, dim := range d.Domain.Dims {
			lo, n := r.eval(dim.Min), r.eval(dim.Extent)
			if n.bits != 0 && int64(lo.bits)+int64(n.bits)-1 > math.MaxInt32 {
				r.fail(fmt.Errorf("coordinates of %s exceed an i32", dim.Var))
				return
			}
			inner, over = append(inner, dim.Var), append(over, ndarray.Range{Min: int(int64(lo.bits)), Extent: int(int64(n.bits))})
		}
		ended := false
		r.each(inner, over, func([]int64) {
			if !ended {
				ended = r.step(d, end)
			}
		})
	})
}

func (r *reference) isParameter(v ir.Expr) bool {
	return slices.ContainsFunc(r.prog.Params, func(k *program.Parameter) bool { return k.Var == v })
}

func coordinateOf(dom *program.RDom, v ir.Expr) bool {
	for _, d := range dom.Dims {
		if d.Var == v {
			return true
		}
	}
	return false
}

// step updates one element, of which the component end says whether its loop has ended; none where end is 0. It reports whether the loop of the element has ended, so that nothing is evaluated any more.
func (r *reference) step(d *program.Definition, end int) (ended bool) {
	if d.Domain != nil {
		for _, w := range d.Domain.Where {
			if holds := r.eval(w); holds.bits == 0 || r.err != nil {
				return false
			}
		}
	}
	at := make([]int64, len(d.Args))
	if d.Place != nil {
		at[0] = int64(r.arrays[d.Place.Name][0].bits)
	} else {
		for i, a := range d.Args {
			at[i] = int64(r.eval(a).bits)
		}
	}
	types := len(d.Func.Types)
	if end > 0 && r.get(d.Func.Name, end, at).bits != 0 {
		return true
	}
	r.promised(d)
	values := make([]value, types)
	for c, e := range d.Values {
		values[c] = r.eval(e)
	}
	if r.err != nil {
		return false
	}
	for c, v := range values {
		r.set(d.Func.Name, c, at, v)
	}
	if d.Place != nil {
		r.arrays[d.Place.Name][0].bits = ir.I32.Wrap(r.arrays[d.Place.Name][0].bits + 1)
	}
	return false
}

// promised looks whether what is given holds of the state before a step.
func (r *reference) promised(d *program.Definition) {
	if len(r.given) == 0 || d.Recurrence() != nil {
		r.unkept = r.unkept || len(r.given) > 0
		return
	}
	at := make([]int64, len(d.Args))
	for i, a := range d.Args {
		at[i] = int64(r.eval(a).bits)
	}
	for _, g := range r.given {
		ok := ir.Eval(g, &ir.Env{Var: func(v ir.Expr) uint64 {
			if v.Kind() == ir.State {
				return r.get(d.Func.Name, v.Index(), at).bits
			}
			return r.vars[v].bits
		}, Call: func(c ir.Expr, args []uint64) uint64 { return r.call(c, signed(args)).bits }})
		r.unkept = r.unkept || ok == 0
	}
}

func signed(args []uint64) []int64 {
	out := make([]int64, len(args))
	for i, a := range args {
		out[i] = int64(a)
	}
	return out
}

func (r *reference) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reference) get(name string, component int, at []int64) value {
	box := r.dims[name]
	i, err := box.Offset(at)
	if err != nil {
		r.fail(fmt.Errorf("%s is read at %v: %w", name, at, err))
		return value{}
	}
	return r.arrays[name][component*box.Len()+i]
}

func (r *reference) set(name string, component int, at []int64, v value) {
	box := r.dims[name]
	i, err := box.Offset(at)
	if err != nil {
		r.fail(fmt.Errorf("%s is written at %v: %w", name, at, err))
		return
	}
	r.arrays[name][component*box.Len()+i] = v
}

// call is a read of a function or of an input, or an extent.
func (r *reference) call(c ir.Expr, at []int64) value {
	if _, ok := r.dims[c.Name()]; ok {
		return r.get(c.Name(), c.Index(), at)
	}
	a := r.in.Arrays[c.Name()]
	if a == nil {
		name, what, _ := strings.Cut(c.Name(), ".")
		return value{bits: uint64(r.in.Arrays[name].Dims[map[string]int{"width": 0, "height": 1, "channels": 2}[what]].Extent)}
	}
	i, err := a.Dims.Offset(at)
	if err != nil {
		r.fail(fmt.Errorf("%s is read at %v: %w", c.Name(), at, err))
		return value{}
	}
	return value{bits: a.Elements(c.Index()).At(i)}
}

// eval evaluates an expression as package ir says, and watches what assumptions promise.
func (r *reference) eval(e ir.Expr) value {
	switch e.Op() {
	case ir.Const:
		return value{bits: e.Value()}
	case ir.Var:
		if v, ok := r.vars[e]; ok {
			return v
		}
		return value{bits: r.in.Params[e.Name()]}
	case ir.Call:
		at := make([]int64, e.NumArgs())
		for i := range at {
			at[i] = int64(r.eval(e.Arg(i)).bits)
		}
		v := r.call(e, at)
		if _, own := r.dims[e.Name()]; own && r.assumes&(ir.Reassoc|ir.AFN) != 0 && !v.loose && e.Type().IsFloat() {
			v.loose, v.size = true, math.Abs(ir.Float(e.Type(), v.bits))
		}
		return r.watched(e, v)
	case ir.Select:
		c := r.eval(e.Arg(0))
		v := r.eval(e.Arg(2 - int(c.bits)))
		v.lost = v.lost || c.lost
		return v
	}
	t := e.Arg(0).Type()
	a := r.eval(e.Arg(0))
	if e.NumArgs() == 1 {
		r.fits(e.Op(), t, a.bits, 0)
		v := a
		v.bits = ir.Apply1(e.Op(), t, e.Type(), a.bits)
		if e.Op() == ir.Cast && t.IsInt() && e.Type().IsInt() && e.Type().Bits() <= t.Bits() && (v.bits != a.bits || t.IsSigned() != e.Type().IsSigned() && int64(a.bits) < 0) {
			r.broken |= ir.NSW | ir.NUW
		}
		return r.watched(e, r.spread(e, v, a, value{}))
	}
	b := r.eval(e.Arg(1))
	r.fits(e.Op(), t, a.bits, b.bits)
	return r.watched(e, r.spread(e, value{bits: ir.Apply2(e.Op(), t, a.bits, b.bits)}, a, b))
}

// fits notes where an integer operation overflows.
func (r *reference) fits(op ir.Op, t ir.Type, a, b uint64) {
	switch op {
	case ir.Add, ir.Sub, ir.Mul, ir.Neg, ir.Abs, ir.Shl, ir.Div:
	default:
		return
	}
	if t.IsInt() && !ir.Fits(op, t, a, b) {
		r.broken |= map[bool]ir.Assume{true: ir.NSW, false: ir.NUW}[t.IsSigned()]
	}
}

// watched notes values that assumptions on floats exclude.
func (r *reference) watched(e ir.Expr, v value) value {
	if e.Type().IsFloat() {
		switch f := ir.Float(e.Type(), v.bits); {
		case f != f:
			r.broken |= ir.NNaN
		case math.IsInf(f, 0):
			r.broken |= ir.NInf
		}
	}
	return v
}

// spread bounds what a loose float is computed from.
func (r *reference) spread(e ir.Expr, v, a, b value) value {
	v.lost = a.lost || b.lost
	if v.loose = a.loose || b.loose; !v.loose || v.lost {
		return v
	}
	op, t := e.Op(), e.Arg(0).Type()
	size := func(i int, of value) float64 {
		if of.loose {
			return of.size
		}
		return math.Abs(ir.Float(t, of.bits))
	}
	r.ops++
	switch op {
	case ir.Add, ir.Sub:
		v.size = size(0, a) + size(1, b)
	case ir.Mul:
		v.size = max(size(0, a), 1) * max(size(1, b), 1)
	case ir.Div:
		r.divides = true
		v.size = max(size(0, a), 1) * max(1, 1/math.Abs(ir.Float(t, b.bits)))
		v.lost = b.loose
	case ir.Min, ir.Max:
		v.size = max(size(0, a), size(1, b))
	case ir.Neg, ir.Abs:
		v.size = a.size
	default: // a comparison, or a function that may jump
		v.lost = !r.exact(t, a) || !r.exact(t, b) || e.Type().IsFloat()
		v.loose = false
		return v
	}
	if f := ir.Float(e.Type(), v.bits); f != math.Trunc(f) {
		r.whole = false
	}
	return v
}

// exact reports whether a float is the same in each order: a sum of integers that no sum of exceeds what the type counts.
func (r *reference) exact(t ir.Type, v value) bool {
	limit := 0x1p50
	if t == ir.F32 {
		limit = 0x1p22
	}
	return !v.loose || r.whole && !r.divides && v.size < limit
}

// allowed reports whether got is what the program may give where the reference gives v.
func (r *reference) allowed(t ir.Type, v value, got uint64, signless bool) bool {
	switch {
	case got == v.bits || v.lost:
		return true
	case !t.IsFloat():
		return false
	}
	x, y := ir.Float(t, v.bits), ir.Float(t, got)
	switch {
	case x != x && y != y || signless && x == 0 && y == 0:
		return true
	case !v.loose:
		return false
	case r.exact(t, v):
		return x == y
	}
	unit, most := 0x1p-53, math.MaxFloat64
	if t == ir.F32 {
		unit, most = 0x1p-24, math.MaxFloat32
	}
	if !(v.size < math.Sqrt(most)) || math.IsInf(x, 0) || x != x {
		return true
	}
	return math.Abs(x-y) <= 4*unit*float64(r.ops+8)*v.size
}
