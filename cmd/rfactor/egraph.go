package main

import (
	"bytes"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/internal/view"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

var egraphVerb = verbs.Verb{
	Name:  "egraph",
	About: "prints the saturated e-graph of an update",
	Run:   with(runEGraph),
	Usage: `[flags] UPDATE | FILE.rf | -

Examples:
  rfactor egraph -format svg 'f() = select(P(r), f() + 1, f())' > egraph.svg
  rfactor egraph 'f() = f() - in(r)' | dot -Tpdf > egraph.pdf
  rfactor egraph -format json 'f() = f() - in(r)'

A box of the drawing is a class, its cells are nodes, and that of the update is blue.
The JSON is that of egraph-serialize 0.3; its root_eclasses are the components of the
tuple. The input must hold one update. A saturation ends after -effort with what it has; drawing that
takes time in proportion to it.`,
}

func runEGraph(c *command, args []string) int {
	fs := cli.NewFlags()
	source, assume, given, units := newSourceFlags(fs), verbs.AssumeFlag(fs), verbs.GivenFlag(fs), verbs.EffortFlag(fs, "the saturation", rfactor.DefaultEffort)
	asJSON := fs.Bool("json", false, "the same as -format json")
	format := cli.ChoiceFlag(fs, "format", "dot", "`F` to print: dot is for Graphviz (default), svg a drawing;", []string{"dot", "json", "svg"})
	page := htmlFlag(fs)
	rest, code, ok := c.Parse(fs, args, 1)
	if !ok {
		return code
	}
	if *asJSON {
		*format = "json"
	}
	js, err := c.updates(rest, source, *given)
	if err != nil {
		return c.Errorf("%v", err)
	}
	if len(js) != 1 {
		return c.Errorf("there are %d updates in the input, and an e-graph is of one", len(js))
	}
	if *page != "" {
		return c.writePage(*page, js, func(name string) rfactor.Options {
			return rfactor.Options{Name: name, Allowed: assume.Allowed, Named: assume.Named, Effort: *units}
		})
	}
	u := js[0].update
	s := canon.NewSession()
	s.Meter = new(effort.Meter)
	s.Meter.Start(int64(*units) * effort.Unit)
	s.Reset(u.Pool, assume.Allowed, false)
	s.AssumeNonNeg(u.NonNeg)
	x := egraph.Export{Type: func(k egraph.Class) string { return s.Facts(k).Type().String() }}
	for _, v := range u.Values {
		x.Roots = append(x.Roots, s.Add(v))
	}
	x.Label = func(op egraph.Op) string { return s.Label(op, ir.Expr.String) }
	for _, g := range u.Given {
		s.Graph().Union(s.Add(g), s.Add(u.Pool.Bool(true)), 0)
	}
	s.Saturate(c.Ctx, func() bool { return false })
	if c.Ctx.Err() != nil {
		return verbs.Interrupted
	}
	var b bytes.Buffer
	switch *format {
	case "json":
		err = s.Graph().WriteJSON(&b, x)
	case "svg":
		graph := view.TakeSnapshot(s, 0, x.Roots, x.Label)
		b.Write(graph.Drawing().SVG())
	default:
		err = s.Graph().WriteDOT(&b, x)
	}
	if err != nil {
		return c.Errorf("%v", err)
	}
	c.Stdout.Write(b.Bytes())
	return verbs.Matched
}
