package kernel

import (
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
)

// counting counts elements whose width is not that of the count. Lanes have the width of the elements and are
// added before they overflow.
//
//	x + select(in(r) > 7, 1, 0) of bytes in   →   s = s.Sub(mask), added every 63 steps of four vectors
func counting(k serial) (*Kernel, string) {
	x, h, ok := k.sum()
	if !ok || !h.Type().IsInt() {
		return nil, ""
	}
	cond, ok := countedWhere(h)
	if !ok || cond.States() != 0 {
		return nil, ""
	}
	bits := k.laneBits(ir.Expr{})
	if bits == 0 {
		return nil, ""
	}
	mask := k.builder(bits, func(ir.Expr) *Value { return nil }).Mask(cond)
	if mask == nil {
		return nil, ""
	}
	out := k.newKernel()
	out.About, out.Least = ": lanes as wide as the elements count, and are added before they overflow", 4
	signed := SignedOf(bits)
	acc := Accumulator{Elem: signed, Out: signed.Unsigned(), Copies: 4}
	out.Accumulators = []Accumulator{acc}
	state := Leaf(State, 0, signed)
	pool := k.To[0].Pool()
	merges := []Merge{{
		Accumulators: []int{0},
		Lanes:        []*Value{Apply(ir.Add, state, Leaf(Right, 0, signed))},
		Plain:        []ir.Expr{ir.AddOf(x, ir.CastTo(k.State[0], pool.Y(0, acc.Out)))},
	}}
	l := Loop{Vectors: 4, Copies: 4, Parts: 1, Body: []Set{{
		Accumulators: []int{0},
		To:           []*Value{Apply(ir.Sub, state, MaskLanes(mask, signed))},
	}}}
	// Four chains of so many steps fit a lane.
	most := map[int]int{8: 63, 16: 1<<14 - 1, 32: 1 << 29, 64: 1 << 29}[bits]
	all := []int{0}
	out.Body = []Node{
		Runs{Step: 4, Most: most, Body: []Node{Start{Accumulators: all}, l, Store{Merges: merges}, Fold{Merges: merges}}},
		Leave{}, Rest{},
	}
	return out, ""
}

// countedWhere takes the condition from an integer that is 1 where it holds and else 0, in whatever order of selects.
//
//	select(p, 0, select(q, 1, 0))   →   !p && q
func countedWhere(h ir.Expr) (cond ir.Expr, ok bool) {
	if cond, ok := folds.Counted(h); ok {
		return cond, true
	}
	if h.Op() != ir.Select {
		return cond, false
	}
	c, yes, no := h.Arg(0), h.Arg(1), h.Arg(2)
	p, isTrue := countedWhere(yes)
	q, isFalse := countedWhere(no)
	switch {
	case yes.IsConst(0) && no.IsConst(1):
		return ir.NotOf(c), true
	case yes.IsConst(0) && isFalse:
		return ir.AndOf(ir.NotOf(c), q), true
	case yes.IsConst(1) && isFalse:
		return ir.OrOf(c, q), true
	case no.IsConst(0) && isTrue:
		return ir.AndOf(c, p), true
	case no.IsConst(1) && isTrue:
		return ir.OrOf(ir.NotOf(c), p), true
	}
	return cond, false
}

// SignedOf is the signed type of a width.
func SignedOf(bits int) ir.Type {
	return map[int]ir.Type{8: ir.I8, 16: ir.I16, 32: ir.I32, 64: ir.I64}[bits]
}
