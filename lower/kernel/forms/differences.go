package forms

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// differences adds absolute differences of bytes, eight of them by one instruction.
//
//	x + abs(i32(a(r)) - i32(b(r)))   →   s = s.Add(a.SumOf8AbsDiff(b))
func differences(k serial) (*kernel.Kernel, string) {
	a, b, ok := k.byteDifference()
	if !ok {
		return nil, ""
	}
	return k.added(kernel.SumAbsDiffs(a, b), 4), ""
}

// byteDifference gives the vectors a and b of a run of x + abs(a − b), where a difference of bytes is computed in a wider type.
func (k serial) byteDifference() (a, b *kernel.Value, ok bool) {
	_, h, ok := k.sum()
	ok = ok && h.Type().IsInt()
	for outer := true; ok && h.Op() == ir.Cast && h.Arg(0).Type().IsInt() && (outer || h.Type() != ir.I8); outer = false { // up to 255 are kept
		h = h.Arg(0)
	}
	if !ok || h.Op() != ir.Abs || h.Arg(0).Op() != ir.Sub || !h.Type().IsSigned() || h.Type().Bits() < 16 {
		return nil, nil, false
	}
	bytes := k.Builder(8, func(ir.Expr) *kernel.Value { return nil })
	byteOf := func(e ir.Expr) *kernel.Value {
		if e.Op() != ir.Cast || e.Arg(0).Type() != ir.U8 {
			return nil
		}
		return bytes.Value(e.Arg(0))
	}
	a, b = byteOf(h.Arg(0).Arg(0)), byteOf(h.Arg(0).Arg(1))
	return a, b, a != nil && b != nil
}
