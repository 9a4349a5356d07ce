package construct

import (
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Setting is what constructions see of a match.
type Setting struct {
	Pool      *ir.Pool
	Allowed   ir.Assume
	NonNeg    []ir.Expr // variables that are never negative
	State     []ir.Expr // what is given of the state …
	Inputs    []ir.Expr // … and of inputs
	Registers *tape.Registers
	Buffers   *Buffers
	Meter     *effort.Meter
}

// Buffers are memory for values, which the constructions of one match after the other use. The zero Buffers are ready for use.
type Buffers struct {
	all  []*values
	used int
}

// get returns values that are not cleared: the caller writes all of them.
func (b *Buffers) get() *values {
	if b.used == len(b.all) {
		b.all = append(b.all, new(values))
	}
	b.used++
	return b.all[b.used-1]
}

// points is the number of points at which candidates are compared with runs.
const points = 4 * tape.Lanes

// values are those of one quantity at all points.
type values [points]uint64

// mask is a set of points.
type mask [points / 64]uint64

// all is every point.
var all = mask{}.not()

func (m mask) not() mask       { return mask{^m[0], ^m[1], ^m[2], ^m[3]} }
func (m *mask) add(i int)      { m[i/64] |= 1 << (i % 64) }
func (m mask) has(i int) bool  { return m[i/64]>>(i%64)&1 != 0 }
func (m mask) and(n mask) mask { return mask{m[0] & n[0], m[1] & n[1], m[2] & n[2], m[3] & n[3]} }
func (m mask) or(n mask) mask  { return mask{m[0] | n[0], m[1] | n[1], m[2] | n[2], m[3] | n[3]} }
func (m mask) minus(n mask) mask {
	return mask{m[0] &^ n[0], m[1] &^ n[1], m[2] &^ n[2], m[3] &^ n[3]}
}

// within reports whether every point of m is one of n.
func (m mask) within(n mask) bool { return m.minus(n) == mask{} }

// stepper does the steps of a part.
type stepper struct {
	*Setting
	p      *tuple.Part
	step   *tape.Tape
	leaves []ir.Expr             // inputs of a step that are no states
	near   [ir.NumTypes][]uint64 // literals of the part, by type
	in     []*[tape.Lanes]uint64 // scratch
	next   [][tape.Lanes]uint64  // scratch
}

func newStepper(s *Setting, p *tuple.Part) *stepper {
	t := &stepper{Setting: s, p: p, step: tape.Paid(s.Meter, p.Values...), next: make([][tape.Lanes]uint64, len(p.Values))}
	ir.Walk(p.Values, func(e ir.Expr) {
		if e.Op() == ir.Const {
			t.near[e.Type()] = append(t.near[e.Type()], e.Value())
		}
	})
	for _, v := range t.step.Inputs {
		if v.Op() != ir.Var || v.Kind() != ir.State {
			t.leaves = append(t.leaves, v)
		}
	}
	return t
}

// runs are states of a part: x, which is any, y, which a few steps make of a start, and z, which
// the same steps make of x. An operator of the part gives z = x ⊕ y.
type runs struct {
	*stepper
	used    int  // points that runs are made at: the first ones
	tiny    bool // inputs are few numbers, so that many runs end alike
	rng     *rand.Rand
	x, y, z []*values
	any     [3][]*values        // three states that are drawn …
	given   mask                // … and the points at which all of them have what is given
	valid   mask                // points at which nothing overflows that must not, and what is given holds
	empty   mask                // points at which y is the start itself
	drawn   map[ir.Expr]*values // values that were drawn last
}

// Lengths of runs.
const (
	maxBefore = 3 // steps from the start to x, where x is reached at all
	maxAfter  = 4 // steps from the start to y
)

// newRuns runs a part from a start.
func newRuns(s *stepper, start []ir.Expr) *runs {
	p := s.p
	r := &runs{stepper: s, used: points, rng: rand.New(rand.NewPCG(3, 5)), drawn: map[ir.Expr]*values{}, valid: all}
	for i, e := range start {
		x, y := s.Buffers.get(), s.Buffers.get()
		for n := range points {
			y[n] = e.Value()
			if x[n] = e.Value(); n%2 != 0 {
				x[n] = testpoint.Draw(r.rng, p.Types[i], s.Allowed, r.style())
			}
		}
		for k := range r.any {
			v := s.Buffers.get()
			for n := range points {
				v[n] = testpoint.Draw(r.rng, p.Types[i], s.Allowed, r.style())
			}
			r.any[k] = append(r.any[k], v)
		}
		r.x, r.y = append(r.x, x), append(r.y, y)
	}
	for step := range maxBefore {
		r.advance(where(func(n int) bool { return n%2 == 0 && n/2%(maxBefore+1) > step }), r.x)
	}
	r.z = r.copies(r.x)
	for step := range maxAfter {
		r.advance(where(func(n int) bool { return n/8%(maxAfter+1) > step }), r.y, r.z)
	}
	for n := range points {
		if n/8%(maxAfter+1) == 0 {
			r.empty.add(n)
		}
	}
	r.given = all
	r.satisfy(r.x, r.y, r.z)
	for _, c := range s.State {
		for _, state := range r.any {
			r.given = r.given.minus(zeros(r.evaluate([]ir.Expr{c}, state, nil)[0]))
		}
	}
	r.finite(r.z)
	r.finite(r.y)
	return r
}

// satisfy drops the points at which states do not have what is given.
func (r *runs) satisfy(states ...[]*values) {
	for _, c := range r.State {
		for _, state := range states {
			r.valid = r.valid.minus(zeros(r.evaluate([]ir.Expr{c}, state, nil)[0]))
		}
	}
}

// first are the points that are used.
func (r *runs) first() (out mask) {
	for k := range r.used / tape.Lanes {
		out[k] = ^uint64(0)
	}
	return out
}

// where returns the points of which a condition holds.
func where(holds func(n int) bool) (out mask) {
	for n := range points {
		if holds(n) {
			out.add(n)
		}
	}
	return out
}

// finite drops the points at which a state has an infinity or NaN.
func (r *runs) finite(state []*values) {
	for i, t := range r.p.Types {
		if !t.IsFloat() {
			continue
		}
		for n := range r.used {
			if !sample.IsFinite(t, state[i][n]) {
				r.valid[n/64] &^= 1 << (n % 64)
			}
		}
	}
}

// zeros returns the points at which a condition does not hold.
func zeros(v *values) (out mask) {
	for n := range points {
		if v[n] == 0 {
			out.add(n)
		}
	}
	return out
}

// advance does one step with new inputs on each of the states, at some of the points. It writes to the states.
func (r *runs) advance(at mask, states ...[]*values) {
	inputs := r.draws()
	for _, state := range states {
		r.valid = r.valid.minus(r.move(at, state, inputs))
	}
	r.restrict(at, inputs)
}

// draws draws what a step reads besides the state.
func (r *runs) draws() map[ir.Expr]*values {
	out := make(map[ir.Expr]*values, len(r.leaves))
	for _, v := range r.leaves {
		out[v] = r.draw(v)
	}
	return out
}

// restrict drops the points at which inputs do not have what is given.
func (r *runs) restrict(at mask, inputs map[ir.Expr]*values) {
	for _, c := range r.Inputs {
		holds, _ := r.run(r.Registers.NewTape(c), nil, inputs)
		r.valid = r.valid.minus(zeros(holds[0]).and(at))
	}
}

// move does one step on a state at some of the points, and returns those of them at which something overflows that must not.
func (r *runs) move(at mask, state []*values, inputs map[ir.Expr]*values) (over mask) {
	for k := range r.used / tape.Lanes {
		moved := at[k]
		if moved == 0 {
			continue
		}
		for i, row := range r.step.Run(r.rows(r.step, k, state, inputs)) { // which may be rows of the state
			r.next[i] = *row
		}
		over[k] = moved & r.step.Overflowed(r.Allowed)
		for i, v := range state {
			to := v[k*tape.Lanes:][:tape.Lanes]
			for l := range to {
				if moved>>l&1 != 0 {
					to[l] = r.next[i][l]
				}
			}
		}
	}
	return over
}

// draw returns values of an input: of an invariant always the same, and at some points those of the last
// step.
func (r *runs) draw(v ir.Expr) *values {
	last := r.drawn[v]
	if last != nil && v.IsInvariant() {
		return last
	}
	r.Meter.Spend(effort.Points, r.used/8*2) // a point is drawn in the time of two operations
	t := v.Type()
	out := r.Buffers.get()
	near, nonNeg := r.near[t], slices.Contains(r.NonNeg, v)
	for n := range r.used {
		if last != nil && n%4 == 3 && r.rng.IntN(3) > 0 {
			out[n] = last[n]
			continue
		}
		if r.tiny {
			out[n] = tinyValue(t, r.rng.IntN(3)-1)
		} else {
			out[n] = testpoint.Draw(r.rng, t, r.Allowed, r.style())
		}
		if len(near) > 0 && t != ir.Bool && r.rng.IntN(3) == 0 {
			out[n] = near[r.rng.IntN(len(near))]
		}
		if nonNeg {
			out[n] &= t.Max()
		}
	}
	r.drawn[v] = out
	return out
}

// tinyValue returns the number v; what is true for 1 alone.
func tinyValue(t ir.Type, v int) uint64 {
	switch {
	case t == ir.Bool:
		return uint64(v & 1)
	case t.IsFloat():
		return ir.FloatBits(t, float64(v))
	}
	return t.Wrap(uint64(v))
}

// style returns a style of testpoint.Draw, most often the one of which many values are the same.
func (r *runs) style() int { return max(0, r.rng.IntN(8)-4) }

// run evaluates a tape at the points that are used, and returns those at which something overflows that must not.
func (r *runs) run(code *tape.Tape, state []*values, inputs map[ir.Expr]*values) (out []*values, over mask) {
	for k := range r.used / tape.Lanes {
		for j, row := range code.Run(r.rows(code, k, state, inputs)) {
			if k == 0 {
				out = append(out, r.Buffers.get())
			}
			copy(out[j][k*tape.Lanes:], row[:])
		}
		over[k] = code.Overflowed(r.Allowed)
	}
	return out, over
}

// rows returns the k-th rows of what a tape reads. They hold until the next call.
func (r *runs) rows(code *tape.Tape, k int, state []*values, inputs map[ir.Expr]*values) []*[tape.Lanes]uint64 {
	r.in = r.in[:0]
	for _, v := range code.Inputs {
		of := inputs[v]
		switch {
		case of != nil:
		case v.Op() == ir.Var && v.Kind() == ir.State:
			of = state[v.Index()]
		default:
			of = r.draw(v)
		}
		r.in = append(r.in, (*[tape.Lanes]uint64)(of[k*tape.Lanes:]))
	}
	return r.in
}

// evaluate evaluates terms over both operands, or over the state alone.
func (r *runs) evaluate(es []ir.Expr, x, y []*values) []*values {
	inputs := map[ir.Expr]*values{}
	for i, v := range y {
		inputs[r.Pool.Y(i, r.p.Types[i])] = v
	}
	out, _ := r.run(r.Registers.NewTape(es...), x, inputs)
	return out
}
