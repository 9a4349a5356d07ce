package exec

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
)

// complexProduct multiplies two components by complex numbers, and reports whether it does. It is
// the one tuple operator that has a kernel. No other component may depend on the two, and floats
// must be allowed to regroup.
//
//	{x0*re(r) - x1*im(r), x0*im(r) + x1*re(r)}   →   a product of the numbers of each block
func (r *rowCode) complexProduct(components []int) bool {
	n := r.w.nest
	if len(components) != 2 || r.mask != nil || n.answer == nil || n.answer.Operator == nil || !n.answer.Operator.Commutative ||
		n.answer.Assumes&(ir.NSW|ir.NUW) != 0 {
		return false
	}
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		c, d := components[order[0]], components[order[1]]
		re, im, ok := n.timesComplex(c, d)
		t := n.stage.Buffer.Types[c]
		if !ok || t.IsFloat() && !n.mayRegroup() || t.Bits() > 32 && !t.IsFloat() || !r.varies(re) || !r.varies(im) {
			continue
		}
		w := r.w
		product := kernel.Of(t).Product(r.value(re), r.value(im))
		r.finish = append(r.finish, func(_, n int) {
			at := r.target.Offset
			x, y := product(n, w.old[c](at), w.old[d](at))
			w.set[c](at, x)
			w.set[d](at, y)
		})
		return true
	}
	return false
}

// timesComplex reports whether components c and d are the real and the imaginary part of
// (x_c + i·x_d)·(re + i·im), in whatever order of operands.
func (n *prepared) timesComplex(c, d int) (re, im ir.Expr, ok bool) {
	v, w := n.stage.Values[c], n.stage.Values[d]
	x, y := n.x[c], n.x[d]
	if v.Type() != w.Type() || v.Op() != ir.Sub || w.Op() != ir.Add {
		return
	}
	re, im = besideFactor(v.Arg(0), x), besideFactor(v.Arg(1), y)
	p, q := w.Arg(0), w.Arg(1)
	if p.States() != x.States() {
		p, q = q, p
	}
	if !re.IsValid() || !im.IsValid() || besideFactor(p, x) != im || besideFactor(q, y) != re {
		return
	}
	return re, im, true
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
