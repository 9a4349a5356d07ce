package check

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// term is one side of a law about an operator f: a tuple, or f applied to two terms.
type term struct {
	left, right *term
	tuple       []ir.Expr
}

func apply(a, b *term) *term { return &term{left: a, right: b} }

func (t *term) exprs(op proof.Operator) []ir.Expr {
	if t.left == nil {
		return t.tuple
	}
	return op.Apply(t.left.exprs(op), t.right.exprs(op))
}

// text is the term with values in place of its tuples: f(f(1, 2), 3).
func (t *term) text(value func([]ir.Expr) string) string {
	if t.left == nil {
		return value(t.tuple)
	}
	return "f(" + t.left.text(value) + ", " + t.right.text(value) + ")"
}

// Law is an equation about an operator, and what is known of it.
type Law struct {
	Name    string
	Theorem prove.Theorem
	More    ir.Assume             // all assumptions under which it would hold, if these are not allowed
	Open    ir.Assume             // of a law that is refuted: what is allowed, and under which it is neither proven nor refuted
	Counter *prove.Counterexample // to the law, or to it without its assumptions; may be nil
	Pole    string                // why an identity may have no value on this side; empty of other laws

	left, right *term // right is nil where the law says that a condition holds of left
	problems    []proof.Problem
	op          proof.Operator
}

// Holds reports whether the law is proven under allowed assumptions.
func (l *Law) Holds() bool { return l.Theorem.Status == prove.Proved }

// Assumes returns what the proof of a law that holds rests on.
func (l *Law) Assumes() ir.Assume { return l.Theorem.Assumes }

func (k *checker) law(name string, ps []proof.Problem, left, right *term) Law {
	return Law{Name: name, problems: ps, left: left, right: right, op: k.op}
}

// examine proves a law under as few of the allowed assumptions as it can, or finds the
// values that refute it.
func (k *checker) examine(l *Law, allowed ir.Assume) {
	l.Theorem = k.proven(l, allowed)
	against := l.Theorem
	switch {
	case against.Status == prove.Proved && against.Assumes != 0:
		against = k.prover.Prove(k.ctx, l.problems, k.proving(0))
	case against.Status != prove.Proved && allowed != ir.AllAssumptions:
		if t := k.proven(l, ir.AllAssumptions); t.Status == prove.Proved {
			l.More = t.Assumes
		}
	}
	if against.Status == prove.Unknown {
		within := allowed
		if l.Holds() {
			within = 0
		}
		against = k.decided(l, within)
	}
	if !l.Holds() || against.Status == prove.Proved {
		l.Theorem = against
	}
	if against.Counter != nil {
		k.refute(l, against, allowed)
	}
}

// refute notes the counterexample of a theorem, if the evaluator confirms it. Whether values that break none of the
// allowed promises refute the law as well decides what stays open.
func (k *checker) refute(l *Law, t prove.Theorem, allowed ir.Assume) {
	p := l.problems[t.Failed]
	c := k.points.Shrink(p, t.Assumes, t.Counter)
	if !c.Confirm(p, t.Assumes) {
		if !l.Holds() {
			l.Theorem = prove.Theorem{}
		}
		return
	}
	l.Counter = c
	if !l.Holds() && l.More == 0 && !c.Confirm(p, allowed) {
		l.Open = allowed &^ t.Assumes & concerning(l.problems)
	}
}

// concerning returns the assumptions that say anything of the types in equations.
func concerning(ps []proof.Problem) (a ir.Assume) {
	var types ir.TypeSet
	for _, p := range ps {
		types |= ir.TypesIn([]ir.Expr{p.Left, p.Right})
	}
	for of, assume := range map[ir.TypeSet]ir.Assume{
		ir.SignedTypes: ir.NSW, ir.UnsignedTypes: ir.NUW, ir.FloatTypes: ir.AllAssumptions &^ (ir.NSW | ir.NUW),
	} {
		if types&of != 0 {
			a |= assume
		}
	}
	return a
}

// proven is the theorem of a law. Of floats that are taken as a field an operator that is proven to
// be another is so at its poles, too, where rounding seems to refute it.
func (k *checker) proven(l *Law, allowed ir.Assume) prove.Theorem {
	t := k.prover.Prove(k.ctx, l.problems, k.proving(allowed))
	if l.Name == associativity && t.Status != prove.Proved && (t.Status == prove.Unknown || t.Assumes.Has(ir.Reassoc)) {
		t = k.asListed(t, allowed)
	}
	if t.Status != prove.Proved {
		if skipping, ok := k.skippingNaN(l, allowed); ok {
			return skipping
		}
	}
	return t
}

// associativity is the name of the law that matching proves as well.
const associativity = "associative"

// decided is the theorem of a law of which a proof like that of a match says nothing.
func (k *checker) decided(l *Law, allowed ir.Assume) prove.Theorem {
	o := k.thoroughly(allowed)
	if l.Name == associativity {
		return k.prover.Associative(k.ctx, k.op, o)
	}
	return k.prover.Decide(k.ctx, l.problems, o)
}

// asListed proves associativity of an operator that is, in another spelling, one that matching
// finds: its second operand stands for itself.
func (k *checker) asListed(t prove.Theorem, allowed ir.Assume) prove.Theorem {
	if len(k.op.Given) > 0 {
		return t // a match grants them of the first operand alone
	}
	x, y, _ := k.op.Operands()
	u := &ir.Update{Pool: k.op.Exprs[0].Pool(), Types: k.op.Types, Values: k.op.Apply(x, y)}
	a, err := rfactor.Match(k.ctx, u, rfactor.Options{Allowed: allowed, Visible: true, Matchers: rfactor.AllMatchers &^ rfactor.Lifting})
	if a != nil {
		k.meter.Hold(int64(a.Effort * effort.Unit))
	}
	if err != nil || a.Status != rfactor.Associative {
		return t
	}
	for i, e := range a.Inject {
		if e.Op() != ir.Var || e.Kind() != ir.Leaf || e.Index() != i {
			return t
		}
	}
	return prove.Theorem{Status: prove.Proved, Assumes: a.Assumes}
}

// Refutation writes a law's counterexample as f(f(1, 2), 2) = 4, but f(1, f(2, 2)) = 5. It is empty where there is none.
func (l *Law) Refutation() string {
	if l.Counter == nil {
		return ""
	}
	value := valuesAt(l.Counter)
	text := l.left.text(value) + " = " + value(l.left.exprs(l.op))
	switch {
	case l.right == nil:
		text += ", which has not what is given"
	case l.right.left == nil:
		text += ", not " + value(l.right.tuple)
	default:
		text += ", but " + l.right.text(value) + " = " + value(l.right.exprs(l.op))
	}
	var constants []string
	for i, v := range l.Counter.Inputs {
		if v.Kind() == ir.Param {
			constants = append(constants, v.String()+" = "+ValueText(v.Type(), l.Counter.Values[i]))
		}
	}
	if len(constants) > 0 {
		text += ", where " + strings.Join(constants, ", ")
	}
	return text
}

// valuesAt is how tuples look where a counterexample holds: (1, -2), or 1.
func valuesAt(c *prove.Counterexample) func([]ir.Expr) string {
	env := &ir.Env{Var: func(v ir.Expr) uint64 {
		for i, in := range c.Inputs {
			if in == v {
				return c.Values[i]
			}
		}
		return 0 // the law does not depend on it
	}}
	return func(tuple []ir.Expr) string {
		texts := make([]string, len(tuple))
		for i, e := range tuple {
			texts[i] = ValueText(e.Type(), ir.Eval(e, env))
		}
		return TupleText(texts)
	}
}

// TupleText writes one text as it is, and several in parentheses.
func TupleText(texts []string) string {
	if len(texts) == 1 {
		return texts[0]
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// ValueText writes a carried value as a number, in the fewest digits.
func ValueText(t ir.Type, v uint64) string {
	switch {
	case t == ir.Bool:
		return strconv.FormatBool(v != 0)
	case t.IsFloat():
		return strconv.FormatFloat(ir.Float(t, v), 'g', -1, t.Bits())
	case t.IsSigned():
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatUint(v, 10)
}

// lines are the findings about a law.
func (l *Law) lines() (lines []string) {
	switch {
	case l.Holds() && l.Assumes() == 0:
		return []string{"yes"}
	case l.Holds():
		lines = []string{"under " + named(l.Assumes())}
		if l.Counter != nil {
			lines = append(lines, "exactly it is not: "+l.Refutation())
		}
		return lines
	case l.Counter != nil:
		lines = []string{"no: " + l.Refutation()}
	default:
		lines = []string{"neither proven nor refuted"}
	}
	if l.Open != 0 {
		lines = append(lines, "under "+named(l.Open)+" it is neither proven nor refuted")
	}
	if l.More != 0 {
		lines = append(lines, fmt.Sprintf("it is under %s", named(l.More)))
	}
	return lines
}

func named(a ir.Assume) string { return strings.Join(a.Names(), ", ") }
