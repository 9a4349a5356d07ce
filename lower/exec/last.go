package exec

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// last asks whether the last elements of an update decide alone; see plan.Last.
type last struct {
	of          *prepare.Last
	count       *uint64
	min, extent func() uint64 // of all elements
	holds       func() uint64
	reads       []*scalar.Cursor
}

// newLast is nil where it is not known which elements are in their arrays before they are read.
func newLast(run *execution, of *prepare.Last) *last {
	m := scalar.NewMemory(of.Buffer.Types)
	m.Hold(ndarray.New(of.Buffer.Types))
	l := &last{of: of, count: new(uint64)}
	run.Arrays[of.Buffer.Name], run.Params[of.Count] = m, l.count
	l.min, l.extent, l.holds = run.head.Compile(of.All.Span.Min), run.head.Compile(of.All.Span.Extent), run.head.Compile(of.Holds)
	for _, r := range access.Reads(of.Last.Steps) {
		c := scalar.NewCursor(run.head, access.Coordinates(access.Operands(r.Call), []ir.Expr{of.All.Var}), run.Arrays[r.Array])
		if c == nil {
			return nil
		}
		l.reads = append(l.reads, c)
	}
	return l
}

// decide reports whether the last elements have decided; else a run of the other stages decides, which finds the errors that come before.
func (l *last) decide(run *execution) bool {
	n := int(int64(l.extent()))
	if n < plan.LastFirst*plan.LastShare || !l.inside(int(int64(l.min())), n) || run.head.TakeError() != nil {
		return false
	}
	for count := plan.LastFirst; count <= n/plan.LastShare; count *= plan.LastMore {
		*l.count = uint64(count)
		if run.nest(l.of.First) != nil || run.nest(l.of.Steps) != nil {
			return false
		}
		run.head.Point++
		if holds := l.holds(); run.head.TakeError() == nil && holds != 0 {
			return run.nest(l.of.Merge) == nil
		}
	}
	return false
}

// inside reports whether all that n elements read is there.
func (l *last) inside(first, n int) bool {
	for _, c := range l.reads {
		if lo, hi := c.Place(first, n); lo > 0 || hi < n {
			return false
		}
	}
	return true
}
