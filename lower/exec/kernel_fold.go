package exec

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

// folding is a fold of blocks into one element.
type folding struct {
	op    ir.Op
	exact bool // floats are combined in their order
	data  any
	at    *int // the element

	lanes, stride int // as many elements take turns, so far apart; 0 where there is one

	// One of these:
	leaf    any                // the block
	factor  any                // besides leaf: their products are added
	abs     bool               // the magnitudes of leaf
	counted func(n int) uint64 // what a block adds to an integer
	narrow  *vector[float32]   // of float64: these are added
}

func (z typed[T]) fold(f *folding) step {
	to, at := f.data.(*vector[T]), f.at
	if f.lanes > 0 {
		return z.foldLanes(f)
	}
	if f.counted != nil {
		return func(k, n int) { to.v[*at] += T(f.counted(n)) }
	}
	if f.narrow != nil {
		sum := simd.Sum[float64, float32]()
		return func(k, n int) { to.v[*at] += T(sum(f.narrow.v[:n])) }
	}
	leaf := f.leaf.(*vector[T])
	if f.factor != nil {
		y, dot := f.factor.(*vector[T]), z.Reduce.Dot
		return func(k, n int) { to.v[*at] = dot(leaf.v[:n], y.v[:n], to.v[*at]) }
	}
	if f.exact {
		return inOrder(f.op, to, at, leaf)
	}
	reduce := z.reduction(f.op, f.abs)
	return func(k, n int) { to.v[*at] = reduce(leaf.v[:n], to.v[*at]) }
}

// inOrder adds or multiplies one after another.
func inOrder[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64](op ir.Op, to *vector[T], at *int, leaf *vector[T]) step {
	return func(k, n int) {
		x := to.v[*at]
		if op == ir.Add {
			for _, v := range leaf.v[:n] {
				x += v
			}
		} else {
			for _, v := range leaf.v[:n] {
				x *= v
			}
		}
		to.v[*at] = x
	}
}

func (z typed[T]) reduction(op ir.Op, abs bool) func(x []T, init T) T {
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
	panic("lower: internal: fold with " + op.String())
}

func (z typed[T]) count(op ir.Op, x any, mask uint64, than func() uint64) func(n int) uint64 {
	v, c := x.(*vector[T]), &z.Table.Count
	if mask != ^uint64(0) { // then op is Eq or Ne
		return func(n int) uint64 {
			count := uint64(c.MaskedEq(v.v[:n], T(mask), T(than())))
			if op == ir.Ne {
				count = uint64(n) - count
			}
			return count
		}
	}
	f := map[ir.Op]func(x []T, k T) int{ir.Lt: c.Lt, ir.Le: c.Le, ir.Gt: c.Gt, ir.Ge: c.Ge, ir.Eq: c.Eq, ir.Ne: c.Ne}[op]
	return func(n int) uint64 { return uint64(f(v.v[:n], z.uncarry(than()))) }
}

func (z typed[T]) total(x any) func(n int) uint64 {
	v := x.(*vector[T])
	if z.t.IsSigned() {
		f := totalSigned[T]()
		return func(n int) uint64 { return uint64(f(v.v[:n])) }
	}
	f := totalUnsigned[T]()
	return func(n int) uint64 { return f(v.v[:n]) }
}

func totalSigned[T simd.Number]() func([]T) int64 { return simd.Sum[int64, T]() }

func totalUnsigned[T simd.Number]() func([]T) uint64 { return simd.Sum[uint64, T]() }

func (z typed[T]) product(re, im any) func(n int, x, y uint64) (uint64, uint64) {
	a, b, f := re.(*vector[T]), im.(*vector[T]), z.Reduce.MulComplex
	return func(n int, x, y uint64) (uint64, uint64) {
		r, i := f(a.v[:n], b.v[:n], z.uncarry(x), z.uncarry(y))
		return z.carry(r), z.carry(i)
	}
}
