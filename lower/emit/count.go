package emit

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/fold"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// counting counts elements whose width is not that of the count. Lanes have the width of the elements and are
// added before they overflow.
//
//	x + select(in(r) > 7, 1, 0) of bytes in   →   s = s.Sub(mask), added every 63 steps of four vectors
func counting(_ *plan.Plan, k *run) *kernel.Kernel {
	x, h, ok := k.sum()
	if !ok || !h.Type().IsInt() {
		return nil
	}
	cond, ok := fold.Counted(h)
	if !ok && h.Op() == ir.Select && h.Arg(1).IsConst(0) && h.Arg(2).IsConst(1) {
		cond, ok = ir.NotOf(h.Arg(0)), true
	}
	if !ok || cond.States() != 0 {
		return nil
	}
	bits := 0
	for _, s := range k.streams {
		b := laneBits(s.call.Type())
		if b == 0 || bits != 0 && bits != b {
			return nil
		}
		bits = b
	}
	mask := k.builder(bits, func(ir.Expr) *kernel.Value { return nil }).Mask(cond)
	if mask == nil {
		return nil
	}
	out := k.newKernel()
	out.About, out.Least = ": lanes as wide as the elements count, and are added before they overflow", 4
	signed := signedOf(bits)
	acc := kernel.Accumulator{Elem: signed, Out: signed.Unsigned(), Copies: 4}
	out.Accumulators = []kernel.Accumulator{acc}
	state := kernel.Leaf(kernel.State, 0, signed)
	pool := k.values[0].Pool()
	merges := []kernel.Merge{{
		Accumulators: []int{0},
		Lanes:        []*kernel.Value{kernel.Apply(ir.Add, state, kernel.Leaf(kernel.Right, 0, signed))},
		Plain:        []ir.Expr{ir.AddOf(x, ir.CastTo(k.types[0], pool.Y(0, acc.Out)))},
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
	return out
}

// signedOf is the signed type of a width.
func signedOf(bits int) ir.Type {
	return map[int]ir.Type{8: ir.I8, 16: ir.I16, 32: ir.I32, 64: ir.I64}[bits]
}
