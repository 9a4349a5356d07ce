package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/internal/guard"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/proof"
)

var explainVerb = verbs.Verb{
	Name:  "explain",
	About: "shows why an update is its operator applied to inject, or why it is refused",
	Run:   with(runExplain),
	Usage: `[flags] UPDATE | FILE.rf | -

Examples:
  rfactor explain 'f() = select(P(r), f() + 1, f())'
  rfactor explain -types x0:i32,y0:i32 'x0 - y0*x0'
  rfactor explain -json 'f() = max(f(), in(r))'

It prints every rewrite step with its rule, or the proof by cases where no chain of steps
is found. Looking for steps that the match did not find may take -effort once more.
Exit code 0: every update matched; 1: some were refused; 2: bad usage or input.`,
}

func runExplain(c *command, args []string) int {
	fs := cli.NewFlags()
	source, how := newSourceFlags(fs), verbs.MatchingFlags(fs)
	asJSON := fs.Bool("json", false, "print one JSON object a line: the answer, and the sections of its explanation")
	page := htmlFlag(fs)
	rest, code, ok := c.ParseMatching(fs, how, args)
	if !ok {
		return code
	}
	js, err := c.updates(rest, source, *how.Given)
	if err != nil {
		return c.Errorf("%v", err)
	}
	switch {
	case *page != "" && *asJSON:
		return c.Errorf("-html and -json exclude each other")
	case *page != "":
		return c.writePage(*page, js, how.Options)
	}
	for i, j := range js {
		opts := how.Options(j.name)
		opts.Describe = true
		a, err := rfactor.Match(c.Ctx, j.update, opts)
		if errors.Is(err, context.Canceled) {
			return verbs.Interrupted
		}
		if err != nil {
			a = failure(j.name, err)
		}
		code = max(code, c.answerCode(a))
		sections := []section{}
		err = guard.Call(func() error {
			sections = c.explanation(a, opts.Effort)
			return nil
		})
		if err != nil {
			code, a, sections = max(code, c.Errorf("%v", err)), failure(j.name, err), []section{}
		}
		if *asJSON {
			code = max(code, c.writeExplained(a, sections))
			continue
		}
		code = max(code, c.Guarded(func() int { return c.printText(i, j, a) }))
		var b bytes.Buffer
		for _, s := range sections {
			s.write(&b)
		}
		c.Stdout.Write(b.Bytes())
	}
	return code
}

// writeExplained writes a line of explain -json.
func (c *command) writeExplained(a *rfactor.Answer, sections []section) int {
	line, err := a.JSON(false)
	if err != nil {
		return c.Errorf("%v", err)
	}
	c.WriteRecord(explainRecord{line, sections})
	return verbs.Matched
}

// explainRecord is one line of explain -json.
type explainRecord struct {
	Answer      json.RawMessage `json:"answer"`
	Explanation []section       `json:"explanation"`
}

// section says of some equations why they hold.
type section struct {
	Title     string     `json:"title"`
	Equations []equation `json:"equations"`
	lemmas    bool       // nothing is said of why they hold
}

// equation is a chain of equal terms.
type equation []link

// link is a term of an equation, and why it equals the one before.
type link struct {
	Term  string   `json:"term"`
	By    string   `json:"by,omitempty"`
	Cases []string `json:"cases,omitempty"` // of a proof by cases, a line each, indented by decisions
}

// asItStands is the reason of an equation whose sides are the same.
const asItStands = "is the operator applied to inject as it stands"

func (s *section) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n%s:\n", s.Title)
	for _, e := range s.Equations {
		if len(e) == 1 {
			fmt.Fprintf(b, "  %s\n    %s\n", e[0].Term, e[0].By)
			continue
		}
		fmt.Fprintf(b, "    %s\n", e[0].Term)
		for _, l := range e[1:] {
			line := "  = " + l.Term
			if !s.lemmas {
				line = fmt.Sprintf("%-44s  %s", line, l.By)
			}
			b.WriteString(line + "\n")
			for _, k := range l.Cases[:min(len(l.Cases), maxLines)] {
				b.WriteString(k + "\n")
			}
			if more := len(l.Cases) - maxLines; more > 0 {
				fmt.Fprintf(b, "    … and %s more, which -json writes too\n", cli.Count(more, "line"))
			}
		}
	}
}

// explanation says why an answer holds; it is empty for a refusal. Steps that the answer has not are looked
// for with as much effort as an answer is.
func (c *command) explanation(a *rfactor.Answer, units int) []section {
	x := &explainer{ctx: c.Ctx, session: canon.NewSession()}
	x.meter.Start(int64(units) * effort.Unit)
	x.session.Meter = &x.meter
	return x.explanation(a)
}

// explainer looks for steps that explain an answer.
type explainer struct {
	ctx     context.Context
	session *canon.Session
	meter   effort.Meter
}

func (x *explainer) explanation(a *rfactor.Answer) []section {
	switch a.Status {
	case rfactor.Associative:
		return x.explain(a)
	case rfactor.Lifted:
		return append(explainLemmas(a, "the update", a.Lift.Lemmas), explainLaws(a, "", a.Lift.Laws())...)
	case rfactor.Staged:
		var all []section
		for n, stage := range a.Stages {
			for _, s := range x.explanation(stage.Answer) {
				s.Title = fmt.Sprintf("stage %d, %s", n+1, s.Title)
				all = append(all, s)
			}
		}
		return all
	}
	return []section{}
}

// explain says, for every group, why each component is the operator applied to inject, and why
// the operator has its properties.
func (x *explainer) explain(a *rfactor.Answer) (sections []section) {
	for n, g := range a.Groups {
		part := ""
		if len(a.Groups) > 1 {
			part = fmt.Sprintf("part %d, ", n+1)
		}
		states := make([]ir.Expr, len(g.Components))
		for j, i := range g.Components {
			states[j] = a.Pool().X(j, a.Types[i])
		}
		right := g.Operator.Apply(states, g.Inject)
		sections = append(sections, explainLemmas(a, fmt.Sprintf("part %d", n+1), g.Lemmas)...)
		update := g.Simplified()
		for j, i := range g.Components {
			sections = append(sections, section{
				Title:     fmt.Sprintf("%scomponent %d", part, i),
				Equations: []equation{x.explainEquation(a, g, update[j], right[j], g.Equal[j])},
			})
		}
		sections = append(sections, explainLaws(a, part, g.Operator.Laws())...)
	}
	return sections
}

// explainLaws gives equations and why they hold.
func explainLaws(a *rfactor.Answer, part string, laws []proof.Law) (sections []section) {
	for _, law := range laws {
		for i, p := range law.Problems {
			of := ""
			if len(law.Problems) > 1 {
				of = fmt.Sprintf(", component %d", i)
			}
			sections = append(sections, section{
				Title:     part + law.Name + of,
				Equations: []equation{byCases(spelledOperator(a, []ir.Expr{p.Left, p.Right}), (*law.Proofs)[i])},
			})
		}
	}
	return sections
}

// explainLemmas gives the equations by which the update, or a part of it, was simplified.
func explainLemmas(a *rfactor.Answer, of string, lemmas []rfactor.Lemma) []section {
	if len(lemmas) == 0 {
		return nil
	}
	s := section{Title: fmt.Sprintf("terms of %s that are simpler than they look", of), lemmas: true}
	for _, l := range lemmas {
		if len(l.Steps) > 0 {
			s.Equations = append(s.Equations, bySteps(a, l.Steps))
			continue
		}
		e := byCases(spelled(a, []ir.Expr{l.From, l.To}), l.Cases)
		e[1].Cases = nil
		s.Equations = append(s.Equations, e)
	}
	return []section{s}
}

// explainEquation gives a chain of steps from the update to the operator applied to
// inject, or the proof by cases of the answer.
func (x *explainer) explainEquation(a *rfactor.Answer, g rfactor.Group, from, to ir.Expr, proof rfactor.Equality) equation {
	if from == to {
		return equation{{Term: spelled(a, []ir.Expr{from})[0], By: asItStands}}
	}
	steps := proof.Steps
	if len(steps) == 0 && !x.meter.Done() {
		assume := g.Assumes &^ (ir.NSW | ir.NUW) // arithmetic in steps wraps
		x.session.Reset(a.Pool(), assume, true)
		x.session.AssumeNonNeg(g.NonNeg)
		steps, _ = x.session.Derive(x.ctx, from, to, assume)
	}
	if len(steps) == 0 {
		return byCases(spelled(a, []ir.Expr{from, to}), proof.Cases)
	}
	return bySteps(a, steps)
}

// bySteps gives a chain of steps.
func bySteps(a *rfactor.Answer, steps []canon.Step) equation {
	e := equation{{Term: spelled(a, []ir.Expr{steps[0].Before})[0]}}
	for _, st := range steps {
		e = append(e, link{Term: spelled(a, []ir.Expr{st.After})[0], By: stepReason(st)})
	}
	return e
}

// byCases gives an equation and why it holds, in the lines below where that takes several.
func byCases(sides []string, t *proof.Tree) equation {
	last := link{Term: sides[1]}
	lines := treeLines(nil, t, 2)
	switch {
	case sides[0] == sides[1]:
		last.By = "the same"
	case t.Kind == proof.Equal:
		last.By = "arithmetic"
	case len(lines) == 1:
		last.By = strings.TrimSpace(lines[0])
	default:
		last.By, last.Cases = "by cases:", lines
	}
	return equation{{Term: sides[0]}, last}
}

// maxLines is how much of one proof by cases a person may want to read.
const maxLines = 60

// stepReason names the rule of a step and the way round it was used.
func stepReason(st canon.Step) string {
	switch st.Rule {
	case canon.ReasonRing:
		return "arithmetic"
	case canon.ReasonFold:
		return "arithmetic on literals"
	}
	text := st.Rule
	if r, ok := rules.ByName(st.Rule); ok {
		equation, _, _ := strings.Cut(ruleText(r.Text), " if ") // guards say where a rule is tried, not what is true
		text += ": " + strings.TrimSpace(equation)
	}
	if st.Backward {
		text += ", right to left"
	}
	return text
}

// treeLines appends a proof by cases as text, indented by its decisions.
func treeLines(lines []string, t *proof.Tree, depth int) []string {
	indent := strings.Repeat("  ", depth)
	branch := func(label string, t *proof.Tree) {
		below := treeLines(nil, t, depth+1)
		if len(below) == 1 {
			lines = append(lines, indent+label+": "+strings.TrimSpace(below[0]))
			return
		}
		lines = append(append(lines, indent+label+":"), below...)
	}
	switch {
	case t == nil:
	case t.Kind == proof.Split:
		branch("where "+t.Cond, t.Then)
		branch("otherwise", t.Else)
	case t.Kind == proof.Carry:
		for i, k := range t.Cases {
			branch("where the sum wraps "+wraps(t.Low+int64(i)), k)
		}
	case t.Kind == proof.Signs:
		for i, k := range t.Cases {
			branch("where "+t.Term+[3]string{" < 0", " == 0", " > 0"}[i], k)
		}
	default:
		lines = treeLines(append(lines, indent+treeReason(t)), t.Then, depth)
	}
	return lines
}

// wraps says how often a sum left its type, and on which side.
func wraps(n int64) string {
	switch {
	case n == 0:
		return "nowhere"
	case n < 0:
		return "below, " + cli.Count(int(-n), "time")
	}
	return "above, " + cli.Count(int(n), "time")
}

// treeReason says how a case is settled.
func treeReason(t *proof.Tree) string {
	switch t.Kind {
	case proof.Equal:
		return "both sides are the same"
	case proof.Absurd:
		return "cannot be, by what was said above"
	case proof.Vacuous:
		return "a given condition does not hold here"
	case proof.Squeeze:
		return "neither side can be below the other"
	case proof.Rewrite, proof.Substitute:
		return "the conditions imply an equation for " + t.Term + ", which makes both sides the same"
	case proof.Bits:
		return "both sides have the same bits"
	case proof.Exhaustive:
		return "both sides are the same for all values, each of which was tried"
	case proof.Threshold:
		return "both sides reach the same thresholds, whichever their operands reach"
	case proof.Scaled:
		return "both sides are the same extremum of products, whichever signs their factors have"
	case proof.GF2:
		return "the bits of both sides are the same polynomials over GF(2)"
	case proof.Extrema:
		return "both sides are the same extremum of the same sums"
	case proof.Integers:
		return "over the integers, with what wraps, saturates, is cast or is divided by a literal spelled out:"
	case proof.Solver:
		return t.Solver + " says so"
	}
	return string(t.Kind)
}
