package rfactor

import (
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
	in      []row  // of the last run
	rows    []*row // of the tape's inputs
}

// evaluate draws the points for a part and evaluates it there.
func (s *sample) evaluate(p *part, nonNeg []ir.Expr, allowed ir.Assume) {
	s.allowed = allowed
	s.tape.Compile(p.values...)
	if s.inputs == nil {
		s.inputs = map[ir.Expr]row{}
	}
	clear(s.inputs)
	for _, v := range append(append([]ir.Expr{}, p.states...), s.tape.Inputs...) {
		if _, done := s.inputs[v]; !done {
			s.inputs[v] = drawRow(v, len(s.inputs), nonNeg, allowed)
		}
	}
	s.rows = s.rows[:0]
	for _, v := range s.tape.Inputs {
		r := s.inputs[v]
		s.rows = append(s.rows, &r)
	}
	s.states = s.states[:0]
	for _, x := range p.states {
		s.states = append(s.states, s.inputs[x])
	}
	s.want = s.run(&s.tape, nil)
	s.valid = ^s.tape.Overflowed(allowed)
}

func drawRow(v ir.Expr, i int, nonNeg []ir.Expr, allowed ir.Assume) row {
	r := *prove.Row(v.Type(), allowed, i)
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
// another row. The rows are copies.
func (s *sample) run(tape *ir.Tape, instead map[ir.Expr]row) []row {
	s.in = s.in[:0]
	for _, v := range tape.Inputs {
		r, ok := instead[v]
		if !ok {
			r = s.inputs[v]
		}
		s.in = append(s.in, r)
	}
	out := tape.Run(s.in)
	rows := make([]row, len(out))
	for i, r := range out {
		rows[i] = *r
	}
	return rows
}

// value evaluates one expression over the sample's inputs.
func (s *sample) value(e ir.Expr) row { return s.run(ir.NewTape(e), nil)[0] }

// differ is the mask of the lanes in which two tuples of rows have different values, as
// far as the assumptions tell values apart.
func (s *sample) differ(types []ir.Type, a, b []row) (mask uint64) {
	for i, t := range types {
		x, y := &a[i], &b[i]
		for lane := range x {
			if x[lane] != y[lane] && !prove.Close(t, s.allowed, x[lane], y[lane]) {
				mask |= 1 << lane
			}
		}
	}
	return mask
}
