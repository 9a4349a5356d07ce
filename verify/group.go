package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// group is a group of components whose own claims hold.
type group struct {
	proof.Operator
	cert     *Group
	identity []ir.Expr
	inject   []ir.Expr
	side     proof.Side
	inputs   []ir.Expr // what is given of inputs
	world    ir.Assume // of the overflow assumptions, those under which ⊕ is associative
}

// identityOf returns the identity of a component of the whole tuple.
func (g *group) identityOf(i int) ir.Expr { return g.identity[slices.Index(g.cert.Components, i)] }

// group checks what the certificate says of a group alone.
func (v *verifier) group(cert *Group) (*group, error) {
	g := &group{cert: cert}
	if len(cert.Components) == 0 {
		return nil, errors.New("it has no components")
	}
	for j, i := range cert.Components {
		if i < 0 || i >= len(v.types) || j > 0 && i <= cert.Components[j-1] {
			return nil, fmt.Errorf("components %v", cert.Components)
		}
	}
	for _, i := range cert.Components {
		if v.update[i].States()&^maskOf(cert.Components) != 0 {
			return nil, fmt.Errorf("component %d depends on others", i)
		}
		g.Types = append(g.Types, v.types[i])
	}
	assumes, err := v.readAssumes(cert.OperatorAssumes)
	if err != nil {
		return nil, err
	}
	g.world = assumes & overflow
	if g.Exprs, err = v.read(cert.Operator, g.Types, v.operand(g.Types)); err != nil {
		return nil, err
	}
	if g.inject, err = v.readInject(cert.Inject, g.Types); err != nil {
		return nil, err
	}
	if cert.Given {
		g.Given, g.inputs = v.restrictGiven(cert.Components)
	}
	if err := v.laws(g, assumes); err != nil {
		return nil, err
	}
	return g, v.equations(g)
}

func maskOf(set []int) (mask uint64) {
	for _, i := range set {
		mask |= 1 << i
	}
	return mask
}

// laws checks what is claimed of a group's operator.
func (v *verifier) laws(g *group, assumes ir.Assume) error {
	found := false
	for s := proof.NoSide; s <= proof.Two; s++ {
		if s.String() == g.cert.Side {
			g.side, found = s, true
		}
	}
	if !found {
		return fmt.Errorf("there is no side %q", g.cert.Side)
	}
	if g.side != proof.NoSide {
		var err error
		if g.identity, err = v.read(g.cert.Identity, g.Types, v.operand(nil)); err != nil {
			return fmt.Errorf("identity: %w", err)
		}
	}
	claims := proof.Claims{Operator: g.Operator, Identity: g.identity, Side: g.side,
		Commutative: g.cert.Commutative, Idempotent: g.cert.Idempotent, Proofs: g.cert.Properties}
	for _, law := range claims.Laws() {
		if err := checkAll(law.Problems, law.Assumes(assumes), law.Proofs); err != nil {
			return fmt.Errorf("%s: %w", law.Name, err)
		}
	}
	return nil
}

// restrictGiven lists the given conditions that are about some components, or about constants,
// with the components' own numbers; and those about inputs. Conditions on a state and an
// input together say nothing of other states, and are left out.
func (v *verifier) restrictGiven(set []int) (state, inputs []ir.Expr) {
	for _, c := range v.given {
		onInput := slices.ContainsFunc(ir.Vars(c), func(e ir.Expr) bool { return e.Kind() == ir.Leaf || e.Kind() == ir.Coord })
		switch {
		case onInput && c.States() == 0:
			inputs = append(inputs, c)
		case !onInput && c.States()&^maskOf(set) == 0:
			state = append(state, c)
		}
	}
	return v.renumber(state, set), inputs
}

// renumber gives the states of some components the numbers 0, 1, … in their order.
func (v *verifier) renumber(es []ir.Expr, set []int) []ir.Expr {
	return v.pool.Map(es, func(e ir.Expr) ir.Expr {
		if e.Op() == ir.Var && e.Kind() == ir.State {
			return v.pool.X(slices.Index(set, e.Index()), e.Type())
		}
		return ir.Expr{}
	})
}

// wholeNumbers gives a group's operands the numbers that the whole tuple has for them.
func wholeNumbers(pool *ir.Pool, components []int, e ir.Expr) ir.Expr {
	return pool.Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr {
		switch {
		case e.Op() != ir.Var:
		case e.Kind() == ir.State:
			return pool.X(components[e.Index()], e.Type())
		case e.Kind() == ir.Leaf:
			return pool.Y(components[e.Index()], e.Type())
		}
		return ir.Expr{}
	})[0]
}

// equations checks that the update restricted to a group is x ⊕ inject, and that inject has
// what is given of the state.
func (v *verifier) equations(g *group) error {
	cert := g.cert
	if len(cert.Update) != len(cert.Components) {
		return fmt.Errorf("%d proofs of %d equations", len(cert.Update), len(cert.Components))
	}
	given := slices.Clone(g.inputs)
	for _, name := range cert.NonNeg {
		if e, ok := v.vars[name]; !ok || !slices.Contains(v.nonNeg, e) {
			return fmt.Errorf("%s is not said to be non-negative", name)
		}
		given = append(given, ir.LeOf(v.pool.Int(v.vars[name].Type(), 0), v.vars[name]))
	}
	if err := v.admits(g, given); err != nil {
		return err
	}
	given = slices.Concat(g.Given, given)
	states, _, _ := g.Operands()
	part := v.renumber(pick(v.update, cert.Components), cert.Components)
	values, words, err := v.simplified(part, cert.Lemmas, states, g.world)
	if err != nil {
		return err
	}
	if g.world.Has(ir.NUW) && belowZero(g.inject, part) {
		return errors.New("inject may be below zero")
	}
	if g.world.Has(ir.NUW) && belowZero(g.Exprs, nil) {
		return errors.New("x ⊕ y may be below zero")
	}
	right := g.Apply(states, g.inject)
	for j, e := range cert.Update {
		p := proof.Problem{Given: given, Left: values[j], Right: right[j]}
		world, err := v.worldOf(&e)
		if err == nil && world != g.world && !(world == 0 && words && addsNoOverflow(values, right[j:j+1], g.world)) {
			err = fmt.Errorf("an equation under %v differs from the operator in what overflows", e.Assumes)
		}
		if err == nil {
			err = v.equality(p, &e, states)
		}
		if err != nil {
			return fmt.Errorf("component %d: %w", cert.Components[j], err)
		}
		v.steps += e.Cases.Size() + len(e.Steps)
	}
	missing := v.assumes & overflow &^ g.world
	if missing != 0 && !(addsNoOverflow(nil, g.Exprs, missing) && addsNoOverflow(part, right, missing)) {
		return errors.New("it overflows where the answer assumes that nothing does")
	}
	return nil
}

func pick(es []ir.Expr, set []int) []ir.Expr {
	out := make([]ir.Expr, len(set))
	for j, i := range set {
		out[j] = es[i]
	}
	return out
}

// admits checks that inject has what is given of the state.
func (v *verifier) admits(g *group, given []ir.Expr) error {
	ps := g.Holds(g.inject, given)
	if len(ps) != len(g.cert.Admits) {
		return fmt.Errorf("%d proofs of %d conditions on inject", len(g.cert.Admits), len(ps))
	}
	for i, p := range ps {
		e := &g.cert.Admits[i]
		world, err := v.worldOf(e)
		if err == nil && world != g.world {
			err = fmt.Errorf("it is proven under %v, unlike the operator", e.Assumes)
		}
		if err == nil {
			err = v.equality(p, e, nil)
		}
		if err != nil {
			return fmt.Errorf("inject has what is given: %w", err)
		}
	}
	return nil
}

// overlap checks that group n agrees about component i with the first group that has it.
func (v *verifier) overlap(n, i int, f, g *group) error {
	if f.world != g.world {
		return fmt.Errorf("groups that share component %d differ in what overflows", i)
	}
	for _, o := range v.cert.Overlaps {
		if o.Component != i || o.Group != n {
			continue
		}
		assumes, err := v.readAssumes(o.Assumes)
		if err != nil {
			return err
		}
		if assumes&overflow != g.world {
			return fmt.Errorf("that groups agree on component %d is proven under %v", i, o.Assumes)
		}
		j, k := slices.Index(f.cert.Components, i), slices.Index(g.cert.Components, i)
		operator := proof.Problem{Left: wholeNumbers(v.pool, f.cert.Components, f.Exprs[j]), Right: wholeNumbers(v.pool, g.cert.Components, g.Exprs[k])}
		inject := proof.Problem{Left: f.inject[j], Right: g.inject[k]}
		return checkAll([]proof.Problem{operator, inject}, assumes, []*proof.Tree{o.Operator, o.Inject})
	}
	return fmt.Errorf("nothing shows that groups agree on component %d", i)
}
