package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/simd"
)

// join appends the passes to those that finish a block, as one where that can be.
//
//	{x0 + in(r), max(x1, in(r))}   →   one pass over in, which gives both
func (r *rowCode) join(passes []kernel.Pass) {
	if r.mayJoin(passes) {
		r.finish, r.joined = append(r.finish, passes[0].Kind.Several(passes[0].Over, passes)), true
		return
	}
	for _, p := range passes {
		r.finish = append(r.finish, p.Alone)
	}
}

func (r *rowCode) mayJoin(passes []kernel.Pass) bool {
	if len(passes) < 2 || !r.bare {
		return false
	}
	var folds []simd.Fold
	for _, p := range passes {
		if p.Kind == nil || p.Over != passes[0].Over || slices.Contains(folds, p.Fold) || !p.Kind.Beside(p.Fold) {
			return false
		}
		folds = append(folds, p.Fold)
	}
	return true
}

// element lets a pass begin with the element of component c and change that element.
func (r *rowCode) element(p kernel.Pass, c int) kernel.Pass {
	w := r.w
	p.From = func() uint64 { return w.old[c](r.target.Offset) }
	p.Took = func(_, _ int, v uint64) { w.set[c](r.target.Offset, v) }
	return p
}

var countFolds = map[ir.Op]simd.Fold{ir.Eq: simd.CountEq, ir.Ne: simd.CountNe, ir.Lt: simd.CountLt, ir.Le: simd.CountLe, ir.Gt: simd.CountGt, ir.Ge: simd.CountGe}
