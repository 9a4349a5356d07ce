package construct

import (
	"math/rand/v2"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove/testpoint"
)

// determined reports whether no runs from a start show that z is not a function of x and y. Where two
// runs make the same y of the start and take one x to different states, no operator has the steps from
// this start as its second operand. Runs have a step at least: the start need not be an identity.
//
//	max(x0 + y0, 0)    from 0, the inputs −1 and −2 make 0 both, and of x0 = 5 they make 4 and 3
//
// Inputs are small, so that many runs end alike. A sum of floats may be the same by rounding alone, which costs an answer and no truth.
func (d *determiner) determined(start []ir.Expr) bool {
	for n := range d.rounds {
		if d.rounds[n] == nil {
			d.rounds[n] = newRound(d.stepper, n)
		}
		if !d.rounds[n].isFunctionalFrom(start) {
			return false
		}
	}
	return true
}

// determiner compares runs from several starts, by rounds that are made when they are asked for.
type determiner struct {
	*stepper
	rounds [maxRounds]*round
}

// round is runs from one state x, with their inputs. They are the same whatever a run of y starts from.
type round struct {
	*runs
	inputs [maxAfter]map[ir.Expr]*values // of each step
}

// newRound returns the n-th round.
func newRound(s *stepper, n int) *round {
	r := &round{runs: newStarted(s, n < fewRounds, rand.New(rand.NewPCG(7, uint64(n))))}
	if n%2 != 0 {
		r.advance(all, r.x) // a state that is reached
		r.share(r.x)
	}
	r.z = r.copies(r.x)
	for step := range r.inputs {
		r.inputs[step] = r.draws()
		r.valid = r.valid.minus(r.move(moved[step], r.z, r.inputs[step]))
		r.restrict(moved[step], r.inputs[step])
	}
	r.satisfy(r.x, r.z)
	r.finite(r.z)
	return r
}

// moved are the points at which a round does each step.
var moved = func() (out [maxAfter]mask) {
	for step := range out {
		out[step] = where(func(n int) bool { return n%maxAfter >= step })
	}
	return out
}()

// isFunctionalFrom reports whether no runs from a start that end alike show that z is not a function of y.
func (r *round) isFunctionalFrom(start []ir.Expr) bool {
	valid, used := r.valid, r.Buffers.used
	defer func() { r.valid, r.Buffers.used = valid, used }()
	r.y = r.y[:0]
	for _, e := range start {
		r.y = append(r.y, r.constant(e.Value()))
	}
	for step, inputs := range r.inputs {
		r.valid = r.valid.minus(r.move(moved[step], r.y, inputs))
	}
	r.satisfy(r.y)
	r.finite(r.y)
	return r.functional()
}

// maxRounds bounds the states x that runs are compared on. The first rounds have few runs of tiny inputs:
// most updates that are not determined show it there.
const (
	fewRounds = 2
	maxRounds = fewRounds + 6
)

// newStarted returns runs of no step, few or as many as there are points: x is one small state, the same at all points, as
// invariants are.
func newStarted(s *stepper, few bool, rng *rand.Rand) *runs {
	r := &runs{stepper: s, used: points, tiny: few, rng: rng, drawn: map[ir.Expr]*values{}, valid: all}
	if few {
		r.used = tape.Lanes
	}
	for _, v := range r.leaves {
		if v.IsInvariant() {
			r.drawn[v] = r.constant(testpoint.Draw(rng, v.Type(), s.Allowed, 1))
		}
	}
	for _, t := range s.p.Types {
		r.x = append(r.x, r.constant(testpoint.Draw(rng, t, s.Allowed, 1)))
	}
	return r
}

// constant returns one value at all points.
func (r *runs) constant(v uint64) *values {
	out := r.Buffers.get()
	for n := range out {
		out[n] = v
	}
	return out
}

// share gives all points the state of the first.
func (r *runs) share(state []*values) {
	for i, v := range state {
		state[i] = r.constant(v[0])
	}
}

func (r *runs) copies(state []*values) []*values {
	out := make([]*values, len(state))
	for i, v := range state {
		out[i] = r.Buffers.get()
		*out[i] = *v
	}
	return out
}

// functional reports whether points that have the same y have the same z.
func (r *runs) functional() bool {
	var first [2 * points]uint16 // by hash: a point of a y, plus 1
	for n := range r.used {
		if !r.valid.has(n) {
			continue
		}
		h := uint64(0)
		for _, v := range r.y {
			h = (h ^ v[n]) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
		slot := h % uint64(len(first))
		for first[slot] != 0 && !r.sameY(int(first[slot])-1, n) {
			slot = (slot + 1) % uint64(len(first))
		}
		if first[slot] == 0 {
			first[slot] = uint16(n) + 1
			continue
		}
		m := int(first[slot]) - 1
		for i, t := range r.p.Types {
			if r.z[i][m] != r.z[i][n] && !testpoint.Close(t, r.Allowed, r.z[i][m], r.z[i][n]) {
				return false
			}
		}
	}
	return true
}

// sameY reports whether y is the same at two points.
func (r *runs) sameY(m, n int) bool {
	for _, v := range r.y {
		if v[m] != v[n] {
			return false
		}
	}
	return true
}
