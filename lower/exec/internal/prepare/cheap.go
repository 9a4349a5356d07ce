package prepare

import (
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// cheapened is the stage with divisions by powers of two written as shifts and their remainders
// as masks. Quotients are Euclidean, so that both hold for negative numbers, too.
//
//	x/8 + x%8   →   (x >> 3) + (x & 7)
func cheapened(s *plan.Stage) *plan.Stage {
	out := *s
	for _, list := range []*[]ir.Expr{&out.Where, &out.Values, &out.Operator, &out.Inject} {
		if len(*list) > 0 {
			*list = (*list)[0].Pool().Map(*list, cheaper)
		}
	}
	return &out
}

// cheaper is the cheaper form of e; the zero Expr where e's own operation stays, and e where its
// operands stay, too. Reads stay, since messages show them as they are written.
func cheaper(e ir.Expr) ir.Expr {
	if access.IsRead(e) {
		return e
	}
	if a := access.TidyTop(e); a.IsValid() {
		return a.Pool().Map([]ir.Expr{a}, cheaper)[0]
	}
	if e.Op() != ir.Div && e.Op() != ir.Mod || !e.Type().IsInt() || e.Arg(1).Op() != ir.Const {
		return ir.Expr{}
	}
	k := uint64(e.Arg(1).Int())
	if e.Type().IsSigned() && int64(k) <= 0 || bits.OnesCount64(k) != 1 {
		return ir.Expr{}
	}
	p := e.Pool()
	a := p.Map([]ir.Expr{e.Arg(0)}, cheaper)[0]
	if e.Op() == ir.Mod {
		return ir.Make(ir.BitAnd, a, p.Const(e.Type(), k-1))
	}
	return ir.Make(ir.Shr, a, p.Const(e.Type(), uint64(bits.TrailingZeros64(k))))
}

// Unextended is the operand of a cast that changes no value.
func Unextended(e ir.Expr) ir.Expr {
	if e.Op() != ir.Cast || !e.Type().IsInt() {
		return e
	}
	a := e.Arg(0)
	if from, to := a.Type(), e.Type(); !from.IsInt() || from.Bits() >= to.Bits() || from.IsSigned() && !to.IsSigned() {
		return e
	}
	return a
}
