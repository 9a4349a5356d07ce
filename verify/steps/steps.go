// Package steps checks chains of rewrite steps. Each step replaces one subterm of an
// expression by a rule of package rules, by the laws of the ring of its type, or by the
// value of its operators:
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
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// The steps that are computed instead of listed as rules.
const (
	Ring = "ring" // both subterms are the same polynomial over their other subterms
	Fold = "fold" // a subterm without variables is replaced by its value
)

// AnyRank lets a chain use every rule.
const AnyRank = -1

// Step rewrites the subterm that Path leads to, which gives the expression To.
type Step struct {
	Rule     string // a rule's name, or Ring or Fold
	Backward bool   // the rule's right side is replaced by its left side
	Path     []int  // operand numbers from the root to the subterm
	To       ir.Expr
}

// Check reports whether the steps lead from one expression to the other under the
// assumptions: nil means that both have the same value for all values of their variables.
// All expressions belong to one pool. Rules must have a rank below the given one, unless it
// is AnyRank. The error names the first step that proves nothing.
func Check(from, to ir.Expr, steps []Step, assume ir.Assume, rank int) error {
	e := from
	for i, s := range steps {
		if err := s.check(e, assume, rank); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		e = s.To
	}
	if e != to {
		return fmt.Errorf("the steps lead to %s, not to %s", e, to)
	}
	return nil
}

// check shows that the step leads from an expression to s.To.
func (s Step) check(from ir.Expr, assume ir.Assume, rank int) error {
	left, right, err := changed(from, s.To, s.Path)
	if err != nil {
		return err
	}
	if s.Backward {
		left, right = right, left
	}
	switch s.Rule {
	case Ring:
		return checkRing(left, right, assume)
	case Fold:
		return checkFold(left, right, assume)
	}
	return checkRule(s.Rule, left, right, assume, rank)
}

// changed returns the subterms of a and b at the path, and an error where a and b differ
// anywhere else.
func changed(a, b ir.Expr, path []int) (x, y ir.Expr, err error) {
	if a.Pool() != b.Pool() {
		return x, y, fmt.Errorf("the expressions are of two pools")
	}
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

func checkRule(name string, left, right ir.Expr, assume ir.Assume, rank int) error {
	n, ok := rules.Rank(name)
	if !ok {
		return fmt.Errorf("there is no rule %q", name)
	}
	if rank != AnyRank && n >= rank {
		return fmt.Errorf("%s is of rank %d, which is not below %d", name, n, rank)
	}
	r := rules.Ranked()[n]
	t, ok := r.Applies(left, right)
	if !ok {
		return fmt.Errorf("%s does not turn %s into %s", name, left, right)
	}
	if !r.Allowed(t, assume) {
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
	if v := ir.Eval(left, &ir.Env{}); v != right.Value() && !(isZero(left.Type(), v) && isZero(right.Type(), right.Value()) && assume.Has(ir.NSZ)) {
		return fmt.Errorf("%s does not have the value %s", left, right)
	}
	types := left.Types()
	if assume.AnyUnbounded(types) || types&ir.FloatTypes != 0 && assume.Has(ir.Reassoc) {
		return equation.Check(proof.Problem{Left: left, Right: right}, assume, equal)
	}
	return nil
}

func isZero(t ir.Type, v uint64) bool { return t.IsFloat() && ir.Float(t, v) == 0 }

// equal is the proof that two expressions are the same polynomial.
var equal = &proof.Tree{Kind: proof.Equal}

// checkRing shows that two numbers are equal by the laws of their type's ring: modulo 2^n,
// of ℤ under nsw or nuw, of ℚ under reassoc. Subterms under other operators may be anything.
func checkRing(left, right ir.Expr, assume ir.Assume) error {
	if t := left.Type(); !t.IsInt() && !(t.IsFloat() && assume.Has(ir.Reassoc)) {
		return fmt.Errorf("there is no ring of %s under %s", t, assume)
	}
	g := generalizer{}
	p := proof.Problem{Left: g.term(left), Right: g.term(right)}
	if err := equation.Check(p, assume, equal); err != nil {
		return fmt.Errorf("%s and %s are different polynomials: %w", left, right, err)
	}
	return nil
}

// generalizer replaces the maximal subterms under operators that no ring has by variables.
// What holds for all values of the variables holds for the subterms.
type generalizer map[ir.Expr]ir.Expr

func (g generalizer) term(e ir.Expr) ir.Expr {
	if e.Op() == ir.Const {
		return e
	}
	if general, ok := g[e]; ok {
		return general
	}
	var general ir.Expr
	if !isRingOp(e) {
		// Variables of the expression are replaced, too, so that the new ones are new.
		general = e.Pool().Var(ir.Leaf, "subterm", len(g), e.Type())
	} else {
		args := make([]ir.Expr, e.NumArgs())
		for i := range args {
			args[i] = g.term(e.Arg(i))
		}
		general = ir.Rebuild(e, args)
	}
	g[e] = general
	return general
}

func isRingOp(e ir.Expr) bool {
	switch e.Op() {
	case ir.Add, ir.Sub, ir.Mul, ir.Neg, ir.BitNot, ir.BitAnd, ir.BitOr, ir.BitXor:
		return true
	case ir.Div:
		return e.Type().IsFloat()
	case ir.Shl:
		return e.Arg(1).Op() == ir.Const
	}
	return false
}
