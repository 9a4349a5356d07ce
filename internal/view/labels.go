package view

import (
	"fmt"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
)

// Labels names the operators of a session's e-graph, with leaf those of variables and literals. The session numbers variables, calls
// and unusual literals itself: their labels are read off the graph while every class has
// one node. All others have fixed numbers, which a graph of one term of each kind shows.
func Labels(s *canon.Session, roots []ir.Expr, leaf func(ir.Expr) string) func(egraph.Op) string {
	names := map[egraph.Op]string{}
	all := canon.NewSession()
	pool := ir.NewPool()
	all.Reset(pool, ir.AllAssumptions, false)
	collectLabels(names, all, specimens(pool), ir.Expr.String)
	collectLabels(names, s, roots, leaf)
	return func(op egraph.Op) string {
		if name, ok := names[op]; ok {
			return name
		}
		return fmt.Sprintf("#%d", op) // a literal that folding made
	}
}

func collectLabels(names map[egraph.Op]string, s *canon.Session, roots []ir.Expr, leaf func(ir.Expr) string) {
	ir.Walk(roots, func(e ir.Expr) {
		for n := range s.Graph().Nodes(s.Add(e)) {
			names[s.Graph().Op(n)] = label(e, leaf)
		}
	})
}

// label is the root of an expression: its operator, or all of a leaf.
func label(e ir.Expr, leaf func(ir.Expr) string) string {
	switch e.Op() {
	case ir.Const, ir.Var:
		return leaf(e)
	case ir.Call:
		return e.Name()
	case ir.Cast:
		return e.Type().String()
	}
	return e.Op().String()
}

// specimens are one application of every operator at every type that it takes, and the
// literals that rules mention.
func specimens(p *ir.Pool) (out []ir.Expr) {
	var leaves []ir.Expr
	for t := ir.Bool; t <= ir.F64; t++ {
		leaves = append(leaves, p.Y(int(t), t), p.Const(t, t.Min()), p.Const(t, t.Max()))
		for v := int64(-32); v < 32 && t != ir.Bool; v++ {
			out = append(out, p.Int(t, v))
		}
	}
	out = append(out, leaves...)
	for _, a := range leaves {
		if a.Op() != ir.Var {
			continue
		}
		for t := ir.Bool; t <= ir.F64; t++ {
			out = append(out, ir.CastTo(t, a))
		}
		for op := ir.Neg; op <= ir.Select; op++ {
			if args := []ir.Expr{a, a, a}[:op.Arity()]; op != ir.Cast && op != ir.Select {
				if _, err := ir.CheckTypes(op, a.Type(), a.Type()); op.Arity() == 2 && err == nil {
					out = append(out, ir.Make(op, args...))
				}
				if _, err := ir.CheckTypes(op, a.Type()); op.Arity() == 1 && err == nil {
					out = append(out, ir.Make(op, args...))
				}
			}
		}
		out = append(out, ir.SelectOf(p.Y(int(ir.Bool), ir.Bool), a, a))
	}
	return out
}
