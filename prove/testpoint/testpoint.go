package testpoint

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Counterexample is a point at which the two sides of an equation differ.
type Counterexample struct {
	Inputs      []ir.Expr // variables and opaque calls
	Values      []uint64  // carried as package ir says
	Left, Right uint64
	Type        ir.Type // of both sides
}

// Evaluator evaluates equations at test points. Its zero value is ready; it is not safe for
// concurrent use.
type Evaluator struct {
	// MinRounds is how many times tape.Lanes points are tried at least: Rounds where it is less.
	MinRounds int
	// Meter is charged for evaluation; nil for none.
	Meter *effort.Meter

	tape  tape.Tape
	in    []*[tape.Lanes]uint64
	given []*[tape.Lanes]uint64 // what is given, at the points
}

// Rounds is how many times tape.Lanes points are tried before evaluation gives up.
const Rounds = 4

// Refute evaluates both sides at fixed adversarial points (limits, ties, small numbers,
// NaN, −0, infinities, as far as the assumptions leave them) and answers the first at which
// the given conditions hold, no operation breaks an assumption and the sides differ; nil where there
// is none.
// Under reassoc on floats values are small dyadic numbers whose sums and products are
// exact, so that rounding does not refute what holds of real numbers; quotients are not
// compared at all then.
func (w *Evaluator) Refute(p proof.Problem, assume ir.Assume) *Counterexample {
	es := append([]ir.Expr{p.Left, p.Right}, p.Given...)
	calls, operands := callsOf(es)
	w.tape.Charge(w.Meter)
	w.tape.Compile(append(es, operands...)...)
	inexact := assume.Has(ir.Reassoc) && hasInexact(es)
	refuted := func(lanes int) *Counterexample {
		out := w.tape.RunFirst(w.in, lanes)
		w.given = out[2:len(es)]
		valid := ^w.tape.Overflowed(assume) & (1<<lanes - 1)
		for _, g := range w.given {
			valid &= truths(g) | ^(1<<lanes - 1)
		}
		var poisoned uint64
		for looked := false; valid != 0; valid &= valid - 1 {
			l := bits.TrailingZeros64(valid)
			if sameResult(p.Left.Type(), assume, inexact, out[0][l], out[1][l]) {
				continue
			}
			if !looked {
				looked, poisoned = true, w.tape.Poisoned(assume)
			}
			if poisoned>>l&1 == 0 && w.areFunctions(calls, out[len(es):], l) {
				return w.counterexample(l, p, out[0][l], out[1][l])
			}
		}
		return nil
	}
	for round := range max(w.MinRounds, Rounds) {
		w.fill(assume, uint64(round))
		if round == 0 { // a few points refute most of what is wrong
			if c := refuted(tape.Few); c != nil {
				return c
			}
		}
		if c := refuted(tape.Lanes); c != nil {
			return c
		}
		if w.narrow(p.Given, assume) {
			if c := refuted(tape.Lanes); c != nil {
				return c
			}
		}
	}
	return nil
}

// truths marks the lanes in which a condition holds.
func truths(c *[tape.Lanes]uint64) (lanes uint64) {
	for l, v := range c {
		lanes |= v & 1 << l
	}
	return lanes
}

// narrow takes the values of each float from the lanes in which those given conditions hold that are about it alone: few points have three numbers
// between 0 and 1. Half lie between such values and literals of the conditions, where sums round. It reports whether it changed any.
func (w *Evaluator) narrow(given []ir.Expr, assume ir.Assume) (changed bool) {
	for i, v := range w.tape.Inputs {
		t := v.Type()
		if !t.IsFloat() {
			continue
		}
		kept, about := ^uint64(0), []ir.Expr(nil)
		for j, g := range given {
			if vars := ir.Vars(g); len(vars) == 1 && vars[0] == v {
				kept &= truths(w.given[j])
				about = append(about, g)
			}
		}
		if kept == 0 || len(about) == 0 {
			continue
		}
		changed = true
		row, n, ends := new([tape.Lanes]uint64), 7*i, literals(about, t)
		for l := range row {
			n = (n + 1 + i%3) % tape.Lanes // other lanes for each variable
			for kept>>n&1 == 0 {
				n = (n + 1) % tape.Lanes
			}
			row[l] = w.in[i][n]
			if l&1 != 0 && len(ends) > 0 && !assume.Has(ir.Reassoc) {
				from := append(ends, row[l])[(l/2+i)%(len(ends)+1)]
				near := float64(1+(l+i)%6) / 7
				row[l] = ir.FloatBits(t, float64(near*ir.Float(t, from))+float64((1-near)*ir.Float(t, ends[(l/8+i)%len(ends)])))
			}
		}
		w.in[i] = row
	}
	return changed
}

// literals lists the literals of a type in conditions.
func literals(conds []ir.Expr, t ir.Type) (out []uint64) {
	ir.Walk(conds, func(e ir.Expr) {
		if e.Op() == ir.Const && e.Type() == t {
			out = append(out, e.Value())
		}
	})
	return slices.Clip(out)
}

func (w *Evaluator) counterexample(l int, p proof.Problem, a, b uint64) *Counterexample {
	c := &Counterexample{Inputs: append([]ir.Expr{}, w.tape.Inputs...), Left: a, Right: b, Type: p.Left.Type()}
	for i := range c.Inputs {
		c.Values = append(c.Values, w.in[i][l])
	}
	return c
}

// callsOf lists the opaque calls and their operands.
func callsOf(es []ir.Expr) (calls, operands []ir.Expr) {
	if !slices.ContainsFunc(es, ir.Expr.HasCall) {
		return nil, nil
	}
	ir.Walk(es, func(e ir.Expr) {
		if e.Op() == ir.Call {
			calls = append(calls, e)
			for i := range e.NumArgs() {
				operands = append(operands, e.Arg(i))
			}
		}
	})
	return calls, operands
}

// areFunctions reports whether in a lane calls with equal operands have equal results: a
// tape takes each call for an input of its own.
func (w *Evaluator) areFunctions(calls []ir.Expr, operands []*[tape.Lanes]uint64, lane int) bool {
	results := map[string]uint64{}
	for _, c := range calls {
		key := fmt.Sprintf("%q %d %d", c.Name(), c.Index(), c.Type())
		for i := range c.NumArgs() {
			key += fmt.Sprintf(" %d:%d", c.Arg(i).Type(), operands[i][lane])
		}
		operands = operands[c.NumArgs():]
		v := w.in[slices.Index(w.tape.Inputs, c)][lane]
		if old, seen := results[key]; seen && old != v {
			return false
		}
		results[key] = v
	}
	return true
}

// hasInexact reports whether float rounding can show even on small dyadic numbers.
func hasInexact(es []ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) {
		switch op := e.Op(); {
		case op == ir.Div || op.FloatsOnly():
			found = found || e.Type().IsFloat()
		case op == ir.Cast:
			found = found || e.Arg(0).Type().IsFloat()
		case op == ir.Const:
			if e.Type().IsFloat() {
				f := math.Ldexp(ir.Float(e.Type(), e.Value()), 4)
				found = found || f != math.Trunc(f) || math.Abs(f) > 1<<10
			}
		}
	})
	return found
}

// Close reports whether two results of type t may be the same under the assumptions, though
// operations that round led to them: a screen, not a proof.
func Close(t ir.Type, assume ir.Assume, a, b uint64) bool {
	return sameResult(t, assume, assume.Has(ir.Reassoc), a, b)
}

// Same reports whether two results of type t are the same under the assumptions, where no
// operation that rounds led to them.
func Same(t ir.Type, assume ir.Assume, a, b uint64) bool { return sameResult(t, assume, false, a, b) }

// sameResult compares two results of type t as the assumptions allow.
func sameResult(t ir.Type, assume ir.Assume, inexact bool, a, b uint64) bool {
	if a == b || !t.IsFloat() {
		return a == b
	}
	x, y := ir.Float(t, a), ir.Float(t, b)
	switch {
	case x != x || y != y:
		return x != x && y != y || assume.Has(ir.Reassoc)
	case x == y:
		return x != 0 || assume&(ir.NSZ|ir.Reassoc) != 0 // x + 0 = x is a field identity
	}
	if inexact {
		return math.IsInf(x, 0) || math.IsInf(y, 0) || math.Abs(x-y) <= 1e-3*(1+math.Abs(x)+math.Abs(y))
	}
	return assume.Has(ir.Reassoc) && (math.IsInf(x, 0) || math.IsInf(y, 0) || math.Abs(x-y) <= 1e-6*(math.Abs(x)+math.Abs(y)))
}

// fill chooses a row of lanes for each input. Few distinct values make ties common.
func (w *Evaluator) fill(assume ir.Assume, round uint64) {
	w.in = w.in[:0]
	for i, e := range w.tape.Inputs {
		n := int(round)*16 + i
		w.in = append(w.in, Row(e.Type(), assume, n))
		if n >= maxStoredRows { // which is drawn anew each time
			w.Meter.Spend(effort.Points, tape.Lanes/2)
		}
	}
}

// Row returns the i-th row of test values of a type, the same in every run.
func Row(t ir.Type, assume ir.Assume, i int) *[tape.Lanes]uint64 {
	key := rowKey{t, assume & drawnBy(t), i}
	if r, ok := rowsOfValues.Load(key); ok {
		return r.(*[tape.Lanes]uint64)
	}
	rng := rand.New(rand.NewPCG(uint64(i)+1, 0x9e3779b97f4a7c15))
	r := new([tape.Lanes]uint64)
	for l := range r {
		r[l] = Draw(rng, t, assume, l%4)
		if l%zerosEvery == zerosAt && t.IsFloat() && !assume.Has(ir.Reassoc) {
			r[l] = ir.FloatBits(t, math.Copysign(0, float64(rng.Float64())-.5))
		}
	}
	if i < maxStoredRows {
		rowsOfValues.Store(key, r)
	}
	return r
}

// drawnBy returns the assumptions that matter to Draw.
func drawnBy(t ir.Type) ir.Assume {
	switch {
	case t.IsFloat():
		return ir.Reassoc | ir.NNaN | ir.NInf
	case t.IsSigned():
		return ir.NSW
	}
	return ir.NUW
}

// At one lane of sixteen all floats are zeros, of either sign: what chooses between −0 and 0 shows where both are operands.
const (
	zerosEvery = 16
	zerosAt    = 6
)

type rowKey struct {
	typ    ir.Type
	assume ir.Assume
	i      int
}

// rowsOfValues keeps the first rows of each kind, 64 of .5 KB: drawing them costs more than using them.
var rowsOfValues sync.Map // rowKey → *[tape.Lanes]uint64

const maxStoredRows = 16 * Rounds

// Draw returns a test value of type t. style 0 and 1 give small numbers (ties are common),
// 2 the limits and their neighbours, 3 anything; where integers are assumed unbounded, or
// floats real, values stay small.
func Draw(rng *rand.Rand, t ir.Type, assume ir.Assume, style int) uint64 {
	switch {
	case t == ir.Bool:
		return rng.Uint64() & 1
	case t.IsFloat():
		return drawFloat(rng, t, assume, style)
	}
	small := uint64(int64(rng.IntN(19) - 9))
	if style == 0 {
		small = uint64(int64(rng.IntN(5) - 2))
	}
	if t.IsUnsigned() && int64(small) < 0 {
		small = -small
	}
	if assume.Unbounded(t) && t.Bits() > 8 && style == 3 {
		return t.Wrap(uint64(int64(rng.IntN(2001)-1000)) & t.Max())
	}
	if style < 2 || assume.Unbounded(t) {
		return small
	}
	if style == 2 {
		near := uint64(int64(rng.IntN(3)))
		switch rng.IntN(4) {
		case 0:
			return t.Wrap(t.Min() + near)
		case 1:
			return t.Wrap(t.Max() - near)
		case 2:
			return t.Wrap(t.Max()/2 + near)
		}
		return small
	}
	return t.Wrap(rng.Uint64())
}

func drawFloat(rng *rand.Rand, t ir.Type, assume ir.Assume, style int) uint64 {
	small := float64(rng.IntN(17)-8) / float64(int(1)<<rng.IntN(3))
	if style == 0 {
		small = float64(rng.IntN(5) - 2)
	}
	if assume.Has(ir.Reassoc) || style < 2 {
		return ir.FloatBits(t, small)
	}
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, math.MaxFloat32, 1e-40}
	f := odd[rng.IntN(len(odd))]
	if f != f && assume.Has(ir.NNaN) || math.IsInf(f, 0) && assume.Has(ir.NInf) {
		f = small
	}
	if style == 3 && rng.IntN(2) == 0 {
		f = rng.NormFloat64() * 100
	}
	return ir.FloatBits(t, f)
}
