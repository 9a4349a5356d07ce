package rfactor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/laws"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Certificate returns the proofs of an answer in the form that package verify checks. It proves here
// what the checker needs and the search does not: why decisions contradict each other, that groups
// agree on components they share, and what a step of a lift costs. That takes about as long as a
// check; these proofs together may take as much effort as the match. The error says that the answer is a refusal, or a staged
// one, whose stages have certificates, or that an expression is too long to be printed whole; or it is an [InternalError].
func (a *Answer) Certificate() (c *verify.Certificate, err error) {
	err = guarded(func() (err error) {
		c, err = newCertifier(a.claimed()).certificate()
		return err
	})
	return c, err
}

// certifier writes a certificate; err is the first error.
type certifier struct {
	answer *Answer
	prover *prove.Prover
	meter  effort.Meter // of the proofs made here
	step   []ir.Expr    // of a lift, simplified as far as that is proven
	err    error
}

func newCertifier(a *Answer) *certifier {
	w := &certifier{answer: a, prover: new(prove.Prover)}
	w.meter.Start(a.allowance)
	return w
}

// proving returns options for a proof that is made here.
func (w *certifier) proving(allowed ir.Assume) prove.Options {
	return prove.Options{Allowed: allowed, Limit: w.answer.allowance / 2, Meter: &w.meter}
}

func (w *certifier) certificate() (*verify.Certificate, error) {
	a, c := w.answer, &verify.Certificate{}
	for _, t := range a.terms {
		if c.Terms == nil {
			c.Terms, c.Update = map[string]verify.Leaf{}, w.texts(a.Update...)
		}
		c.Terms[t.v.Name()] = verify.Leaf{Type: t.v.Type().String(), Text: w.texts(t.e)[0]}
	}
	switch a.Status {
	case Lifted:
		c.Lift = w.lift()
		w.texts(a.Lift.Apply...)
		c.Initial = w.initial()
	case Associative:
		for i := range a.Groups {
			c.Groups = append(c.Groups, w.group(&a.Groups[i]))
		}
		w.overlaps(c)
		c.Initial = w.initial()
	case Staged:
		return nil, errors.New("rfactor: a staged answer has a certificate for each stage")
	default:
		return nil, fmt.Errorf("rfactor: there is no certificate of a refusal")
	}
	w.texts(slices.Concat(a.Update, a.Given, a.Inject, a.Operator.Exprs)...)
	switch {
	case errors.Is(w.err, errCut):
		return nil, w.err
	case w.err != nil:
		return nil, fmt.Errorf("rfactor: internal: %w", w.err)
	}
	return c, nil
}

// texts prints expressions. A text that is cut is an error, because it could not be read back.
func (w *certifier) texts(es ...ir.Expr) []string {
	out := texts(es)
	for _, text := range out {
		if strings.HasSuffix(text, "…") {
			w.err = errCut
		}
	}
	return out
}

var errCut = fmt.Errorf("rfactor: no certificate: an expression has more than %d bytes", ir.PrintLimit)

// tree completes a proof of an equation.
func (w *certifier) tree(p proof.Problem, assume ir.Assume, t *proof.Tree) *proof.Tree {
	if w.err != nil || t == nil {
		return t
	}
	full, err := laws.Certify(p, assume, t, nil)
	if err != nil {
		w.err = fmt.Errorf("%s = %s: %w", p.Left, p.Right, err)
	}
	return full
}

func (w *certifier) trees(ps []proof.Problem, assume ir.Assume, ts []*proof.Tree) []*proof.Tree {
	if ts == nil {
		return nil
	}
	out := make([]*proof.Tree, len(ts))
	for i, t := range ts {
		out[i] = w.tree(ps[i], assume, t)
	}
	return out
}

func (w *certifier) equality(p proof.Problem, e Equality) verify.Equality {
	out := verify.Equality{Assumes: e.Assumes.Names(), Steps: w.steps(e.Steps)}
	if e.Cases != nil {
		out.Cases = w.tree(p, e.Assumes, e.Cases)
	}
	return out
}

func (w *certifier) steps(steps []canon.Step) []verify.Step {
	var out []verify.Step
	for _, s := range steps {
		out = append(out, verify.Step{Rule: s.Rule, Backward: s.Backward, Path: s.Path, To: w.texts(s.After)[0]})
	}
	return out
}

func (w *certifier) lemmas(lemmas []Lemma) (out []verify.Lemma) {
	for _, l := range lemmas {
		e := w.equality(proof.Problem{Left: l.From, Right: l.To}, l.Equality)
		sides := w.texts(l.From, l.To)
		out = append(out, verify.Lemma{Type: l.From.Type().String(), From: sides[0], To: sides[1], Equality: e})
	}
	return out
}

func (w *certifier) group(g *Group) verify.Group {
	op := g.Operator
	c := verify.Group{Components: g.Components, Operator: w.texts(op.Exprs...), Side: op.Side.String(), Inject: w.texts(g.Inject...),
		OperatorAssumes: op.Assumes.Names(), Commutative: op.Commutative, Idempotent: op.Idempotent,
		Properties: w.properties(op), Lemmas: w.lemmas(g.Lemmas), Given: len(op.Given)+len(g.Where) > 0}
	if op.Side != proof.NoSide {
		c.Identity = w.texts(op.Identity...)
	}
	given := slices.Clone(g.Where)
	for _, v := range g.NonNeg {
		c.NonNeg = append(c.NonNeg, v.Name())
		given = append(given, notNegative(v))
	}
	for i, p := range op.Holds(g.Inject, given) {
		c.Admits = append(c.Admits, w.equality(p, g.Admits[i]))
	}
	states, _, _ := op.Operands()
	values, right := g.Simplified(), op.Apply(states, g.Inject)
	for i, e := range g.Equal {
		c.Update = append(c.Update, w.equality(proof.Problem{Given: slices.Concat(op.Given, given), Left: values[i], Right: right[i]}, e))
	}
	return c
}

func notNegative(v ir.Expr) ir.Expr { return ir.LeOf(v.Pool().Int(v.Type(), 0), v) }

// properties completes the proofs of an operator's laws.
func (w *certifier) properties(p *prove.Proven) proof.Proofs {
	c := p.Claims
	for _, law := range c.Laws() {
		*law.Proofs = w.trees(law.Problems, law.Assumes(p.Assumes), *law.Proofs)
	}
	return c.Proofs
}

// initial completes the proofs that the initial value has what is given.
func (w *certifier) initial() (out []*proof.Tree) {
	a := w.answer
	if len(a.Initial) == 0 {
		return nil
	}
	for i, c := range a.Given {
		at, _ := atInitial(a.Pool(), c, a.Initial)
		out = append(out, w.tree(proof.Problem{Left: at, Right: a.Pool().Bool(true)}, 0, a.Starts[i]))
	}
	return out
}

// overlaps proves again that groups agree about the components they share.
func (w *certifier) overlaps(c *verify.Certificate) {
	a := w.answer
	first := map[int]int{} // component → group
	for n, g := range a.Groups {
		for _, i := range g.Components {
			f, ok := first[i]
			if !ok {
				first[i] = n
				continue
			}
			assume := a.Assumes&^overflow.Flags | g.Assumes&overflow.Flags
			o := verify.Overlap{Component: i, Group: n, Assumes: assume.Names()}
			o.Operator = w.agreement(overlapProblem(a.Pool(), a.Groups[f], g, i, false), assume)
			o.Inject = w.agreement(overlapProblem(a.Pool(), a.Groups[f], g, i, true), assume)
			c.Overlaps = append(c.Overlaps, o)
		}
	}
}

func (w *certifier) agreement(p proof.Problem, assume ir.Assume) *proof.Tree {
	o := w.proving(assume)
	o.Exactly = true
	t := w.prover.Prove(context.Background(), []proof.Problem{p}, o)
	if t.Status != prove.Proved && w.err == nil {
		w.err = fmt.Errorf("that groups agree is not proven again: %s = %s", p.Left, p.Right)
	}
	return w.tree(p, assume, t.Proof())
}

// overlapProblem states that two groups give component i the same operator, or inject.
func overlapProblem(pool *ir.Pool, f, g Group, i int, inject bool) proof.Problem {
	part := func(g Group) ir.Expr {
		for j, n := range g.Components {
			if n != i {
				continue
			}
			if inject {
				return g.Inject[j]
			}
			return tuple.RenumberOperands(pool, g.Components, g.Operator.Exprs[j:j+1])[0]
		}
		panic("rfactor: internal: the group lacks the component")
	}
	return proof.Problem{Left: part(f), Right: part(g)}
}

// simpler proves that the composition with one step is what it was simplified to.
func (w *certifier) simpler(p proof.Problem) prove.Theorem {
	a := w.answer
	o := w.proving(a.Assumes &^ overflow.Flags)
	if slices.ContainsFunc(a.Lift.claims, func(c liftClaim) bool { return c.matrix }) {
		return laws.Matrices(context.Background(), w.prover, []proof.Problem{p}, o)
	}
	return w.prover.Prove(context.Background(), []proof.Problem{p}, o)
}

// lift completes the proofs of a lift.
func (w *certifier) lift() *verify.Lift {
	a := w.answer
	out := &verify.Lift{Assumes: a.Assumes.Names(), Lemmas: w.lemmas(a.Lift.Lemmas)}
	for _, c := range a.Lift.claims {
		ts := w.trees(c.Problems, c.Assumes(a.Assumes), *c.Proofs)
		switch c.Name {
		case updateLaw:
			out.Update = ts
		case actionLaw:
			out.Action = ts
		case identityLaw:
			out.Identity = ts
			out.Unbounded = w.trees(c.Problems, a.Assumes, a.Lift.Proofs.Unbounded)
		case keptLaw:
			out.Kept = ts
		}
	}
	composed, step := a.stepOf()
	for i, e := range composed {
		p := proof.Problem{Left: e, Right: step[i]}
		t := w.simpler(p)
		if t.Status != prove.Proved { // then it is not claimed
			p.Right, step[i], t = e, e, prove.Theorem{Proofs: []*proof.Tree{{Kind: proof.Equal}}}
		}
		out.Simpler = append(out.Simpler, w.equality(p, Equality{Assumes: t.Assumes, Cases: t.Proof()}))
	}
	w.step, out.Step = step, w.texts(step...)
	if len(a.terms) > 0 {
		out.Inject = w.texts(a.Inject...)
	}
	return out
}
