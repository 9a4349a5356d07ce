package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/internal/view"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

var factorVerb = verbs.Verb{
	Name:  "factor",
	About: "shows the factored program: its intermediate and merge stages, with their operators",
	Run:   with(runFactor),
	Usage: `[flags] FILE.rf | -

Examples:
  rfactor factor histogram.rf
  rfactor factor -json sum.rf
  rfactor factor -graph -types x0:i32,x1:i32,y0:i32 'x0 + y0; max(x1, x0)' | dot -Tpdf > parts.pdf
  rfactor factor -graph -svg argmin2d.rf > parts.svg

It applies the program's schedule, or chooses one where there is none, and prints the answer of every
update that is factored, the dimensions of every buffer, and the loops of every stage.
With -graph it prints, for Graphviz, which components of a tuple read which, and the parts that were
matched apart. With -svg it draws that. Then the argument may be one update as well, as match takes it.
Exit code 0: every update is factored, or needs no operator; 1: some update stays serial, or the schedule
was refused; 2: bad usage or input.`,
}

func runFactor(c *command, args []string) int {
	fs := cli.NewFlags()
	source, how := newSourceFlags(fs), verbs.MatchingFlags(fs)
	asJSON := fs.Bool("json", false, "print one JSON object; with -graph one for each update")
	graph := fs.Bool("graph", false, "print which components of tuples read which, and the parts that were matched")
	drawn := fs.Bool("svg", false, "with -graph: draw it, of one update")
	var o plan.Options
	verbs.ExtentFlag(fs, &o)
	rest, code, ok := c.ParseMatching(fs, how, args)
	switch {
	case !ok:
		return code
	case *drawn && (!*graph || *asJSON):
		return c.Errorf("-svg is for -graph, without -json")
	case *graph:
		return c.componentGraphs(rest, source, how, *asJSON, *drawn)
	case *source.types != "":
		return c.Errorf("-types is for -graph: an abstract update has no loops to factor")
	case len(rest) == 0:
		return c.Errorf("%v", c.Missing("a program"))
	}
	o.Match, o.Given, o.Auto = how.Options(""), *how.Given, true
	p, code := c.Plan(rest[0], o, plan.Factor)
	if p == nil {
		return code
	}
	if *asJSON {
		r, err := newPlanRecord(p)
		if err != nil {
			return c.Errorf("%v", err)
		}
		c.WriteRecord(r)
	} else {
		c.showPlan(p)
	}
	return c.ReportSerial(p, true)
}

// showPlan prints the answers of the factored updates, and the stages.
func (c *command) showPlan(p *plan.Plan) {
	var b bytes.Buffer
	for _, d := range p.Program.Definitions() {
		if a := p.Answers[d]; a != nil {
			describe(&b, d.Func.Name, strings.TrimSpace(d.Text()), a)
			b.WriteByte('\n')
		}
	}
	for _, d := range p.Schedule {
		fmt.Fprintf(&b, "%s\n", d)
	}
	if len(p.Schedule) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(p.String())
	c.Stdout.Write(b.Bytes())
}

// planRecord is what factor -json prints.
type planRecord struct {
	Schedule []string             `json:"schedule"`
	Answers  []updateRecord       `json:"answers"` // of the updates that are factored
	Buffers  []bufferRecord       `json:"buffers"`
	Stages   []loopNest           `json:"stages"`
	Serial   []verbs.SerialRecord `json:"serial"` // updates that stay serial
}

type updateRecord struct {
	Update string          `json:"update"`
	Answer json.RawMessage `json:"answer"` // as match -json prints it
}

type bufferRecord struct {
	Name   string       `json:"name"`
	Kind   string       `json:"kind"` // output or intermediate
	Types  []string     `json:"types"`
	Dims   []spanRecord `json:"dims"`
	Flag   bool         `json:"flag,omitempty"`  // the last component tells whether anything arrived
	Wide   bool         `json:"wide,omitempty"`  // wider types than the function's
	Steps  string       `json:"steps,omitempty"` // it holds parameters of steps
	Inside string       `json:"inside,omitempty"`
}

type spanRecord struct {
	Min    string `json:"min"`
	Extent string `json:"extent"`
}

type loopNest struct {
	verbs.StageRecord
	Loops    []loopRecord `json:"loops"`
	Where    []string     `json:"where"`
	Index    []string     `json:"index"`
	Values   []string     `json:"values"` // over x_i, the element's present components
	Operator []string     `json:"operator,omitempty"`
	Inject   []string     `json:"inject,omitempty"`
	Commutes bool         `json:"commutes"`
}

type loopRecord struct {
	Var string `json:"var"`
	spanRecord
	Pure bool   `json:"pure"` // its iterations touch different elements
	How  string `json:"how"`  // parallel, vectorize, unroll, or serial
}

func newSpanRecord(s plan.Span) spanRecord { return spanRecord{s.Min.String(), s.Extent.String()} }

func newPlanRecord(p *plan.Plan) (r planRecord, err error) {
	r = planRecord{Schedule: []string{}, Answers: []updateRecord{}, Serial: verbs.SerialRecords(p, nil)}
	for _, d := range p.Schedule {
		r.Schedule = append(r.Schedule, d.String())
	}
	for _, d := range p.Program.Definitions() {
		if a := p.Answers[d]; a != nil {
			line, err := a.JSON(false)
			if err != nil {
				return r, err
			}
			r.Answers = append(r.Answers, updateRecord{d.String(), line})
		}
	}
	for _, b := range p.Buffers {
		k := bufferRecord{Name: b.Name, Kind: "intermediate", Types: cli.NamesOf(b.Types), Dims: []spanRecord{}, Flag: b.Seen, Wide: b.Wide, Steps: b.Steps}
		if b.Output {
			k.Kind = "output"
		}
		for _, d := range b.Dims {
			k.Dims = append(k.Dims, newSpanRecord(d))
		}
		if b.At != nil {
			k.Inside = fmt.Sprintf("loop %s of %s", b.At.Var, b.At.Buffer.Name)
		}
		r.Buffers = append(r.Buffers, k)
	}
	for _, s := range p.Stages {
		n := loopNest{StageRecord: verbs.NewStageRecord(s), Loops: []loopRecord{}, Where: texts(s.Where), Index: texts(s.Index), Values: texts(s.Values), Commutes: s.Commutes}
		if s.Operator != nil {
			n.Operator, n.Inject = texts(s.Operator), texts(s.Inject)
		}
		for _, l := range s.Loops {
			how := string(l.How)
			if l.How == plan.InOrder {
				how = "serial"
			}
			n.Loops = append(n.Loops, loopRecord{l.Var.String(), newSpanRecord(l.Span), l.Pure, how})
		}
		r.Stages = append(r.Stages, n)
	}
	return r, nil
}

// graphRecord is one line of factor -graph -json: which components read which.
type graphRecord struct {
	Name       string            `json:"name"`
	Status     string            `json:"status"`
	Components []componentRecord `json:"components"`
	Parts      []partRecord      `json:"parts"` // that were matched apart; none of a refusal or a lift
}

type componentRecord struct {
	Component int    `json:"component"`
	Type      string `json:"type"`
	Update    string `json:"update"`
	Reads     []int  `json:"reads"` // components, itself included
}

type partRecord struct {
	Components []int    `json:"components"`
	Via        string   `json:"via"`
	Operator   []string `json:"operator"` // over the part's own x_i and y_i
}

// componentGraphs matches updates and prints the dependences of their components.
func (c *command) componentGraphs(rest []string, source *sourceFlags, how *verbs.Matching, asJSON, drawn bool) int {
	js, err := c.updates(rest, source, *how.Given)
	if err != nil {
		return c.Errorf("%v", err)
	}
	if drawn && len(js) != 1 {
		return c.Errorf("there are %d updates in the input, and a drawing is of one", len(js))
	}
	code := verbs.Matched
	for i, j := range js {
		a, err := rfactor.Match(c.Ctx, j.update, how.Options(j.name))
		switch {
		case c.Ctx.Err() != nil:
			return verbs.Interrupted
		case err != nil:
			code = max(code, c.Errorf("%v", err))
			continue
		}
		code = max(code, c.answerCode(a))
		r := newGraphRecord(a)
		switch {
		case asJSON:
			c.WriteRecord(r)
		case drawn:
			c.Stdout.Write(r.drawing().SVG())
		default:
			c.Stdout.Printf("%s", r.dot(i))
		}
	}
	return code
}

func newGraphRecord(a *rfactor.Answer) graphRecord {
	r := graphRecord{Name: a.Name, Status: string(a.Status), Parts: []partRecord{}}
	for i, t := range a.Types {
		k := componentRecord{Component: i, Type: t.String(), Update: a.Update[i].String(), Reads: []int{}}
		for j := range a.Types {
			if a.Update[i].States()>>j&1 != 0 {
				k.Reads = append(k.Reads, j)
			}
		}
		r.Components = append(r.Components, k)
	}
	for _, g := range a.Groups {
		r.Parts = append(r.Parts, partRecord{g.Components, g.Via, spelledOperator(a, g.Operator.Exprs)})
	}
	return r
}

// drawing has a box for each component, and below them one for each part.
func (r *graphRecord) drawing() *view.Drawing {
	d := &view.Drawing{}
	for _, k := range r.Components {
		d.Boxes = append(d.Boxes, view.Box{Cells: [][]string{{fmt.Sprintf("x%d: %s", k.Component, k.Type), k.Update}}, Look: view.Root})
		for _, j := range k.Reads {
			d.Arrows = append(d.Arrows, view.Arrow{From: j, To: k.Component})
		}
	}
	for _, p := range r.Parts {
		for _, k := range p.Components {
			d.Arrows = append(d.Arrows, view.Arrow{From: k, To: len(d.Boxes), Dashed: true})
		}
		d.Boxes = append(d.Boxes, view.Box{Cells: [][]string{append(slices.Clone(p.Operator), p.Via)}, Look: view.Part})
	}
	return d
}

// dot writes the graph for Graphviz: an arrow leads from a component to one that reads it. Parts may share
// components, so that they are nodes of their own beside what they consist of.
func (r *graphRecord) dot(number int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph update%d {\n  label=%q;\n  node [shape=box];\n", number, r.Name+" "+r.Status)
	for _, k := range r.Components {
		fmt.Fprintf(&b, "  x%d [label=%q];\n", k.Component, fmt.Sprintf("x%d: %s\n%s", k.Component, k.Type, k.Update))
		for _, j := range k.Reads {
			fmt.Fprintf(&b, "  x%d -> x%d;\n", j, k.Component)
		}
	}
	for i, p := range r.Parts {
		fmt.Fprintf(&b, "  part%d [shape=ellipse, label=%q];\n", i, strings.Join(p.Operator, "; ")+"\n"+p.Via)
		for _, k := range p.Components {
			fmt.Fprintf(&b, "  x%d -> part%d [style=dashed, arrowhead=none];\n", k, i)
		}
	}
	b.WriteString("}\n")
	return b.String()
}
