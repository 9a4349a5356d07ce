package exec

import (
	"fmt"
	"math"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/internal/access"
)

// scalars evaluates expressions at one point, lazily, as ir.Eval does: only the branch of a
// select that is taken is evaluated, so that only what the serial program reads is read.
// It belongs to one goroutine.
type scalars struct {
	run   *execution
	slots map[ir.Expr]*uint64 // loop variables and states
	memo  map[ir.Expr]func() uint64
	uses  map[ir.Expr]int // of subterms, by the terms that are being compiled
	point uint64          // counts changes of slots: what was evaluated before is stale
	err   error           // of the first read that failed
}

func newScalars(run *execution) *scalars {
	return &scalars{run: run, slots: map[ir.Expr]*uint64{}, memo: map[ir.Expr]func() uint64{}, uses: map[ir.Expr]int{}, point: 1}
}

// slot is where the value of a variable is kept.
func (s *scalars) slot(v ir.Expr) *uint64 {
	if p := s.run.params[v]; p != nil {
		return p
	}
	p := s.slots[v]
	if p == nil {
		p = new(uint64)
		s.slots[v] = p
	}
	return p
}

// compile makes a function that gives the value of e where the slots are now.
func (s *scalars) compile(e ir.Expr) func() uint64 {
	if _, done := s.memo[e]; !done {
		s.countUses([]ir.Expr{e})
	}
	return s.term(e)
}

func (s *scalars) compileAll(es []ir.Expr) []func() uint64 {
	s.countUses(es)
	var out []func() uint64
	for _, e := range es {
		out = append(out, s.term(e))
	}
	return out
}

// countUses counts how often each subterm is an operand.
func (s *scalars) countUses(es []ir.Expr) {
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
func (s *scalars) term(e ir.Expr) func() uint64 {
	if f, ok := s.memo[e]; ok {
		return f
	}
	f := s.root(e)
	if e.NumArgs() > 0 && s.uses[e] > 1 {
		f = s.once(f)
	}
	s.memo[e] = f
	return f
}

// once evaluates f once for each point: terms share subterms, and trees of them may be
// exponential.
func (s *scalars) once(f func() uint64) func() uint64 {
	at, v := uint64(0), uint64(0)
	return func() uint64 {
		if at != s.point {
			v = f()
			at = s.point
		}
		return v
	}
}

func (s *scalars) root(e ir.Expr) func() uint64 {
	switch e.Op() {
	case ir.Const:
		v := e.Value()
		return func() uint64 { return v }
	case ir.Var:
		p := s.slot(e)
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
func (s *scalars) call(e ir.Expr) func() uint64 {
	a := s.run.arrays[e.Name()]
	if a == nil {
		extent := s.run.extentOf(e)
		return func() uint64 {
			n, err := extent()
			s.fail(err)
			return ir.I32.Wrap(uint64(n))
		}
	}
	var args []func() uint64
	for _, a := range access.Operands(e) {
		args = append(args, s.term(a))
	}
	at := make([]int64, len(args))
	get := kernel.Of(e.Type()).Get(a.data[e.Index()])
	return func() uint64 {
		if len(at) != len(a.Dims) {
			s.fail(fmt.Errorf("%s has %d dimensions and is read at %d coordinates", e.Name(), len(a.Dims), len(at)))
			return 0
		}
		for i, f := range args {
			at[i] = int64(f())
		}
		i, err := a.Dims.Offset(at)
		if err != nil {
			s.fail(fmt.Errorf("%s is read where it has no element: %w (%s)", e.Name(), err, e))
			return 0
		}
		return get(i)
	}
}

func (s *scalars) fail(err error) {
	if s.err == nil && err != nil {
		s.err = err
	}
}

// takeError is the error since the last time it was asked.
func (s *scalars) takeError() error {
	err := s.err
	s.err = nil
	return err
}
