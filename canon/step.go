package canon

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// SimplifyStep simplifies the values that a step gives to the components of a state, by the
// greedy simplifier and without assumptions. Calls stay as they are.
func SimplifyStep(values []ir.Expr) []ir.Expr {
	p := values[0].Pool()
	var reads, leaves []ir.Expr
	values = p.Map(values, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Call {
			return ir.Expr{}
		}
		i := slices.Index(reads, e)
		if i < 0 {
			i = len(reads)
			reads = append(reads, e)
			leaves = append(leaves, p.Var(ir.Leaf, fmt.Sprintf("read%d", i), 1<<20+i, e.Type()))
		}
		return leaves[i]
	})
	out := make([]ir.Expr, len(values))
	for i, e := range values {
		out[i] = stateLast(Greedy(e, 0), i)
	}
	return p.Map(out, func(e ir.Expr) ir.Expr {
		if i := slices.Index(leaves, e); i >= 0 {
			return reads[i]
		}
		return ir.Expr{}
	})
}

// stateLast returns max(max(x, a), b) as max(x, max(a, b)), where x is component i and a number:
// steps wait for one another in x alone, and other components may have max(a, b), too.
func stateLast(e ir.Expr, i int) ir.Expr {
	op := e.Op()
	if op != ir.Min && op != ir.Max || !e.Type().IsInt() {
		return e
	}
	var terms []ir.Expr
	var flatten func(ir.Expr)
	flatten = func(t ir.Expr) {
		if t.Op() == op {
			flatten(t.Arg(0))
			flatten(t.Arg(1))
			return
		}
		terms = append(terms, t)
	}
	flatten(e)
	x := e.Pool().X(i, e.Type())
	at := slices.Index(terms, x)
	if at < 0 || len(terms) < 3 {
		return e
	}
	terms = slices.Delete(terms, at, at+1)
	rest := terms[0]
	for _, t := range terms[1:] {
		rest = ir.Make(op, rest, t)
	}
	return ir.Make(op, x, Greedy(rest, 0))
}
