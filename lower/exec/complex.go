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
	if len(components) != 2 || r.mask != nil || n.Answer == nil || n.Answer.Operator == nil || !n.Answer.Operator.Commutative ||
		n.Answer.Assumes&(ir.NSW|ir.NUW) != 0 {
		return false
	}
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		c, d := components[order[0]], components[order[1]]
		re, im, ok := n.TimesComplex(c, d)
		t := n.Stage.Buffer.Types[c]
		if !ok || t.IsFloat() && !n.MayRegroup() || t.Bits() > 32 && !t.IsFloat() || !r.varies(re) || !r.varies(im) {
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
