// Package view makes of an answer what a page shows: the answer, its proof as steps with the changed
// subterm marked, and the e-graph after each iteration. The playground and the option -html show the same.
package view

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Update is what a page shows of one update.
type Update struct {
	Text   string          `json:"text"` // as the source has it
	Answer json.RawMessage `json:"answer,omitempty"`
	Trial  *Trial          `json:"trial,omitempty"` // of the counterexample of a refusal
	Shown  *Shown          `json:"shown,omitempty"`
	Merge  *Merge          `json:"merge,omitempty"`
	Proof  []Derivation    `json:"proof,omitempty"`
	Graph  []Snapshot      `json:"graph,omitempty"`
	// The answer with its certificate; of a refusal nil.
	Certificate json.RawMessage `json:"certificate,omitempty"`
	Cost        *Cost           `json:"cost,omitempty"`
	Stages      []*Update       `json:"stages,omitempty"` // of a staged answer; Text is the heading and the stage's update
	Failed      string          `json:"failed,omitempty"` // why no answer can be given: a mistake in the text

	Status rfactor.Status `json:"-"` // of the answer

	answer  *rfactor.Answer // nil where there is none
	init    []ir.Expr       // what a program's components start with; of an abstract update nil
	allowed ir.Assume       // of the match
}

// Shown is the expressions of an answer in the words of the source: see rfactor.Answer.Spelled.
type Shown struct {
	Operator []string `json:"operator,omitempty"`
	Identity []string `json:"identity,omitempty"`
	Inject   []string `json:"inject,omitempty"`
	Apply    []string `json:"apply,omitempty"`
	Given    []string `json:"given,omitempty"`
	Nearest  []string `json:"nearest,omitempty"`
}

// Derivation is why an equation holds: by steps from one side to the other, or in one word.
type Derivation struct {
	Title string   `json:"title"`
	Left  string   `json:"left"`
	Right string   `json:"right"`
	Steps []Step   `json:"steps,omitempty"`
	By    string   `json:"by,omitempty"`    // where there are no steps
	Needs []string `json:"needs,omitempty"` // the assumptions without which this proof is none
}

// Step is a rewrite step. In Text the changed subterm stands between ⟦ and ⟧, as it is after the step; in Before
// as it was.
type Step struct {
	Before string   `json:"before"`
	Text   string   `json:"text"`
	Rule   string   `json:"rule"`
	Law    string   `json:"law,omitempty"`   // the rule's equation
	Back   bool     `json:"back,omitempty"`  // used from right to left
	Needs  []string `json:"needs,omitempty"` // the assumptions that the step relies on
}

// Snapshot is an e-graph after an iteration; 0 is the update as it stands.
type Snapshot struct {
	Iteration int     `json:"iteration"`
	Classes   []Class `json:"classes"`
}

// Class is a class of an e-graph with its nodes.
type Class struct {
	ID      uint32 `json:"id"`
	Type    string `json:"type"`
	Root    bool   `json:"root,omitempty"`    // a component's new value
	Matched bool   `json:"matched,omitempty"` // a term of the operator applied to inject
	Nodes   []Node `json:"nodes"`
}

// Node is an operator over classes.
type Node struct {
	Op   string   `json:"op"`
	Kids []uint32 `json:"kids,omitempty"`
}

// Of matches an update and returns all that there is to show of it. The error is that of the context.
func Of(ctx context.Context, text string, u *ir.Update, opts rfactor.Options) (*Update, error) {
	v, err := answered(ctx, text, u, opts)
	if err != nil {
		return nil, err
	}
	v.addMerge()
	v.addProof(ctx)
	v.addGraph(ctx)
	return v, ctx.Err()
}

// answered matches an update and returns its answer, without the proof and the e-graph. The error is that of the context.
func answered(ctx context.Context, text string, u *ir.Update, opts rfactor.Options) (*Update, error) {
	opts.Describe = true
	a, err := rfactor.Match(ctx, u, opts)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return &Update{Text: text, Failed: err.Error()}, nil
	}
	v := shown(text, a)
	v.allowed, v.init = opts.Allowed, u.Init
	for n, s := range a.Stages {
		v.Stages = append(v.Stages, shown(StageHeading(n, s)+"\n"+spelledUpdate(s.Answer), s.Answer))
	}
	return v, nil
}

// shown is what there is to show of an answer, but for its proof, the e-graph and the stages.
func shown(text string, a *rfactor.Answer) *Update {
	v := &Update{Text: text, Status: a.Status}
	var err error
	if v.Answer, err = a.JSON(false); err != nil {
		v.Failed = err.Error()
		return v
	}
	v.answer = a
	v.Cost = costOf(a)
	v.Shown = &Shown{Inject: a.Spelled(a.Inject...), Given: a.Spelled(a.Given...)}
	if a.Operator != nil {
		v.Shown.Operator, v.Shown.Identity = a.SpelledOperator(a.Operator.Exprs...), a.SpelledOperator(a.Operator.Identity...)
	}
	if a.Lift != nil {
		v.Shown.Apply = a.Spelled(a.Lift.Apply...)
	}
	if a.Nearest != nil {
		v.Shown.Nearest = a.SpelledOperator(a.Nearest.Exprs...)
	}
	v.Trial = trialOf(a)
	return v
}

// addProof adds the proofs of an update and of its stages.
func (v *Update) addProof(ctx context.Context) {
	if v.answer != nil {
		v.Proof = derivations(ctx, v.answer)
	}
	for _, s := range v.Stages {
		s.addProof(ctx)
	}
}

// addCertificate adds the answer with its certificate.
func (v *Update) addCertificate() {
	if v.answer == nil || v.Status == rfactor.Refused {
		return
	}
	if line, err := v.answer.JSON(true); err == nil {
		v.Certificate = line
	}
}

// addGraph adds the e-graph of an update.
func (v *Update) addGraph(ctx context.Context) {
	if v.answer != nil {
		v.Graph = snapshots(ctx, v.answer, v.allowed)
	}
}

// StageHeading says which components of the tuple stage n of an answer has, and what is kept of it.
func StageHeading(n int, s rfactor.Stage) string {
	var own []string
	for j, i := range s.Components {
		own = append(own, fmt.Sprintf("x%d is component %d", j, i))
	}
	does := "reduces"
	if len(s.Stores) > 0 {
		does = "scans, and keeps every value of component " + strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Stores), " ", ", "), "[]")
	}
	return fmt.Sprintf("stage %d %s; %s", n+1, does, strings.Join(own, ", "))
}

// spelledUpdate is the update of an answer in the words of the source.
func spelledUpdate(a *rfactor.Answer) string {
	var texts []string
	for _, e := range a.Update {
		texts = append(texts, Spelled(a, e))
	}
	return strings.Join(texts, "; ")
}

// derivations says why the update is the operator applied to inject, and why the operator has its laws.
func derivations(ctx context.Context, a *rfactor.Answer) (out []Derivation) {
	s := canon.NewSession()
	for _, g := range a.Groups {
		states := make([]ir.Expr, len(g.Components))
		for j, i := range g.Components {
			states[j] = a.Pool().X(j, a.Types[i])
		}
		right := g.Operator.Apply(states, g.Inject)
		left := g.Simplified()
		for j, i := range g.Components {
			d := Derivation{Title: "component " + string(rune('0'+i%10)), Left: Spelled(a, left[j]), Right: Spelled(a, right[j])}
			steps := g.Equal[j].Steps
			if len(steps) == 0 && left[j] != right[j] {
				assume := g.Assumes &^ (ir.NSW | ir.NUW) // arithmetic in steps wraps
				s.Reset(a.Pool(), assume, true)
				s.AssumeNonNeg(g.NonNeg)
				steps, _ = s.Derive(ctx, left[j], right[j], assume)
			}
			for _, st := range steps {
				d.Steps = append(d.Steps, stepOf(a, st))
			}
			d.Needs = namesOf(canon.Assumed(steps))
			switch {
			case left[j] == right[j]:
				d.By = "the same as it stands"
			case len(steps) == 0:
				d.By = reason(g.Equal[j].Cases)
				d.Needs = namesOf(needs(proof.Problem{Given: g.Where, Left: left[j], Right: right[j]}, g.Assumes, g.Equal[j].Cases))
			}
			out = append(out, d)
		}
		out = append(out, lawsOf(a, g.Operator.Laws())...)
	}
	if a.Lift != nil {
		out = append(out, lawsOf(a, a.Lift.Laws())...)
	}
	return out
}

func lawsOf(a *rfactor.Answer, laws []proof.Law) (out []Derivation) {
	for _, law := range laws {
		for i, p := range law.Problems {
			t := (*law.Proofs)[i]
			out = append(out, Derivation{Title: law.Name, Left: p.Left.String(), Right: p.Right.String(), By: reason(t),
				Needs: namesOf(needs(p, law.Assumes(a.Assumes), t))})
		}
	}
	return out
}

// patience is how long, in nanoseconds of package effort, the bits of both sides of a claim may be compared, which takes seconds where
// they have no small diagrams, to find that its proof needs no assumption on overflow.
const patience = 10 * effort.Unit

// needs returns those of some assumptions without which a proof is not accepted. Where it is not accepted with all of them, it is of
// a problem with more that is given, and needs returns none.
func needs(p proof.Problem, assume ir.Assume, t *proof.Tree) (needed ir.Assume) {
	accepted := func(assume ir.Assume) bool {
		if t.Kind == proof.Extrema { // which is complete
			return verify.Equation(p, assume, t) == nil
		}
		var m effort.Meter
		m.Start(patience)
		_, err := prove.CertifyWithin(p, assume, t, &m)
		return err == nil
	}
	if t == nil || assume == 0 || t.Kind == proof.Bits || !accepted(assume) { // bits are compared whatever is assumed
		return 0
	}
	for one := ir.NSW; one <= ir.AFN; one <<= 1 {
		if assume&one != 0 && !accepted(assume&^one) {
			needed |= one
		}
	}
	return needed
}

// namesOf is nil where nothing is assumed.
func namesOf(a ir.Assume) []string {
	if a == 0 {
		return nil
	}
	return a.Names()
}

// reason says in a word how a proof by cases goes.
func reason(t *proof.Tree) string {
	switch {
	case t == nil:
		return "proven"
	case t.Kind == proof.Equal:
		return "arithmetic"
	case t.Kind == proof.Split:
		return "by cases: where " + t.Cond + ", and otherwise"
	}
	return "by " + string(t.Kind)
}

// stepOf returns a step with the subterm marked that it changes.
func stepOf(a *rfactor.Answer, st canon.Step) Step {
	before, after := changed(st.Before, st.After)
	out := Step{Before: marked(a, st.Before, before), Text: marked(a, st.After, after), Rule: st.Rule, Back: st.Backward, Needs: namesOf(canon.Assumed([]canon.Step{st}))}
	switch st.Rule {
	case canon.ReasonRing:
		out.Rule = "arithmetic"
	case canon.ReasonFold:
		out.Rule = "arithmetic on literals"
	}
	if r, ok := rules.ByName(st.Rule); ok {
		_, equation, _ := strings.Cut(r.Text, " : ")
		equation, _, _ = strings.Cut(equation, " if ") // guards say where a rule is tried, not what is true
		out.Law = strings.TrimSpace(equation)
	}
	return out
}

// changed returns the smallest subterms, at one place, outside of which two terms are the same.
func changed(a, b ir.Expr) (ir.Expr, ir.Expr) {
	for a.Op() == b.Op() && a.Type() == b.Type() && a.NumArgs() == b.NumArgs() {
		at := -1
		for i := range a.NumArgs() {
			switch {
			case a.Arg(i) == b.Arg(i):
			case at >= 0:
				return a, b
			default:
				at = i
			}
		}
		if at < 0 || a.Arg(at).Type() != b.Arg(at).Type() {
			return a, b
		}
		a, b = a.Arg(at), b.Arg(at)
	}
	return a, b
}

// marked prints an expression with a subterm between marks.
func marked(a *rfactor.Answer, e, part ir.Expr) string {
	text := Spelled(a, part)
	if part != e && part.NumArgs() > 0 && part.Op() != ir.Call && part.Op() != ir.Select && part.Op() != ir.Min && part.Op() != ir.Max {
		text = "(" + text + ")"
	}
	mark := a.Pool().Placeholder(ir.Leaf, "⟦"+text+"⟧", markNumber, part.Type())
	return Spelled(a, a.Pool().Map([]ir.Expr{e}, func(s ir.Expr) ir.Expr {
		if s == part {
			return mark
		}
		return ir.Expr{}
	})[0])
}

// markNumber is the number of a variable that stands for text; no other leaf has it.
const markNumber = 1 << 19

// Spelled prints an expression over the state and the inputs in the words of the source.
func Spelled(a *rfactor.Answer, e ir.Expr) string { return a.Spelled(e)[0] }

// snapshots saturates the update again, and returns the e-graph after each iteration.
func snapshots(ctx context.Context, a *rfactor.Answer, allowed ir.Assume) (out []Snapshot) {
	s := canon.NewSession()
	s.Reset(a.Pool(), allowed, false)
	var roots []egraph.Class
	for _, e := range a.Update {
		roots = append(roots, s.Add(e))
	}
	label := func(op egraph.Op) string { return s.Label(op, func(e ir.Expr) string { return Spelled(a, e) }) }
	take := func() {
		if len(out) > 0 && len(out[len(out)-1].Classes) == s.Graph().ClassCount() && nodesOf(out[len(out)-1]) == s.Graph().NodeCount() {
			return // nothing was added
		}
		out = append(out, TakeSnapshot(s, len(out), roots, label))
	}
	s.Saturate(ctx, func() bool {
		take()
		return s.Graph().NodeCount() > maxDrawn
	})
	take()
	if a.Operator != nil && a.Lift == nil && len(out) > 0 {
		mark(s, &out[len(out)-1], applied(a))
	}
	return out
}

// maxDrawn is the number of nodes beyond which a graph is not grown to be drawn: nobody can read it.
const maxDrawn = 300

func nodesOf(s Snapshot) (n int) {
	for _, c := range s.Classes {
		n += len(c.Nodes)
	}
	return n
}

// applied returns the operator applied to the state and inject.
func applied(a *rfactor.Answer) []ir.Expr {
	states := make([]ir.Expr, len(a.Types))
	for i, t := range a.Types {
		states[i] = a.Pool().X(i, t)
	}
	return a.Operator.Apply(states, a.Inject)
}

// TakeSnapshot returns the e-graph of a session after iteration n. Its operators are named by label.
func TakeSnapshot(s *canon.Session, n int, roots []egraph.Class, label func(egraph.Op) string) Snapshot {
	g := s.Graph()
	out := Snapshot{Iteration: n}
	top := map[egraph.Class]bool{}
	for _, r := range roots {
		top[g.Find(r)] = true
	}
	var kids []egraph.Class
	for c := range g.Classes() {
		k := Class{ID: uint32(c), Type: s.Facts(c).Type().String(), Root: top[c]}
		for node := range g.Nodes(c) {
			kids = g.Kids(node, kids[:0])
			n := Node{Op: label(g.Op(node))}
			for _, kid := range kids {
				n.Kids = append(n.Kids, uint32(g.Find(kid)))
			}
			k.Nodes = append(k.Nodes, n)
		}
		out.Classes = append(out.Classes, k)
	}
	return out
}

// mark marks the classes of a snapshot that have a subterm of some terms.
func mark(s *canon.Session, snap *Snapshot, terms []ir.Expr) {
	at := map[uint32]int{}
	for i, c := range snap.Classes {
		at[c.ID] = i
	}
	ir.Walk(terms, func(e ir.Expr) {
		if i, ok := at[uint32(s.Graph().Find(s.Add(e)))]; ok {
			snap.Classes[i].Matched = true
		}
	})
}
