package prepare

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// ending is what a stage does up to its end, and what ends it.
type ending struct {
	Cond  ir.Expr
	Plain *Stage
	Last  bool // of several steps the last one counts alone: none reads the state, or what the condition does not read
}

// endingOf returns how a stage ends by a condition on inputs alone; nil where it does not.
func endingOf(planned *plan.Plan, s *plan.Stage) (*ending, error) {
	cond, open := s.Opened()
	if open == nil {
		return nil, nil
	}
	n, err := prepareLoops(planned, open)
	return &ending{cond, n, forgets(open, s.Ends.Component, cond)}, err
}

// forgets reports whether a step undoes what the steps before it did, and reads nothing that the condition does not read.
func forgets(s *plan.Stage, flag int, cond ir.Expr) bool {
	var read []ir.Expr
	for _, a := range access.Reads(&plan.Stage{Buffer: s.Buffer, Values: []ir.Expr{cond}}) {
		read = append(read, a.Call)
	}
	for i, v := range s.Values {
		if i != flag && v.States() != 0 {
			return false
		}
	}
	return !slices.ContainsFunc(access.Reads(s), func(a access.Access) bool { return !slices.Contains(read, a.Call) })
}
