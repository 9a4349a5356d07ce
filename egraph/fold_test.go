package egraph_test

import (
	"math"
	"strconv"

	. "github.com/rfactor-go/rfactor/egraph"
	. "github.com/rfactor-go/rfactor/internal/sexpr"
)

// options makes the options for a graph of a workload. Folding keeps in the
// datum of a class the operator of its constant + 1, 0 if it has none.
func (w *workload) options(proofs, fold bool) Options {
	o := Options{Proofs: proofs}
	if fold {
		f := &folder{syms: &w.syms}
		o.Analysis = &Analysis{Make: f.make, Join: func(a, b uint64) uint64 { return max(a, b) }, Modify: f.modify}
	}
	return o
}

type folder struct{ syms *Symbols }

const foldReason = 7

func (f *folder) make(g *Graph, op Op, kids []Class) uint64 {
	v, ok := f.eval(g, op, kids)
	if !ok {
		return 0
	}
	return uint64(f.syms.Op(strconv.FormatInt(v, 10))) + 1
}

func (f *folder) eval(g *Graph, op Op, kids []Class) (int64, bool) {
	name := f.syms.Name(op)
	if len(kids) == 0 {
		v, err := strconv.ParseInt(name, 10, 64)
		return v, err == nil
	}
	if len(kids) != 2 {
		return 0, false
	}
	a, okA := f.constant(g, kids[0])
	b, okB := f.constant(g, kids[1])
	return apply(name, a, b, okA && okB)
}

func apply(name string, a, b int64, ok bool) (int64, bool) {
	truth := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	switch name {
	case "+":
		return a + b, ok
	case "-":
		return a - b, ok
	case "*":
		return a * b, ok
	case "min":
		return min(a, b), ok
	case "max":
		return max(a, b), ok
	case "<":
		return truth(a < b), ok
	case "==":
		return truth(a == b), ok
	}
	return math.MinInt64, false
}

func (f *folder) constant(g *Graph, c Class) (int64, bool) {
	d := g.Data(c)
	if d == 0 {
		return 0, false
	}
	v, err := strconv.ParseInt(f.syms.Name(Op(d-1)), 10, 64)
	return v, err == nil
}

func (f *folder) modify(g *Graph, c Class) {
	if d := g.Data(c); d != 0 {
		g.Union(c, g.Add(Op(d-1)), foldReason)
	}
}
