package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
)

var egraphVerb = verb{
	name:  "egraph",
	about: "prints the saturated e-graph of an update",
	run:   runEGraph,
	usage: `[flags] UPDATE | FILE.rf | -

Examples:
  rfactor egraph 'f() = select(P(r), f() + 1, f())' | dot -Tsvg > egraph.svg
  rfactor egraph -format json 'f() = f() - in(r)'

The JSON is that of egraph-serialize 0.3; its root_eclasses are the components of the
tuple. The input must hold one update.`,
}

func runEGraph(c *command, args []string) int {
	fs := newFlags()
	source, assume, given := newSourceFlags(fs), assumeFlag(fs), givenFlag(fs)
	format := "dot"
	asJSON := fs.Bool("json", false, "the same as -format json")
	fs.Func("format", "`F` to print: dot or json (default dot)", func(s string) error {
		if s != "dot" && s != "json" {
			return fmt.Errorf("unknown format %s%s; they are dot and json", quoteShort(s), didYouMean(s, []string{"dot", "json"}))
		}
		format = s
		return nil
	})
	rest, code, ok := c.parse(fs, args, 1)
	if !ok {
		return code
	}
	if *asJSON {
		format = "json"
	}
	js, err := c.updates(rest, source, *given)
	if err != nil {
		return c.errorf("%v", err)
	}
	if len(js) != 1 {
		return c.errorf("there are %d updates in the input, and an e-graph is of one", len(js))
	}
	u := js[0].update
	s := canon.NewSession()
	s.Reset(u.Pool, assume.allowed, false)
	s.AssumeNonNeg(u.NonNeg)
	x := egraph.Export{Type: func(k egraph.Class) string { return s.Facts(k).Type().String() }}
	for _, v := range u.Values {
		x.Roots = append(x.Roots, s.Add(v))
	}
	x.Label = labels(s, slices.Concat(u.Values, u.Given))
	for _, g := range u.Given {
		s.Graph().Union(s.Add(g), s.Add(u.Pool.Bool(true)), 0)
	}
	s.Saturate(c.ctx, func() bool { return false })
	if c.ctx.Err() != nil {
		return exitInterrupted
	}
	var b bytes.Buffer
	write := s.Graph().WriteDOT
	if format == "json" {
		write = s.Graph().WriteJSON
	}
	if err := write(&b, x); err != nil {
		return c.errorf("%v", err)
	}
	c.stdout.Write(b.Bytes())
	return exitMatched
}

// labels names the operators of a session's e-graph. The session numbers variables, calls
// and unusual literals itself: their labels are read off the graph while every class has
// one node. All others have fixed numbers, which a graph of one term of each kind shows.
func labels(s *canon.Session, roots []ir.Expr) func(egraph.Op) string {
	names := map[egraph.Op]string{}
	all := canon.NewSession()
	pool := ir.NewPool()
	all.Reset(pool, ir.AllAssumptions, false)
	collectLabels(names, all, specimens(pool))
	collectLabels(names, s, roots)
	return func(op egraph.Op) string {
		if name, ok := names[op]; ok {
			return name
		}
		return fmt.Sprintf("#%d", op) // a literal that folding made
	}
}

func collectLabels(names map[egraph.Op]string, s *canon.Session, roots []ir.Expr) {
	ir.Walk(roots, func(e ir.Expr) {
		for n := range s.Graph().Nodes(s.Add(e)) {
			names[s.Graph().Op(n)] = label(e)
		}
	})
}

// label is the root of an expression: its operator, or all of a leaf.
func label(e ir.Expr) string {
	switch e.Op() {
	case ir.Const, ir.Var:
		return e.String()
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
