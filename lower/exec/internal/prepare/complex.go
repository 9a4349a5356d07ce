package prepare

import (
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
)

// ComplexProduct is two components, of which a step makes the product (x_real + i·x_imag)·(Re + i·Im).
type ComplexProduct struct {
	Real, Imag int
	Re, Im     ir.Expr
}

// complexProducts lists those of a stage whose operator commutes.
//
//	{x0*a(r) - x1*b(r), x0*b(r) + x1*a(r)}   →   a(r) + i·b(r)
func (n *Stage) complexProducts() (out []ComplexProduct) {
	if n.Answer == nil || n.Answer.Operator == nil || !n.Answer.Operator.Commutative || n.Answer.Assumes&(ir.NSW|ir.NUW) != 0 {
		return nil
	}
	for c, v := range n.Stage.Values {
		for d, w := range n.Stage.Values {
			if v.Op() != ir.Sub || v.Type() != w.Type() || c == d {
				continue
			}
			x, y := n.X[c], n.X[d]
			re, im := besideFactor(v.Arg(0), x), besideFactor(v.Arg(1), y)
			if re.IsValid() && im.IsValid() && folds.Holds(0, v, ir.SubOf(ir.MulOf(x, re), ir.MulOf(y, im))) &&
				folds.Holds(0, w, ir.AddOf(ir.MulOf(x, im), ir.MulOf(y, re))) {
				out = append(out, ComplexProduct{c, d, re, im})
			}
		}
	}
	return out
}

// besideFactor is the other factor of x in the product e, free of states; the zero Expr where e is
// no such product.
func besideFactor(e, x ir.Expr) ir.Expr {
	if e.Op() != ir.Mul {
		return ir.Expr{}
	}
	a, b := e.Arg(0), e.Arg(1)
	if a != x {
		a, b = b, a
	}
	if a != x || !b.IsLeaf() {
		return ir.Expr{}
	}
	return b
}
