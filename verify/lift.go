package verify

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/pole"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// lift checks an answer with an operator on the parameters of steps: a step of the update is
// x ↦ apply(x, inject), and composed parameters act as the steps do one after the other.
//
//	max(x0 + y0, 0) under nsw   →   apply(x, p) = max(x0 + p0, p1),  inject = (y0, 0),
//	                                p ∘ q = (p0 + q0, max(p1 + q0, q1))
func (v *verifier) lift() error {
	r, cert := v.record, v.cert.Lift
	if cert == nil || len(v.cert.Groups)+len(v.cert.Overlaps) > 0 || r.Groups != nil {
		return errors.New("the certificate is not one of a lift")
	}
	if err := v.initial(); err != nil {
		return fmt.Errorf("initial: %w", err)
	}
	assumes, err := v.readAssumes(cert.Assumes)
	if err != nil {
		return err
	}
	if assumes&overflow != v.assumes&overflow {
		return fmt.Errorf("it is proven under %s, where the answer assumes %s", assumes, v.assumes)
	}
	l, err := v.readLift(assumes)
	if err != nil {
		return err
	}
	if err := l.laws(cert); err != nil {
		return err
	}
	if err := l.step(cert); err != nil {
		return err
	}
	if err := l.least(cert.Least); err != nil {
		return fmt.Errorf("least: %w", err)
	}
	if err := v.noOperator(); err != nil {
		return err
	}
	return v.totals()
}

// lifted holds the expressions of a lift. A tuple of parameters is p, the next step's q.
type lifted struct {
	*verifier
	assumes  ir.Assume
	params   []ir.Type // their types
	p, q     []ir.Expr
	action   []ir.Expr // apply, over the states and p
	inject   []ir.Expr
	compose  proof.Operator
	identity []ir.Expr // nil where none is claimed
}

// Parameters have indices beyond those of leaves, so that they are other variables.
const (
	firstP     = 1 << 18
	firstQ     = 1 << 19
	firstValue = 1 << 20
)

func (v *verifier) readLift(assumes ir.Assume) (*lifted, error) {
	r, op := v.record, v.record.Operator
	types, err := readTypes(op.Types)
	if err != nil {
		return nil, fmt.Errorf("operator: %w", err)
	}
	l := &lifted{verifier: v, assumes: assumes, params: types, compose: proof.Operator{Types: types}}
	for i, t := range types {
		l.p = append(l.p, v.pool.Var(ir.Leaf, fmt.Sprintf("p%d", i), firstP+i, t))
		l.q = append(l.q, v.pool.Var(ir.Leaf, fmt.Sprintf("q%d", i), firstQ+i, t))
	}
	x, y := v.pool.Operands(types)
	if l.compose.Exprs, err = v.read("operator", op.Exprs, types, names{x: x, y: y}); err != nil {
		return nil, err
	}
	if l.inject, err = v.read("inject", r.Inject, types, names{leaves: true}); err == nil && v.terms != nil {
		raw := l.inject
		if l.inject, err = v.read("inject", v.cert.Lift.Inject, types, names{leaves: true}); err == nil && !slices.Equal(v.replace(l.inject, v.vars, v.terms), raw) {
			err = errors.New("inject: with terms it is not the answer's")
		}
	}
	if err != nil {
		return nil, err
	}
	if l.action, err = v.read("apply", r.Apply, v.types, names{x: v.x, p: l.p}); err != nil {
		return nil, err
	}
	if op.RunsAs != nil {
		return nil, errors.New("a composition has no words of the update")
	}
	side := proof.NoSide
	if op.Identity != nil {
		side = proof.Two
		if l.identity, err = v.read("identity", op.Identity, types, names{}); err != nil {
			return nil, err
		}
	}
	return l, compare(
		claim{"identity_side", op.IdentitySide, side.String()},
		claim{"commutative", op.Commutative, false},
		claim{"idempotent", op.Idempotent, false},
	)
}

// laws checks the equations of a lift.
func (l *lifted) laws(cert *Lift) error {
	if poles(l.action) && !l.assumes.Has(ir.NNaN|ir.NInf) {
		// A step that meets a pole gives ∞ or NaN, from where the next step may lead back; composed steps do not.
		return errors.New("apply divides by what it computes of the state: that needs nnan and ninf")
	}
	if l.assumes.Has(ir.NNaN) && l.assumes&(ir.NInf|ir.Reassoc) == 0 && strays(l.inject) { // the laws are of parameters that are not NaN
		return errors.New("inject may make NaN of infinities: under nnan that needs ninf or reassoc")
	}
	update, _, err := l.simplified(l.update, cert.Lemmas, l.x, l.assumes&overflow)
	if err != nil {
		return err
	}
	if l.assumes.Has(ir.NUW) && belowZero(l.compose.Exprs, nil) {
		return errors.New("p ∘ q may be below zero")
	}
	if l.assumes.Has(ir.NUW) && belowZero(l.inject, l.update) {
		return errors.New("inject may be below zero")
	}
	given := slices.Clone(l.given)
	for _, name := range slices.Sorted(maps.Keys(l.nonNeg)) {
		given = append(given, l.nonNeg[name])
	}
	apply := func(x, p []ir.Expr) []ir.Expr {
		return l.replace(l.action, slices.Concat(l.x, l.p), slices.Concat(x, p))
	}
	once := apply(l.x, l.inject)
	inOne, inTwo := apply(l.x, l.compose.Apply(l.p, l.q)), apply(apply(l.x, l.p), l.q)
	laws := []proof.Law{
		{Name: "update = apply(x, inject)", Problems: proof.Equations(given, update, once), Proofs: &cert.Update},
		{Name: "apply(apply(x, p), q) = apply(x, p ∘ q)", Problems: proof.Equations(nil, inTwo, inOne), Proofs: &cert.Action},
	}
	if len(l.record.Initial) > 0 {
		kept := proof.Equations(given, l.replace(l.given, l.x, l.update), slices.Repeat([]ir.Expr{l.pool.Bool(true)}, len(l.given)))
		laws = append(laws, proof.Law{Name: "a step keeps what is given", Problems: kept, Proofs: &cert.Kept})
	}
	if l.identity != nil {
		const law = "apply(x, identity) = x"
		same := proof.Equations(nil, apply(l.x, l.identity), l.x)
		if err := pole.Free(l.fuel, same, l.assumes&^overflow); err != nil {
			return fmt.Errorf("%s: %w", law, err)
		}
		laws = append(laws, proof.Law{Name: law, Problems: same, Wrapping: true, Proofs: &cert.Identity})
		if l.assumes&overflow != 0 {
			laws = append(laws, proof.Law{Name: law + " of unbounded integers", Problems: same, Proofs: &cert.Unbounded})
		}
	}
	return l.checkLaws(laws, l.assumes)
}

// poles reports whether a float is divided by what depends on the state.
func poles(es []ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) {
		found = found || e.Op() == ir.Div && e.Type().IsFloat() && e.Arg(1).States() != 0
	})
	return found
}

// strays reports whether arithmetic on floats that are not NaN may give NaN, as ∞ − ∞ and 0·∞ do.
func strays(es []ir.Expr) (found bool) {
	finite := func(e ir.Expr) bool {
		return e.Op() == ir.Const && e.Type().IsFloat() && !math.IsInf(ir.Float(e.Type(), e.Value()), 0)
	}
	zero := func(e ir.Expr) bool { return finite(e) && ir.Float(e.Type(), e.Value()) == 0 }
	ir.Walk(es, func(e ir.Expr) {
		if e.NumArgs() == 0 || !e.Type().IsFloat() {
			return
		}
		first, last := e.Arg(0), e.Arg(e.NumArgs()-1)
		switch e.Op() {
		case ir.Add, ir.Sub:
			found = found || !finite(first) && !finite(last)
		case ir.Mul:
			found = found || !finite(first) && !finite(last) || zero(first) || zero(last)
		case ir.Div:
			found = found || !finite(last) || zero(last)
		case ir.Mod, ir.Sqrt, ir.Log, ir.Log1p, ir.Pow, ir.Sin, ir.Cos:
			found = true
		}
	})
	return found
}

// step checks the types in which parameters are computed, and what a step costs. In the
// simplified step the parameters of the steps before are called x_i.
func (l *lifted) step(cert *Lift) error {
	x, _ := l.pool.Operands(l.params)
	step, err := l.read("step", cert.Step, l.params, names{x: x, leaves: true})
	if err != nil {
		return err
	}
	if len(cert.Simpler) != len(step) {
		return fmt.Errorf("%d proofs of %d parameters", len(cert.Simpler), len(step))
	}
	cost := &Cost{Parameters: len(step)}
	for i, e := range l.compose.Apply(x, l.inject) {
		if _, err := l.equality(proof.Problem{Left: e, Right: step[i]}, &cert.Simpler[i], nil); err != nil {
			return fmt.Errorf("step: parameter %d: %w", i, err)
		}
	}
	ir.Walk(step, func(e ir.Expr) {
		if e.Op() == ir.Mul {
			cost.Multiplications++
		}
	})
	return compare(claim{"parameter_types", l.record.ParameterTypes, l.parameterTypes()}, claim{"cost", l.record.Cost, cost})
}

// parameterTypes returns the types in which parameters are computed: sums that the serial loop never does may exceed its types, so that
// signed ones have 64 bits. It returns nil where they are those of the state.
func (l *lifted) parameterTypes() []string {
	out := slices.Clone(l.record.Operator.Types)
	for i, t := range l.params {
		if t.IsSigned() && l.assumes&overflow != 0 {
			out[i] = ir.I64.String()
		}
	}
	if slices.Equal(out, l.record.Types) {
		return nil
	}
	return out
}
