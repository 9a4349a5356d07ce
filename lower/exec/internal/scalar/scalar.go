// Package scalar evaluates expressions at one point, and has the memory that they read.
package scalar

import (
	"fmt"
	"math"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
)

// Names is what expressions name: parameters, whose values a run puts there, and arrays.
type Names struct {
	Params map[ir.Expr]*uint64
	Arrays map[string]*Memory // inputs and buffers
}

// Scalars evaluates expressions at one point, lazily, as ir.Eval does: only the branch of a
// select that is taken is evaluated, so that only what the serial program reads is read.
// It belongs to one goroutine.
type Scalars struct {
	names *Names
	Slots map[ir.Expr]*uint64 // loop variables and states
	Memo  map[ir.Expr]func() uint64
	uses  map[ir.Expr]int // of subterms, by the terms that are being compiled
	Point uint64          // counts changes of slots: what was evaluated before is stale
	Err   error           // of the first read that failed
}

// NewScalars has no value of any variable.
func NewScalars(n *Names) *Scalars {
	return &Scalars{names: n, Slots: map[ir.Expr]*uint64{}, Memo: map[ir.Expr]func() uint64{}, uses: map[ir.Expr]int{}, Point: 1}
}

// Slot is where the value of a variable is kept.
func (s *Scalars) Slot(v ir.Expr) *uint64 {
	if p := s.names.Params[v]; p != nil {
		return p
	}
	p := s.Slots[v]
	if p == nil {
		p = new(uint64)
		s.Slots[v] = p
	}
	return p
}

// Compile makes a function that gives the value of e where the slots are now.
func (s *Scalars) Compile(e ir.Expr) func() uint64 {
	if _, done := s.Memo[e]; !done {
		s.countUses([]ir.Expr{e})
	}
	return s.term(e)
}

// CompileAll compiles expressions that share terms.
func (s *Scalars) CompileAll(es []ir.Expr) []func() uint64 {
	s.countUses(es)
	var out []func() uint64
	for _, e := range es {
		out = append(out, s.term(e))
	}
	return out
}

// countUses counts how often each subterm is an operand.
func (s *Scalars) countUses(es []ir.Expr) {
	clear(s.uses)
	for _, e := range es {
		s.uses[e]++
	}
	ir.Walk(es, func(e ir.Expr) {
		for i := range e.NumArgs() {
			s.uses[e.Arg(i)]++
		}
	})
}

// term compiles a subterm. A term with several uses is evaluated once for each point.
func (s *Scalars) term(e ir.Expr) func() uint64 {
	if f, ok := s.Memo[e]; ok {
		return f
	}
	f := s.root(e)
	if e.NumArgs() > 0 && s.uses[e] > 1 {
		f = s.once(f)
	}
	s.Memo[e] = f
	return f
}

// once evaluates f once for each point: terms share subterms, and trees of them may be
// exponential.
func (s *Scalars) once(f func() uint64) func() uint64 {
	at, v := uint64(0), uint64(0)
	return func() uint64 {
		if at != s.Point {
			v = f()
			at = s.Point
		}
		return v
	}
}

func (s *Scalars) root(e ir.Expr) func() uint64 {
	switch e.Op() {
	case ir.Const:
		v := e.Value()
		return func() uint64 { return v }
	case ir.Var:
		p := s.Slot(e)
		return func() uint64 { return *p }
	case ir.Call:
		return s.call(e)
	case ir.Select:
		c, a, b := s.term(e.Arg(0)), s.term(e.Arg(1)), s.term(e.Arg(2))
		return func() uint64 {
			if c() != 0 {
				return a()
			}
			return b()
		}
	}
	a := s.term(e.Arg(0))
	op, t := e.Op(), e.Arg(0).Type()
	if e.NumArgs() == 1 {
		to := e.Type()
		return func() uint64 { return ir.Apply1(op, t, to, a()) }
	}
	b := s.term(e.Arg(1))
	if f := common(op, t, a, b); f != nil {
		return f
	}
	return func() uint64 { return ir.Apply2(op, t, a(), b()) }
}

// common has the commonest operations, without a switch at each point.
func common(op ir.Op, t ir.Type, a, b func() uint64) func() uint64 {
	f32 := func(v uint64) float32 { return math.Float32frombits(uint32(v)) }
	switch {
	case op == ir.Add && t == ir.I32:
		return func() uint64 { return uint64(int64(int32(a() + b()))) }
	case op == ir.Mul && t == ir.I32:
		return func() uint64 { return uint64(int64(int32(a() * b()))) }
	case op == ir.Sub && t == ir.I32:
		return func() uint64 { return uint64(int64(int32(a() - b()))) }
	case op == ir.Min && t.IsSigned():
		return func() uint64 { return uint64(min(int64(a()), int64(b()))) }
	case op == ir.Max && t.IsSigned():
		return func() uint64 { return uint64(max(int64(a()), int64(b()))) }
	case op == ir.Sub && t == ir.F32:
		return func() uint64 { return ir.FloatBits(t, float64(f32(a())-f32(b()))) }
	case op == ir.Lt && t.IsSigned():
		return func() uint64 {
			if int64(a()) < int64(b()) {
				return 1
			}
			return 0
		}
	case op == ir.Add && t == ir.F32:
		return func() uint64 { return ir.FloatBits(t, float64(f32(a())+f32(b()))) }
	case op == ir.Mul && t == ir.F32:
		return func() uint64 { return ir.FloatBits(t, float64(f32(a())*f32(b()))) }
	}
	return nil
}

// call is a read of an array, or an extent.
func (s *Scalars) call(e ir.Expr) func() uint64 {
	a := s.names.Arrays[e.Name()]
	if a == nil {
		extent := s.names.extentOf(e)
		return func() uint64 {
			n, err := extent()
			s.Fail(err)
			return ir.I32.Wrap(uint64(n))
		}
	}
	var args []func() uint64
	for _, a := range access.Operands(e) {
		args = append(args, s.term(a))
	}
	at := make([]int64, len(args))
	component := e.Index()
	return func() uint64 {
		if len(at) != len(a.Dims) {
			s.Fail(fmt.Errorf("%s has %d dimensions and is read at %d coordinates", e.Name(), len(a.Dims), len(at)))
			return 0
		}
		for i, f := range args {
			at[i] = int64(f())
		}
		i, err := a.Dims.Offset(at)
		if err != nil {
			s.Fail(fmt.Errorf("%s is read where it has no element: %w (%s)", e.Name(), err, e))
			return 0
		}
		return a.Columns[component].At(i)
	}
}

// Fail notes the first error.
func (s *Scalars) Fail(err error) {
	if s.Err == nil && err != nil {
		s.Err = err
	}
}

// TakeError is the error since the last time it was asked.
func (s *Scalars) TakeError() error {
	err := s.Err
	s.Err = nil
	return err
}
