package verify

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// refusal evaluates the counterexample of a refusal, and the point at which the nearest
// operator differs.
func (v *verifier) refusal() error {
	if v.record.Counterexample != nil || v.record.Refutes != nil {
		if err := v.counterexample(); err != nil {
			return fmt.Errorf("counterexample: %w", err)
		}
	}
	if v.record.Nearest != nil {
		if err := v.nearest(v.record.Nearest); err != nil {
			return fmt.Errorf("nearest: %w", err)
		}
	}
	return nil
}

// counterexample checks that (x ⊕ y) ⊕ z and x ⊕ (y ⊕ z) have the two values that are stated,
// which differ. The operator ⊕ is the update with y_i in place of the roles. What is given of
// the state alone must hold of every operand.
func (v *verifier) counterexample() error {
	refutes := v.record.Refutes
	if refutes == nil || v.record.Counterexample == nil {
		return errors.New("values without what they refute, or the other way round")
	}
	n := len(refutes.Roles)
	if n > len(v.types) {
		return fmt.Errorf("%d roles for %d components", n, len(v.types))
	}
	roles, err := v.read("roles", refutes.Roles, v.types[:n], names{leaves: true})
	if err != nil {
		return err
	}
	for _, e := range ir.Vars(v.replace(v.update, roles, v.x[:n])...) {
		if isInput(e) {
			return fmt.Errorf("the leaf %s has no role", e)
		}
	}
	op := proof.Operator{Types: v.types, Exprs: v.replace(v.update, roles, v.y[:n])}
	op.Given, _ = v.restrictGiven(^uint64(0))
	if refutes.Component < 0 || refutes.Component >= len(v.types) {
		return fmt.Errorf("there is no component %d", refutes.Component)
	}
	return refute(op.Associativity()[refutes.Component], v.record.Counterexample)
}

// nearest checks that the operator nearest to the update differs from it at the point.
func (v *verifier) nearest(n *Nearest) error {
	place := slices.Index(n.Components, n.Component)
	if place < 0 || len(n.Components) > len(v.types) {
		return errors.New("its parts do not fit together")
	}
	var types []ir.Type
	for _, i := range n.Components {
		if i < 0 || i >= len(v.types) {
			return fmt.Errorf("there is no component %d", i)
		}
		types = append(types, v.types[i])
	}
	exprs, err := v.read("exprs", n.Exprs, types, names{x: v.x, y: v.y})
	if err != nil {
		return err
	}
	inject, err := v.read("inject", n.Inject, types, names{leaves: true})
	if err != nil {
		return err
	}
	right := v.replace(exprs, pick(v.y, n.Components), inject)
	return refute(proof.Problem{Left: v.update[n.Component], Right: right[place]}, n.At)
}

// refute evaluates both sides of an equation at a point and compares them with the values
// that are stated under "left" and "right", which must differ.
func refute(p proof.Problem, at map[string]string) error {
	values := map[ir.Expr]uint64{}
	for _, e := range ir.Vars(slices.Concat([]ir.Expr{p.Left, p.Right}, p.Given)...) {
		value, ok := readValue(e.Type(), at[e.Name()])
		if !ok {
			return fmt.Errorf("%s has no value of type %s", e, e.Type())
		}
		values[e] = value
	}
	env := &ir.Env{Var: func(e ir.Expr) uint64 { return values[e] }}
	for _, g := range p.Given {
		if ir.Eval(g, env) == 0 {
			return fmt.Errorf("%s does not hold there", g)
		}
	}
	left, right := ValueText(p.Left.Type(), ir.Eval(p.Left, env)), ValueText(p.Left.Type(), ir.Eval(p.Right, env))
	switch {
	case at["left"] != left || at["right"] != right:
		return fmt.Errorf("the sides are %s and %s there", left, right)
	case left == right:
		return errors.New("both sides are the same there, which refutes nothing")
	}
	return nil
}

// readValue reads a value as ValueText writes it, and reports false for other texts.
func readValue(t ir.Type, text string) (value uint64, ok bool) {
	if t.IsFloat() {
		f, _ := strconv.ParseFloat(text, 64)
		value = ir.FloatBits(t, f)
	} else if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		value = t.Wrap(uint64(n))
	} else if value, err = strconv.ParseUint(text, 10, 64); err != nil && text == "true" {
		value = 1
	}
	value = t.Wrap(value)
	return value, ValueText(t, value) == text
}

// ValueText writes a value of a type as counterexamples have it.
func ValueText(t ir.Type, value uint64) string {
	switch {
	case t == ir.Bool:
		return fmt.Sprint(value != 0)
	case t.IsFloat():
		return fmt.Sprint(ir.Float(t, value))
	case t.IsSigned():
		return fmt.Sprint(int64(value))
	}
	return fmt.Sprint(value)
}
