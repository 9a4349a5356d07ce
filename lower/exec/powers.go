package exec

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
)

// powers runs a tree's lanes by powers.
type powers struct {
	*prepare.PowersForm
	states, others []any // of its own lanes, which are more than a tree's may be
	update         *code
	next           []any
	merges         []*code
	both           [][]any

	steps int      // that steady holds
	after []uint64 // steady components behind so many
}

// newPowers is nil where steps are composed otherwise.
func (t *tree) newPowers() *powers {
	form := t.row.w.nest.Powers
	if form == nil {
		return nil
	}
	p := &powers{PowersForm: form, update: newCode(t.row.w)}
	p.states, p.others = make([]any, len(t.kinds)), make([]any, len(t.kinds))
	for _, i := range form.Linear {
		p.states[i], p.others[i] = t.kinds[i].Register(form.Lanes), t.kinds[i].Register(form.Lanes)
	}
	compile := func(c *code, es []ir.Expr) []any {
		c.block = form.Lanes
		for _, i := range form.Linear {
			c.regs[t.row.w.nest.X[i]], c.regs[t.row.w.nest.Y[i]] = p.states[i], p.others[i]
		}
		return c.outputs(p.states, form.Linear, es)
	}
	p.next = compile(p.update, form.Update)
	if p.update.indexed {
		return nil
	}
	for _, merge := range form.Merges {
		c := newCode(t.row.w)
		p.both = append(p.both, compile(c, merge))
		p.merges = append(p.merges, c)
	}
	t.row.cursors = append(t.row.cursors, p.update.cursors...)
	return p
}

// fewPowerRows is the number of rows of lanes below which merging the lanes would take longer than the rows save.
const fewPowerRows = 8

// run composes as many steps of [lo, hi) as fill rows of lanes with the element, and answers how far it came.
func (p *powers) run(t *tree, lo, hi int) int {
	rows, r := (hi-lo)/p.Lanes, t.row
	if rows < fewPowerRows {
		return lo
	}
	if !r.begun(p.Lanes, append([]*code{p.update}, p.merges...)...) {
		return lo
	}
	for _, c := range p.Linear {
		t.kinds[c].Fill(p.states[c], p.Start[c], p.Lanes)
		t.kinds[c].Put(p.states[c])(p.Lanes-1, t.identity[c])
	}
	end := lo + rows*p.Lanes
	for k := lo; k < end; k += p.Lanes {
		p.update.compute(k, p.Lanes, end, 0)
		become(t.kinds, p.states, p.next)
		if r.w.run.ctx.Err() != nil {
			return lo
		}
	}
	n := p.Lanes
	for i, c := range p.merges {
		n /= 2
		for _, c := range p.Linear {
			t.kinds[c].Pairs(p.states[c], p.others[c], n)
		}
		c.compute(0, n, n, 0)
		become(t.kinds, p.states, p.both[i])
	}
	if !p.give(t) { // a power times an infinity may be no number where factors one after another are
		return lo
	}
	p.advance(t, rows*p.Lanes)
	t.finish()
	return end
}

// give puts lane 0 into that of the tree, unless it has no finite number.
func (p *powers) give(t *tree) bool {
	for _, c := range p.Linear {
		typ, v := t.row.w.nest.X[c].Type(), t.kinds[c].Get(p.states[c])(0)
		if typ.IsFloat() && ir.Float(typ, v)-ir.Float(typ, v) != 0 {
			return false
		}
		t.kinds[c].Put(t.states[c])(0, v)
	}
	return true
}

// advance puts what so many steps make of steady components into lane 0.
func (p *powers) advance(t *tree, steps int) {
	if n := t.row.w.nest; p.steps != steps {
		p.steps, p.after = steps, n.Identity
		for square := p.Step; steps > 0; steps >>= 1 {
			if steps&1 == 1 {
				p.after = n.Join(p.Steady, p.after, square)
			}
			square = n.Join(p.Steady, square, square)
		}
	}
	for _, c := range p.Steady {
		t.kinds[c].Put(t.states[c])(0, p.after[c])
	}
}
