package kernel

import (
	"github.com/rfactor-go/rfactor/ir"
)

// CanScan reports whether Scan has an operation for a type.
func CanScan(op ir.Op, t ir.Type) bool {
	switch op {
	case ir.Add, ir.Mul, ir.Min, ir.Max:
		return t != ir.Bool
	case ir.BitAnd, ir.BitOr, ir.BitXor:
		return t.IsInt()
	case ir.And, ir.Or, ir.Ne:
		return t == ir.Bool
	}
	return false
}

// Scan returns the loop that steps through a block: states[at+i+1] = states[at+i] op leaf[i], for n elements.
func (z *typed[T]) Scan(op ir.Op, states, leaf any) func(at, n int) {
	s, x := states.(*Vector[T]), leaf.(*Vector[T])
	switch op {
	case ir.Add:
		return func(at, n int) {
			v, to := s.V[at], s.V[at+1:at+1+n]
			for i, y := range x.V[:n] {
				v += y
				to[i] = v
			}
		}
	case ir.Mul:
		return func(at, n int) {
			v, to := s.V[at], s.V[at+1:at+1+n]
			for i, y := range x.V[:n] {
				v *= y
				to[i] = v
			}
		}
	case ir.Min:
		return func(at, n int) {
			v, to := s.V[at], s.V[at+1:at+1+n]
			for i, y := range x.V[:n] {
				v = min(v, y)
				to[i] = v
			}
		}
	case ir.Max:
		return func(at, n int) {
			v, to := s.V[at], s.V[at+1:at+1+n]
			for i, y := range x.V[:n] {
				v = max(v, y)
				to[i] = v
			}
		}
	}
	switch s := states.(type) {
	case *Vector[int8]:
		return scanBits(op, s, leaf)
	case *Vector[int16]:
		return scanBits(op, s, leaf)
	case *Vector[int32]:
		return scanBits(op, s, leaf)
	case *Vector[int64]:
		return scanBits(op, s, leaf)
	case *Vector[uint8]:
		return scanBits(op, s, leaf)
	case *Vector[uint16]:
		return scanBits(op, s, leaf)
	case *Vector[uint32]:
		return scanBits(op, s, leaf)
	case *Vector[uint64]:
		return scanBits(op, s, leaf)
	}
	panic("kernel: internal: bits of a float")
}

func scanBits[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](op ir.Op, s *Vector[T], leaf any) func(at, n int) {
	x := leaf.(*Vector[T])
	return func(at, n int) {
		v, to := s.V[at], s.V[at+1:at+1+n]
		for i, y := range x.V[:n] {
			switch op {
			case ir.BitAnd:
				v &= y
			case ir.BitOr:
				v |= y
			default:
				v ^= y
			}
			to[i] = v
		}
	}
}

func (bools) Scan(op ir.Op, states, leaf any) func(at, n int) {
	s, x := states.(*Vector[bool]), leaf.(*Vector[bool])
	return func(at, n int) {
		v, to := s.V[at], s.V[at+1:at+1+n]
		for i, y := range x.V[:n] {
			switch op {
			case ir.And:
				v = v && y
			case ir.Or:
				v = v || y
			default:
				v = v != y
			}
			to[i] = v
		}
	}
}

// Affine returns the loops of steps x ↦ x·a + b: fold composes those of a block with total, which has the factor and the summand, and begins
// anew where k is 0; scan steps through a block, as Scan's does. Each operation rounds.
func (z *typed[T]) Affine(total, states, a, b any) (fold Step, scan func(at, n int)) {
	t, s, factors, summands := total.(*Vector[T]), states.(*Vector[T]), a.(*Vector[T]), b.(*Vector[T])
	fold = func(k, n int) {
		fs, bs := factors.V[:n], summands.V[:n]
		f, sum := t.V[0], t.V[1]
		if k == 0 {
			f, sum, fs, bs = fs[0], bs[0], fs[1:], bs[1:]
		}
		for i, y := range bs {
			f, sum = T(f*fs[i]), T(sum*fs[i])+y
		}
		t.V[0], t.V[1] = f, sum
	}
	return fold, func(at, n int) {
		v, to, fs := s.V[at], s.V[at+1:at+1+n], factors.V[:n]
		for i, y := range summands.V[:n] {
			v = T(v*fs[i]) + y
			to[i] = v
		}
	}
}

func (bools) Affine(_, _, _, _ any) (Step, func(int, int)) {
	panic("kernel: internal: bool is not multiplied")
}
