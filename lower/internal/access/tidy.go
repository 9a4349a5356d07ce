package access

import (
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
)

// Tidy leaves out the operands of integers that change nothing, such as 0 in max(x, 0) of an
// unsigned x. Operators leave such where a component of their second operand is a literal. It
// gives nil for nil.
func Tidy(es []ir.Expr) []ir.Expr {
	if len(es) == 0 {
		return nil
	}
	return es[0].Pool().Map(es, func(e ir.Expr) ir.Expr {
		if IsRead(e) {
			return e
		}
		return TidyTop(e)
	})
}

// TidyTop is e without its second operand where that changes nothing, and tidy below; the zero
// Expr where e's own operation stays.
func TidyTop(e ir.Expr) ir.Expr {
	switch e.Op() {
	case ir.Add, ir.Mul, ir.Min, ir.Max, ir.BitAnd, ir.BitOr, ir.BitXor:
		if e.Type().IsInt() && e.Arg(1).IsConst(folds.NeutralValue(e.Op(), e.Type())) {
			return Tidy([]ir.Expr{e.Arg(0)})[0]
		}
	}
	return ir.Expr{}
}
