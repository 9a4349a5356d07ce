package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/proof"
)

var explainVerb = verb{
	name:  "explain",
	about: "shows why an update is its operator applied to inject, or why it is refused",
	run:   runExplain,
	usage: `[flags] UPDATE | FILE.rf | -

Examples:
  rfactor explain 'f() = select(P(r), f() + 1, f())'
  rfactor explain -types x0:i32,y0:i32 'x0 - y0*x0'

It prints every rewrite step with its rule, or the proof by cases where no chain of steps
is found.
Exit code 0: every update matched; 1: some were refused; 2: bad usage or input.`,
}

func runExplain(c *command, args []string) int {
	fs := newFlags()
	typ := typeFlag(fs)
	types := typesFlag(fs)
	assume := assumeFlag(fs)
	effort := effortFlag(fs)
	rest, code, ok := c.parse(fs, args, 1)
	if !ok {
		return code
	}
	js, err := c.read(rest, *types, *typ)
	if err != nil {
		return c.errorf("%v", err)
	}
	for i, j := range js {
		a, err := rfactor.Match(c.ctx, j.update, rfactor.Options{Name: j.name, Allowed: assume.allowed, Uncompensated: assume.uncompensated, Effort: *effort, Describe: true})
		if errors.Is(err, context.Canceled) {
			return exitInterrupted
		}
		if err != nil {
			a = failure(j.name, err)
		}
		code = max(code, c.answerCode(a))
		c.printText(i, j, a)
		var b bytes.Buffer
		switch a.Status {
		case rfactor.Associative:
			c.explain(&b, a)
		case rfactor.Lifted:
			explainLemmas(&b, a, "the update", a.Lift.Lemmas)
			explainLaws(&b, a, "", a.Lift.Laws())
		}
		c.stdout.Write(b.Bytes())
	}
	return code
}

// explain prints, for every group, why each component is the operator applied to inject, and why
// the operator has its properties.
func (c *command) explain(b *bytes.Buffer, a *rfactor.Answer) {
	s := canon.NewSession()
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
		explainLemmas(b, a, fmt.Sprintf("part %d", n+1), g.Lemmas)
		update := g.Simplified()
		for j, i := range g.Components {
			fmt.Fprintf(b, "\n%scomponent %d:\n", part, i)
			c.explainEquation(b, s, a, g, update[j], right[j], g.Equal[j])
		}
		explainLaws(b, a, part, g.Operator.Laws())
	}
}

// explainLaws prints equations and why they hold.
func explainLaws(b *bytes.Buffer, a *rfactor.Answer, part string, laws []proof.Law) {
	for _, law := range laws {
		for i, p := range law.Problems {
			of := ""
			if len(law.Problems) > 1 {
				of = fmt.Sprintf(", component %d", i)
			}
			fmt.Fprintf(b, "\n%s%s%s:\n", part, law.Name, of)
			writeProof(b, spelledOperator(a, []ir.Expr{p.Left, p.Right}), (*law.Proofs)[i])
		}
	}
}

// explainLemmas prints the equations by which the update, or a part of it, was simplified.
func explainLemmas(b *bytes.Buffer, a *rfactor.Answer, of string, lemmas []rfactor.Lemma) {
	if len(lemmas) == 0 {
		return
	}
	fmt.Fprintf(b, "\nterms of %s that are simpler than they look:\n", of)
	for _, l := range lemmas {
		sides := spelled(a, []ir.Expr{l.From, l.To})
		fmt.Fprintf(b, "    %s\n  = %s\n", sides[0], sides[1])
	}
}

// explainEquation prints a chain of steps from the update to the operator applied to
// inject, or the proof by cases of the answer.
func (c *command) explainEquation(b *bytes.Buffer, s *canon.Session, a *rfactor.Answer, g rfactor.Group, from, to ir.Expr, proof rfactor.Equality) {
	if from == to {
		fmt.Fprintf(b, "  %s\n    is the operator applied to inject as it stands\n", spelled(a, []ir.Expr{from})[0])
		return
	}
	steps := proof.Steps
	if len(steps) == 0 {
		assume := g.Assumes &^ (ir.NSW | ir.NUW) // arithmetic in steps wraps
		s.Reset(a.Pool(), assume, true)
		s.AssumeNonNeg(g.NonNeg)
		steps, _ = s.Derive(c.ctx, from, to, assume)
	}
	if len(steps) > 0 {
		writeSteps(b, a, steps)
		return
	}
	writeProof(b, spelled(a, []ir.Expr{from, to}), proof.Cases)
}

// writeProof prints an equation and why it holds: behind it, or in the lines below.
func writeProof(b *bytes.Buffer, sides []string, t *proof.Tree) {
	fmt.Fprintf(b, "    %s\n", sides[0])
	lines := treeLines(nil, t, 2)
	switch {
	case sides[0] == sides[1]:
		writeReason(b, sides[1], "the same")
	case t.Kind == proof.Equal:
		writeReason(b, sides[1], "arithmetic")
	case len(lines) == 1:
		writeReason(b, sides[1], strings.TrimSpace(lines[0]))
	default:
		writeReason(b, sides[1], "by cases:")
		for _, line := range lines[:min(len(lines), maxLines)] {
			b.WriteString(line + "\n")
		}
		if more := len(lines) - maxLines; more > 0 {
			fmt.Fprintf(b, "    … and %s more, which match -json -proof writes too\n", count(more, "line"))
		}
	}
}

// maxLines is how much of one proof by cases a person may want to read.
const maxLines = 60

func writeReason(b *bytes.Buffer, side, reason string) {
	fmt.Fprintf(b, "%-44s  %s\n", "  = "+side, reason)
}

func writeSteps(b *bytes.Buffer, a *rfactor.Answer, steps []canon.Step) {
	fmt.Fprintf(b, "    %s\n", spelled(a, []ir.Expr{steps[0].Before})[0])
	for _, st := range steps {
		writeReason(b, spelled(a, []ir.Expr{st.After})[0], stepReason(st))
	}
}

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
		if k := treeLines(nil, t, 0); len(k) == 1 {
			lines = append(lines, indent+label+": "+k[0])
			return
		}
		lines = treeLines(append(lines, indent+label+":"), t, depth+1)
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
		return "below, " + count(int(-n), "time")
	}
	return "above, " + count(int(n), "time")
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
	case proof.Extrema:
		return "both sides are the same extremum of the same sums"
	case proof.Integers:
		return "over the integers, with what wraps, saturates or is cast spelled out:"
	case proof.Solver:
		return t.Solver + " says so"
	}
	return string(t.Kind)
}
