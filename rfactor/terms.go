package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// No reordering touches what does not mention the state. Where assumptions on floats are allowed, all that searches and
// proves sees a term of floats without state as one variable:
//
//	(x0*(y0/y1))*y1   →   (x0*y2)*y1, where y2 is y0/y1   →   a product of y2*y1
//
// So assumptions build from such terms, and simplify none. The answer has the terms in the places of their variables; its
// certificate has the variables, and so says more.

// onFloats has the assumptions that are about floats.
const onFloats = ir.AllAssumptions &^ overflow.Flags

// term is a term without state, and the variable that stands for it in proofs. Both are in the pool of the answer.
type term struct{ v, e ir.Expr }

// abstractTerms puts variables in the places of the terms of floats without state.
func (m *matcher) abstractTerms() {
	a := m.answer
	if m.opts.Allowed&onFloats == 0 || m.opts.Visible || ir.TypesIn(a.Update)&ir.FloatTypes == 0 {
		return
	}
	a.Update = m.pool.Map(a.Update, m.variableFor)
}

// variableFor returns the variable, or the literal, that stands for a term of floats without state; and the zero Expr for any other
// term. Signs and absolute values of terms stay visible, because operators subtract and compare those. So do the functions that afn is
// about, where it is named.
func (m *matcher) variableFor(e ir.Expr) (v ir.Expr) {
	if !e.IsLeaf() || e.NumArgs() == 0 || !computesFloats(e) {
		return v
	}
	switch op := e.Op(); {
	case op == ir.Neg || op == ir.Abs,
		m.opts.Named.Has(ir.AFN) && (op == ir.Exp || op == ir.Log || op == ir.Log1p || op == ir.Sqrt):
		return v
	case e.IsClosed() && !hasElementary(e):
		return m.pool.Const(e.Type(), ir.Eval(e, nil))
	}
	for _, other := range ir.Vars(e) {
		if m.areEqual(e, other) {
			return other
		}
	}
	if v = m.knownFor(e); !v.IsValid() {
		v = m.names.input(m.pool, e.Type())
		m.answer.terms = append(m.answer.terms, term{v, e})
	}
	return v
}

// knownFor returns the variable of a term that equals e, and is computed exactly so; the zero Expr where there is none.
func (m *matcher) knownFor(e ir.Expr) (none ir.Expr) {
	for _, t := range m.answer.terms {
		if e == t.e || m.areEqual(e, t.e) {
			return t.v
		}
	}
	return none
}

// lookInside answers by some matchers, to which the terms without state are visible. What they find has to hold of variables in their
// places, too, as (x0*x1 + y0*y1)/(x0 + y0) does, where the operator computes y0*y1 again; or it assumes nothing of floats.
func (m *matcher) lookInside(u *ir.Update, matchers Matchers) bool {
	if len(m.answer.terms) == 0 || m.over() {
		return false
	}
	opts := m.opts
	opts.Visible, opts.trial, opts.Matchers = true, true, opts.Matchers&matchers
	b, err := Match(m.ctx, u, m.within(opts, 1))
	if err != nil || b.Operator == nil || b.Assumes&onFloats != 0 && !m.holdsOfVariables(b) {
		return false
	}
	m.answer = b
	return true
}

// holdsOfVariables proves that an answer gives the update where variables stand for the terms without state. Comparisons stay visible
// to the proof, and inject has none but those of the update: no assumption answered one.
func (m *matcher) holdsOfVariables(b *Answer) bool {
	op := b.Operator.Operator
	if written, ok := b.AsWritten(); ok {
		op.Exprs = written
	}
	states, _ := b.Pool().Operands(b.Types)
	var right []ir.Expr
	if b.Lift != nil {
		right = tuple.Replace(b.Pool(), b.Lift.Apply, b.Lift.Params, b.Inject)
	} else {
		right = op.Apply(states, b.Inject)
	}
	n := len(b.Update)
	both := m.pool.Map(slices.Concat(b.Update, right), func(e ir.Expr) (v ir.Expr) {
		if !e.IsLeaf() || e.NumArgs() == 0 || e.Op() == ir.Abs || e.Type() == ir.Bool || !computesFloats(e) {
			return v
		}
		return m.knownFor(m.pool.Import(e)[0])
	})
	var ps []proof.Problem
	for i := range n {
		ps = append(ps, proof.Problem{Given: m.notNegative, Left: both[i], Right: both[n+i]})
	}
	known := true
	ir.Walk(m.pool.Import(b.Inject...), func(e ir.Expr) {
		known = known && (e.Type() != ir.Bool || e.NumArgs() == 0 || !computesFloats(e) || m.knownFor(e).IsValid())
	})
	return known && m.prover.Prove(m.ctx, ps, m.proving(b.Assumes)).Status == prove.Proved
}

// restsOnTerms reports whether an answer assumes that no float is NaN where sums and products without state may be, of infinite inputs:
// the steps of x1 || y0 < x0 beside max(x0, y0 - k0) compose under nnan and ninf.
func (m *matcher) restsOnTerms() (rests bool) {
	a := m.answer
	if !a.Assumes.Has(ir.NNaN) || a.Assumes&(ir.Reassoc|ir.NInf) != 0 {
		return false
	}
	for _, t := range a.terms {
		ir.Walk([]ir.Expr{t.e}, func(e ir.Expr) {
			op := e.Op()
			rests = rests || e.Type().IsFloat() && (op == ir.Add || op == ir.Sub || op == ir.Mul || op == ir.Div || op.FloatsOnly())
		})
	}
	return rests
}

// computesFloats reports whether an operation takes or gives a float.
func computesFloats(e ir.Expr) bool {
	found := e.Type().IsFloat()
	for i := range e.NumArgs() {
		found = found || e.Arg(i).Type().IsFloat()
	}
	return found
}

// hasElementary reports whether a term has a function whose last bit depends on the machine.
func hasElementary(e ir.Expr) (found bool) {
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		switch e.Op() {
		case ir.Exp, ir.Log, ir.Log1p, ir.Sin, ir.Cos, ir.Tanh, ir.Pow:
			found = true
		}
	})
	return found
}

// areEqual proves without assumptions that two terms are equal.
func (m *matcher) areEqual(a, b ir.Expr) bool {
	if a.Type() != b.Type() || m.meter.Done() {
		return false
	}
	m.consider(1)
	o := m.exactly(0)
	o.Limit = maxLemma
	return m.prover.Prove(m.ctx, []proof.Problem{{Left: a, Right: b}}, o).Status == prove.Proved
}

// withTerms returns the answer with the terms in the places of their variables. Its proofs are those of a.
func (a *Answer) withTerms() *Answer {
	if a.Stages == nil && len(a.terms) == 0 {
		return a
	}
	b := *a
	b.Stages = slices.Clone(a.Stages)
	for i := range b.Stages {
		b.Stages[i].Answer = a.Stages[i].Answer.withTerms()
	}
	if len(a.terms) == 0 {
		return &b
	}
	b.claim = a
	b.Update, b.Inject, b.Roles = a.inTerms(a.Update), a.inTerms(a.Inject), a.inTerms(a.Roles)
	if a.Nearest != nil {
		n := *a.Nearest
		n.Inject = a.inTerms(n.Inject)
		b.Nearest = &n
	}
	return &b
}

// inTerms puts terms in the places of their variables, of expressions over the state and the inputs.
func (a *Answer) inTerms(es []ir.Expr) []ir.Expr {
	if len(es) == 0 || len(a.terms) == 0 {
		return es
	}
	return a.Pool().Map(es, func(e ir.Expr) ir.Expr {
		if i := slices.IndexFunc(a.terms, func(t term) bool { return t.v == e }); i >= 0 {
			return a.terms[i].e
		}
		return ir.Expr{}
	})
}

// claimed returns the answer that proofs are about.
func (a *Answer) claimed() *Answer {
	if a.claim == nil {
		return a
	}
	c := *a.claim
	c.Elapsed = a.Elapsed
	return &c
}

// takeTerm makes a leaf of a stage's answer the term that it stands for in the whole, which has the given leaves.
func (a *Answer) takeTerm(t term, leaves []Leaf) {
	i := slices.IndexFunc(a.Leaves, func(l Leaf) bool { return l.Var.Name() == t.v.Name() })
	if i < 0 {
		return
	}
	a.Leaves = slices.Delete(a.Leaves, i, i+1)
	both := a.Pool().Import(t.v, t.e)
	a.terms = append(a.terms, term{both[0], both[1]})
	for _, v := range ir.Vars(both[1]) {
		j := slices.IndexFunc(leaves, func(l Leaf) bool { return l.Var.Name() == v.Name() })
		if !slices.ContainsFunc(a.Leaves, func(l Leaf) bool { return l.Var == v }) {
			a.Leaves = append(a.Leaves, Leaf{v, leaves[j].Text, leaves[j].Source, leaves[j].NonNeg})
		}
	}
}
