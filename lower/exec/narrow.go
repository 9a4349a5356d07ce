package exec

import (
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
)

// narrow runs a tree's segments so.
type narrow struct {
	first, update *code
	kinds         []kernel.Kind
	states        []any
	begun, next   []any
	widen         []kernel.Step // to the states of the tree
}

// newNarrow is nil where parameters keep their width.
func (t *tree) newNarrow() *narrow {
	steps := t.row.w.nest.Narrow
	if steps == nil || t.row.mask != nil {
		return nil
	}
	v := &narrow{first: newCode(t.row.w), update: newCode(t.row.w)}
	for c, e := range steps.Next {
		z := kernel.Of(e.Type())
		state := z.Register(t.merge.block)
		v.kinds, v.states = append(v.kinds, z), append(v.states, state)
		v.update.regs[e.Pool().X(c, e.Type())] = state
		if wide := t.row.w.nest.X[c].Type(); wide == e.Type() {
			v.widen = append(v.widen, func(_, n int) { z.Move(t.states[c], state, n) })
		} else {
			v.widen = append(v.widen, z.Cast(wide, t.states[c], state))
		}
	}
	for _, c := range []*code{v.first, v.update} {
		c.block, c.tiled = t.merge.block, true
	}
	all := t.row.allComponents()
	v.begun, v.next = v.first.outputs(v.states, all, steps.First), v.update.outputs(v.states, all, steps.Next)
	if v.first.indexed || v.update.indexed {
		return nil
	}
	t.row.cursors = append(append(t.row.cursors, v.first.cursors...), v.update.cursors...)
	return v
}

// elements updates each lane of the tree with its elements, unless the context ends.
func (v *narrow) elements(t *tree, lo, lanes, each int) bool {
	ctx := t.row.w.run.ctx
	t.rows(v.first, lo, 0, 1, lanes, each, func() { become(v.kinds, v.states, v.begun) })
	for i := 1; i < each && ctx.Err() == nil; i += tileRows {
		n := min(tileRows, each-i)
		t.fetch(lo+(each+i)*lanes, n*lanes) // of the next block
		t.rows(v.update, lo, i, n, lanes, each, func() { become(v.kinds, v.states, v.next) })
	}
	for _, widen := range v.widen {
		widen(0, lanes)
	}
	return ctx.Err() == nil
}
