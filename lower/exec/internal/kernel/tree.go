package kernel

import (
	"math"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

// TreeLanes is how many elements a Tree combines.
const TreeLanes = simd.TreeLanes

// Tree runs through a tile of floats by a fixed tree, block by block; each block but the last has a multiple of TreeLanes elements.
type Tree struct {
	Begin   func()                                     // nothing is combined yet
	Reduce  Step                                       // combines a block
	Scan    func(at, n int, from uint64) (finite bool) // Reduce, and writes what totals make of the state before the tile, if all of that is finite
	Totals  func() []uint64                            // what is combined
	Bounded func(from uint64) bool                     // reports that all which Scan will write is finite; false where that is not sure
	Get     func(at int) uint64                        // what Scan has written
	By      func(factor uint64)                        // lets Scan take this factor at all elements; nil where there are none
}

func (bools) Tree(ir.Op, any, ...any) *Tree { panic("kernel: internal: bool is no float") }

func (z *typed[T]) Tree(op ir.Op, dst any, leaves ...any) *Tree {
	s, d := simd.ScanOf[T](), dst.(*Vector[T])
	p := &simd.Prefix[T]{}
	x := leaves[len(leaves)-1].(*Vector[T])
	t := &Tree{Begin: func() { *p = simd.Prefix[T]{} }, Get: func(at int) uint64 { return z.carry(d.V[at]) }}
	if len(leaves) == 2 {
		a := leaves[0].(*Vector[T])
		t.By = func(factor uint64) {
			by := z.uncarry(factor)
			t.Scan = func(at, n int, from uint64) bool {
				return s.AffineTree.ScanBy(d.V[at:at+n], by, x.V[:n], z.uncarry(from), p)
			}
		}
		t.Reduce = func(_, n int) { s.AffineTree.Reduce(a.V[:n], x.V[:n], p) }
		t.Scan = func(at, n int, from uint64) bool {
			return s.AffineTree.Scan(d.V[at:at+n], a.V[:n], x.V[:n], z.uncarry(from), p)
		}
		t.Totals = func() []uint64 { return []uint64{z.carry(p.Factor), z.carry(p.Total)} }
		t.Bounded = func(from uint64) bool {
			return below(z, float64(math.Abs(float64(z.uncarry(from)))*float64(p.Factors))+float64(p.Peak))
		}
		return t
	}
	tree := s.AddTree
	if op == ir.Mul {
		tree = s.MulTree
	}
	t.Reduce = func(_, n int) { tree.Reduce(x.V[:n], p) }
	t.Scan = func(at, n int, from uint64) bool { return tree.Scan(d.V[at:at+n], x.V[:n], z.uncarry(from), p) }
	t.Totals = func() []uint64 { return []uint64{z.carry(p.Total)} }
	t.Bounded = func(from uint64) bool {
		f := math.Abs(float64(z.uncarry(from)))
		if op == ir.Mul {
			return below(z, f*float64(p.Peak))
		}
		return below(z, f+float64(p.Peak))
	}
	return t
}

// below reports whether a number is so small that what it bounds does not overflow.
func below[T simd.Number](z *typed[T], v float64) bool {
	if z.t == ir.F32 {
		return v < math.MaxFloat32/4
	}
	return v < math.MaxFloat64/4
}
