package rfactor

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/interval"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// A program says where the state starts, and steps may never lead out of an interval around that: residues, counters that go
// round or stop, states of an automaton. Within the interval nothing wraps, and the few values of a component can be told apart.
//
//	f() = 0; f() = (f()*10 + u32(in(r))) % 7   →   x0 <= 6
//
// Lifts use such bounds where they have no form without them, as if they were given.

// bounds returns the least intervals, as far as widening at literals finds them, that contain the initial value and are
// closed under a step. Of a component of which nothing is known the interval is that of its type.
func bounds(types []ir.Type, update, init []ir.Expr) []interval.Interval {
	s := &stepBounds{update: update, within: make([]interval.Interval, len(types)), ends: ends(update)}
	start := make([]interval.Interval, len(types))
	for i, t := range types {
		start[i] = interval.Whole(t)
		if e := init[i]; e.IsValid() && e.Op() == ir.Const && t.IsInt() {
			start[i] = interval.Of(e, nil)
		}
	}
	copy(s.within, start)
	for changed := true; changed; {
		changed = false
		for i, t := range types {
			next := interval.Union(s.within[i], s.after(i))
			if next != s.within[i] {
				s.within[i], changed = s.widened(s.within[i], next, interval.Whole(t)), true
			}
		}
	}
	narrow := make([]interval.Interval, len(types)) // of what widening has gone too far, a step may give less
	for i := range types {
		narrow[i] = interval.Union(start[i], s.after(i))
	}
	return narrow
}

// stepBounds are intervals of the state.
type stepBounds struct {
	update []ir.Expr
	within []interval.Interval // of each component
	ends   []int64             // at which intervals are cut and widened, ascending
}

// Bounds of what is looked at: ends, and pieces of the state for each component.
const (
	maxEnds   = 24
	maxPieces = 128
)

// ends returns the integers of literals, and those beside them.
func ends(update []ir.Expr) (out []int64) {
	ir.Walk(update, func(e ir.Expr) {
		if e.Op() == ir.Const && e.Type().IsInt() && e.Int() > math.MinInt64/2 && e.Int() < math.MaxInt64/2 {
			out = append(out, e.Int()-1, e.Int(), e.Int()+1)
		}
	})
	slices.Sort(out)
	if out = slices.Compact(out); len(out) > maxEnds {
		return nil
	}
	return out
}

// widened returns an interval that contains next, whose ends beyond those of last are the nearest ones of the list, or of the type.
func (s *stepBounds) widened(last, next, whole interval.Interval) interval.Interval {
	if next.Hi > last.Hi {
		i, _ := slices.BinarySearch(s.ends, next.Hi)
		if next.Hi = whole.Hi; i < len(s.ends) {
			next.Hi = min(next.Hi, s.ends[i])
		}
	}
	if next.Lo < last.Lo {
		i, found := slices.BinarySearch(s.ends, next.Lo)
		if !found {
			i--
		}
		if next.Lo = whole.Lo; i >= 0 {
			next.Lo = max(next.Lo, s.ends[i])
		}
	}
	return next
}

// after returns an interval that contains component i after a step from any state of the intervals. The state is cut into pieces,
// on which comparisons with literals are decided.
func (s *stepBounds) after(i int) interval.Interval {
	e := s.update[i]
	read := tuple.Members(e.States())
	pieces, n := make([][]interval.Interval, len(read)), 1
	for j, c := range read {
		pieces[j] = s.pieces(c)
		if n *= len(pieces[j]); n > maxPieces {
			pieces[j] = s.within[c : c+1]
			n = max(1, n/len(s.pieces(c)))
		}
	}
	var out interval.Interval
	at := slices.Clone(s.within)
	for k := range n {
		rest := k
		for j, c := range read {
			at[c], rest = pieces[j][rest%len(pieces[j])], rest/len(pieces[j])
		}
		r := interval.Of(e, func(e ir.Expr) (interval.Interval, bool) {
			if e.Op() == ir.Var && e.Kind() == ir.State {
				return at[e.Index()], true
			}
			return interval.Interval{}, false
		})
		if k > 0 {
			r = interval.Union(out, r)
		}
		out = r
	}
	return out
}

// pieces cuts the interval of a component before and behind each end.
func (s *stepBounds) pieces(i int) (out []interval.Interval) {
	rest := s.within[i]
	for _, end := range s.ends {
		if end < rest.Lo || end > rest.Hi {
			continue
		}
		if end > rest.Lo {
			out = append(out, interval.Interval{Lo: rest.Lo, Hi: end - 1})
		}
		out = append(out, interval.Interval{Lo: end, Hi: end})
		if end == rest.Hi {
			return out
		}
		rest.Lo = end + 1
	}
	return append(out, rest)
}

// liftBounded is lift of integers that wrap by the bounds that the initial value sets to the state.
func (m *matcher) liftBounded(sets [][]int, found groups) bool {
	c := m.bounded()
	if c == nil {
		return false
	}
	allowed := m.opts.Allowed &^ overflow.Flags
	found = found.under(allowed)
	a, refused := m.answer, *m.answer
	if !m.liftGiven(sets, found, allowed, c.given) || a.Assumes != 0 && !m.isKept(c, a.Assumes) {
		*a = refused
		return false
	}
	if bounded := *a; m.opts.Allowed&overflow.Flags != 0 && slices.Contains(a.Lift.Families, "saturating") {
		if *a = refused; m.liftPlain(sets, found, m.opts.Allowed) {
			return true // clamps of unbounded integers do without sums that are cut
		}
		*a = bounded
	}
	a.Initial, a.Starts = m.initial, c.starts
	a.Lift.Proofs.Kept = c.kept
	a.Lift.claims = append(a.Lift.claims, liftClaim{proof.Law{Name: keptLaw, Problems: c.keeping, Proofs: &a.Lift.Proofs.Kept}, true, false})
	return true
}

// bounded returns the conditions that components lie in intervals closer than their types, which are proven to hold of the initial
// value of a program and to be kept by steps; nil where there are none.
func (m *matcher) bounded() *inductive {
	if m.inductive == nil {
		m.inductive = m.newBounded()
	}
	if len(m.inductive.given) == 0 {
		return nil
	}
	return m.inductive
}

// newBounded is bounded without a memory; what it returns has no conditions where there are none.
func (m *matcher) newBounded() *inductive {
	a := m.answer
	c := &inductive{}
	if m.initial == nil || m.opts.onlyGiven {
		return c
	}
	for i, b := range bounds(a.Types, a.Update, m.initial) {
		t, x := a.Types[i], m.pool.X(i, a.Types[i])
		if whole := interval.Whole(t); t.IsInt() && !(b.Lo <= whole.Lo && b.Hi >= whole.Hi) {
			if b.Lo > whole.Lo {
				c.given = append(c.given, ir.LeOf(fold.Number(m.pool, t, b.Lo), x))
			}
			if b.Hi < whole.Hi {
				c.given = append(c.given, ir.LeOf(x, fold.Number(m.pool, t, b.Hi)))
			}
		}
	}
	m.consider(len(c.given) * maxPieces)
	if !m.holdsAtStart(c) || !m.isKept(c, 0) {
		return &inductive{}
	}
	return c
}

// inductive are conditions on the state that hold of an initial value, and that steps keep.
type inductive struct {
	given   []ir.Expr
	starts  []*proof.Tree   // they hold at the start
	kept    []*proof.Tree   // a step keeps them, …
	keeping []proof.Problem // … which are these equations
}

// holdsAtStart proves that the initial value satisfies the conditions.
func (m *matcher) holdsAtStart(c *inductive) bool {
	for _, g := range c.given {
		at, ok := atInitial(m.pool, g, m.initial)
		if !ok {
			return false
		}
		t := m.prover.Prove(m.ctx, []proof.Problem{{Left: at, Right: m.pool.Bool(true)}}, m.exactly(0))
		if t.Status != prove.Proved {
			return false
		}
		c.starts = append(c.starts, t.Proof())
	}
	return true
}

// isKept proves, under exactly some assumptions, that a step from a state that satisfies the conditions gives another one.
func (m *matcher) isKept(c *inductive, assume ir.Assume) bool {
	a := m.answer
	c.kept, c.keeping = nil, nil
	for _, g := range tuple.MapStates(m.pool, c.given, func(i int, _ ir.Type) ir.Expr { return a.Update[i] }) {
		p := proof.Problem{Given: slices.Concat(c.given, m.notNegative), Left: g, Right: m.pool.Bool(true)}
		m.limit(8)
		t := m.prover.Prove(m.ctx, []proof.Problem{p}, m.exactly(assume))
		if t.Status != prove.Proved {
			return false
		}
		c.kept, c.keeping = append(c.kept, t.Proof()), append(c.keeping, p)
	}
	return true
}
