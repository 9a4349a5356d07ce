package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/check"
	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/view"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// report is what is printed of an answer for people: a line of the update, then labelled
// lines whose texts stand below one another.
type report struct {
	rows []row
}

// row is one line; a row without a label continues the one above.
type row struct {
	label, text string
	note        string // in parentheses behind the text
}

func (r *report) add(label, text, note string) { r.rows = append(r.rows, row{label, text, note}) }

// lines adds several lines under one label.
func (r *report) lines(label string, texts []string) {
	for i, t := range texts {
		if i > 0 {
			label = ""
		}
		r.add(label, t, "")
	}
}

func (r *report) write(b *bytes.Buffer) {
	width := 0
	for _, row := range r.rows {
		width = max(width, len(row.label))
	}
	for _, row := range r.rows {
		line := fmt.Sprintf("  %-*s  %s", width, row.label, row.text)
		if row.note != "" {
			line = fmt.Sprintf("%-40s  (%s)", line, row.note)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// describe writes an answer for people: to an update of a function of a program, or to an abstract one, which has no name.
func describe(b *bytes.Buffer, name, text string, a *rfactor.Answer) {
	writeUpdate(b, text)
	var r report
	r.add("state", stateTypes(name, a), "")
	switch a.Status {
	case rfactor.Associative:
		describeMatch(&r, a)
	case rfactor.Lifted:
		describeLift(&r, a)
	case rfactor.Staged:
		describeStages(&r, a)
	default:
		describeRefusal(&r, a)
	}
	if len(a.Keep) > 0 && a.Status != rfactor.Refused {
		r.add("keeps", kept(a.Keep), "")
	}
	if a.Status != rfactor.Refused {
		r.lines("remark", a.Remarks)
	}
	r.write(b)
	for n, s := range a.Stages {
		b.WriteString(view.StageHeading(n, s) + "\n")
		describe(b, "", strings.Join(spelled(s.Answer, s.Answer.Update), "; "), s.Answer)
	}
}

// stateTypes says of which types the state is: of a function f: f32 or f: {f32, i32}, of an abstract update x0: f32, x1: i32.
func stateTypes(name string, a *rfactor.Answer) string {
	names := cli.NamesOf(a.Types)
	switch {
	case name == "":
		for i, t := range names {
			names[i] = fmt.Sprintf("x%d: %s", i, t)
		}
		return strings.Join(names, ", ")
	case len(names) == 1:
		return name + ": " + names[0]
	}
	return name + ": {" + strings.Join(names, ", ") + "}"
}

// kept says what a loop keeps of every step.
func kept(list []ir.Kept) string {
	var before, after []string
	for _, k := range list {
		name := "x" + strconv.Itoa(k.Component)
		if k.Before {
			before = append(before, name)
		} else {
			after = append(after, name)
		}
	}
	var texts []string
	if len(after) > 0 {
		texts = append(texts, strings.Join(after, ", ")+" after every step")
	}
	if len(before) > 0 {
		texts = append(texts, strings.Join(before, ", ")+" before every step")
	}
	return strings.Join(texts, ", and ")
}

// maxHeading is how many bytes of the update are shown above an answer.
const maxHeading = 4000

func writeUpdate(b *bytes.Buffer, text string) {
	if len(text) > maxHeading {
		text = strings.ToValidUTF8(text[:maxHeading], "") + "…"
	}
	b.WriteString(text + "\n")
}

func describeMatch(r *report, a *rfactor.Answer) {
	op := a.Operator
	exprs, note := spelledOperator(a, op.Exprs), properties(a)
	equal := []string{}
	if written, ok := a.AsWritten(); ok && !slices.Equal(written, op.Exprs) { // what runs
		exprs, equal = spelledOperator(a, written), exprs
	}
	if len(exprs) == 1 {
		r.add("is a reduction by", exprs[0], note)
	} else {
		r.lines("is a reduction by", exprs)
		r.add("which has", note, "")
	}
	r.lines("which equals", equal)
	r.lines("with", equations("y", spelled(a, a.Inject)))
	r.add("assumes", assumed(a.Assumes), "")
	addGiven(r, a)
	if len(a.Groups) > 1 {
		r.lines("in parts", parts(a.Groups))
	}
	r.add("found by", fmt.Sprintf("%s, proof of %s, in %s", a.Via(), cli.Count(a.Steps(), "step"), micros(a.Elapsed)), "")
}

// addGiven prints on what conditions an answer relies, and whether the initial value has them.
func addGiven(r *report, a *rfactor.Answer) {
	switch {
	case len(a.Initial) > 0:
		r.add("given", strings.Join(texts(a.Given), "; "), "as of the initial value")
	case len(a.Given) > 0:
		r.lines("given", texts(a.Given))
	}
}

// describeLift prints the composition of the parameters x and y, and what a step with the
// parameters p does to the state.
func describeLift(r *report, a *rfactor.Answer) {
	r.lines("composes steps by", brief(spelledOperator(a, a.Operator.Exprs)))
	r.lines("which do", brief(equations("p", spelled(a, a.Inject))))
	r.lines("to the state:", spelled(a, a.Lift.Apply))
	if a.Operator.Identity != nil {
		r.add("from", strings.Join(spelled(a, a.Operator.Identity), "; "), "the step that changes nothing")
	}
	r.add("assumes", assumed(a.Assumes), "")
	addGiven(r, a)
	if a.Assumes&(ir.NSW|ir.NUW) != 0 {
		r.add("needs", "parameters in a wider type: they hold sums that the serial loop never does", "")
	}
	least := ""
	if a.Least() != nil {
		least = "least: proven"
	}
	r.add("costs", a.LiftCost().String(), least)
	r.add("found by", a.Via()+" in "+micros(a.Elapsed), "")
}

// maxShown is how many parameters of a lift are all shown.
const maxShown = 12

// brief returns what is shown of one line for each parameter: of many the first ones and the last.
func brief(lines []string) []string {
	n := len(lines)
	if n <= maxShown {
		return lines
	}
	return []string{lines[0], lines[1], fmt.Sprintf("…, %d more, which -json prints", n-3), lines[n-1]}
}

// describeStages prints what all stages have in common.
func describeStages(r *report, a *rfactor.Answer) {
	r.add("is staged", fmt.Sprintf("in %s, where before[i] and after[i] are component i before and after the step", passes(a.Passes())), "")
	r.add("assumes", assumed(a.Assumes), "")
	if len(a.Given) > 0 {
		r.lines("given", texts(a.Given))
	}
	r.add("found by", fmt.Sprintf("%s in %s", a.Via(), micros(a.Elapsed)), "")
}

func passes(n int) string {
	if n == 1 {
		return "1 pass"
	}
	return fmt.Sprintf("%d passes", n)
}

func describeRefusal(r *report, a *rfactor.Answer) {
	r.add("is refused", a.Reason, "")
	r.lines("remark", a.Remarks) // what may have been meant stands before what refutes the rest
	if a.Counter != nil {
		r.lines("because", counterLines(a))
	}
	if n := a.Nearest; n != nil {
		r.lines("nearest", nearestLines(a, n))
	}
	if a.NoOperator() != nil {
		r.add("proven", "no operator on the state makes it, where nothing is assumed: products of steps are more functions than there are states", "")
	}
}

// nearestLines writes the nearest operator and where the update differs from it.
func nearestLines(a *rfactor.Answer, n *rfactor.Nearest) []string {
	lines := []string{strings.Join(spelledOperator(a, n.Exprs), "; ")}
	for i, e := range spelled(a, n.Inject) {
		lines = append(lines, fmt.Sprintf("with y%d = %s", n.Components[i], e))
	}
	var at []string
	for i, v := range n.Counter.Inputs {
		at = append(at, spelled(a, []ir.Expr{v})[0]+" = "+check.ValueText(v.Type(), n.Counter.Values[i]))
	}
	slices.Sort(at)
	return append(lines, fmt.Sprintf("but it gives %s where component %d becomes %s: %s", check.ValueText(n.Counter.Type, n.Counter.Right),
		n.Component, check.ValueText(n.Counter.Type, n.Counter.Left), strings.Join(at, ", ")))
}

// counterLines writes a counterexample to associativity as an equation with values of its operands,
// and what the second operand stands for. A component that does not matter is "_".
func counterLines(a *rfactor.Answer) []string {
	c, n := a.Counter, len(a.Types)
	operands := map[byte][]string{}
	for _, name := range []byte("xyz") {
		operands[name] = slices.Repeat([]string{"_"}, n)
	}
	var rest []string
	for i, v := range c.Inputs {
		value := check.ValueText(v.Type(), c.Values[i])
		name := v.String()
		values := operands[name[0]]
		if at, err := strconv.Atoi(name[1:]); v.Op() == ir.Var && err == nil && values != nil && at < n {
			values[at] = value
		} else {
			rest = append(rest, spelledOperator(a, []ir.Expr{v})[0]+" = "+value)
		}
	}
	slices.Sort(rest)
	var where []string
	for _, name := range []byte("xyz") {
		where = append(where, string(name)+" = "+check.TupleText(operands[name]))
	}
	first := fmt.Sprintf("(x ⊕ y) ⊕ z = %s  but  x ⊕ (y ⊕ z) = %s", check.ValueText(c.Type, c.Left), check.ValueText(c.Type, c.Right))
	if n > 1 {
		first += fmt.Sprintf("  in component %d", a.Refuted)
	}
	roles := append(spelled(a, a.Roles), slices.Repeat([]string{"_"}, n-len(a.Roles))...)
	role := "and x ⊕ y is the update of x, where y stands for " + check.TupleText(roles)
	if len(a.Roles) == 0 {
		role = "and x ⊕ y is the update of x, which reads no input"
	}
	return []string{first, "where " + strings.Join(append(where, rest...), ", "), role}
}

// properties are the properties of an operator in a few words.
func properties(a *rfactor.Answer) string {
	op := a.Operator
	identity := identityText(op.Side, spelledOperator(a, op.Identity))
	return strings.Join(append(laws(op.Commutative, op.Idempotent), identity), "; ")
}

// laws names the laws that hold.
func laws(commutative, idempotent bool) (words []string) {
	if commutative {
		words = append(words, "commutative")
	}
	if idempotent {
		words = append(words, "idempotent")
	}
	return words
}

// identityText says what the identity is, and on which side where it is not one on both.
func identityText(side proof.Side, identity []string) string {
	if side == proof.NoSide {
		return "no identity found"
	}
	text := check.TupleText(identity)
	if side == proof.Two {
		return "identity " + text
	}
	return side.String() + " identity " + text
}

func assumed(a ir.Assume) string {
	if a == 0 {
		return "nothing"
	}
	return strings.Join(a.Names(), ", ")
}

// parts lists the groups of components that were matched apart, and how each was found.
func parts(groups []rfactor.Group) (out []string) {
	for _, g := range groups {
		var names []string
		for _, i := range g.Components {
			names = append(names, fmt.Sprintf("x%d", i))
		}
		out = append(out, "{"+strings.Join(names, ", ")+"}  "+g.Via)
	}
	return out
}

// spelled prints expressions over the state and the inputs in the words of the source.
func spelled(a *rfactor.Answer, es []ir.Expr) []string { return a.Spelled(es...) }

// spelledOperator prints expressions over the operands of ⊕.
func spelledOperator(a *rfactor.Answer, es []ir.Expr) []string { return a.SpelledOperator(es...) }

func equations(name string, es []string) []string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = fmt.Sprintf("%s%d = %s", name, i, e)
	}
	return out
}

func texts(es []ir.Expr) []string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = e.String()
	}
	return out
}

func micros(d time.Duration) string { return fmt.Sprintf("%.0f µs", float64(d.Nanoseconds())/1000) }
