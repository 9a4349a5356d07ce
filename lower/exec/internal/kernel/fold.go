package kernel

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

// Folding combines the elements of blocks into one element of Data. Exactly one of Leaf, Counted and Narrow is set: it says
// what is combined.
type Folding struct {
	Op    ir.Op
	Exact bool // floats are combined in their order
	Data  any
	At    *int // the place of the element in Data

	Lanes  int // how many elements of Data take turns; 0 where there is one
	Stride int // how far apart those lie

	Leaf    any                // the operands
	Factor  any                // nil, or what Leaf is multiplied with before it is added
	Abs     bool               // the magnitudes of Leaf are the operands
	Counted func(n int) uint64 // gives what a block adds to an integer
	Narrow  *Vector[float32]   // operands of a sum in float64
}

func (z *typed[T]) Fold(f *Folding) Step {
	to, at := f.Data.(*Vector[T]), f.At
	if f.Lanes > 0 {
		return foldLanes(z, f)
	}
	if f.Counted != nil {
		return func(k, n int) { to.V[*at] += T(f.Counted(n)) }
	}
	if f.Narrow != nil {
		sum := simd.Sum[float64, float32]()
		return func(k, n int) { to.V[*at] += T(sum(f.Narrow.V[:n])) }
	}
	leaf := f.Leaf.(*Vector[T])
	if f.Factor != nil {
		y, dot := f.Factor.(*Vector[T]), z.Reduce.Dot
		return func(k, n int) { to.V[*at] = dot(leaf.V[:n], y.V[:n], to.V[*at]) }
	}
	if f.Exact {
		return inOrder(f.Op, to, at, leaf)
	}
	reduce := reduction(z, f.Op, f.Abs)
	return func(k, n int) { to.V[*at] = reduce(leaf.V[:n], to.V[*at]) }
}

// inOrder adds or multiplies one after another.
func inOrder[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64](op ir.Op, to *Vector[T], at *int, leaf *Vector[T]) Step {
	return func(k, n int) {
		x := to.V[*at]
		if op == ir.Add {
			for _, v := range leaf.V[:n] {
				x += v
			}
		} else {
			for _, v := range leaf.V[:n] {
				x *= v
			}
		}
		to.V[*at] = x
	}
}

func reduction[T simd.Number](z *typed[T], op ir.Op, abs bool) func(x []T, init T) T {
	r := &z.Reduce
	switch op {
	case ir.Add:
		if abs {
			return r.AddAbs
		}
		return r.Add
	case ir.Mul:
		return r.Mul
	case ir.Min:
		return r.Min
	case ir.Max:
		if abs {
			return r.MaxAbs
		}
		return r.Max
	case ir.BitAnd:
		return r.And
	case ir.BitOr:
		return r.Or
	case ir.BitXor:
		return r.Xor
	}
	panic("kernel: internal: fold with " + op.String())
}

func (z *typed[T]) Count(op ir.Op, x any, mask uint64, than func() uint64) func(n int) uint64 {
	v, c := x.(*Vector[T]), &z.Table.Count
	if mask != ^uint64(0) { // then op is Eq or Ne
		return func(n int) uint64 {
			count := uint64(c.MaskedEq(v.V[:n], T(mask), T(than())))
			if op == ir.Ne {
				count = uint64(n) - count
			}
			return count
		}
	}
	f := map[ir.Op]func(x []T, k T) int{ir.Lt: c.Lt, ir.Le: c.Le, ir.Gt: c.Gt, ir.Ge: c.Ge, ir.Eq: c.Eq, ir.Ne: c.Ne}[op]
	return func(n int) uint64 { return uint64(f(v.V[:n], z.uncarry(than()))) }
}

func (z *typed[T]) Total(x any) func(n int) uint64 {
	v := x.(*Vector[T])
	if z.t.IsSigned() {
		f := totalSigned[T]()
		return func(n int) uint64 { return uint64(f(v.V[:n])) }
	}
	f := totalUnsigned[T]()
	return func(n int) uint64 { return f(v.V[:n]) }
}

func totalSigned[T simd.Number]() func([]T) int64 { return simd.Sum[int64, T]() }

func totalUnsigned[T simd.Number]() func([]T) uint64 { return simd.Sum[uint64, T]() }

func (z *typed[T]) Product(re, im any) func(n int, x, y uint64) (uint64, uint64) {
	a, b, f := re.(*Vector[T]), im.(*Vector[T]), z.Reduce.MulComplex
	return func(n int, x, y uint64) (uint64, uint64) {
		r, i := f(a.V[:n], b.V[:n], z.uncarry(x), z.uncarry(y))
		return z.carry(r), z.carry(i)
	}
}
