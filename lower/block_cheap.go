package lower

import (
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// cheapened is the stage with divisions by powers of two written as shifts and their
// remainders as masks: quotients are Euclidean, so both hold for negative numbers, too.
func cheapened(s *plan.Stage) *plan.Stage {
	out := *s
	for _, list := range []*[]ir.Expr{&out.Where, &out.Values, &out.Operator, &out.Inject} {
		if len(*list) > 0 {
			*list = (*list)[0].Pool().Map(*list, cheaper)
		}
	}
	return &out
}

// cheaper is the zero Expr where e stays, and e where what is below it stays, too: messages
// show reads as they are written.
func cheaper(e ir.Expr) ir.Expr {
	if isRead(e) {
		return e
	}
	if a := tidier(e); a.IsValid() {
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

// tidied is integer expressions without operands that change nothing, as in max(x, 0) of an
// unsigned x: components of a second operand that are literals leave such.
func tidied(es []ir.Expr) []ir.Expr {
	if len(es) == 0 {
		return nil
	}
	return es[0].Pool().Map(es, func(e ir.Expr) ir.Expr {
		if isRead(e) {
			return e
		}
		return tidier(e)
	})
}

// tidier is the zero Expr where e stays.
func tidier(e ir.Expr) ir.Expr {
	switch e.Op() {
	case ir.Add, ir.Mul, ir.Min, ir.Max, ir.BitAnd, ir.BitOr, ir.BitXor:
		if e.Type().IsInt() && e.Arg(1).IsConst(neutralValue(e.Op(), e.Type())) {
			return tidied([]ir.Expr{e.Arg(0)})[0]
		}
	}
	return ir.Expr{}
}
