package testpoint

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Confirm evaluates both sides at the values of c, which it writes to c.Left and c.Right. It
// reports whether they differ there, the given conditions hold, calls with equal operands
// have equal values, and nothing overflows, is NaN or infinite that is assumed not to.
func (c *Counterexample) Confirm(p proof.Problem, assume ir.Assume) bool {
	es := append([]ir.Expr{p.Left, p.Right}, p.Given...)
	calls, operands := callsOf(es)
	w := Evaluator{}
	w.tape.Compile(append(es, operands...)...)
	for _, e := range w.tape.Inputs {
		lanes := new([tape.Lanes]uint64)
		for i, in := range c.Inputs {
			if in == e {
				lanes[0] = c.Values[i]
			}
		}
		w.in = append(w.in, lanes)
	}
	out := w.tape.Run(w.in)
	for _, given := range out[2:len(es)] {
		if given[0] == 0 {
			return false
		}
	}
	c.Left, c.Right = out[0][0], out[1][0]
	return (w.tape.Overflowed(assume)|w.tape.Poisoned(assume))&1 == 0 && w.areFunctions(calls, out[len(es):], 0) &&
		!sameResult(c.Type, assume, assume.Has(ir.Reassoc), c.Left, c.Right)
}
