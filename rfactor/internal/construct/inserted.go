package construct

import (
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Bounds of sorted lists: places, and what an element has.
const (
	maxPlaces = 4
	maxCells  = 3
)

// Inserted yields operators of a part that is a sorted list of a few places, into which a step inserts an element with its
// payloads: x ⊕ y merges two lists. An element is a list whose other places are empty, which have the worst key. It yields nothing
// where the part does not look like that.
//
//	select(y0 > x0, y0, x0); select(y0 > x0, x0, select(y0 > x1, y0, x1)); select(y0 > x0, r, x2); select(y0 > x0, x2, select(y0 > x1, r, x3))
//	given x1 <= x0   →   the two greatest and where they are, with inject y0; tmin; r; 0
//
// The operator is associative on lists that are sorted, which has to be given. Of equal keys that of x is the better one, or that of y.
func Inserted(pool *ir.Pool, p *tuple.Part) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		l := &places{p: p}
		if !l.read() {
			return
		}
		key, ok := keyOf(pool, p, l.of[0][0])
		if !ok || key.input != l.cells[0] {
			return
		}
		inject := l.element(key)
		for _, ties := range []bool{false, true} {
			m := &merging{places: l, x: p.States, y: key.y, most: key.most, ties: ties}
			if !yield(Candidate{m.exprs(), inject}) {
				return
			}
		}
	}
}

// element returns the list of the one element that a step inserts.
func (l *places) element(key *keyed) []ir.Expr {
	out := make([]ir.Expr, len(l.p.Types))
	for n, list := range l.of {
		for place, i := range list {
			t := l.p.Types[i]
			switch {
			case place == 0:
				out[i] = l.cells[n]
			case n > 0:
				out[i] = key.pool.Const(t, 0)
			case key.most:
				out[i] = key.pool.Const(t, t.Min())
			default:
				out[i] = key.pool.Const(t, t.Max())
			}
		}
	}
	return out
}

// merging merges two sorted lists.
type merging struct {
	*places
	x, y []ir.Expr
	most bool // greater keys are better
	ties bool // of equal keys that of y is better
}

func (m *merging) exprs() []ir.Expr {
	out := make([]ir.Expr, len(m.p.Types))
	for _, list := range m.of {
		for place, i := range list {
			out[i] = m.at(list, place, 0, 0)
		}
	}
	return out
}

// at returns what is at a place of the list that is merged of x from place i on and of y from place j on.
func (m *merging) at(list []int, place, i, j int) ir.Expr {
	fromX, fromY := m.x[list[i]], m.y[list[j]]
	if place > 0 {
		fromX, fromY = m.at(list, place-1, i+1, j), m.at(list, place-1, i, j+1)
	}
	a, b := m.x[m.of[0][i]], m.y[m.of[0][j]]
	if !m.most {
		a, b = b, a
	}
	if m.ties {
		return ir.SelectOf(ir.LeOf(a, b), fromY, fromX)
	}
	return ir.SelectOf(ir.LtOf(a, b), fromY, fromX)
}

// Sorted returns the conditions that a part that [Inserted] reads as a list is sorted; nil of other parts.
func Sorted(pool *ir.Pool, p *tuple.Part) (out []ir.Expr) {
	l := &places{p: p}
	if !l.read() || len(l.cells) == 1 { // without payloads there are tables
		return nil
	}
	key, ok := keyOf(pool, p, l.of[0][0])
	if !ok {
		return nil
	}
	list := l.of[0]
	for n, i := range list[1:] {
		better, worse := p.States[list[n]], p.States[i]
		if !key.most {
			better, worse = worse, better
		}
		out = append(out, ir.LeOf(worse, better))
	}
	return out
}

// places says which components of a part hold what of the elements of a list.
type places struct {
	p     *tuple.Part
	cells []ir.Expr // of the element that a step inserts: its key, and its payloads
	of    [][]int   // for each cell the component of each place, the best one first
}

// read finds the cells and the places; it is not ok where the part has another form.
func (l *places) read() bool {
	var enters []ir.Expr // for each component: what a step may set it to
	for i := range l.p.Types {
		e, ok := l.enters(i)
		if !ok {
			return false
		}
		enters = append(enters, e)
	}
	for i, e := range enters {
		n := slices.Index(l.cells, e)
		if n < 0 {
			n = len(l.cells)
			l.cells, l.of = append(l.cells, e), append(l.of, nil)
		}
		l.of[n] = append(l.of[n], i)
	}
	for n, list := range l.of {
		var ok bool
		if l.of[n], ok = l.ordered(list); !ok || len(list) != len(l.of[0]) {
			return false
		}
	}
	for n, list := range l.of { // the key is what depends on no payload
		if mask := tuple.MaskOf(list); !slices.ContainsFunc(list, func(i int) bool { return l.p.Values[i].States()&^mask != 0 }) {
			l.cells[0], l.cells[n], l.of[0], l.of[n] = l.cells[n], l.cells[0], l.of[n], l.of[0]
			break
		}
	}
	return len(l.cells) <= maxCells && len(l.of[0]) > 1 && len(l.of[0]) <= maxPlaces
}

// flows calls f with the terms from which a value is chosen.
func flows(v ir.Expr, f func(ir.Expr)) {
	switch {
	case v.States() == 0 || v.Op() != ir.Select && v.Op() != ir.Min && v.Op() != ir.Max:
		f(v)
		return
	case v.Op() != ir.Select:
		flows(v.Arg(0), f)
	default:
		flows(v.Arg(2), f)
	}
	flows(v.Arg(1), f)
}

// enters returns the input that a step may put into component i. It reports false unless each value of the component is a
// component of the state or that one input.
func (l *places) enters(i int) (cell ir.Expr, ok bool) {
	ok = true
	flows(l.p.Values[i], func(e ir.Expr) {
		switch {
		case e.States() != 0:
			ok = ok && e.Op() == ir.Var
		case !cell.IsValid():
			cell = e
		default:
			ok = ok && e == cell
		}
	})
	return cell, ok && cell.IsValid() && !cell.IsInvariant()
}

// ordered sorts components so that each is chosen from itself and those before it; not ok where none can be next, or two can.
func (l *places) ordered(list []int) (out []int, ok bool) {
	for range list {
		next := -1
		for _, i := range list {
			if slices.Contains(out, i) {
				continue
			}
			known := true
			flows(l.p.Values[i], func(e ir.Expr) {
				known = known && (e.States() == 0 || e.Index() == i || slices.Contains(out, e.Index()))
			})
			switch {
			case !known:
			case next >= 0:
				return nil, false
			default:
				next = i
			}
		}
		if next < 0 {
			return nil, false
		}
		out = append(out, next)
	}
	return out, true
}
