package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// recent is the innermost loop of a recurrence whose last results lie in variables: memory gives what was just written several cycles later.
//
//	for r: f[r] = f[r-1] + in[r]   →   x0 := f[0]; for r: v0 = x0 + in[r]; f[r] = v0; x0 = v0
type recent struct {
	nest   *loopnest.Nest
	slots  []program.Delay // what each variable holds: a component, so many steps back
	starts []ir.Expr       // the reads before the first step
	values []ir.Expr       // over ir.State, which are the slots
}

// recentOf is the loop at depth d as one; nil where it is another.
func (g *scanPlanner) recentOf(n *loopnest.Nest, d int) *recent {
	if g.serial || n.Role != plan.Serial || d != len(n.Loops)-1 || n.Loops[d].Pure || len(n.Where) > 0 || n.Ends != nil || loopnest.Faulty(g.Plan, n) {
		return nil
	}
	r := &recent{nest: n}
	v := n.Loops[d].Var
	dim, step := -1, int64(0)
	for i, e := range n.Index {
		switch s := loopnest.SumOf(e); {
		case !access.Mentions(e, v):
		case dim >= 0 || s.Coef(v) != 1 && s.Coef(v) != -1 || s.With(v, loopnest.Sum{}).Uses([]ir.Expr{v}):
			return nil
		default:
			dim, step = i, s.Coef(v)
		}
	}
	if dim < 0 {
		return nil
	}
	var from, to []ir.Expr
	for _, a := range n.Reads() {
		if a.Array != n.Buffer.Name {
			continue
		}
		back, ok := stepsBack(n, access.Operands(a.Call), dim)
		if back *= step; !ok || back < 1 || back > program.MaxDelay {
			continue // which is read where it lies
		}
		from, to = append(from, a.Call), append(to, v.Pool().X(r.slot(a.Component, int(back)), a.Call.Type()))
	}
	if len(from) == 0 {
		return nil
	}
	for i := 0; i < len(r.slots); i++ {
		s := r.slots[i]
		if s.Steps > 1 {
			r.slot(s.Component, s.Steps-1)
		}
		var index []ir.Expr
		for j, e := range n.Index {
			if j == dim {
				e = loopnest.FoldSum(ir.Subst(e, []ir.Expr{v}, []ir.Expr{loopnest.PlusExpr(n.Loops[d].Span.Min, v.Pool().Int(v.Type(), -int64(s.Steps)))}))
			}
			index = append(index, e)
		}
		r.starts = append(r.starts, v.Pool().Call(n.Buffer.Types[s.Component], n.Buffer.Name, s.Component, index...))
	}
	for c, t := range n.Buffer.Types { // the element as it is before the step is read where it lies
		from, to = append(from, v.Pool().X(c, t)), append(to, v.Pool().Call(t, n.Buffer.Name, c, n.Index...))
	}
	for _, e := range n.Values {
		r.values = append(r.values, ir.Subst(e, from, to))
	}
	return r
}

// stepsBack is by how much the index of a read is below that of what is written in a dimension; false where others differ, or it is no number.
func stepsBack(n *loopnest.Nest, read []ir.Expr, dim int) (by int64, ok bool) {
	for i, e := range read {
		d := loopnest.SumOf(n.Index[i]).Plus(loopnest.SumOf(e), -1)
		if len(d.Atoms) > 0 || i != dim && d.K != 0 {
			return 0, false
		}
		if i == dim {
			by = d.K
		}
	}
	return by, true
}

// slot is the number of the variable for a component some steps back.
func (r *recent) slot(component, steps int) int {
	s := program.Delay{Component: component, Steps: steps}
	i := slices.Index(r.slots, s)
	if i < 0 {
		i, r.slots = len(r.slots), append(r.slots, s)
	}
	return i
}

// recentLoop writes the loop.
func (g *scanPlanner) recentLoop(r *recent) {
	n, d := r.nest, len(r.nest.Loops)-1
	var state, fresh, starts, shifted []string
	for i, e := range r.starts {
		state, starts = append(state, g.Name(fmt.Sprintf("x%d", i))), append(starts, g.Leaf(e, nil))
	}
	for c := range r.values {
		fresh = append(fresh, g.Name(fmt.Sprintf("v%d", c)))
	}
	for _, s := range r.slots {
		if s.Steps == 1 {
			shifted = append(shifted, fresh[s.Component])
		} else {
			shifted = append(shifted, state[r.slot(s.Component, s.Steps-1)])
		}
	}
	g.File.Printf("if %s > 0 {\n%s := %s\n", g.GoInt(n.Loops[d].Span.Extent), strings.Join(state, ", "), strings.Join(starts, ", "))
	for c, v := range fresh {
		g.File.Printf("var %s %s\n", v, kernel.GoType[n.Buffer.Types[c]])
	}
	g.loopHead(n, d)
	w := g.Writer()
	w.Leaf = func(e ir.Expr) string { return g.Leaf(e, state) }
	g.Body(w, nil, r.values, fresh)
	g.File.Printf("%s = %s\n%s = %s\n", strings.Join(g.Target(n), ", "), strings.Join(fresh, ", "), strings.Join(state, ", "), strings.Join(shifted, ", "))
	g.loopEnd(n, d)
	g.File.Printf("}\n")
	for _, name := range slices.Concat(state, fresh) {
		delete(g.Taken, name)
	}
}
