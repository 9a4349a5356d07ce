package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
)

// skip finds the points of a block that change an element: the others need no scan.
//
//	select(mag(y) > mag(x), y, x)   →   mag(y) > mag(x) for a block, with x as it is before the block; the first point
//	where that holds is scanned, and those behind it are looked at anew
type skip struct {
	row        *rowCode
	components []int
	states     []any // registers that hold the state at all points
	flag       int   // the component that tells whether any point has come: it is one of those that change; -1 for none
	changes    *code
	masks      []*kernel.Vector[bool]
}

// After a change as many points are looked at, and twice as many each time that none of them changes anything. Behind so many
// changes a block is scanned.
const (
	shortWindow = 64
	maxChanges  = 32
)

// newSkip is nil where components may change at every point.
func (r *rowCode) newSkip(components []int) *skip {
	n := r.w.nest
	s := &skip{row: r, components: components, flag: -1, changes: newCode(r.w)}
	if last := len(n.Stage.Values) - 1; n.Stage.Buffer.Seen {
		if !slices.Contains(components, last) {
			return nil
		}
		s.flag = last
	}
	var conditions []ir.Expr
	for _, c := range components {
		change := n.Changes[c]
		if !change.Ok {
			return nil
		}
		if change.Condition.IsValid() && !slices.Contains(conditions, change.Condition) {
			conditions = append(conditions, change.Condition)
		}
	}
	if len(conditions) == 0 || !slices.ContainsFunc(conditions, s.changes.varies) {
		return nil
	}
	for _, c := range components {
		reg := kernel.Of(n.Stage.Values[c].Type()).Register(s.changes.block)
		s.states = append(s.states, reg)
		s.changes.regs[n.X[c]] = reg
	}
	for _, e := range conditions {
		mask, ok := s.changes.value(e).(*kernel.Vector[bool])
		if !ok || s.changes.indexed {
			return nil
		}
		s.masks = append(s.masks, mask)
	}
	r.cursors = append(r.cursors, s.changes.cursors...)
	r.begin = append(r.begin, func() {
		s.changes.start, s.changes.extent = r.start, r.extent
		for _, f := range s.changes.begin {
			f()
		}
	})
	return s
}

// run scans those of the n points from k on that change anything. Points are counted from k.
func (s *skip) run(k, n int, scan func(from, to int)) {
	w, at := s.row.w, s.row.target.Offset
	window, changed := n, 0
	for from := 0; from < n; {
		if changed > maxChanges {
			scan(from, n)
			return
		}
		if s.flag >= 0 && w.old[s.flag](at) == 0 {
			scan(from, from+1)
			from++
			continue
		}
		m := min(window, n-from)
		for i, c := range s.components {
			kernel.Of(w.nest.Stage.Values[c].Type()).Fill(s.states[i], w.old[c](at), m)
		}
		s.changes.compute(k+from, m, k+n, 0)
		i := -1
		for _, mask := range s.masks {
			if first := kernel.First(mask, m); first >= 0 && (i < 0 || first < i) {
				i = first
			}
		}
		if i < 0 {
			from, window = from+m, 2*window
			continue
		}
		scan(from+i, from+i+1)
		from, window, changed = from+i+1, shortWindow, changed+1
	}
}
