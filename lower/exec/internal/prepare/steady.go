package prepare

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// steady lists the components that are computed of one another alone, and combined so: no element changes them, and many steps are a power of one.
func (n *Stage) steady() (out []int) {
	for c := range n.Stage.Values {
		out = append(out, c)
	}
	for before := -1; before != len(out); {
		before = len(out)
		out = slices.DeleteFunc(slices.Clone(out), func(c int) bool { return !n.dependsOn(c, out) })
	}
	return out
}

// dependsOn reports whether both the next value of a component and its operator read no components but some.
func (n *Stage) dependsOn(c int, of []int) bool {
	ok := true
	ir.Walk([]ir.Expr{n.Stage.Values[c], n.Stage.Operator[c]}, func(e ir.Expr) {
		switch e.Op() {
		case ir.Var:
			ok = ok && slices.ContainsFunc(of, func(i int) bool { return e == n.X[i] || e == n.Y[i] })
		case ir.Call:
			ok = false
		}
	})
	return ok
}

// steadyStep is a step of steady components, among those of all.
func (n *Stage) steadyStep(steady []int) []uint64 {
	return n.evaluate(steady, n.Stage.Values, n.Identity, nil)
}

// Join composes parameters of steady components.
func (n *Stage) Join(steady []int, x, y []uint64) []uint64 {
	return n.evaluate(steady, n.Stage.Operator, x, y)
}

func (n *Stage) evaluate(components []int, es []ir.Expr, x, y []uint64) []uint64 {
	out := make([]uint64, len(es))
	for _, c := range components {
		out[c] = ir.Eval(es[c], &ir.Env{Var: func(e ir.Expr) uint64 {
			if i := slices.Index(n.X, e); i >= 0 {
				return x[i]
			}
			return y[slices.Index(n.Y, e)]
		}})
	}
	return out
}
