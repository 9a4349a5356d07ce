package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// tuple checks an answer with an operator on the state: it derives the operator from the groups of the certificate, and compares.
func (v *verifier) tuple() error {
	r, n := v.record, len(v.types)
	switch {
	case r.Apply != nil || r.ParameterTypes != nil || r.Cost != nil || r.Least != "" || r.NoOperator != nil || v.cert.Lift != nil:
		return errors.New("an operator on the state has no parameters of steps")
	case !slices.Equal(r.Operator.Types, r.Types):
		return errors.New("the operator's types are not those of the update")
	case len(v.cert.Groups) > maxParts:
		return fmt.Errorf("%d groups", len(v.cert.Groups))
	}
	if err := v.initial(); err != nil {
		return fmt.Errorf("initial: %w", err)
	}
	whole := &derived{
		Operator: Operator{Types: r.Types, Identity: make([]string, n), Commutative: true, Idempotent: true},
		exprs:    make([]ir.Expr, n),
		inject:   make([]string, n),
		side:     proof.Two,
		first:    make([]*group, n),
		overlaps: v.cert.Overlaps,
	}
	for i := range v.cert.Groups {
		g, err := v.group(&v.cert.Groups[i])
		if err == nil {
			err = v.merge(whole, i, g)
		}
		if err != nil {
			return fmt.Errorf("group %d: %w", i, err)
		}
	}
	if i := slices.Index(whole.first, nil); i >= 0 {
		return fmt.Errorf("no group has component %d", i)
	}
	for _, c := range v.given {
		if !slices.Contains(whole.given, c) {
			return fmt.Errorf("no group keeps the given condition %s", c)
		}
	}
	if len(whole.overlaps) > 0 {
		return fmt.Errorf("%d proofs that groups agree on components that they do not share", len(whole.overlaps))
	}
	exprs, err := v.read("operator", r.Operator.Exprs, v.types, names{x: v.x, y: v.y})
	if err != nil {
		return err
	}
	if whole.side == proof.NoSide {
		whole.Identity = nil
	}
	if err := compare(
		claim{"operator", exprs, whole.exprs},
		claim{"inject", r.Inject, whole.inject},
		claim{"identity_side", r.Operator.IdentitySide, whole.side.String()},
		claim{"identity", r.Operator.Identity, whole.Identity},
		claim{"commutative", r.Operator.Commutative, whole.Commutative},
		claim{"idempotent", r.Operator.Idempotent, whole.Idempotent},
		claim{"groups", r.Groups, whole.groups},
	); err != nil {
		return err
	}
	if r.Operator.RunsAs != nil {
		if err := v.runsAs(r.Operator.RunsAs); err != nil {
			return fmt.Errorf("runs_as: %w", err)
		}
	}
	return v.totals()
}

// runsAs checks that an operator is the update itself. Inject has to be one input for each component, and
// the update no other inputs: then each operand is one that a step may have, and x ⊕ y is the update.
func (v *verifier) runsAs(texts []string) error {
	if len(v.given) > 0 {
		return errors.New("the update is given conditions, which operands need not have")
	}
	exprs, err := v.read("exprs", texts, v.types, names{x: v.x, y: v.y})
	if err != nil {
		return err
	}
	inject, err := v.read("inject", v.record.Inject, v.types, names{leaves: true})
	if err != nil {
		return err
	}
	for i, e := range inject {
		if e.Op() != ir.Var || e.Kind() != ir.Leaf || slices.Index(inject, e) != i || v.nonNeg[e.Name()].IsValid() {
			return fmt.Errorf("inject %s is no input of its own that may have any value", e)
		}
	}
	for _, e := range ir.Vars(v.update...) {
		if isInput(e) && !slices.Contains(inject, e) {
			return fmt.Errorf("the update has another input, %s", e)
		}
	}
	return compare(claim{"the operator", exprs, v.replace(v.update, inject, v.y)})
}

// derived is what the groups together say of the tuple.
type derived struct {
	Operator
	exprs    []ir.Expr
	inject   []string
	side     proof.Side
	groups   [][]int
	first    []*group  // that has a component
	overlaps []Overlap // that no group has used
	given    []ir.Expr // the conditions that some group keeps, or that are about its inputs
}

// merge adds group n, which must agree with earlier ones about the components they share.
func (v *verifier) merge(whole *derived, n int, g *group) error {
	exprs := g.Apply(pick(v.x, g.cert.Components), pick(v.y, g.cert.Components))
	for j, i := range g.cert.Components {
		f := whole.first[i]
		if f == nil {
			whole.first[i], whole.exprs[i], whole.inject[i] = g, exprs[j], v.replace(g.inject[j:j+1], v.vars, v.terms)[0].String()
			if g.Side != proof.NoSide {
				whole.Identity[i] = g.cert.Identity[j]
			}
			continue
		}
		same := []proof.Problem{
			{Left: whole.exprs[i], Right: exprs[j]},
			{Left: f.inject[slices.Index(f.cert.Components, i)], Right: g.inject[j]},
		}
		if len(whole.overlaps) == 0 || whole.overlaps[0].Component != i || whole.overlaps[0].Group != n {
			return fmt.Errorf("nothing shows that groups agree on component %d", i)
		}
		o := whole.overlaps[0]
		whole.overlaps = whole.overlaps[1:]
		assumes, err := v.readAssumes(o.Assumes)
		if err == nil && (f.world != g.world || assumes&overflow != g.world) {
			err = fmt.Errorf("that groups agree on component %d is proven under %v", i, o.Assumes)
		}
		if err == nil {
			err = v.checkAll(same, assumes, []*proof.Tree{o.Operator, o.Inject})
		}
		if err != nil {
			return err
		}
		if g.Side != proof.NoSide && whole.Identity[i] != g.cert.Identity[j] {
			whole.side = proof.NoSide // the parts of the tuple would be identities of different groups
		}
	}
	whole.side &= g.Side
	whole.Commutative = whole.Commutative && g.cert.Commutative
	whole.Idempotent = whole.Idempotent && g.cert.Idempotent
	whole.groups = append(whole.groups, g.cert.Components)
	whole.given = append(whole.given, g.given...)
	return nil
}

// initial checks that the initial value has what is given. Without an initial value that is a promise.
func (v *verifier) initial() error {
	texts := v.record.Initial
	if len(texts) == 0 && len(v.cert.Initial) == 0 {
		return nil
	}
	if n := len(v.given); len(texts) != len(v.types) || n == 0 {
		return fmt.Errorf("%d values for %d components of which %d conditions are given", len(texts), len(v.types), n)
	}
	var known, values []ir.Expr // nothing is said of a component where the text is ""
	for i, text := range texts {
		if text == "" {
			continue
		}
		value, err := v.read(v.x[i].Name(), texts[i:i+1], v.types[i:i+1], names{})
		if err != nil {
			return err
		}
		known, values = append(known, v.x[i]), append(values, value[0])
	}
	var start []proof.Problem
	for i, e := range v.replace(v.given, known, values) {
		if e.States() != 0 {
			return fmt.Errorf("nothing is said of a component that %s mentions", v.given[i])
		}
		start = append(start, proof.Problem{Left: e, Right: v.pool.Bool(true)})
	}
	return v.checkAll(start, 0, v.cert.Initial)
}

// pick returns the elements with some numbers.
func pick(es []ir.Expr, set []int) []ir.Expr {
	out := make([]ir.Expr, len(set))
	for j, i := range set {
		out[j] = es[i]
	}
	return out
}
