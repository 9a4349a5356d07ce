package verify

import (
	"errors"
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/extrema"
	"github.com/rfactor-go/rfactor/verify/integers"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/steps"
)

// Equation checks a proof of an equation: nil means that it holds under the assumptions.
func Equation(p proof.Problem, assume ir.Assume, t *proof.Tree) error {
	if t == nil {
		return errors.New("a proof is missing")
	}
	switch t.Kind {
	case proof.Extrema:
		return extrema.Equal(p.Left, p.Right, assume)
	case proof.Integers:
		if assume&overflow != 0 {
			return errors.New("it is proven of integers that wrap, and claimed of unbounded ones")
		}
	default:
		return equation.Check(p, assume, t)
	}
	given, left, right, err := integers.Restate(p.Given, p.Left, p.Right)
	if err != nil {
		return err
	}
	return equation.Check(proof.Problem{Given: given, Left: left, Right: right}, ir.NSW, t.Then)
}

// checkAll checks a proof of each equation.
func checkAll(ps []proof.Problem, assume ir.Assume, trees []*proof.Tree) error {
	if len(ps) != len(trees) {
		return fmt.Errorf("%d proofs of %d equations", len(trees), len(ps))
	}
	for i, p := range ps {
		if err := Equation(p, assume, trees[i]); err != nil {
			return fmt.Errorf("component %d: %w", i, err)
		}
	}
	return nil
}

// equality checks the proof of an equation over a group's states.
func (v *verifier) equality(p proof.Problem, e *Equality, states []ir.Expr) error {
	assumes, err := v.readAssumes(e.Assumes)
	if err != nil {
		return err
	}
	if e.Cases != nil {
		if e.Steps != nil {
			return errors.New("it is proven twice")
		}
		return Equation(p, assumes, e.Cases)
	}
	read := func(text string) (ir.Expr, error) { return ir.Read(v.pool, v.over(states), p.Left.Type(), text) }
	end, err := steps.Follow(p.Left, e.Steps, read, assumes, steps.AnyRank)
	if err == nil && end != p.Right {
		err = fmt.Errorf("the steps lead to %s, not to %s", end, p.Right)
	}
	return err
}

// over returns the scope of a group's states and the update's other variables.
func (v *verifier) over(states []ir.Expr) func(name string) (ir.Expr, bool) {
	return func(name string) (ir.Expr, bool) {
		if role, i := roleOf(name); role == 'x' && i < len(states) {
			return states[i], true
		}
		e, ok := v.vars[name]
		return e, ok && e.Kind() != ir.State
	}
}

// worldOf returns those assumptions of a proof that are about overflow.
func (v *verifier) worldOf(e *Equality) (ir.Assume, error) {
	a, err := v.readAssumes(e.Assumes)
	return a & overflow, err
}

// simplified checks lemmas, equations between terms over a group's states, and applies them in
// their order. Words says whether nothing overflows in the result that does not in the values:
// then equations of integers that wrap may still be used where the operator takes them as
// unbounded.
func (v *verifier) simplified(values []ir.Expr, lemmas []Lemma, states []ir.Expr, world ir.Assume) (_ []ir.Expr, words bool, err error) {
	words = true
	for n := range lemmas {
		l := &lemmas[n]
		from, to, err := v.lemma(l, states)
		if err != nil {
			return nil, false, fmt.Errorf("lemma %d: %w", n, err)
		}
		switch of, _ := v.worldOf(&l.Equality); {
		case of == world:
			words = words && world == 0
		case of == 0 && words && addsNoOverflow(append([]ir.Expr{from}, values...), []ir.Expr{to}, world):
			// What from computes is computed whenever to is in its place.
		default:
			return nil, false, fmt.Errorf("lemma %d under %v differs from the operator in what overflows", n, l.Assumes)
		}
		values = v.pool.Map(values, func(e ir.Expr) ir.Expr {
			if e == from {
				return to
			}
			return ir.Expr{}
		})
		v.steps += l.Cases.Size()
	}
	return values, words, nil
}

func (v *verifier) lemma(l *Lemma, states []ir.Expr) (from, to ir.Expr, err error) {
	t := ir.ParseType(l.Type)
	if t == ir.Invalid {
		return from, to, fmt.Errorf("there is no type %q", l.Type)
	}
	if from, err = ir.Read(v.pool, v.over(states), t, l.From); err != nil {
		return from, to, err
	}
	if to, err = ir.Read(v.pool, v.over(states), t, l.To); err != nil {
		return from, to, err
	}
	return from, to, v.equality(proof.Problem{Left: from, Right: to}, &l.Equality, states)
}
