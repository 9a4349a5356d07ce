package prepare

import "github.com/rfactor-go/rfactor/rfactor/plan"

// Last is plan.Last with its stages prepared.
type Last struct {
	*plan.Last
	First, Steps, Merge *Stage
	All                 plan.Loop // over all elements
}

// newLast is nil where a merge has no such stages.
func newLast(p *plan.Plan, merge *plan.Stage) (l *Last, err error) {
	if merge.Last == nil {
		return nil, nil
	}
	l = &Last{Last: merge.Last, All: merge.Whole.Loops[0]}
	if l.First, err = New(p, l.Last.First); err != nil {
		return nil, err
	}
	if l.Steps, err = New(p, l.Last.Steps); err != nil {
		return nil, err
	}
	l.Merge, err = New(p, l.Last.Merge)
	return l, err
}
