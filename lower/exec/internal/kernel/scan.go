package kernel

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
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

// Scan steps through a block from a state: it writes the states behind the steps to n elements from at on, and returns the last.
type Scan func(at, n int, from uint64) uint64

func (z *typed[T]) Scan(op ir.Op, dst, leaf any) Scan {
	s := simd.ScanOf[T]()
	f := map[ir.Op]func(dst, x []T, init T) T{ir.Add: s.Add, ir.Mul: s.Mul, ir.Min: s.Min, ir.Max: s.Max, ir.BitAnd: s.And, ir.BitOr: s.Or, ir.BitXor: s.Xor}[op]
	d, x := dst.(*Vector[T]), leaf.(*Vector[T])
	return func(at, n int, from uint64) uint64 {
		return z.carry(f(d.V[at:at+n], x.V[:n], z.uncarry(from)))
	}
}

func (bools) Scan(op ir.Op, dst, leaf any) Scan {
	s := simd.ScanOfBool()
	f := map[ir.Op]func(dst, x []bool, init bool) bool{ir.And: s.And, ir.Or: s.Or, ir.Ne: s.Xor}[op]
	d, x := dst.(*Vector[bool]), leaf.(*Vector[bool])
	return func(at, n int, from uint64) uint64 {
		if f(d.V[at:at+n], x.V[:n], from != 0) {
			return 1
		}
		return 0
	}
}

// Affine returns the loops of steps x ↦ x·a + b: one composes those of a block with total, which has the factor and the summand, and begins
// anew where k is 0. Each operation rounds.
func (z *typed[T]) Affine(total, dst, a, b any) (Step, Scan) {
	t, d, factors, summands := total.(*Vector[T]), dst.(*Vector[T]), a.(*Vector[T]), b.(*Vector[T])
	scan := simd.ScanOf[T]().Affine
	fold := func(k, n int) {
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
	return fold, func(at, n int, from uint64) uint64 {
		return z.carry(scan(d.V[at:at+n], factors.V[:n], summands.V[:n], z.uncarry(from)))
	}
}

func (bools) Affine(_, _, _, _ any) (Step, Scan) {
	panic("kernel: internal: bool is not multiplied")
}
