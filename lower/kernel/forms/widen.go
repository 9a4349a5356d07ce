package forms

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// widening adds elements in a wider type: integers modulo 2⁶⁴, whatever the type of the state is, and floats where sums may be regrouped.
//
//	x + i64(in(r)) of bytes in   →   s = s + sums(y)
//	x + f64(in(r)) of f32 in     →   s = s + widen(y)
func widening(k serial) (*kernel.Kernel, string) {
	y, t, ok := k.wideSum()
	if !ok || t == ir.F64 && !k.May.Regroup {
		return nil, ""
	}
	of := kernel.SumsOf(y)
	if t == ir.F64 {
		of = kernel.Widened(y)
	}
	out := k.added(of, 1)
	out.About = ", which add in wider lanes"
	return out, ""
}

// wideSum gives the elements that a run adds in a wider type t.
func (k serial) wideSum() (y *kernel.Value, t ir.Type, ok bool) {
	_, h, ok := k.sum()
	if !ok || len(k.Streams) != 1 || h.Op() != ir.Cast || k.streamOf(h.Arg(0)) != 0 {
		return nil, t, false
	}
	t = k.State[0]
	from := k.Streams[0]
	return kernel.Leaf(kernel.Load, 0, from), t, from.IsInt() == t.IsInt() && from != ir.Bool && from.Bits() < t.Bits()
}
