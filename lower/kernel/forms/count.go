package forms

import (
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// counting counts elements whose width is not that of the count. Lanes have the width of the elements and are
// added before they overflow.
//
//	x + select(in(r) > 7, 1, 0) of bytes in   →   s = s.Sub(mask), added every 63 steps of four vectors
func counting(k serial) (*kernel.Kernel, string) {
	x, h, ok := k.sum()
	if !ok {
		return nil, ""
	}
	cond, ok := folds.Counted(h)
	if !ok {
		return nil, ""
	}
	bits := k.laneBits(ir.Expr{})
	if bits == 0 {
		return nil, ""
	}
	mask := k.Builder(bits, func(ir.Expr) *kernel.Value { return nil }).Mask(cond)
	if mask == nil {
		return nil, ""
	}
	out := k.NewKernel()
	out.About, out.Least = ": lanes as wide as the elements count, and are added before they overflow", 4
	signed := kernel.SignedOf(bits)
	acc := kernel.Accumulator{Elem: signed, Out: signed.Unsigned(), Copies: 4}
	out.Accumulators = []kernel.Accumulator{acc}
	state := kernel.Leaf(kernel.State, 0, signed)
	pool := k.To[0].Pool()
	merges := []kernel.Merge{{
		Accumulators: []int{0},
		Lanes:        []*kernel.Value{kernel.Apply(ir.Add, state, kernel.Leaf(kernel.Right, 0, signed))},
		Plain:        []ir.Expr{ir.AddOf(x, ir.CastTo(k.State[0], pool.Y(0, acc.Out)))},
	}}
	l := kernel.Loop{Vectors: 4, Copies: 4, Parts: 1, Body: []kernel.Set{{
		Accumulators: []int{0},
		To:           []*kernel.Value{kernel.Apply(ir.Sub, state, kernel.MaskLanes(mask, signed))},
	}}}
	// Four chains of so many steps fit a lane.
	most := map[int]int{8: 63, 16: 1<<14 - 1, 32: 1 << 29, 64: 1 << 29}[bits]
	all := []int{0}
	out.Body = []kernel.Node{
		kernel.Runs{Step: 4, Most: most, Body: []kernel.Node{kernel.Start{Accumulators: all}, l, kernel.Store{Merges: merges}, kernel.Fold{Merges: merges}}},
		kernel.Leave{}, kernel.Rest{},
	}
	return out, ""
}
