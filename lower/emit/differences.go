package emit

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// differences adds absolute differences of bytes, eight of them by one instruction.
//
//	x + abs(i32(a(r)) - i32(b(r)))   →   s = s.Add(a.SumOf8AbsDiff(b))
func differences(_ *plan.Plan, k *run) *kernel.Kernel {
	a, b, ok := k.byteDifference()
	if !ok {
		return nil
	}
	out, l := k.newKernel(), kernel.Loop{Copies: 4}
	out.Least, out.Accumulators = 4, []kernel.Accumulator{{Elem: ir.U64, Out: ir.U64, Copies: 4}}
	s, x := kernel.Leaf(kernel.State, 0, ir.U64), k.values[0].Pool().X(0, k.types[0])
	l.Body = []kernel.Set{{Accumulators: []int{0}, To: []*kernel.Value{kernel.Apply(ir.Add, s, kernel.SumAbsDiffs(a, b))}}}
	k.strides(out, l, []kernel.Merge{{
		Accumulators: []int{0}, Lanes: []*kernel.Value{kernel.Apply(ir.Add, s, kernel.Leaf(kernel.Right, 0, ir.U64))},
		Plain: []ir.Expr{ir.AddOf(x, ir.CastTo(k.types[0], x.Pool().Y(0, ir.U64)))},
	}})
	return out
}

// byteDifference gives the vectors a and b of a run of x + abs(a − b), where a difference of bytes is computed in a wider type.
func (k *run) byteDifference() (a, b *kernel.Value, ok bool) {
	_, h, ok := k.sum()
	ok = ok && h.Type().IsInt()
	for outer := true; ok && h.Op() == ir.Cast && h.Arg(0).Type().IsInt() && (outer || h.Type() != ir.I8); outer = false { // up to 255 are kept
		h = h.Arg(0)
	}
	if !ok || h.Op() != ir.Abs || h.Arg(0).Op() != ir.Sub || !h.Type().IsSigned() || h.Type().Bits() < 16 {
		return nil, nil, false
	}
	bytes := k.builder(8, func(ir.Expr) *kernel.Value { return nil })
	byteOf := func(e ir.Expr) *kernel.Value {
		if e.Op() != ir.Cast || e.Arg(0).Type() != ir.U8 {
			return nil
		}
		return bytes.Value(e.Arg(0))
	}
	a, b = byteOf(h.Arg(0).Arg(0)), byteOf(h.Arg(0).Arg(1))
	return a, b, a != nil && b != nil
}
