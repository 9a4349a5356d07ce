package rfactor

import (
	"math/rand/v2"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
)

// row holds one quantity at all points of a sample.
type row = [ir.Lanes]uint64

// sample is a part of an update evaluated at fixed points: what refutes nearly every
// candidate before anything is proven.
type sample struct {
	allowed ir.Assume
	tape    ir.Tape // of the values
	inputs  map[ir.Expr]row
	states  []row
	want    []row  // the values at the points
	valid   uint64 // the points at which nothing overflows that must not
}

// evaluate draws the points for a part and evaluates it there.
func (s *sample) evaluate(p *part, nonNeg []ir.Expr, allowed ir.Assume) {
	s.allowed = allowed
	s.tape.Compile(p.values...)
	s.inputs = map[ir.Expr]row{}
	rng := rand.New(rand.NewPCG(3, 5))
	for _, v := range append(append([]ir.Expr{}, p.states...), s.tape.Inputs...) {
		if _, done := s.inputs[v]; !done {
			s.inputs[v] = drawRow(rng, v, nonNeg, allowed)
		}
	}
	s.states = s.states[:0]
	for _, x := range p.states {
		s.states = append(s.states, s.inputs[x])
	}
	s.want, s.valid = s.run(&s.tape, nil)
}

func drawRow(rng *rand.Rand, v ir.Expr, nonNeg []ir.Expr, allowed ir.Assume) (r row) {
	for lane := range r {
		r[lane] = prove.Draw(rng, v.Type(), allowed, lane%4)
	}
	for _, n := range nonNeg {
		if n == v {
			for lane := range r {
				r[lane] &= v.Type().Max()
			}
		}
	}
	return r
}

// run evaluates a tape whose inputs are those of the sample, except where instead has
// another row.
func (s *sample) run(tape *ir.Tape, instead map[ir.Expr]row) ([]row, uint64) {
	in := make([]row, len(tape.Inputs))
	for i, v := range tape.Inputs {
		r, ok := instead[v]
		if !ok {
			r = s.inputs[v]
		}
		in[i] = r
	}
	out, over := tape.RunChecked(in, s.allowed)
	rows := make([]row, len(out))
	for i, r := range out {
		rows[i] = *r
	}
	return rows, ^over
}

// agree reports whether two tuples of rows have the same values at the valid points, as
// far as the assumptions tell values apart. A point at which nothing is valid says nothing;
// a sample without any valid point agrees with nothing.
func (s *sample) agree(types []ir.Type, a, b []row, valid uint64) bool {
	if valid == 0 {
		return false
	}
	for i, t := range types {
		for lane := range ir.Lanes {
			if valid>>lane&1 != 0 && !prove.Close(t, s.allowed, a[i][lane], b[i][lane]) {
				return false
			}
		}
	}
	return true
}

// plausible reports whether update = x ⊕ inject at the points of a fresh sample.
func (m *matcher) plausible(p *part, exprs, inject []ir.Expr) bool {
	s := &m.sample
	s.evaluate(p, m.nonNeg, m.opts.Allowed)
	injected, ok := s.run(ir.NewTape(inject...), nil)
	instead := map[ir.Expr]row{}
	for i, t := range p.types {
		instead[m.pool.Y(i, t)] = injected[i]
	}
	got, ok2 := s.run(ir.NewTape(exprs...), instead)
	return s.agree(p.types, s.want, got, s.valid&ok&ok2)
}
