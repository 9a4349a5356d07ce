package rfactor

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/internal/recent"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/laws"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/verify/pole"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// What is claimed of a lift, and its proofs.

// The names of a lift's laws.
const (
	updateLaw   = "update = apply(x, inject)"
	actionLaw   = "apply(apply(x, p), q) = apply(x, p ∘ q)"
	identityLaw = "apply(x, identity) = x"
	keptLaw     = "a step keeps what is given"
)

// liftClaim is a law of a lift.
type liftClaim struct {
	proof.Law
	ofUpdate bool // else of the composition alone
	matrix   bool // its sides are products of matrices over GF(2)
}

// proveOf proves the lift's claims for some components.
func (l *lifted) proveOf(components []int) bool {
	m := l.m
	if !l.whole || len(l.identity) != len(l.types) {
		l.identity = nil
	}
	l.lift.claims = liftClaims(m.pool, l.lift, l.types, l.inject, l.compose, l.identity, components, slices.Concat(l.given, m.notNegative))
	var given, es []ir.Expr
	for _, c := range l.lift.claims {
		for _, p := range c.Problems {
			given, es = append(given, p.Given...), append(es, p.Left, p.Right)
		}
	}
	for i := range l.lift.claims {
		l.lift.claims[i].matrix = l.matrix
	}
	compares := l.cellwise && comparesSums(l.compose)
	needed := m.lemmasAssume
	for _, i := range components {
		needed |= poles(l.lift.Apply[i])
	}
	strays := slices.ContainsFunc(l.inject, mayStray)
	for _, assume := range prove.Ladder(l.allowed, given, es...) {
		m.limit(4)
		switch {
		case compares && assume&(ir.NSW|ir.NUW) == 0:
			continue // sums that wrap have no order, and to find no proof takes long
		case strays && (assume | needed).Has(ir.NNaN) && (assume|needed)&(ir.NInf|ir.Reassoc) == 0:
			continue // the laws are of parameters that are not NaN
		}
		if !m.over() && l.allowed.Has(needed) && l.proveUnder(assume|needed) {
			return true
		}
	}
	return false
}

// poles returns the assumptions that a step needs which divides by terms of the state. At a pole the
// step gives ±∞ or NaN, from which the next step may lead back; composed steps do not.
func poles(apply ir.Expr) (assume ir.Assume) {
	ir.Walk([]ir.Expr{apply}, func(e ir.Expr) {
		if e.Op() == ir.Div && e.Type().IsFloat() && e.Arg(1).States() != 0 {
			assume = ir.NInf | ir.NNaN
		}
	})
	return assume
}

// mayStray reports whether arithmetic on floats that are not NaN may give NaN, as ∞ − ∞ and 0·∞ do.
func mayStray(e ir.Expr) (found bool) {
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		if e.NumArgs() == 0 || !e.Type().IsFloat() {
			return
		}
		last := e.Arg(e.NumArgs() - 1)
		switch e.Op() {
		case ir.Add, ir.Sub:
			found = found || !isFinite(e.Arg(0)) && !isFinite(last)
		case ir.Mul:
			found = found || !isFinite(e.Arg(0)) && !isFinite(last) || isZero(e.Arg(0)) || isZero(last)
		case ir.Div:
			found = found || !isFinite(last) || isZero(last)
		case ir.Mod, ir.Sqrt, ir.Log, ir.Log1p, ir.Pow, ir.Sin, ir.Cos:
			found = true
		}
	})
	return found
}

func isFinite(e ir.Expr) bool {
	return e.Op() == ir.Const && !math.IsInf(ir.Float(e.Type(), e.Value()), 0) && !math.IsNaN(ir.Float(e.Type(), e.Value()))
}

// comparesSums reports whether extrema are taken of sums of integers.
func comparesSums(es []ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) {
		if e.Op() != ir.Min && e.Op() != ir.Max || !e.Type().IsInt() {
			return
		}
		for i := range e.NumArgs() {
			switch e.Arg(i).Op() {
			case ir.Add, ir.Sub, ir.Neg:
				found = true
			}
		}
	})
	return found
}

// proveUnder proves the claims under exactly the given assumptions. The identity is proven of integers
// that wrap and, where parameters are wider than the state, of unbounded integers, too; otherwise
// the lift has no identity.
func (l *lifted) proveUnder(assume ir.Assume) bool {
	if assume.Has(ir.NUW) && (overflow.BelowZero(l.inject, l.lift.Update) || overflow.BelowZero(l.compose, nil)) {
		return false
	}
	for _, c := range l.lift.claims {
		t := l.m.proveClaim(&c, c.Assumes(assume))
		if c.Wrapping && assume&overflow.Flags != 0 {
			unbounded := l.m.proveClaim(&c, assume)
			if unbounded.Status != prove.Proved {
				l.identity = nil
				continue
			}
			l.lift.Proofs.Unbounded = unbounded.Proofs
		}
		switch {
		case t.Status == prove.Proved && (!c.Wrapping || l.m.isFree(c.Problems, c.Assumes(assume))):
			*c.Proofs = t.Proofs
		case c.Wrapping:
			l.identity = nil
		default:
			l.m.nearLift.note(l.lift.Families, &c, t)
			return false
		}
	}
	l.assumes = assume
	return true
}

// isFree reports whether proven equations hold at poles, too.
func (m *matcher) isFree(ps []proof.Problem, assume ir.Assume) bool {
	const most = 1 << 20
	fuel := most
	err := pole.Free(&fuel, ps, assume)
	m.meter.Spend(effort.Cases, most-fuel)
	return err == nil
}

// provenLaws remembers the proofs of compositions, so that each is proven once as long as it is used. It holds
// facts about operators, never answers about updates. Weights are numbers of nodes of proofs, .2 KB each.
var provenLaws = recent.Map[lawKey, *provenLaw]{Most: 25_000}

type lawKey struct {
	problems string // see problemsText: 100 KB for matrices of 64 bits
	assume   ir.Assume
	describe bool  // proofs say their cases in words
	limit    int64 // of the proof, in nanoseconds of package effort
}

// provenLaw is what a proof gave, and the work that it took.
type provenLaw struct {
	theorem prove.Theorem
	work    effort.Meter
}

// pay charges for the proof of a law, whichever match made it, so that a match costs the same in
// every process.
func (m *matcher) pay(l *provenLaw) prove.Theorem {
	m.meter.Charge(&l.work)
	if l.theorem.Status == prove.Unknown && l.work.Done() && m.open == nil { // more effort may prove it
		m.open = liftsOpen
	}
	return l.theorem
}

func (m *matcher) proveClaim(c *liftClaim, assume ir.Assume) prove.Theorem {
	way := laws.Compositions
	switch {
	case c.matrix && c.ofUpdate:
		return laws.Matrices(m.ctx, m.prover, c.Problems, m.exactly(assume))
	case c.ofUpdate:
		return laws.Words(m.ctx, m.prover, c.Problems, m.exactly(assume))
	case c.matrix:
		way = laws.Matrices
	}
	// What was spent before has no part in the proof but for the limit: another match may have made it.
	limit := m.sharedLimit()
	key := lawKey{problemsText(c.Problems), assume, m.opts.Describe, limit}
	if l, ok := provenLaws.Peek(key); ok {
		return m.pay(l)
	}
	l, o := &provenLaw{}, m.exactly(assume)
	l.work.Start(limit)
	o.Limit, o.Meter = 0, &l.work
	t := way(m.ctx, m.prover, c.Problems, o)
	l.theorem = prove.Theorem{Status: t.Status, Assumes: t.Assumes, Proofs: t.Proofs}
	if !t.Stopped && m.ctx.Err() == nil {
		provenLaws.Get(key, func() (*provenLaw, int) { return l, 2 + sizeOf(t.Proofs) + len(key.problems)/200 })
	}
	m.pay(l)
	return t
}

// problemsText returns equations as text, with the types of their variables.
func problemsText(ps []proof.Problem) string {
	var es []ir.Expr
	for _, p := range ps {
		es = append(append(es, p.Given...), p.Left, p.Right)
	}
	var b strings.Builder
	for _, e := range es {
		fmt.Fprintf(&b, "; %s %s", e.Type(), e)
	}
	for _, v := range ir.Vars(es...) {
		fmt.Fprintf(&b, "; %s %s %d", v, v.Type(), v.Kind())
	}
	return b.String()
}

// liftClaims returns the equations of a lift.
func liftClaims(pool *ir.Pool, l *Lift, types []ir.Type, inject, compose, identity []ir.Expr, components []int, given []ir.Expr) []liftClaim {
	n := len(l.Apply)
	states := make([]ir.Expr, n)
	first, second := make([]ir.Expr, len(types)), make([]ir.Expr, len(types))
	for i, u := range l.Update {
		states[i] = pool.X(i, u.Type())
	}
	for i, t := range types {
		first[i] = l.Params[i]
		second[i] = pool.Var(ir.Leaf, fmt.Sprintf("q%d", i), 1<<19+i, t)
	}
	apply := func(x, p []ir.Expr) []ir.Expr { return instantiate(pool, l.Apply, x, p) }
	composed := (proof.Operator{Types: types, Exprs: compose}).Apply(first, second)
	pick := func(left, right, given []ir.Expr) (ps []proof.Problem) {
		for _, i := range components {
			ps = append(ps, proof.Problem{Given: given, Left: left[i], Right: right[i]})
		}
		return ps
	}
	claims := []liftClaim{
		{proof.Law{Name: updateLaw, Problems: pick(l.Update, apply(states, inject), given), Proofs: &l.Proofs.Update}, true, false},
		{proof.Law{Name: actionLaw, Problems: pick(apply(apply(states, first), second), apply(states, composed), nil), Proofs: &l.Proofs.Action}, false, false},
	}
	if identity != nil {
		claims = append(claims, liftClaim{proof.Law{Name: identityLaw, Problems: pick(apply(states, identity), states, nil), Wrapping: true, Proofs: &l.Proofs.Identity}, false, false})
	}
	return claims
}

// Laws returns the laws that are proven of the lift, in the order of an argument. It is nil for a Lift
// that Match did not make.
func (l *Lift) Laws() (laws []proof.Law) {
	for _, c := range l.claims {
		if *c.Proofs != nil {
			laws = append(laws, c.Law)
		}
	}
	return laws
}

// instantiate puts states and parameters into apply expressions. A component without an expression,
// which is outside of the part, gets none.
func instantiate(pool *ir.Pool, apply, x, p []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(apply))
	for i, e := range apply {
		if !e.IsValid() {
			out[i] = x[i]
			continue
		}
		out[i] = pool.Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr {
			switch {
			case e.Op() != ir.Var:
			case e.Kind() == ir.State:
				return x[e.Index()]
			case e.Kind() == ir.Leaf:
				return p[e.Index()-1<<18]
			}
			return ir.Expr{}
		})[0]
	}
	return out
}
