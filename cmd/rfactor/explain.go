package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rules"
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
	allowed := assumeFlag(fs)
	rest, code, ok := c.parse(fs, args, 1)
	if !ok {
		return code
	}
	js, err := c.read(rest, *types, *typ)
	if err != nil {
		return c.errorf("%v", err)
	}
	for i, j := range js {
		a, err := rfactor.Match(c.ctx, j.update, rfactor.Options{Name: j.name, Allowed: *allowed})
		if errors.Is(err, context.Canceled) {
			return exitInterrupted
		}
		if err != nil {
			a = failure(j.name, err)
		}
		code = max(code, c.answerCode(a))
		c.printText(i, j, a)
		if a.Status == rfactor.Associative {
			c.explain(a)
		}
	}
	return code
}

// explain prints a proof for every component of every group.
func (c *command) explain(a *rfactor.Answer) {
	s := canon.NewSession()
	for n, g := range a.Groups {
		states := make([]ir.Expr, len(g.Components))
		for j, i := range g.Components {
			states[j] = a.Pool().X(j, a.Types[i])
		}
		right := g.Operator.Apply(states, g.Inject)
		update := c.explainLemmas(a, g, n)
		for j, i := range g.Components {
			var b bytes.Buffer
			b.WriteByte('\n')
			if len(a.Groups) > 1 {
				fmt.Fprintf(&b, "part %d, ", n+1)
			}
			fmt.Fprintf(&b, "component %d:\n", i)
			c.explainEquation(&b, s, a, g, update[j], right[j], g.Equal[j])
			c.stdout.Write(b.Bytes())
		}
	}
}

// explainLemmas prints the equations by which the update of part n was simplified, and answers
// what they leave of it.
func (c *command) explainLemmas(a *rfactor.Answer, g rfactor.Group, n int) []ir.Expr {
	if len(g.Lemmas) == 0 {
		return g.Update
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "\nterms of part %d that are simpler than they look:\n", n+1)
	for _, l := range g.Lemmas {
		fmt.Fprintf(&b, "    %s\n  = %s\n", spelled(a, []ir.Expr{l.From})[0], spelled(a, []ir.Expr{l.To})[0])
	}
	c.stdout.Write(b.Bytes())
	return g.Simplified()
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
		steps, _ = s.Derive(c.ctx, canon.DefaultBudget, from, to, assume)
	}
	if len(steps) > 0 {
		writeSteps(b, a, steps)
		return
	}
	how := "by cases"
	if proof.Cases.Method() == prove.Bits {
		how = "bit by bit"
	}
	fmt.Fprintf(b, "  %s\n  = %s\n  %s:\n", spelled(a, []ir.Expr{from})[0], spelled(a, []ir.Expr{to})[0], how)
	writeTree(b, proof.Cases, 2)
}

func writeSteps(b *bytes.Buffer, a *rfactor.Answer, steps []canon.Step) {
	fmt.Fprintf(b, "    %s\n", spelled(a, []ir.Expr{steps[0].Before})[0])
	for _, st := range steps {
		line := "  = " + spelled(a, []ir.Expr{st.After})[0]
		fmt.Fprintf(b, "%-44s  %s\n", line, stepReason(st))
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

// writeTree prints a proof by cases, indented by its decisions.
func writeTree(b *bytes.Buffer, t *prove.Tree, depth int) {
	indent := strings.Repeat("  ", depth)
	if t == nil {
		return
	}
	switch t.Kind {
	case prove.Split:
		fmt.Fprintf(b, "%swhere %s:\n", indent, t.Cond)
		writeTree(b, t.Then, depth+1)
		fmt.Fprintf(b, "%sotherwise:\n", indent)
		writeTree(b, t.Else, depth+1)
		return
	case prove.Carry:
		for i, k := range t.Cases {
			fmt.Fprintf(b, "%swhere the sum wraps %s:\n", indent, wraps(t.Low+int64(i)))
			writeTree(b, k, depth+1)
		}
		return
	case prove.Signs:
		for i, k := range t.Cases {
			fmt.Fprintf(b, "%swhere %s %s 0:\n", indent, t.Term, [3]string{"<", "==", ">"}[i])
			writeTree(b, k, depth+1)
		}
		return
	}
	fmt.Fprintf(b, "%s%s\n", indent, treeReason(t))
	writeTree(b, t.Then, depth)
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
func treeReason(t *prove.Tree) string {
	switch t.Kind {
	case prove.Equal:
		return "both sides are the same sum of products"
	case prove.Absurd:
		return "this cannot be: the conditions contradict one another"
	case prove.Vacuous:
		return "a given condition does not hold here"
	case prove.Squeeze:
		return "neither side can be below the other"
	case prove.Rewrite, prove.Substitute:
		return "the conditions imply an equation for " + t.Term + ", which makes both sides the same"
	case prove.Circuit:
		return circuitReason(t.NumLemmas())
	case prove.Solver:
		return t.Solver + " says so"
	}
	return string(t.Kind)
}

// circuitReason says what a proof by bits is, of so many learned clauses.
func circuitReason(lemmas int) string {
	if lemmas == 0 {
		return "the bits of both sides are computed by the same gates"
	}
	return "that a bit of one side differs from that of the other is contradictory: " + count(lemmas, "clause") +
		" on the gates that compute them, each of which follows from those before by unit propagation"
}
