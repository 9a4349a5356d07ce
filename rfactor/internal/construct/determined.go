package construct

import (
	"math/rand/v2"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// determined reports whether no runs from a start show that z is not a function of x and y. Where two
// runs make the same y of the start and take one x to different states, no operator has the steps from
// this start as its second operand:
//
//	max(x0 + y0, 0)    from 0, the inputs −1 and −2 make 0 both, and of x0 = 5 they make 4 and 3
//
// Inputs are small, so that many runs end alike. Floats are left to the search, whose sums may be
// equal and their rounding different.
func determined(s *Setting, p *tuple.Part, start []ir.Expr) bool {
	for _, t := range p.Types {
		if t.IsFloat() {
			return true
		}
	}
	r := &runs{Setting: s, p: p, rng: rand.New(rand.NewPCG(7, 11)), step: tape.New(p.Values...), drawn: map[ir.Expr]*values{}, valid: all}
	for _, v := range r.step.Inputs {
		if v.Op() == ir.Var && v.Kind() == ir.State {
			continue
		}
		r.leaves = append(r.leaves, v)
		if v.IsInvariant() {
			r.drawn[v] = r.blocks(v.Type())
		}
	}
	for i, e := range start {
		y, x := new(values), r.blocks(p.Types[i])
		for n := range points {
			y[n] = e.Value()
		}
		z := *x
		r.x, r.y, r.z = append(r.x, x), append(r.y, y), append(r.z, &z)
	}
	for step := range 2 {
		r.advance(func(n int) bool { return n%2 >= step }, &r.y, &r.z)
	}
	for _, c := range s.State {
		for _, state := range [][]*values{r.x, r.y, r.z} {
			r.valid = r.valid.minus(zeros(r.evaluate([]ir.Expr{c}, state, nil)[0]))
		}
	}
	return r.functional()
}

// blocks returns small values, one for each block of tape.Lanes points.
func (r *runs) blocks(t ir.Type) *values {
	out := new(values)
	for n := range points {
		if out[n] = testpoint.Draw(r.rng, t, r.Allowed, 1); n%tape.Lanes != 0 {
			out[n] = out[n-1]
		}
	}
	return out
}

// functional reports whether points of a block that have the same y have the same z.
func (r *runs) functional() bool {
	same := func(a []*values, n, m int) bool {
		for _, v := range a {
			if v[n] != v[m] {
				return false
			}
		}
		return true
	}
	for n := range points {
		for m := n - n%tape.Lanes; m < n; m++ {
			if r.valid.has(n) && r.valid.has(m) && same(r.y, n, m) && !same(r.z, n, m) {
				return false
			}
		}
	}
	return true
}
