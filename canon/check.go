package canon

import (
	"fmt"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

// This file replays derivations. It uses the texts of the rules and the evaluator, and
// nothing of the e-graph.

// Check replays the steps. It returns an error unless they lead from one expression to another,
// each rewriting one subterm by a rule that holds at its type under the allowed assumptions, by the value
// of an operator over literals, or by the normal form of the ring. All expressions are of one pool.
func Check(steps []Step, from, to ir.Expr, allowed ir.Assume) error {
	e := from
	for i, st := range steps {
		if st.Before != e {
			return fmt.Errorf("step %d begins with %s, not with %s", i+1, st.Before, e)
		}
		if err := checkStep(st, allowed); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		e = st.After
	}
	if e != to {
		return fmt.Errorf("the last step ends with %s, not with %s", e, to)
	}
	return nil
}

func checkStep(st Step, allowed ir.Assume) error {
	left, right, err := changed(st.Before, st.After, st.Path)
	if err != nil {
		return err
	}
	if st.Backward {
		left, right = right, left
	}
	switch st.Rule {
	case ReasonFold:
		return checkFold(left, right)
	case ReasonRing:
		return checkRing(left, right, allowed)
	}
	r, ok := rules.ByName(st.Rule)
	if !ok {
		return fmt.Errorf("there is no rule %q", st.Rule)
	}
	t, ok := r.Applies(left, right)
	if !ok {
		return fmt.Errorf("%s does not turn %s into %s", st.Rule, left, right)
	}
	if !r.Allowed(t, allowed) {
		return fmt.Errorf("%s does not hold at %s under %s", st.Rule, t, allowed)
	}
	return nil
}

// changed returns the subterms that a path leads to, where the two terms agree elsewhere.
func changed(a, b ir.Expr, path []int) (x, y ir.Expr, err error) {
	for _, i := range path {
		if i < 0 || i >= a.NumArgs() || !sameRoot(a, b) {
			return x, y, fmt.Errorf("the path does not lead to the change")
		}
		for j := range a.NumArgs() {
			if j != i && a.Arg(j) != b.Arg(j) {
				return x, y, fmt.Errorf("%s changes into %s beside the path", a.Arg(j), b.Arg(j))
			}
		}
		a, b = a.Arg(i), b.Arg(i)
	}
	if a.Type() != b.Type() {
		return x, y, fmt.Errorf("%s changes into %s", a.Type(), b.Type())
	}
	return a, b, nil
}

func sameRoot(a, b ir.Expr) bool {
	if a.Op() != b.Op() || a.Type() != b.Type() || a.NumArgs() != b.NumArgs() {
		return false
	}
	return a.Op() != ir.Call || a.Name() == b.Name() && a.Index() == b.Index()
}

func checkFold(left, right ir.Expr) error {
	if !left.IsClosed() || right.Op() != ir.Const || right.Value() != ir.Eval(left, &ir.Env{}) {
		return fmt.Errorf("%s does not have the value %s", left, right)
	}
	return nil
}

// checkRing compares the normal forms of two terms of one type as sums of products.
func checkRing(left, right ir.Expr, allowed ir.Assume) error {
	if poly.DomainOf(left.Type(), allowed) == 0 || poly.Normal(left, allowed) != poly.Normal(right, allowed) {
		return fmt.Errorf("%s and %s have different normal forms", left, right)
	}
	return nil
}
