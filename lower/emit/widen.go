package emit

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// widening adds elements in a wider type: integers modulo 2⁶⁴, whatever the type of the state is, and floats where sums may be regrouped.
//
//	x + i64(in(r)) of bytes in   →   s = s + sums(y)
//	x + f64(in(r)) of f32 in     →   s = s + widen(y)
func widening(p *plan.Plan, k *run) *kernel.Kernel {
	y, t, ok := k.wideSum()
	if !ok || t == ir.F64 && !regroups(p, k) {
		return nil
	}
	out, l := k.newKernel(), kernel.Loop{Copies: 4}
	acc, of := kernel.Accumulator{Elem: ir.U64, Out: ir.U64, Copies: 4}, kernel.SumsOf(y)
	if t == ir.F64 {
		acc.Elem, acc.Out, of = t, t, kernel.Widened(y)
	}
	out.Least, out.Accumulators = 1, []kernel.Accumulator{acc}
	s, x := kernel.Leaf(kernel.State, 0, acc.Elem), k.values[0].Pool().X(0, t)
	l.Body = []kernel.Set{{Accumulators: []int{0}, To: []*kernel.Value{kernel.Apply(ir.Add, s, of)}}}
	k.strides(out, l, []kernel.Merge{{
		Accumulators: []int{0}, Lanes: []*kernel.Value{kernel.Apply(ir.Add, s, kernel.Leaf(kernel.Right, 0, acc.Elem))},
		Plain: []ir.Expr{ir.AddOf(x, ir.CastTo(t, x.Pool().Y(0, acc.Out)))},
	}})
	out.About = ", which add in wider lanes"
	return out
}

// wideSum gives the elements that a run adds in a wider type t.
func (k *run) wideSum() (y *kernel.Value, t ir.Type, ok bool) {
	_, h, ok := k.sum()
	if !ok || len(k.streams) != 1 || h.Op() != ir.Cast || k.streamOf(h.Arg(0)) != 0 {
		return nil, t, false
	}
	t = k.types[0]
	from := k.streams[0].call.Type()
	return kernel.Leaf(kernel.Load, 0, from), t, from.IsInt() == t.IsInt() && from != ir.Bool && from.Bits() < t.Bits()
}
