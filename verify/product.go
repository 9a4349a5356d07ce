package verify

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/exhaustive"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// This file computes products of steps, of which [Products] have many.

// Factor is one step, of which Inputs are the leaves: terms over the family's variables, or literals. Or it is a power, by its number from 1,
// with a term for how often its step is done.
type Factor struct {
	Inputs map[string]string `json:"inputs,omitempty"`
	Power  int               `json:"power,omitempty"`
	Times  string            `json:"times,omitempty"`
}

// Power is a step with literal inputs that is done p0 times: a number of Type, which wraps, so that 0 times is as good as 2ⁿ times.
//
//	x0 + 1, done p0 times   →   x0 + p0
type Power struct {
	Inputs map[string]string `json:"inputs,omitempty"`
	Type   string            `json:"type"`
	Result []string          `json:"result"` // over x_i and p0
	Start  []*proof.Tree     `json:"start"`  // where p0 is 0 it is x …
	Next   []*proof.Tree     `json:"next"`   // … and a step more gives what it is of p0 + 1
}

// power is what a step does to x when it is done so many times.
type power struct {
	result []ir.Expr
	times  ir.Expr
}

// readPower reads a power, and checks by induction what it does.
func (t *teller) readPower(c *Power) error {
	of := ir.ParseType(c.Type)
	if !of.IsInt() {
		return fmt.Errorf("%q is no type of integers", c.Type)
	}
	n := t.pool.Var(ir.Leaf, "p0", firstP, of)
	result, err := t.read("result", c.Result, t.types, names{x: t.x, p: []ir.Expr{n}})
	if err != nil {
		return err
	}
	inputs, err := t.inputs(c.Inputs, nil)
	if err != nil {
		return err
	}
	result = t.replace(result, t.constants, t.are)
	at := func(count ir.Expr) []ir.Expr { return t.replace(result, []ir.Expr{n}, []ir.Expr{count}) }
	next := t.replace(t.update, slices.Concat(t.x, t.leaves), slices.Concat(result, inputs))
	for _, law := range []struct {
		name   string
		ps     []proof.Problem
		proofs []*proof.Tree
	}{
		{"start", proof.Equations(nil, at(t.pool.Int(of, 0)), t.x), c.Start},
		{"next", proof.Equations(nil, next, at(ir.AddOf(n, t.pool.Int(of, 1)))), c.Next},
	} {
		if err := t.checkAll(law.ps, 0, law.proofs); err != nil {
			return fmt.Errorf("%s: %w", law.name, err)
		}
	}
	t.powers = append(t.powers, power{result, n})
	return exhaustive.Determined(result)
}

// run returns the values of a product of steps at the states, over the family's variables.
func (t *teller) run(steps []Factor) ([]ir.Expr, error) {
	if len(steps) == 0 || len(steps) > maxLength {
		return nil, fmt.Errorf("a product of %d steps", len(steps))
	}
	at := slices.Clone(t.states)
	for _, s := range steps {
		does, of, are, err := t.step(s)
		if err != nil {
			return nil, err
		}
		for i, x := range at {
			at[i] = t.replace(does, slices.Concat(t.x, of), slices.Concat(x, are))
			if err := t.pay(at[i]); err != nil {
				return nil, err
			}
		}
	}
	return t.replace(slices.Concat(at...), t.constants, t.are), nil
}

// step returns what a step does to x, and of which variables beside x, with what they are.
func (t *teller) step(s Factor) (does, of, are []ir.Expr, err error) {
	switch {
	case s.Power == 0 && s.Times == "":
		are, err = t.inputs(s.Inputs, t.vars)
		return t.update, t.leaves, are, err
	case s.Power < 1 || s.Power > len(t.powers) || len(s.Inputs) > 0:
		return nil, nil, nil, fmt.Errorf("there is no power %d, or it has inputs of its own", s.Power)
	}
	p := t.powers[s.Power-1]
	are, err = t.read("times", []string{s.Times}, []ir.Type{p.times.Type()}, names{p: t.vars})
	return p.result, []ir.Expr{p.times}, are, err
}

// inputs reads what the leaves of a step are, over variables.
func (t *teller) inputs(by map[string]string, vars []ir.Expr) ([]ir.Expr, error) {
	if len(by) != len(t.leaves) {
		return nil, fmt.Errorf("a step with %d inputs in place of %d", len(by), len(t.leaves))
	}
	var out []ir.Expr
	for _, v := range t.leaves {
		e, err := t.read(v.Name(), []string{by[v.Name()]}, []ir.Type{v.Type()}, names{p: vars})
		if err != nil {
			return nil, err
		}
		out = append(out, t.replace(e, t.constants, t.are)...)
	}
	return out, nil
}
