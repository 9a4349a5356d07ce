package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
)

// budget adds the terms of a block to a sum whose loop ends by a condition on it, where no state of the block can end the loop: n terms from least to
// most move it by at most n times these.
//
//	x0 + in(r); x1 || x0 + in(r) > 100   →   x0 + n*max(most, 0) > 100 for a block, and else its total
type budget struct {
	row       *rowCode
	component int // the sum
	typ       ir.Type
	total     func(n int) uint64
	extremes  [2]func(n int) uint64 // the least and the greatest
	bounds    [2]uint64             // of the states of a block
	possible  func() uint64         // whether the loop may end between them
	scalars   *scalar.Scalars
}

// newBudget is nil where components are not one sum of integers and the flag of its end.
func (r *rowCode) newBudget(components []int) *budget {
	s := r.w.nest.Stage
	cond, open := s.Watched()
	if open == nil || len(components) != 2 || len(s.Values) != 2 || r.mask != nil {
		return nil
	}
	i := 1 - s.Ends.Component
	t := open.Values[i].Type()
	fold, ok := folds.Of(open.Values[i], i)
	if !ok || fold.Op != ir.Add || fold.Leaf.States() != 0 || !t.IsInt() || fold.Leaf.Type() != t || !r.varies(fold.Leaf) {
		return nil
	}
	pool := cond.Pool()
	before, after := pool.X(i, t), pool.X(len(s.Values), t)
	cond = ir.Subst(cond, []ir.Expr{open.Values[i]}, []ir.Expr{after})
	low, high := pool.Y(0, t), pool.Y(1, t)
	possible := folds.Possible(cond, func(e ir.Expr) bool { return e == before || e == after },
		func(e ir.Expr) bool { return e.States() == 0 && !r.varies(e) }, low, high)
	if !possible.IsValid() || !slices.Contains(components, i) {
		return nil
	}
	b := &budget{row: r, component: i, typ: t, scalars: scalar.NewScalars(&r.w.run.Names)}
	b.scalars.Slots = r.w.Slots
	for j, v := range []ir.Expr{low, high} {
		b.scalars.Memo[v] = func() uint64 { return b.bounds[j] }
	}
	b.possible = b.scalars.Compile(possible)
	x, z := r.value(fold.Leaf), kernel.Of(t)
	b.total, b.extremes = z.Total(x), [2]func(n int) uint64{z.Least(false, x), z.Least(true, x)}
	return b
}

// run reports whether it has added the n terms of a block.
func (b *budget) run(n int) bool {
	w, at := b.row.w, b.row.target.Offset
	x := w.old[b.component](at)
	var ok bool
	if b.bounds[0], b.bounds[1], ok = folds.Reach(b.typ, x, n, b.extremes[0](n), b.extremes[1](n)); !ok {
		return false
	}
	b.scalars.Point++
	if possible := b.possible(); b.scalars.TakeError() != nil || possible != 0 { // a read that fails, fails again in the steps
		return false
	}
	w.set[b.component](at, x+b.total(n)) // which lies between the bounds
	return true
}
