package exec

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// powersForm is the steps of a lift whose parameters are linear with literals: p = M·p ⊕ y. Lanes take elements by turns, as they lie in memory, and meet
// a power of M each time; neighbours are then combined by M, by M² and so on.
//
//	p*31 + in(r)   →   acc = acc*31⁵¹² + in of 512 elements after another
type powersForm struct {
	lanes  int
	linear []int       // the components that have lanes
	steady []int       // those that no element changes: their steps compose to a power of one
	update []ir.Expr   // the component behind a row; of others itself
	merges [][]ir.Expr // of neighbours, by distance
	start  []uint64    // of lanes but the last, which starts with the identity
	step   []uint64    // of steady components
}

// powersOf is nil where some parameter is computed otherwise.
func powersOf(n *prepared) *powersForm {
	s := n.stage
	if !n.composes() || n.seen() || len(s.Where) > 0 || len(s.Operator) != len(s.Values) {
		return nil
	}
	p := &powersForm{steady: n.steady(), start: make([]uint64, len(s.Values))}
	p.step = n.steadyStep(p.steady)
	maps, rests := make([]kernel.LinearMap, len(s.Values)), make([]ir.Expr, len(s.Values))
	moving := false
	for c, v := range s.Values {
		if v.Type().IsFloat() && !n.mayRegroup() {
			return nil
		}
		if slices.Contains(p.steady, c) {
			continue
		}
		m, rest, ok := kernel.LinearOf(v, c)
		if !ok || !rest.IsValid() || rest.States() != 0 {
			return nil
		}
		p.linear, maps[c], rests[c] = append(p.linear, c), m, rest
		moving = moving || m.Moves()
		if v.Type().IsFloat() { // which adds nothing to either zero
			if p.start[c] = ir.FloatBits(v.Type(), math.Copysign(0, -1)); m.Negative() {
				return nil
			}
		}
	}
	if !moving {
		return nil
	}
	for p.lanes = maxTreeLanes; p.lanes >= fewPowerLanes; p.lanes /= 2 {
		if p.write(n, maps, rests) {
			return p
		}
	}
	return nil
}

// fewPowerLanes is how many lanes are too few for a row to be worth its passes.
const fewPowerLanes = 64

// write puts the powers into expressions; it is false where one of them is dear, or no number that floats hold.
func (p *powersForm) write(n *prepared, maps []kernel.LinearMap, rests []ir.Expr) bool {
	p.update, p.merges = append([]ir.Expr(nil), n.x...), nil
	for _, c := range p.linear {
		m := maps[c].Power(p.lanes)
		if !m.Cheap() {
			return false
		}
		p.update[c] = ir.Make(m.Combines(), m.Expr(n.x[c]), rests[c])
	}
	for by := 1; by < p.lanes; by *= 2 {
		merge := append([]ir.Expr(nil), n.x...)
		for _, c := range p.linear {
			m := maps[c].Power(by)
			if !m.Cheap() {
				return false
			}
			merge[c] = ir.Make(m.Combines(), m.Expr(n.x[c]), n.y[c])
		}
		p.merges = append(p.merges, merge)
	}
	return true
}

// powers runs a tree's lanes by powers.
type powers struct {
	*powersForm
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
	form := t.row.w.nest.powers
	if form == nil {
		return nil
	}
	p := &powers{powersForm: form, update: newCode(t.row.w)}
	p.states, p.others = make([]any, len(t.kinds)), make([]any, len(t.kinds))
	for _, i := range form.linear {
		p.states[i], p.others[i] = t.kinds[i].Register(form.lanes), t.kinds[i].Register(form.lanes)
	}
	compile := func(c *code, es []ir.Expr) []any {
		c.block = form.lanes
		for _, i := range form.linear {
			c.regs[t.row.w.nest.x[i]], c.regs[t.row.w.nest.y[i]] = p.states[i], p.others[i]
		}
		return c.outputs(p.states, form.linear, es)
	}
	p.next = compile(p.update, form.update)
	if p.update.indexed {
		return nil
	}
	for _, merge := range form.merges {
		c := newCode(t.row.w)
		p.both = append(p.both, compile(c, merge))
		p.merges = append(p.merges, c)
	}
	t.row.cursors = append(t.row.cursors, p.update.cursors...)
	return p
}

// fewPowerRows is for how few rows of lanes combining them takes as long as the rows.
const fewPowerRows = 8

// run composes as many steps of [lo, hi) as fill rows of lanes with the element, and answers how far it came.
func (p *powers) run(t *tree, lo, hi int) int {
	rows, r := (hi-lo)/p.lanes, t.row
	if rows < fewPowerRows {
		return lo
	}
	for _, c := range append([]*code{p.update}, p.merges...) {
		c.start, c.extent = r.start, max(r.extent, p.lanes)
		for _, f := range c.begin {
			f()
		}
	}
	if r.w.err != nil {
		r.w.takeError() // the scan finds whether it is one
		return lo
	}
	for _, c := range p.linear {
		t.kinds[c].Fill(p.states[c], p.start[c], p.lanes)
		t.kinds[c].Put(p.states[c])(p.lanes-1, t.identity[c])
	}
	end := lo + rows*p.lanes
	for k := lo; k < end; k += p.lanes {
		p.update.compute(k, p.lanes, end, 0)
		t.become(p.states, p.next)
		if r.w.run.ctx.Err() != nil {
			return lo
		}
	}
	n := p.lanes
	for i, c := range p.merges {
		n /= 2
		for _, c := range p.linear {
			t.kinds[c].Pairs(p.states[c], p.others[c], n)
		}
		c.compute(0, n, n, 0)
		t.become(p.states, p.both[i])
	}
	if !p.give(t) { // a power times an infinity may be no number where factors one after another are
		return lo
	}
	p.advance(t, rows*p.lanes)
	t.finish()
	return end
}

// give puts lane 0 into that of the tree, unless it has no finite number.
func (p *powers) give(t *tree) bool {
	for _, c := range p.linear {
		typ, v := t.row.w.nest.x[c].Type(), t.kinds[c].Get(p.states[c])(0)
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
		p.steps, p.after = steps, n.identity
		for square := p.step; steps > 0; steps >>= 1 {
			if steps&1 == 1 {
				p.after = n.join(p.steady, p.after, square)
			}
			square = n.join(p.steady, square, square)
		}
	}
	for _, c := range p.steady {
		t.kinds[c].Put(t.states[c])(0, p.after[c])
	}
}
