package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitCapped fits steps of one integer that count up or down by one until they reach a stop, keep the
// count, or set it: counters with a cap, cooldowns.
//
//	select(y0 && x0 < k0, x0 + 1, x0)   →   n = select(y0, 1, 0): the step is x ↦ x + min(n, max(k0 - x, 0))
//	n ∘ m = n + m
//
// The cells are whether the count is set, what it is set to, and how many steps are counted from
// there; cells that never change are left out, as here the first two. Steps towards one stop add
// up: n of them move x by n, or by its distance from the stop if that is less. Sums are computed in
// a type twice as wide and capped there, so that the family holds of integers that wrap.
func fitCapped(cx *lift.Context, p *tuple.Part) *lift.Shape {
	w := wideningOf(cx, p)
	if w == nil || !bounded(p.Values) {
		return nil
	}
	c := &counter{widening: w}
	inject := byCases(cx, p.Values[0], maxCases, c.read)
	if inject == nil || !c.stop.IsValid() {
		return nil
	}
	zero := cx.Pool.Int(w.wide, 0)
	return &lift.Shape{Name: "capped", Inject: inject,
		Identity: []ir.Expr{cx.Pool.Bool(false), cx.Pool.Int(w.t, 0), zero},
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			return []ir.Expr{c.after(fold.Select(cells[0], cells[1], x[0]), cells[2])}
		},
		Compose: func(a, b []ir.Expr) []ir.Expr {
			n := fold.Add(c.times(a[2]), c.times(b[2]))
			return []ir.Expr{fold.Or(a[0], b[0]), fold.Select(b[0], b[1], a[1]), fold.Select(b[0], b[2], n)}
		}}
}

// counter says where counting stops, and how.
type counter struct {
	*widening
	stop   ir.Expr // of the state's type; it does not change from step to step
	down   bool
	around bool // numbers beyond go on, until they wrap and come to the stop from the other side
}

// times returns the number of steps n, capped: a parameter may have any value, and must act like the
// number of steps of some loop.
func (c *counter) times(n ir.Expr) ir.Expr {
	if c.t.Bits() > 32 {
		return ir.MaxOf(n, c.cx.Pool.Int(c.wide, 0))
	}
	return c.within(n, 0, 1<<c.t.Bits())
}

// after returns the count x after n steps.
func (c *counter) after(x, n ir.Expr) ir.Expr {
	if fold.IsNumber(n, 0) {
		return x
	}
	from, to := c.widened(x), c.widened(c.stop)
	less, more := from, to
	if c.down {
		less, more = to, from
	}
	far := ir.SubOf(more, less)
	if c.around {
		turn := ir.AddOf(far, c.cx.Pool.Int(c.wide, 1<<c.t.Bits()))
		far = ir.SelectOf(ir.LeOf(less, more), far, turn)
	} else {
		far = ir.MaxOf(far, c.cx.Pool.Int(c.wide, 0))
	}
	moved := ir.MinOf(c.times(n), far)
	if c.down {
		moved = ir.SubOf(from, moved)
	} else {
		moved = ir.AddOf(from, moved)
	}
	if c.t == c.wide {
		return moved
	}
	return ir.CastTo(c.t, moved)
}

// read returns the cells of a step; nil where it has none.
func (c *counter) read(v ir.Expr) []ir.Expr {
	pool := c.cx.Pool
	cells := func(set bool, to ir.Expr, n int64) []ir.Expr {
		return []ir.Expr{pool.Bool(set), to, pool.Int(c.wide, n)}
	}
	none := pool.Int(c.t, 0)
	switch {
	case v == c.p.States[0]:
		return cells(false, none, 0)
	case v.IsLeaf():
		return cells(true, v, 0)
	case c.stops(v):
		return cells(false, none, 1)
	}
	return nil
}

// stops reports whether v is one step towards the stop. Where no stop is known yet, stops looks for
// one among the ends of v.
func (c *counter) stops(v ir.Expr) bool {
	cx := c.cx
	defer cx.Workspace.Rows.GiveBack(cx.Workspace.Rows.Used)
	q := *c.p
	q.Values = []ir.Expr{v}
	cx.Sample.Evaluate(&q, cx.NonNeg, 0)
	f := cx.Sample
	wants, xs := f.Want[0], f.States[0]
	try := func(stop ir.Expr, down, around bool) bool {
		stops := f.Value(stop)
		for lane := range xs {
			x, k := int64(xs[lane]), int64(stops[lane])
			if down {
				x, k = k, x
			}
			next := xs[lane]
			switch {
			case x >= k && !around || x == k:
			case down:
				next--
			default:
				next++
			}
			if wants[lane] != c.t.Wrap(next) {
				return false
			}
		}
		c.stop, c.down, c.around = stop, down, around
		return true
	}
	if c.stop.IsValid() {
		return try(c.stop, c.down, c.around)
	}
	for _, stop := range c.ends(v) {
		for _, how := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
			if (!how[1] || c.t.Bits() <= 32) && try(stop, how[0], how[1]) {
				return true
			}
		}
	}
	return false
}

// ends lists what may stop a step: the terms that it is compared with, and their neighbours.
func (c *counter) ends(v ir.Expr) (out []ir.Expr) {
	for _, e := range operandsOf(v) {
		if e.Type() != c.t || !e.IsInvariant() {
			continue
		}
		for d := range int64(3) {
			if k := canon.Greedy(ir.AddOf(e, c.cx.Pool.Int(c.t, d%2-d/2)), 0); !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}
