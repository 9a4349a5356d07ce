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
// this start as its second operand. Runs have a step at least: the start need not be an identity.
//
//	max(x0 + y0, 0)    from 0, the inputs −1 and −2 make 0 both, and of x0 = 5 they make 4 and 3
//
// Inputs are small, so that many runs end alike. A sum of floats may be the same by rounding alone, which costs an answer and no truth.
func determined(s *Setting, p *tuple.Part, start []ir.Expr) bool {
	for round := range uint64(maxRounds) {
		r := newStarted(s, p, start, round < fewRounds, rand.New(rand.NewPCG(7, round)))
		if round%2 != 0 {
			r.advance(func(int) bool { return true }, &r.x) // a state that is reached
			share(r.x)
		}
		r.z = copies(r.x)
		for step := range maxAfter {
			r.advance(func(n int) bool { return n%maxAfter >= step }, &r.y, &r.z)
		}
		for _, c := range s.State {
			for _, state := range [][]*values{r.x, r.y, r.z} {
				r.valid = r.valid.minus(zeros(r.evaluate([]ir.Expr{c}, state, nil)[0]))
			}
		}
		r.finite()
		if !r.functional() {
			return false
		}
	}
	return true
}

// maxRounds bounds the states x that runs are compared on. The first rounds have few runs of tiny inputs:
// most updates that are not determined show it there.
const (
	fewRounds = 2
	maxRounds = fewRounds + 6
)

// newStarted returns runs of no step, few or as many as there are points: y is a start, and x one small state, the same at all points, as
// invariants are.
func newStarted(s *Setting, p *tuple.Part, start []ir.Expr, few bool, rng *rand.Rand) *runs {
	r := &runs{Setting: s, p: p, used: points, tiny: few, rng: rng, step: tape.New(p.Values...), drawn: map[ir.Expr]*values{}, valid: all}
	if few {
		r.used = tape.Lanes
	}
	r.step.Charge(s.Meter)
	r.readLiterals()
	for _, v := range r.step.Inputs {
		switch {
		case v.Op() == ir.Var && v.Kind() == ir.State:
			continue
		case v.IsInvariant():
			r.drawn[v] = constant(testpoint.Draw(rng, v.Type(), s.Allowed, 1))
		}
		r.leaves = append(r.leaves, v)
	}
	for i, e := range start {
		r.x = append(r.x, constant(testpoint.Draw(rng, p.Types[i], s.Allowed, 1)))
		r.y = append(r.y, constant(e.Value()))
	}
	return r
}

// constant returns one value at all points.
func constant(v uint64) *values {
	out := new(values)
	for n := range out {
		out[n] = v
	}
	return out
}

// share gives all points the state of the first.
func share(state []*values) {
	for i, v := range state {
		state[i] = constant(v[0])
	}
}

func copies(state []*values) []*values {
	out := make([]*values, len(state))
	for i, v := range state {
		w := *v
		out[i] = &w
	}
	return out
}

// functional reports whether points that have the same y have the same z.
func (r *runs) functional() bool {
	first := make(map[uint64]int, r.used) // a point with the y of a hash
	for n := range r.used {
		if !r.valid.has(n) {
			continue
		}
		h := uint64(0)
		for _, v := range r.y {
			h = (h ^ v[n]) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
		m, seen := first[h]
		if !seen {
			first[h] = n
			continue
		}
		sameY, sameZ := true, true
		for i, t := range r.p.Types {
			sameY = sameY && r.y[i][m] == r.y[i][n]
			sameZ = sameZ && (r.z[i][m] == r.z[i][n] || testpoint.Close(t, r.Allowed, r.z[i][m], r.z[i][n]))
		}
		if sameY && !sameZ {
			return false
		}
	}
	return true
}
