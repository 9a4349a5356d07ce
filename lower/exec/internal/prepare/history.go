package prepare

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// History is a stage of which some components are what the last elements make of them, whatever was before. The others read these elements instead, and
// are folds or stay as they are. The first elements are taken by steps, and the last ones once more, which says what the former are.
//
//	{x0 + i32(x1 != in(r)), in(r)}   →   x0 + i32(in(r - 1) != in(r)), behind the first element
type History struct {
	Rest  *Stage // its other components stay
	Past  []int
	Depth int // how many elements behind the one that a step takes are read, or say what a component is
}

// historyOf is nil where a stage has no such component, or others are no folds.
func historyOf(planned *plan.Plan, n *Stage) (*History, error) {
	s := n.Stage
	last := len(s.Loops) - 1
	byData := func(d access.Coordinate) bool { return !d.Affine }
	if last < 0 || slices.ContainsFunc(n.Targets[last], byData) || s.Loops[last].Pure || len(s.Where) > 0 || s.Ends != nil || s.Places != nil || s.Scan != nil || n.Lanes != nil || n.ReadsItself || !IsStill(n.Targets[last]) {
		return nil, nil
	}
	h := &historian{History: &History{Past: forms.Past(s.Values)}, n: n}
	if len(h.Past) == 0 {
		return nil, nil
	}
	rest := *s
	rest.Values, rest.Operator, rest.Inject = nil, nil, nil
	for c, v := range s.Values {
		switch to := h.behind(v, 0); {
		case slices.Contains(h.Past, c):
			h.Depth = max(h.Depth, forms.Reach(s.Values, h.Past, c))
			rest.Values = append(rest.Values, n.X[c])
		case to != n.X[c] && !n.foldsTo(c, to):
			return nil, nil
		default:
			rest.Values = append(rest.Values, to)
		}
	}
	var err error
	h.Rest, err = prepareLoops(planned, &rest)
	return h.History, err
}

// foldsTo reports whether a component folds what a value reads besides it, in whatever order blocks have.
func (n *Stage) foldsTo(c int, to ir.Expr) bool {
	p, ok := folds.Of(to, c)
	return ok && p.Op != ir.Const && to.States()&^(1<<c) == 0 && (!to.Type().IsFloat() || n.MayRegroup() || p.Op == ir.Min || p.Op == ir.Max)
}

// historian rewrites the values of a stage.
type historian struct {
	*History
	n *Stage
}

// behind is an expression so many steps earlier, without the components of the past.
func (h *historian) behind(e ir.Expr, by int) ir.Expr {
	v := h.n.Vars[len(h.n.Vars)-1]
	from, to := []ir.Expr{v}, []ir.Expr{v}
	if by > 0 {
		h.Depth = max(h.Depth, by)
		to[0] = ir.SubOf(v, v.Pool().Int(v.Type(), int64(by)))
	}
	for _, c := range h.Past {
		if e.States()>>c&1 != 0 {
			from, to = append(from, h.n.X[c]), append(to, h.behind(h.n.Stage.Values[c], by+1))
		}
	}
	return canon.Decided(ir.Subst(e, from, to))
}
