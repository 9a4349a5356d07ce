package testpoint

import (
	"math"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Shrink makes the values of a counterexample small, one input after the other, as long as
// the two sides stay different and what is given stays true. People read it.
func (w *Evaluator) Shrink(p proof.Problem, assume ir.Assume, c *Counterexample) *Counterexample {
	es := append([]ir.Expr{p.Left, p.Right}, p.Given...)
	if slices.ContainsFunc(es, ir.Expr.HasCall) {
		return c // calls are inputs to the tape, and need not stay functions
	}
	w.tape.Charge(w.Meter)
	w.tape.Compile(es...)
	if !slices.Equal(w.tape.Inputs, c.Inputs) {
		return c
	}
	values := slices.Clone(c.Values)
	best := c
	for changed, round := true, 0; changed && round < maxShrinks; round++ {
		changed = false
		for _, group := range groupsOf(c.Inputs, values) {
			first := group[0]
			simpler := simplerValues(c.Inputs[first].Type(), values[first])
			if len(simpler) == 0 {
				continue
			}
			w.spread(values, group, simpler)
			out := w.tape.Run(w.in)
			wrong := w.refuted(p, assume, out, es) & (1<<len(simpler) - 1)
			if wrong == 0 {
				continue
			}
			lane := bits.TrailingZeros64(wrong)
			for _, i := range group {
				values[i] = simpler[lane]
			}
			changed = true
			best = w.counterexample(lane, p, out[0][lane], out[1][lane])
		}
	}
	return best
}

// maxShrinks bounds the rounds over all inputs; each makes some value simpler.
const maxShrinks = 20

// groupsOf lists inputs that are made simpler together: those of equal values, which may
// have to stay equal, and then each alone.
func groupsOf(inputs []ir.Expr, values []uint64) (groups [][]int) {
	type key struct {
		typ   ir.Type
		value uint64
	}
	tied := map[key][]int{}
	for i, v := range inputs {
		k := key{v.Type(), values[i]}
		tied[k] = append(tied[k], i)
	}
	for i, v := range inputs {
		if t := tied[key{v.Type(), values[i]}]; len(t) > 1 && t[0] == i {
			groups = append(groups, t)
		}
	}
	for i := range inputs {
		groups = append(groups, []int{i})
	}
	return groups
}

// spread fills the inputs' rows with the values, but lane l of those in the group with
// trials[l].
func (w *Evaluator) spread(values []uint64, group []int, trials []uint64) {
	w.in = w.in[:0]
	for j, v := range values {
		row := new([tape.Lanes]uint64)
		for l := range row {
			row[l] = v
			if l < len(trials) && slices.Contains(group, j) {
				row[l] = trials[l]
			}
		}
		w.in = append(w.in, row)
	}
}

// refuted lists the lanes in which what is given holds, no operation breaks an assumption and the sides
// differ.
func (w *Evaluator) refuted(p proof.Problem, assume ir.Assume, out []*[tape.Lanes]uint64, es []ir.Expr) (wrong uint64) {
	inexact := assume.Has(ir.Reassoc) && hasInexact(es)
	valid := ^w.tape.Overflowed(assume)
	for l := range tape.Lanes {
		holds := valid>>l&1 != 0
		for _, g := range out[2:len(es)] {
			holds = holds && g[l] != 0
		}
		if holds && !sameResult(p.Left.Type(), assume, inexact, out[0][l], out[1][l]) {
			wrong |= 1 << l
		}
	}
	if wrong != 0 {
		wrong &^= w.tape.Poisoned(assume)
	}
	return wrong
}

// simplerValues lists values of type t that are simpler than v, the simplest first: fewer
// than tape.Lanes.
func simplerValues(t ir.Type, v uint64) (out []uint64) {
	add := func(c uint64) bool {
		if c == v {
			return false
		}
		if !slices.Contains(out, c) && len(out) < tape.Lanes-1 {
			out = append(out, c)
		}
		return true
	}
	switch {
	case t == ir.Bool:
		add(0)
	case t.IsFloat():
		for _, f := range []float64{0, 1, -1, 2, -2, 3, -3, 4, -4, 0.5, -0.5, 8, -8, 100, -100} {
			if !add(ir.FloatBits(t, f)) {
				return out
			}
		}
		if f := ir.Float(t, v); !math.IsNaN(f) && !math.IsInf(f, 0) {
			add(ir.FloatBits(t, math.Trunc(f)))
		}
	default:
		for n := int64(0); n <= 12; n++ {
			if !add(t.Wrap(uint64(n))) || n > 0 && t.IsSigned() && !add(t.Wrap(uint64(-n))) {
				return out
			}
		}
		for _, c := range []uint64{100, 1000, 1000000, t.Max(), t.Min()} {
			if t.Wrap(c) == c && !add(c) {
				return out
			}
		}
		for half := v; ; { // towards zero
			if t.IsSigned() {
				half = uint64(int64(half) / 2)
			} else {
				half /= 2
			}
			if half == 0 {
				return out
			}
			add(half)
		}
	}
	return out
}
