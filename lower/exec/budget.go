package exec

import (
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
	n := r.w.nest
	p := n.Budget
	if p == nil || len(components) != 2 || r.mask != nil || r.w.inner != len(n.Stage.Loops)-1 || !r.varies(p.Leaf) {
		return nil
	}
	t := p.Leaf.Type()
	b := &budget{row: r, component: p.Component, typ: t, scalars: scalar.NewScalars(&r.w.run.Names)}
	b.scalars.Slots = r.w.Slots
	for j, v := range []ir.Expr{p.Low, p.High} {
		b.scalars.Memo[v] = func() uint64 { return b.bounds[j] }
	}
	b.possible = b.scalars.Compile(p.Possible)
	x, z := r.value(p.Leaf), kernel.Of(t)
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
