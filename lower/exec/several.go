package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

// join appends the passes to what finishes a block, as one where that can be.
func (r *rowCode) join(passes []pass) {
	if r.mayJoin(passes) {
		r.finish, r.joined = append(r.finish, passes[0].kind.several(passes[0].over, passes)), true
		return
	}
	for _, p := range passes {
		r.finish = append(r.finish, p.alone)
	}
}

func (r *rowCode) mayJoin(passes []pass) bool {
	if len(passes) < 2 || !r.bare {
		return false
	}
	var folds []simd.Fold
	for _, p := range passes {
		if p.kind == nil || p.over != passes[0].over || slices.Contains(folds, p.fold) || !p.kind.beside(p.fold) {
			return false
		}
		folds = append(folds, p.fold)
	}
	return true
}

// element adds to a pass what begins with the element of component c and changes it.
func (r *rowCode) element(p pass, c int) pass {
	w := r.w
	p.from = func() uint64 { return w.old[c](r.target.offset) }
	p.took = func(_, _ int, v uint64) { w.set[c](r.target.offset, v) }
	return p
}

var countFolds = map[ir.Op]simd.Fold{ir.Eq: simd.CountEq, ir.Ne: simd.CountNe, ir.Lt: simd.CountLt, ir.Le: simd.CountLe, ir.Gt: simd.CountGt, ir.Ge: simd.CountGe}
