package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/exhaustive"
	"github.com/rfactor-go/rfactor/verify/extrema"
	"github.com/rfactor-go/rfactor/verify/integers"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/scaled"
	"github.com/rfactor-go/rfactor/verify/steps"
	"github.com/rfactor-go/rfactor/verify/threshold"
)

// maxWork bounds the elementary steps of all proofs of an answer together.
const maxWork = 1 << 25

// Equation checks a proof of an equation: nil means that it holds under the assumptions.
func Equation(p proof.Problem, assume ir.Assume, t *proof.Tree) error {
	fuel := maxWork
	return within(&fuel, p, assume, t)
}

// within is Equation for a proof that may take so many elementary steps.
func within(fuel *int, p proof.Problem, assume ir.Assume, t *proof.Tree) error {
	if t == nil {
		return errors.New("a proof is missing")
	}
	switch t.Kind {
	case proof.Extrema:
		return extrema.Equal(p.Left, p.Right, assume, fuel)
	case proof.Threshold:
		return threshold.Equal(fuel, p, assume)
	case proof.Scaled:
		return scaled.Equal(fuel, p, assume)
	case proof.Exhaustive:
		if assume&overflow != 0 {
			return errors.New("it is evaluated where integers wrap, and claimed of unbounded ones")
		}
		return exhaustive.Equal(fuel, p)
	case proof.Integers:
		if assume&overflow != 0 {
			return errors.New("it is proven of integers that wrap, and claimed of unbounded ones")
		}
	default:
		return equation.CheckWithin(fuel, p, assume, t)
	}
	given, left, right, err := integers.Restate(p.Given, p.Left, p.Right)
	if err != nil {
		return err
	}
	return within(fuel, proof.Problem{Given: given, Left: left, Right: right}, ir.NSW, t.Then)
}

// checkLaws checks the proofs of laws.
func (v *verifier) checkLaws(laws []proof.Law, assume ir.Assume) error {
	for _, l := range laws {
		if err := v.checkLaw(l, l.Assumes(assume)); err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
	}
	return nil
}

// checkLaw checks the proofs of a law. Associativity that is evaluated for all values is a matter of the operator, not of the equation.
func (v *verifier) checkLaw(l proof.Law, assume ir.Assume) error {
	trees := *l.Proofs
	if l.Operator == nil || assume&overflow != 0 || len(trees) != len(l.Problems) {
		return v.checkAll(l.Problems, assume, trees)
	}
	for i, p := range l.Problems {
		var err error
		if t := trees[i]; t != nil && t.Kind == proof.Exhaustive {
			err = exhaustive.Associative(v.fuel, *l.Operator, i)
		} else {
			err = within(v.fuel, p, assume, t)
		}
		if err != nil {
			return fmt.Errorf("component %d: %w", i, err)
		}
	}
	return nil
}

// checkAll checks a proof of each equation.
func (v *verifier) checkAll(ps []proof.Problem, assume ir.Assume, trees []*proof.Tree) error {
	if len(ps) != len(trees) {
		return fmt.Errorf("%d proofs of %d equations", len(trees), len(ps))
	}
	for i, p := range ps {
		if err := within(v.fuel, p, assume, trees[i]); err != nil {
			return fmt.Errorf("component %d: %w", i, err)
		}
	}
	return nil
}

// equality checks the proof of an equation over states x and the update's leaves. It returns
// those assumptions of the proof that are about overflow.
func (v *verifier) equality(p proof.Problem, e *Equality, x []ir.Expr) (world ir.Assume, err error) {
	assumes, err := v.readAssumes(e.Assumes)
	world = assumes & overflow
	switch {
	case err != nil:
		return world, err
	case e.Cases != nil && e.Steps != nil:
		return world, errors.New("it is proven twice")
	case e.Cases != nil:
		return world, within(v.fuel, p, assumes, e.Cases)
	}
	read := func(text string) (ir.Expr, error) {
		to, err := v.read("step", []string{text}, []ir.Type{p.Left.Type()}, names{x: x, leaves: true})
		if err != nil {
			return ir.Expr{}, err
		}
		return to[0], nil
	}
	end, err := steps.Follow(p.Left, e.Steps, read, assumes, steps.AnyRank)
	if err == nil && end != p.Right {
		err = fmt.Errorf("the steps lead to %s, not to %s", end, p.Right)
	}
	return world, err
}

// simplified checks lemmas, equations between terms over states x, and applies them in their order. Words says whether nothing overflows in
// the result that does not in the values: then equations of integers that wrap may still be used where the operator takes them as
// unbounded.
func (v *verifier) simplified(values []ir.Expr, lemmas []Lemma, x []ir.Expr, world ir.Assume) (
	_ []ir.Expr, words bool, err error) {
	if len(lemmas) > maxParts {
		return nil, false, fmt.Errorf("%d lemmas", len(lemmas))
	}
	words = true
	for n := range lemmas {
		l := &lemmas[n]
		from, to, of, err := v.lemma(l, x)
		// The operations of from count as promised: to stands in its place, under the same choices.
		if err == nil && of != world && !(of == 0 && words && addsNoOverflow(slices.Concat(from, values), to, world)) {
			err = fmt.Errorf("under %v it differs from the operator in what overflows", l.Assumes)
		}
		if err != nil {
			return nil, false, fmt.Errorf("lemma %d: %w", n, err)
		}
		words = words && of == 0
		values = v.replace(values, from, to)
	}
	return values, words, nil
}

// lemma checks a lemma. From and to have one element each.
func (v *verifier) lemma(l *Lemma, x []ir.Expr) (from, to []ir.Expr, world ir.Assume, err error) {
	types, err := readTypes([]string{l.Type, l.Type})
	if err != nil {
		return nil, nil, 0, err
	}
	sides, err := v.read("sides", []string{l.From, l.To}, types, names{x: x, leaves: true})
	if err != nil {
		return nil, nil, 0, err
	}
	world, err = v.equality(proof.Problem{Left: sides[0], Right: sides[1]}, &l.Equality, x)
	return sides[:1], sides[1:], world, err
}
