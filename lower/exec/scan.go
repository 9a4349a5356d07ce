package exec

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/lower/internal/access"
)

// scan evaluates terms without a state in blocks, and terms over the state point by point.
// Offsets are the elements' places where the left side depends on data; nil where there is one
// element.
//
//	31*x0 + (in(r)*in(r) ^ b(r))   →   t = in*in ^ b for a block; x0 = 31*x0 + t[i] in order
func (r *rowCode) scan(components []int, offsets *kernel.Vector[int]) {
	w := r.w
	at := 0
	s := scalar.NewScalars(&w.run.Names)
	s.Slots = w.Slots
	var es []ir.Expr
	for _, c := range components {
		v := w.nest.Stage.Values[c]
		r.leaves(v, s, &at)
	}
	for _, c := range components {
		es = append(es, w.nest.Stage.Values[c])
	}
	values := s.CompileAll(es)
	fresh := make([]uint64, len(components))
	r.bare = false
	points := func(from, to int) {
		for i := from; i < to; i++ {
			if r.mask != nil && !r.mask.V[i] {
				continue
			}
			at = i
			place := r.place(offsets, i)
			for _, c := range components {
				*w.states[c] = w.old[c](place)
			}
			s.Point++
			for j, f := range values {
				fresh[j] = f()
			}
			for j, c := range components {
				w.set[c](place, fresh[j])
			}
		}
	}
	var skip *skip
	var budget *budget
	if offsets == nil {
		skip, budget = r.newSkip(components), r.newBudget(components)
	}
	r.scans = append(r.scans, func(k, n int) {
		s.Point++ // uniform values are of this row
		switch {
		case budget != nil && budget.run(n):
		case skip != nil:
			skip.run(k, n, points)
		default:
			points(0, n)
		}
		w.Fail(s.TakeError())
	})
}

// place is the element of the i-th point of a block.
func (r *rowCode) place(offsets *kernel.Vector[int], i int) int {
	if offsets != nil {
		return offsets.V[i]
	}
	return r.target.Offset
}

// leaves puts the registers of the largest terms without a state where the scalar
// evaluator finds them.
func (r *rowCode) leaves(e ir.Expr, s *scalar.Scalars, at *int) {
	if _, done := s.Memo[e]; done || e.Op() == ir.Const {
		return
	}
	if e.IsLeaf() {
		if r.varies(e) {
			s.Memo[e] = kernel.Of(e.Type()).At(r.value(e), at)
		}
		return
	}
	for _, a := range access.Operands(e) {
		r.leaves(a, s, at)
	}
}
