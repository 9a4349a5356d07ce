package sample

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
)

// Conditions of an update may hold at few values: in(r) == 65535. So some points have values at which
// comparisons with literals turn, found by solving the comparison for a variable.
//
//	(y0 ^ 5) + 1 == 65535   gives y0 = 65531, and its neighbours

// Bounds of the values that one variable is given so. Few of them leave some points to chance; many take turns, so that a
// long chain of comparisons with literals is entered at each of them.
const (
	fewTargets = 8
	maxTargets = tape.Lanes
)

// target is a value of a variable at which a comparison may turn.
type target struct {
	v     ir.Expr
	value uint64
}

// aim puts the targets of comparisons, and values beside them, into points of the variables that have
// any: into a quarter of the points of all variables at once, and into half of the others of each.
func (s *Sample) aim(values, nonNeg []ir.Expr) {
	if !s.Tape.Compares() {
		return
	}
	s.targets = s.targets[:0]
	ir.Walk(values, func(e ir.Expr) {
		if !e.Op().IsComparison() {
			return
		}
		for i := range 2 {
			if c := e.Arg(i); c.Op() == ir.Const && c.Type() != ir.Bool {
				s.solve(e.Arg(1-i), c.Value())
			}
		}
	})
	if len(s.targets) == 0 {
		return
	}
	for i, v := range s.vars {
		at := s.targetsOf(v)
		if len(at) == 0 {
			continue
		}
		aimed := s.workspace.Rows.Take()
		*aimed = *s.rows[i]
		for lane := range aimed {
			h := mix(uint32(lane), uint32(i))
			value := at[int(h>>8)%len(at)]
			switch together := mix(uint32(lane), 1<<16)&3 == 0; {
			case len(at) > fewTargets:
				value = at[lane%len(at)]
			case h&1 != 0 && !together:
				continue
			case h&6 == 2 && !together:
				value = beside(v.Type(), value, 1)
			case h&6 == 4 && !together:
				value = beside(v.Type(), value, -1)
			}
			if int64(value) >= 0 || !slices.Contains(nonNeg, v) {
				aimed[lane] = value
			}
		}
		s.rows[i] = aimed
	}
}

// targetsOf lists the targets of a variable, each once.
func (s *Sample) targetsOf(v ir.Expr) (at []uint64) {
	for _, t := range s.targets {
		if t.v == v && len(at) < maxTargets && !slices.Contains(at, t.value) {
			at = append(at, t.value)
		}
	}
	return at
}

// beside returns value + by.
func beside(t ir.Type, value uint64, by int64) uint64 {
	if t.IsFloat() {
		return ir.Apply2(ir.Add, t, value, ir.FloatBits(t, float64(by)))
	}
	return t.Wrap(value + uint64(by))
}

// mix spreads lanes and variables over numbers, so that variables meet in all combinations of
// aimed and other values. (The finalizer of MurmurHash3.)
func mix(lane, i uint32) uint32 {
	h := lane*0x9e3779b1 + i*0x85ebca6b + 1
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// solve notes values of variables at which e may have the value v.
func (s *Sample) solve(e ir.Expr, v uint64) {
	t := e.Type()
	if e.Op() == ir.Var {
		s.targets = append(s.targets, target{e, v})
		return
	}
	switch e.Op() {
	case ir.Neg, ir.BitNot:
		s.solve(e.Arg(0), ir.Apply1(e.Op(), t, t, v))
	case ir.Abs:
		s.solve(e.Arg(0), v)
		s.solve(e.Arg(0), ir.Apply1(ir.Neg, t, t, v))
	case ir.Cast:
		if from := e.Arg(0).Type(); from != ir.Bool {
			s.solve(e.Arg(0), ir.Apply1(ir.Cast, t, from, v))
		}
	case ir.Select:
		s.solve(e.Arg(1), v)
		s.solve(e.Arg(2), v)
	case ir.Min, ir.Max:
		s.solve(e.Arg(0), v)
		s.solve(e.Arg(1), v)
	}
	if e.NumArgs() != 2 {
		return
	}
	for i := range 2 {
		if k := e.Arg(i); k.Op() == ir.Const {
			if x, ok := inverse(e.Op(), t, v, k.Value(), i == 0); ok {
				s.solve(e.Arg(1-i), x)
			}
		}
	}
}

// inverse returns an x for which x op k, or k op x, is v; ok is false where it knows none.
func inverse(op ir.Op, t ir.Type, v, k uint64, first bool) (x uint64, ok bool) {
	switch op {
	case ir.Add:
		return ir.Apply2(ir.Sub, t, v, k), true
	case ir.Sub:
		if first {
			return ir.Apply2(ir.Sub, t, k, v), true
		}
		return ir.Apply2(ir.Add, t, v, k), true
	case ir.BitXor:
		return ir.Apply2(ir.BitXor, t, v, k), true
	case ir.BitAnd, ir.BitOr:
		return v, true
	}
	if first || k == 0 {
		return 0, false
	}
	switch op {
	case ir.Mod:
		return v, true
	case ir.Div:
		return ir.Apply2(ir.Mul, t, v, k), true
	case ir.Shr:
		return ir.Apply2(ir.Shl, t, v, k), true
	case ir.Shl:
		return ir.Apply2(ir.Shr, t, v, k), true
	case ir.Mul:
		if t.IsInt() && k&1 != 0 {
			return ir.Apply2(ir.Mul, t, v, t.Wrap(oddInverse(k))), true
		}
		return ir.Apply2(ir.Div, t, v, k), true
	}
	return 0, false
}

// oddInverse returns the inverse of an odd number modulo 2^64, by Newton's iteration.
func oddInverse(k uint64) uint64 {
	x := k
	for range 6 { // each doubles the bits that are right, of which k has three
		x *= 2 - k*x
	}
	return x
}
