package lower

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
)

// tidied is integer expressions without operands that change nothing, as in max(x, 0) of an
// unsigned x: components of a second operand that are literals leave such.
func tidied(es []ir.Expr) []ir.Expr {
	if len(es) == 0 {
		return nil
	}
	return es[0].Pool().Map(es, func(e ir.Expr) ir.Expr {
		if access.IsRead(e) {
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
