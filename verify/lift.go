package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// lift checks an answer with an operator on the parameters of steps: a step of the update is
// x ↦ apply(x, inject), and composed parameters act as the steps do one after the other.
//
//	max(x0 + y0, 0) under nsw   →   apply(x, p) = max(x0 + p0, p1),  inject = (y0, 0),
//	                                p ∘ q = (p0 + q0, max(p1 + q0, q1))
func (v *verifier) lift() error {
	r, cert := v.record, v.cert.Lift
	switch {
	case cert == nil || len(v.cert.Groups)+len(v.cert.Overlaps)+len(v.cert.Initial) > 0 || r.Groups != nil:
		return errors.New("the certificate is not one of a lift")
	case r.Operator.Commutative || r.Operator.Idempotent:
		return errors.New("commutativity or idempotence is claimed of a lift")
	case len(r.Initial) > 0:
		return errors.New("initial: a lift is given invariants, and infers none")
	}
	assumes, err := v.readAssumes(cert.Assumes)
	if err != nil {
		return err
	}
	if world := v.assumes & overflow; assumes&overflow != world {
		return fmt.Errorf("it is proven under %s, where the answer assumes %s", assumes, v.assumes)
	}
	l := &lifted{verifier: v, assumes: assumes}
	if err := l.read(); err != nil {
		return err
	}
	if err := l.laws(); err != nil {
		return err
	}
	if err := l.sizes(); err != nil {
		return err
	}
	return v.totals()
}

// lifted holds the expressions of a lift. A tuple of parameters is p, the next step's q.
type lifted struct {
	*verifier
	assumes  ir.Assume
	states   []ir.Expr
	p, q     []ir.Expr
	action   []ir.Expr // apply, over the states and p
	identity []ir.Expr // nil where none is claimed
}

// Parameters have indices beyond those of leaves, so that they are other variables.
const (
	firstP = 1 << 18
	firstQ = 1 << 19
)

func (l *lifted) read() (err error) {
	for i, t := range l.types {
		l.states = append(l.states, l.pool.X(i, t))
	}
	for i, t := range l.operands {
		l.p = append(l.p, l.pool.Var(ir.Leaf, fmt.Sprintf("p%d", i), firstP+i, t))
		l.q = append(l.q, l.pool.Var(ir.Leaf, fmt.Sprintf("q%d", i), firstQ+i, t))
	}
	if l.action, err = l.verifier.read(l.record.Apply, l.types, l.actionScope); err != nil {
		return fmt.Errorf("apply: %w", err)
	}
	switch l.record.Operator.IdentitySide {
	case "none":
		if l.record.Operator.Identity != nil {
			return errors.New("an identity that is one on no side")
		}
	case "two":
		if l.identity, err = l.verifier.read(l.record.Operator.Identity, l.operands, l.operand(nil)); err != nil {
			return fmt.Errorf("identity: %w", err)
		}
	default:
		return fmt.Errorf("an identity of a lift has two sides, not %q", l.record.Operator.IdentitySide)
	}
	if poles(l.action) && !l.assumes.Has(ir.NNaN|ir.NInf) {
		// A step that meets a pole gives ∞ or NaN, from where the next step may lead back;
		// composed steps do not.
		return errors.New("apply divides by what it computes of the state: that needs nnan and ninf")
	}
	return nil
}

// poles reports whether a float is divided by what depends on the state.
func poles(es []ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) {
		found = found || e.Op() == ir.Div && e.Type().IsFloat() && e.Arg(1).States() != 0
	})
	return found
}

// actionScope has the state, parameters, and the update's constants.
func (l *lifted) actionScope(name string) (ir.Expr, bool) {
	if role, i := roleOf(name); role == 'p' && i < len(l.p) {
		return l.p[i], true
	}
	e, ok := l.vars[name]
	return e, ok && (e.Kind() == ir.State || e.Kind() == ir.Param)
}

// apply returns apply(x, p).
func (l *lifted) apply(x, p []ir.Expr) []ir.Expr {
	return l.pool.Map(l.action, func(e ir.Expr) ir.Expr {
		switch {
		case e.Op() != ir.Var:
		case e.Kind() == ir.State:
			return x[e.Index()]
		case e.Kind() == ir.Leaf:
			return p[e.Index()-firstP]
		}
		return ir.Expr{}
	})
}

// laws checks the equations of a lift.
func (l *lifted) laws() error {
	cert := l.cert.Lift
	update, _, err := l.simplified(l.update, cert.Lemmas, l.states, l.assumes&overflow)
	if err != nil {
		return err
	}
	if l.assumes.Has(ir.NUW) && belowZero(l.inject, l.update) {
		return errors.New("inject may be below zero")
	}
	if l.assumes.Has(ir.NUW) && belowZero(l.exprs, nil) {
		return errors.New("p ∘ q may be below zero")
	}
	given := slices.Clone(l.given)
	for _, e := range l.nonNeg {
		given = append(given, ir.LeOf(l.pool.Int(e.Type(), 0), e))
	}
	compose := proof.Operator{Types: l.operands, Exprs: l.exprs}
	laws := []law{
		{"update = apply(x, inject)", update, l.apply(l.states, l.inject), given, l.assumes, cert.Update},
		{"apply(apply(x, p), q) = apply(x, p ∘ q)", l.apply(l.apply(l.states, l.p), l.q), l.apply(l.states, compose.Apply(l.p, l.q)), nil, l.assumes, cert.Action},
	}
	if l.identity != nil {
		same := l.apply(l.states, l.identity)
		laws = append(laws, law{"apply(x, identity) = x", same, l.states, nil, l.assumes &^ overflow, cert.Identity})
		if l.assumes&overflow != 0 {
			laws = append(laws, law{"apply(x, identity) = x of unbounded integers", same, l.states, nil, l.assumes, cert.Unbounded})
		}
	}
	for _, law := range laws {
		if err := checkAll(law.problems(), law.assume, law.proofs); err != nil {
			return fmt.Errorf("%s: %w", law.name, err)
		}
	}
	return nil
}

// law states that two tuples are equal where conditions hold.
type law struct {
	name        string
	left, right []ir.Expr
	given       []ir.Expr
	assume      ir.Assume
	proofs      []*proof.Tree
}

func (l *law) problems() (ps []proof.Problem) {
	for i := range l.left {
		ps = append(ps, proof.Problem{Given: l.given, Left: l.left[i], Right: l.right[i]})
	}
	return ps
}

// sizes checks the types in which parameters are computed, and what a step costs.
func (l *lifted) sizes() error {
	if wide := l.parameterTypes(); !slices.Equal(l.record.ParameterTypes, wide) {
		return fmt.Errorf("parameter_types: %v, but under these assumptions %v", l.record.ParameterTypes, wide)
	}
	cert := l.cert.Lift
	step, err := l.verifier.read(cert.Step, l.operands, l.stepScope)
	if err != nil {
		return fmt.Errorf("step: %w", err)
	}
	if len(cert.Simpler) != len(step) {
		return fmt.Errorf("%d proofs of %d parameters", len(cert.Simpler), len(step))
	}
	composed := proof.Operator{Types: l.operands, Exprs: l.exprs}.Apply(l.paramsAsStates(), l.inject)
	products := 0
	for i, e := range step {
		if err := l.equality(proof.Problem{Left: composed[i], Right: e}, &cert.Simpler[i], nil); err != nil {
			return fmt.Errorf("step: parameter %d: %w", i, err)
		}
	}
	ir.Walk(step, func(e ir.Expr) {
		if e.Op() == ir.Mul {
			products++
		}
	})
	if c := l.record.Cost; c == nil || *c != (Cost{len(l.p), products}) {
		return fmt.Errorf("cost: %v, but a step has %d parameters and %d multiplications", c, len(l.p), products)
	}
	return nil
}

// paramsAsStates returns the parameters of the steps before, which the simplified step calls
// x_i.
func (l *lifted) paramsAsStates() (out []ir.Expr) {
	for i, t := range l.operands {
		out = append(out, l.pool.X(i, t))
	}
	return out
}

// stepScope has the parameters of the steps before as x_i, and the update's leaves.
func (l *lifted) stepScope(name string) (ir.Expr, bool) {
	if role, i := roleOf(name); role == 'x' && i < len(l.operands) {
		return l.pool.X(i, l.operands[i]), true
	}
	e, ok := l.vars[name]
	return e, ok && e.Kind() != ir.State
}

// parameterTypes returns the types in which parameters are computed: sums that the serial loop
// never does may exceed its types, so that signed ones have 64 bits. It returns nil where they
// are those of the state.
func (l *lifted) parameterTypes() []string {
	out := slices.Clone(l.record.Operator.Types)
	for i, t := range l.operands {
		if t.IsSigned() && l.assumes&overflow != 0 {
			out[i] = ir.I64.String()
		}
	}
	if slices.Equal(out, l.record.Types) {
		return nil
	}
	return out
}
