package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
)

// complexProduct multiplies two components by complex numbers, and reports whether it does. It is
// the one tuple operator that has a kernel. No other component may depend on the two, and floats
// must be allowed to regroup.
//
//	{x0*re(r) - x1*im(r), x0*im(r) + x1*re(r)}   →   a product of the numbers of each block
func (r *rowCode) complexProduct(components []int) bool {
	n := r.w.nest
	if len(components) != 2 || r.mask != nil {
		return false
	}
	for _, p := range n.Products {
		c, d := p.Real, p.Imag
		t := n.Stage.Buffer.Types[c]
		if !slices.Contains(components, c) || !slices.Contains(components, d) || t.IsFloat() && !n.MayRegroup() || t.Bits() > 32 && !t.IsFloat() ||
			!r.varies(p.Re) || !r.varies(p.Im) {
			continue
		}
		w := r.w
		product := kernel.Of(t).Product(r.value(p.Re), r.value(p.Im))
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
