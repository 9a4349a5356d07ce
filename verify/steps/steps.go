// Package steps checks chains of rewrite steps. Each step replaces one subterm of an
// expression by a rule of package rules, or by the value of its operators:
//
//	x0 + select(p, 1, 0)        select-add-then, backward
//	select(p, x0 + 1, x0)       commute-add at operand 1
//	select(p, 1 + x0, x0)
//
// A chain proves what its steps prove. A rule proves the steps that it matches, at the
// types and under the assumptions that its line names; that the rules hold is shown by
// their own certificates, which package verify/rule checks.
package steps

import (
	"errors"
	"fmt"
	"math"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Fold names the steps that are computed: a subterm without variables is replaced by its value.
const Fold = "fold"

// AnyRank lets a chain use every rule.
const AnyRank = math.MaxInt

// Step rewrites the subterm that Path leads to, which gives the expression To.
type Step struct {
	Rule     string `json:"rule"`               // a rule's name, or Fold
	Backward bool   `json:"backward,omitempty"` // the rule's right side is replaced by its left side
	Path     []int  `json:"path,omitempty"`     // operand numbers from the root to the subterm
	To       string `json:"to"`
}

// Follow returns the expression to which the steps lead from e. Both have the same value for all values
// of their variables under the assumptions. The rules have ranks below the given one. Read reads To into
// the pool of e. The error names the first step that proves nothing.
func Follow(e ir.Expr, steps []Step, read func(text string) (ir.Expr, error), assume ir.Assume, rank int) (ir.Expr, error) {
	for i, s := range steps {
		to, err := read(s.To)
		if err == nil {
			err = s.check(e, to, assume, rank)
		}
		if err != nil {
			return e, fmt.Errorf("step %d: %w", i+1, err)
		}
		e = to
	}
	return e, nil
}

// check shows that the step leads from one expression to the other.
func (s Step) check(from, to ir.Expr, assume ir.Assume, rank int) error {
	left, right, err := changed(from, to, s.Path)
	if err != nil {
		return err
	}
	if s.Backward {
		left, right = right, left
	}
	if s.Rule == Fold {
		return checkFold(left, right, assume)
	}
	return checkRule(s.Rule, left, right, assume, rank)
}

// changed returns the subterms of a and b at the path, and an error where a and b differ anywhere else.
func changed(a, b ir.Expr, path []int) (x, y ir.Expr, err error) {
	for _, i := range path {
		if i < 0 || i >= min(a.NumArgs(), b.NumArgs()) || a.Arg(i).Type() != b.Arg(i).Type() {
			return a, b, errors.New("the path does not lead to the change")
		}
		args := make([]ir.Expr, a.NumArgs())
		for j := range args {
			args[j] = a.Arg(j)
		}
		args[i] = b.Arg(i)
		if ir.Rebuild(a, args) != b {
			return a, b, fmt.Errorf("%s changes into %s beside the path", a, b)
		}
		a, b = a.Arg(i), b.Arg(i)
	}
	if a.Type() != b.Type() {
		return a, b, fmt.Errorf("%s changes into %s", a.Type(), b.Type())
	}
	return a, b, nil
}

func checkRule(name string, left, right ir.Expr, assume ir.Assume, rank int) error {
	n, ok := rules.Rank(name)
	switch {
	case !ok:
		return fmt.Errorf("there is no rule %q", name)
	case n >= rank:
		return fmt.Errorf("%s is of rank %d, which is not below %d", name, n, rank)
	}
	r := rules.Ranked()[n]
	t, ok := r.Applies(left, right)
	switch {
	case !ok:
		return fmt.Errorf("%s does not turn %s into %s", name, left, right)
	case !r.Allowed(t, assume):
		return fmt.Errorf("%s does not hold at %s under %s", name, t, assume)
	}
	return nil
}

// checkFold shows that left, which has no variables, has the value right. The evaluator
// wraps and rounds: where numbers are unbounded or real the value is computed once more by
// the checker of equations, which does neither.
func checkFold(left, right ir.Expr, assume ir.Assume) error {
	if !left.IsClosed() || right.Op() != ir.Const {
		return fmt.Errorf("%s is not folded into a literal by %s", left, right)
	}
	t, v, want := left.Type(), ir.Eval(left, &ir.Env{}), right.Value()
	zeros := t.IsFloat() && ir.Float(t, v) == 0 && ir.Float(t, want) == 0
	if v != want && !(zeros && assume.Has(ir.NSZ)) {
		return fmt.Errorf("%s does not have the value %s", left, right)
	}
	types := left.Types()
	if assume.AnyUnbounded(types) || types&ir.FloatTypes != 0 && assume.Has(ir.Reassoc) {
		return equation.Check(proof.Problem{Left: left, Right: right}, assume, &proof.Tree{Kind: proof.Equal})
	}
	return nil
}
