package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/pole"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// group is a group of components whose own claims hold. Its components have numbers of their own, in their order.
type group struct {
	proof.Claims
	cert   *Group
	x      []ir.Expr // the states
	inject []ir.Expr
	part   []ir.Expr // the update of the components
	inputs []ir.Expr // what is given of inputs
	given  []ir.Expr // that, and what is given of the group's state, by the whole tuple's numbers
	world  ir.Assume // of the overflow assumptions, those under which ⊕ is associative
}

// group checks what the certificate says of a group alone.
func (v *verifier) group(cert *Group) (*group, error) {
	g := &group{cert: cert}
	var mask uint64
	for j, i := range cert.Components {
		if i < 0 || i >= len(v.types) || j > 0 && i <= cert.Components[j-1] {
			return nil, fmt.Errorf("components %v", cert.Components)
		}
		mask |= 1 << i
		g.Types = append(g.Types, v.types[i])
	}
	if mask == 0 {
		return nil, errors.New("it has no components")
	}
	for _, i := range cert.Components {
		if v.update[i].States()&^mask != 0 {
			return nil, fmt.Errorf("component %d depends on others", i)
		}
	}
	whole := pick(v.x, cert.Components)
	x, y := v.pool.Operands(g.Types)
	g.x, g.part = x, v.replace(pick(v.update, cert.Components), whole, x)
	if cert.Given {
		g.Given, g.inputs = v.restrictGiven(mask)
		g.given = slices.Concat(g.Given, g.inputs)
		g.Given = v.replace(g.Given, whole, x)
	}
	var err error
	if g.Exprs, err = v.read("operator", cert.Operator, g.Types, names{x: x, y: y}); err != nil {
		return nil, err
	}
	if g.inject, err = v.read("inject", cert.Inject, g.Types, names{leaves: true}); err != nil {
		return nil, err
	}
	if err = v.laws(g); err != nil {
		return nil, err
	}
	return g, v.equations(g)
}

// restrictGiven lists the given conditions that are about some components, or about constants; and those about inputs. Conditions on a
// state and an input together say nothing of other states, and are left out.
func (v *verifier) restrictGiven(mask uint64) (state, inputs []ir.Expr) {
	for _, c := range v.given {
		onInput := slices.ContainsFunc(ir.Vars(c), isInput)
		switch {
		case onInput && c.States() == 0:
			inputs = append(inputs, c)
		case !onInput && c.States()&^mask == 0:
			state = append(state, c)
		}
	}
	return state, inputs
}

// isInput reports whether a variable may differ from step to step.
func isInput(e ir.Expr) bool { return e.Kind() == ir.Leaf || e.Kind() == ir.Coord }

// laws checks what is claimed of a group's operator.
func (v *verifier) laws(g *group) error {
	assumes, err := v.readAssumes(g.cert.OperatorAssumes)
	if err != nil {
		return err
	}
	g.world = assumes & overflow
	if g.Side, err = proof.ParseSide(g.cert.Side); err != nil {
		return err
	}
	if g.Side != proof.NoSide {
		if g.Identity, err = v.read("identity", g.cert.Identity, g.Types, names{}); err != nil {
			return err
		}
	}
	g.Commutative, g.Idempotent, g.Proofs = g.cert.Commutative, g.cert.Idempotent, g.cert.Properties
	if err := v.checkLaws(g.Laws(), assumes); err != nil || g.Side == proof.NoSide {
		return err
	}
	if err := v.atPoles(g, assumes&^overflow); err != nil {
		return fmt.Errorf("identity: %w", err)
	}
	return nil
}

// atPoles checks that the identity of a group is one where a term has no value, too.
func (v *verifier) atPoles(g *group, assume ir.Assume) error {
	for _, side := range []proof.Side{proof.Left, proof.Right} {
		if g.Side&side == side {
			if err := pole.Identity(v.fuel, g.Operator, side, g.Identity, assume); err != nil {
				return err
			}
		}
	}
	if g.Side == proof.Middle {
		return pole.Identity(v.fuel, g.Operator, proof.Middle, g.Identity, assume)
	}
	return nil
}

// equations checks that the update restricted to a group is x ⊕ inject, and that inject has what is given of the state.
func (v *verifier) equations(g *group) error {
	cert := g.cert
	given := slices.Clone(g.inputs)
	for _, name := range cert.NonNeg {
		c, ok := v.nonNeg[name]
		if !ok {
			return fmt.Errorf("%s is not said to be non-negative", name)
		}
		given = append(given, c)
	}
	admits := g.Holds(g.inject, given)
	if len(admits) != len(cert.Admits) {
		return fmt.Errorf("%d proofs of %d conditions on inject", len(cert.Admits), len(admits))
	}
	for i, p := range admits {
		world, err := v.equality(p, &cert.Admits[i], nil)
		if err == nil && world != g.world {
			err = fmt.Errorf("it is proven under %v, unlike the operator", cert.Admits[i].Assumes)
		}
		if err != nil {
			return fmt.Errorf("inject has what is given: %w", err)
		}
	}
	values, words, err := v.simplified(g.part, cert.Lemmas, g.x, g.world)
	if err != nil {
		return err
	}
	if g.world.Has(ir.NUW) && belowZero(g.Exprs, nil) {
		return errors.New("x ⊕ y may be below zero")
	}
	if g.world.Has(ir.NUW) && belowZero(g.inject, g.part) {
		return errors.New("inject may be below zero")
	}
	right := g.Apply(g.x, g.inject)
	if len(cert.Update) != len(right) {
		return fmt.Errorf("%d proofs of %d equations", len(cert.Update), len(right))
	}
	given = slices.Concat(g.Given, given)
	for j, e := range cert.Update {
		world, err := v.equality(proof.Problem{Given: given, Left: values[j], Right: right[j]}, &e, g.x)
		if err == nil && world != g.world && !(world == 0 && words && addsNoOverflow(values, right[j:j+1], g.world)) {
			err = fmt.Errorf("an equation under %v differs from the operator in what overflows", e.Assumes)
		}
		if err != nil {
			return fmt.Errorf("component %d: %w", cert.Components[j], err)
		}
	}
	missing := v.assumes & overflow &^ g.world
	if missing != 0 && !(addsNoOverflow(nil, g.Exprs, missing) && addsNoOverflow(g.part, right, missing)) {
		return errors.New("it overflows where the answer assumes that nothing does")
	}
	return nil
}
