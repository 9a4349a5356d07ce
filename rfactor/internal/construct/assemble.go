package construct

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Bounds of operators that are assembled of one choice for each component.
const (
	maxAssembled = 8   // operators
	maxTested    = 200 // components that are tested
)

// assembly chooses components of an operator one after the other. A component is tested to be associative once all that it
// reads are chosen, so that a wrong choice is not tried with every choice of the others.
type assembly struct {
	*bank
	choices [][]ir.Expr
	order   []int // of components: each after those that its update reads, where it can be
	op      []ir.Expr
	merged  map[ir.Expr]*ofPairs
	tested  int
	yielded int
}

// ofPairs has the values of a choice for one component at three drawn states a, b and c: of a ⊕ b and of b ⊕ c. In over are the
// points at which something overflows that must not.
type ofPairs struct {
	first, last *values
	over        mask
}

// assembled yields operators of one choice for each component that no points refute to be associative on any
// three states.
func (b *bank) assembled(choices [][]ir.Expr) iter.Seq[[]ir.Expr] {
	return func(yield func([]ir.Expr) bool) {
		if choices == nil {
			return
		}
		reach := tuple.Reachable(b.p.Values)
		a := &assembly{bank: b, choices: choices, order: tuple.Indices(len(choices)), op: make([]ir.Expr, len(choices)), merged: map[ir.Expr]*ofPairs{}}
		slices.SortStableFunc(a.order, func(i, j int) int { return bits.OnesCount64(reach[i]) - bits.OnesCount64(reach[j]) })
		a.choose(0, 0, b.given, yield)
	}
}

// choose chooses the components from a place in the order on. associative are those that passed the test before, valid the points at
// which it counts. It reports whether to go on.
func (a *assembly) choose(at int, associative uint64, valid mask, yield func([]ir.Expr) bool) bool {
	if at == len(a.order) {
		a.yielded++
		return yield(slices.Clone(a.op)) && a.yielded < maxAssembled
	}
	i := a.order[at]
	chosen := tuple.MaskOf(a.order[:at+1])
	for _, e := range a.choices[i] {
		if a.tested > maxTested || a.Meter.Done() {
			return false
		}
		a.op[i] = e
		if passed, valid, ok := a.test(chosen, associative, valid); ok && !a.choose(at+1, passed, valid, yield) {
			return false
		}
	}
	return true
}

// test tests the components that read none but chosen ones, and were not tested before. It reports false where one fails.
func (a *assembly) test(chosen, associative uint64, valid mask) (passed uint64, _ mask, ok bool) {
	for _, i := range tuple.Members(chosen &^ associative) {
		if a.reads(i)&^chosen != 0 {
			continue
		}
		a.tested++
		if valid, ok = a.associates(i, valid); !ok {
			return 0, mask{}, false
		}
		associative |= 1 << i
	}
	return associative, valid, true
}

// reads returns the components of both operands that component i of the operator reads.
func (a *assembly) reads(i int) (out uint64) {
	ir.Walk(a.op[i:i+1], func(e ir.Expr) {
		if e.Op() == ir.Var && !e.IsInvariant() {
			out |= 1 << e.Index()
		}
	})
	return out
}

// associates reports whether no valid points refute component i of the law of associativity. It returns the points at which nothing
// overflowed that must not.
func (a *assembly) associates(i int, valid mask) (mask, bool) {
	first, last := slices.Clone(a.any[0]), slices.Clone(a.any[0])
	for _, j := range tuple.Members(a.reads(i)) {
		m := a.merged[a.op[j]]
		if m == nil {
			m = new(ofPairs)
			var over mask
			m.first, m.over = a.apply(a.op[j], a.any[0], a.any[1])
			m.last, over = a.apply(a.op[j], a.any[1], a.any[2])
			m.over = m.over.or(over)
			a.merged[a.op[j]] = m
		}
		first[j], last[j], valid = m.first, m.last, valid.minus(m.over)
	}
	left, overLeft := a.apply(a.op[i], first, a.any[2])
	right, overRight := a.apply(a.op[i], a.any[0], last)
	valid = valid.minus(overLeft).minus(overRight)
	t := a.p.Types[i]
	for n := range points {
		if valid.has(n) && !a.same(t, left[n], right[n]) {
			return mask{}, false
		}
	}
	return valid, true
}

// apply returns the values of a component of x ⊕ y, and the points at which something overflows that must not.
func (a *assembly) apply(e ir.Expr, x, y []*values) (*values, mask) {
	inputs := map[ir.Expr]*values{}
	for i, v := range y {
		inputs[a.Pool.Y(i, a.p.Types[i])] = v
	}
	out, over := a.run(a.Registers.NewTape(e), x, inputs)
	return out[0], over
}
