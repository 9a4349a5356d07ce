package forms

import (
	"github.com/rfactor-go/rfactor/internal/folds"
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

// byteDifference gives the vectors a and b of a run of x + |a − b|, where a difference of bytes is computed in a wider type.
func (k serial) byteDifference() (a, b *kernel.Value, ok bool) {
	_, h, ok := k.sum()
	d := h
	for ok && d.Op() == ir.Cast && d.Arg(0).Type().IsInt() {
		d = d.Arg(0)
	}
	if !ok || d.Op() != ir.Abs || d.Arg(0).Op() != ir.Sub {
		return nil, nil, false
	}
	x, y := unextended(d.Arg(0).Arg(0)), unextended(d.Arg(0).Arg(1))
	if x.Type() != ir.U8 || y.Type() != ir.U8 {
		return nil, nil, false
	}
	apart := ir.SelectOf(ir.LtOf(x, y), ir.SubOf(y, x), ir.SubOf(x, y))
	if !folds.Holds(0, h, ir.CastTo(h.Type(), apart)) {
		return nil, nil, false
	}
	bytes := k.Builder(8, func(ir.Expr) *kernel.Value { return nil })
	a, b = bytes.Value(x), bytes.Value(y)
	return a, b, a != nil && b != nil
}

// unextended is the operand of a cast between integers, and else the expression itself.
func unextended(e ir.Expr) ir.Expr {
	if e.Op() == ir.Cast && e.Type().IsInt() && e.Arg(0).Type().IsInt() {
		return e.Arg(0)
	}
	return e
}
