package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// steady lists the components that are computed of one another alone, and combined so: no element changes them, and many steps are a power of one.
func (n *prepared) steady() (out []int) {
	for c := range n.stage.Values {
		out = append(out, c)
	}
	for before := -1; before != len(out); {
		before = len(out)
		out = slices.DeleteFunc(slices.Clone(out), func(c int) bool { return !n.dependsOn(c, out) })
	}
	return out
}

// dependsOn reports whether a component is computed of some components alone, and combined so.
func (n *prepared) dependsOn(c int, of []int) bool {
	ok := true
	ir.Walk([]ir.Expr{n.stage.Values[c], n.stage.Operator[c]}, func(e ir.Expr) {
		switch e.Op() {
		case ir.Var:
			ok = ok && slices.ContainsFunc(of, func(i int) bool { return e == n.x[i] || e == n.y[i] })
		case ir.Call:
			ok = false
		}
	})
	return ok
}

// steadyStep is a step of steady components, among those of all.
func (n *prepared) steadyStep(steady []int) []uint64 {
	return n.evaluate(steady, n.stage.Values, n.identity, nil)
}

// join composes parameters of steady components.
func (n *prepared) join(steady []int, x, y []uint64) []uint64 {
	return n.evaluate(steady, n.stage.Operator, x, y)
}

func (n *prepared) evaluate(components []int, es []ir.Expr, x, y []uint64) []uint64 {
	out := make([]uint64, len(es))
	for _, c := range components {
		out[c] = ir.Eval(es[c], &ir.Env{Var: func(e ir.Expr) uint64 {
			if i := slices.Index(n.x, e); i >= 0 {
				return x[i]
			}
			return y[slices.Index(n.y, e)]
		}})
	}
	return out
}
