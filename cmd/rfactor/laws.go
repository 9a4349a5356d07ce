package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/testpoint"
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

// law is an equation about an operator, and what is known of it.
type law struct {
	name        string
	left, right *term
	theorem     prove.Theorem
	more        ir.Assume             // all assumptions under which it would hold, if that is why not
	counter     *prove.Counterexample // to the law, or to it without its assumptions; may be nil
	pole        string                // why an identity may have no value on this side; empty of other laws
}

func (l *law) holds() bool { return l.theorem.Status == prove.Proved }

// checker examines one operator.
type checker struct {
	ctx      context.Context
	op       proof.Operator
	allowed  ir.Assume
	prover   *prove.Prover
	meter    effort.Meter // of all proofs and points
	limit    int64        // of one proof, in nanoseconds of package effort
	points   testpoint.Evaluator
	laws     []*law
	identity []ir.Expr  // stated or found
	side     proof.Side // on which it is one
	needs    ir.Assume  // what that takes for granted
	holding  []*law     // the sides on which it is one …
	sides    []*law     // … and, of a stated identity, those on which it is not
}

// start lets the checker spend so many units of effort.
func (k *checker) start(units int) {
	k.meter.Start(int64(units) * effort.Unit)
	k.limit, k.points.Meter = int64(units)*effort.Unit/4, &k.meter
}

// thoroughly is proving for what is worth more points and all values of few bits.
func (k *checker) thoroughly(allowed ir.Assume) prove.Options {
	o := k.proving(allowed)
	o.Thorough = true
	return o
}

// proving returns options for proofs under some of the allowed assumptions.
func (k *checker) proving(allowed ir.Assume) prove.Options {
	return prove.Options{Allowed: allowed, Limit: k.limit, Meter: &k.meter}
}

func (k *checker) associative() *law { return k.laws[0] }

// run examines the laws, and the stated identity or, of an associative operator, any.
func (k *checker) run(stated []ir.Expr) {
	a, b, c := k.op.Operands()
	x, y, z := &term{tuple: a}, &term{tuple: b}, &term{tuple: c}
	k.laws = []*law{
		{name: "associative", left: apply(apply(x, y), z), right: apply(x, apply(y, z))},
		{name: "commutative", left: apply(x, y), right: apply(y, x)},
		{name: "idempotent", left: apply(x, x), right: x},
	}
	under := k.allowed
	for _, l := range k.laws {
		k.examine(l, under)
		if l == k.associative() && l.holds() {
			under = l.theorem.Assumes // an operator is used under one set of assumptions
		}
	}
	switch {
	case stated != nil:
		k.state(stated, x, y, k.allowed)
	case k.associative().holds():
		if p, _ := k.prover.Characterise(k.ctx, k.op, k.thoroughly(under)); p != nil && p.Side != proof.NoSide {
			k.state(p.Identity, x, y, under)
			k.sides = nil
		}
	}
}

// examine proves a law under as few of the allowed assumptions as it can, or finds the
// values that refute it.
func (k *checker) examine(l *law, allowed ir.Assume) {
	left, right := l.left.exprs(k.op), l.right.exprs(k.op)
	problems := make([]proof.Problem, len(left))
	for i := range left {
		problems[i] = proof.Problem{Left: left[i], Right: right[i]}
	}
	l.theorem = k.proven(l, problems, allowed)
	against := l.theorem
	switch {
	case against.Status == prove.Proved && against.Assumes != 0:
		against = k.prover.Prove(k.ctx, problems, k.proving(0))
	case against.Status != prove.Proved && allowed != ir.AllAssumptions:
		if t := k.proven(l, problems, ir.AllAssumptions); t.Status == prove.Proved {
			l.more = t.Assumes
		}
	}
	if against.Status == prove.Unknown {
		if l.holds() {
			allowed = 0
		}
		against = k.decided(l, problems, allowed)
	}
	if !l.holds() || against.Status == prove.Proved {
		l.theorem = against
	}
	if against.Counter != nil {
		l.counter = k.points.Shrink(problems[against.Failed], against.Assumes, against.Counter)
	}
}

// proven is the theorem of a law. Of floats that are taken as a field an operator that is proven to
// be another is so at its poles, too, where rounding seems to refute it.
func (k *checker) proven(l *law, problems []proof.Problem, allowed ir.Assume) prove.Theorem {
	t := k.prover.Prove(k.ctx, problems, k.proving(allowed))
	if l == k.associative() && t.Status != prove.Proved && (t.Status == prove.Unknown || t.Assumes.Has(ir.Reassoc)) {
		t = k.asListed(t, allowed)
	}
	return t
}

// decided is the theorem of a law of which a proof like that of a match says nothing.
func (k *checker) decided(l *law, problems []proof.Problem, allowed ir.Assume) prove.Theorem {
	o := k.thoroughly(allowed)
	if l == k.associative() {
		return k.prover.Associative(k.ctx, k.op, o)
	}
	return k.prover.Decide(k.ctx, problems, o)
}

// asListed proves associativity of an operator that is, in another spelling, one that matching
// finds: its second operand stands for itself.
func (k *checker) asListed(t prove.Theorem, allowed ir.Assume) prove.Theorem {
	x, y, _ := k.op.Operands()
	u := &ir.Update{Pool: k.op.Exprs[0].Pool(), Types: k.op.Types, Values: k.op.Apply(x, y)}
	a, err := rfactor.Match(k.ctx, u, rfactor.Options{Allowed: allowed, Matchers: rfactor.AllMatchers &^ rfactor.Lifting})
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

// state examines an identity in arithmetic that wraps: slices start from it at run time.
func (k *checker) state(e []ir.Expr, x, y *term, allowed ir.Assume) {
	id := &term{tuple: e}
	left := &law{name: "left", left: apply(id, y), right: y}
	right := &law{name: "right", left: apply(x, id), right: x}
	middle := &law{name: "middle", left: apply(apply(x, id), y), right: apply(x, y)}
	k.identity, k.sides, k.holding = e, nil, nil
	examine := func(l *law, side proof.Side) {
		k.examine(l, allowed&^(ir.NSW|ir.NUW))
		k.examineAtPoles(l, side)
		l.more = 0
	}
	examine(left, proof.Left)
	examine(right, proof.Right)
	examine(middle, proof.Middle)
	switch {
	case left.holds() && right.holds():
		k.side, k.holding = proof.Two, []*law{left, right}
	case left.holds():
		k.side, k.holding, k.sides = proof.Left, []*law{left}, []*law{right}
	case right.holds():
		k.side, k.holding, k.sides = proof.Right, []*law{right}, []*law{left}
	case middle.holds():
		k.side, k.holding, k.sides = proof.Middle, []*law{middle}, []*law{left, right}
	default:
		k.sides = []*law{left, right}
	}
	for _, l := range k.holding {
		k.needs |= l.theorem.Assumes
	}
}

// valuesAt is how tuples look where a counterexample holds: (1, -2), or 1.
func (k *checker) valuesAt(c *prove.Counterexample) func([]ir.Expr) string {
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
			texts[i] = valueText(e.Type(), ir.Eval(e, env))
		}
		if len(texts) == 1 {
			return texts[0]
		}
		return "(" + strings.Join(texts, ", ") + ")"
	}
}

// refutation writes a law's counterexample: f(f(1, 2), 2) = 4, but f(1, f(2, 2)) = 5.
func (k *checker) refutation(l *law) string {
	value := k.valuesAt(l.counter)
	text := l.left.text(value) + " = " + value(l.left.exprs(k.op))
	if l.right.left == nil {
		text += ", not " + value(l.right.tuple)
	} else {
		text += ", but " + l.right.text(value) + " = " + value(l.right.exprs(k.op))
	}
	var constants []string
	for i, v := range l.counter.Inputs {
		if v.Kind() == ir.Param {
			constants = append(constants, v.String()+" = "+valueText(v.Type(), l.counter.Values[i]))
		}
	}
	if len(constants) > 0 {
		text += ", where " + strings.Join(constants, ", ")
	}
	return text
}

// report says what is known, for people.
func (k *checker) report() *report {
	r := &report{}
	for _, l := range k.laws {
		for i, text := range k.findings(l) {
			if i == 0 {
				r.add(l.name, text, "")
			} else {
				r.add("", text, "")
			}
		}
	}
	switch {
	case k.side != proof.NoSide:
		text := strings.TrimPrefix(identityText(k.side, texts(k.identity)), "identity ")
		if k.needs != 0 {
			text += " under " + assumed(k.needs)
		}
		r.add("identity", text, "")
		for _, l := range k.holding {
			if l.theorem.Assumes != 0 && l.counter != nil {
				r.add("", "exactly it is not: "+k.refutation(l), "")
				break
			}
		}
	case k.identity != nil:
		r.add("identity", "not "+identityTuple(texts(k.identity)), "")
	case k.associative().holds():
		r.add("identity", "none found", "")
	}
	said := ""
	for _, l := range k.sides {
		text := "not proven to be a " + l.name + " identity"
		if l.pole != "" {
			text += ": " + l.pole
		}
		if l.counter != nil {
			text = k.refutation(l)
		}
		if text != said { // one point may refute both sides
			r.add("", text, "")
		}
		said = text
	}
	return r
}

// findings are the lines about a law.
func (k *checker) findings(l *law) (lines []string) {
	switch {
	case l.holds() && l.theorem.Assumes == 0:
		return []string{"yes"}
	case l.holds():
		lines = []string{"under " + assumed(l.theorem.Assumes)}
		if l.counter != nil {
			lines = append(lines, "exactly it is not: "+k.refutation(l))
		}
		return lines
	case l.counter != nil:
		lines = []string{"no: " + k.refutation(l)}
	default:
		lines = []string{"neither proven nor refuted"}
	}
	if open := k.allowed & (ir.NSW | ir.NUW) &^ l.theorem.Assumes; l.theorem.Status == prove.Refuted && open != 0 && l.pole == "" {
		lines = append(lines, "under "+assumed(open)+" it is neither proven nor refuted")
	}
	if l.more != 0 {
		lines = append(lines, fmt.Sprintf("it is under %s", assumed(l.more)))
	}
	return lines
}

// checkRecord is the JSON form of what check finds.
type checkRecord struct {
	Types       []string        `json:"types"`
	Operator    []string        `json:"operator"`
	Associative lawRecord       `json:"associative"`
	Commutative lawRecord       `json:"commutative"`
	Idempotent  lawRecord       `json:"idempotent"`
	Identity    *identityRecord `json:"identity,omitempty"`
}

type lawRecord struct {
	Holds   string   `json:"holds"` // yes, no, unknown
	Assumes []string `json:"assumes,omitempty"`
	Under   []string `json:"would_hold_under,omitempty"`
	Counter string   `json:"counterexample,omitempty"` // of a law that holds: without its assumptions
}

type identityRecord struct {
	Values  []string `json:"values"`
	Side    string   `json:"side"`
	Assumes []string `json:"assumes,omitempty"`
	Counter []string `json:"counterexamples,omitempty"`
}

func (k *checker) record() checkRecord {
	r := checkRecord{Operator: texts(k.op.Exprs)}
	for _, t := range k.op.Types {
		r.Types = append(r.Types, t.String())
	}
	for i, to := range []*lawRecord{&r.Associative, &r.Commutative, &r.Idempotent} {
		*to = k.lawRecord(k.laws[i])
	}
	if k.identity != nil {
		r.Identity = &identityRecord{Values: texts(k.identity), Side: k.side.String(), Assumes: k.needs.Names()}
		for _, l := range k.sides {
			if l.counter != nil {
				r.Identity.Counter = append(r.Identity.Counter, k.refutation(l))
			}
		}
	}
	return r
}

func (k *checker) lawRecord(l *law) lawRecord {
	r := lawRecord{Holds: map[prove.Status]string{prove.Proved: "yes", prove.Refuted: "no", prove.Unknown: "unknown"}[l.theorem.Status]}
	if l.holds() {
		r.Assumes = l.theorem.Assumes.Names()
	} else if l.more != 0 {
		r.Under = l.more.Names()
	}
	if l.counter != nil {
		r.Counter = k.refutation(l)
	}
	return r
}
