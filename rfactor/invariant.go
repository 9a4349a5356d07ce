package rfactor

import (
	"context"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/construct"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// A program says where the state starts. A condition that holds there, that steps preserve,
// and that inject and ⊕ are proven to preserve, holds of every partial result: it is inferred
// and used as if it were given.

// maxInferred bounds the conditions that are tried one by one before all of them together.
const maxInferred = 4

// inferred matches an update without an operator again, under invariants that its initial value
// has, and with those under what is promised; nil where that gives no operator.
func (m *matcher) inferred(u *ir.Update) *Answer {
	opts := m.opts
	if len(u.Init) != len(u.Types) || opts.onlyGiven || opts.onlyOverflow || opts.Matchers&baselines != 0 {
		return nil
	}
	opts.onlyGiven, opts.inferring = true, true
	opts.Matchers &^= Lifting // a lift is no answer here
	initial := m.initialInvariants(u)
	kept := m.preserved(initial)
	tries := m.chains(initial)
	share := int64(3)
	if sorted := construct.Sorted(m.pool, m.restrict(tuple.Indices(len(u.Types)))); len(sorted) > 0 {
		tries, share = [][]ir.Expr{sorted}, 1 // nothing else would do
		kept = nil
	}
	for _, c := range kept[:min(len(kept), maxInferred)] {
		tries = append(tries, []ir.Expr{c})
	}
	if c := m.bounded(); c != nil && slices.ContainsFunc(c.given, func(e ir.Expr) bool { return !slices.Contains(kept, e) }) {
		tries = append(tries, c.given)
	}
	if orders := ordersOf(kept); len(orders) > 1 && len(orders) < len(kept) {
		tries = append(tries, orders)
	}
	if len(kept) > 1 {
		tries = append(tries, kept)
	}
	for _, given := range tries {
		v := *u
		v.Given = u.Pool.Import(given...)
		a, err := Match(m.ctx, &v, m.within(opts, share))
		if err != nil || a.Status != Associative {
			continue
		}
		if a.inferFrom(u.Init) {
			return a
		}
	}
	if len(u.Given) == 0 || len(kept) == 0 {
		return nil
	}
	v := *u
	v.Given = slices.Concat(u.Given, u.Pool.Import(kept...))
	opts.inferring = false // of what is promised
	if a, err := Match(m.ctx, &v, m.within(opts, share)); err == nil && a.Status == Associative {
		return a
	}
	return nil
}

// ordersOf returns the conditions that compare components with each other. An injected operand may
// exceed every literal.
func ordersOf(conditions []ir.Expr) (out []ir.Expr) {
	for _, c := range conditions {
		if bits.OnesCount64(c.States()) > 1 {
			out = append(out, c)
		}
	}
	return out
}

// initialInvariants returns the conditions on the state that are proven of the initial value.
func (m *matcher) initialInvariants(u *ir.Update) []ir.Expr {
	p := m.restrict(tuple.Indices(len(u.Types)))
	init := importValid(m.pool, u.Init)
	cs := m.candidateInvariants(p)
	for i, x := range p.States {
		if x.Type() == ir.Bool {
			continue
		}
		if e := init[i]; e.IsValid() && e.Op() == ir.Const && !fold.HasLimit(e) {
			cs = append(cs, ir.LeOf(e, x), ir.LeOf(x, e))
		}
		cs = append(cs, ir.Make(ir.Ne, x, fold.Number(m.pool, x.Type(), 0)))
	}
	return slices.DeleteFunc(slices.Compact(cs), func(c ir.Expr) bool {
		at, ok := atInitial(m.pool, c, init)
		return !ok || m.prover.Prove(m.ctx, []proof.Problem{{Left: at, Right: m.pool.Bool(true)}}, m.proving(0)).Status != prove.Proved
	})
}

// importValid copies expressions into a pool, without the zero ones.
func importValid(pool *ir.Pool, es []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(es))
	for i, e := range es {
		if e.IsValid() {
			out[i] = pool.Import(e)[0]
		}
	}
	return out
}

// atInitial returns a condition on the state with the initial values for its components; not ok where
// one of these is missing.
func atInitial(pool *ir.Pool, c ir.Expr, init []ir.Expr) (at ir.Expr, ok bool) {
	ok = true
	at = pool.Map([]ir.Expr{c}, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var || e.Kind() != ir.State {
			return ir.Expr{}
		}
		ok = ok && init[e.Index()].IsValid()
		return init[e.Index()]
	})[0]
	return at, ok
}

// inferFrom notes the initial value, with the proofs that it satisfies what the answer relies on, if that is anything.
func (a *Answer) inferFrom(init []ir.Expr) bool {
	if len(a.Given) == 0 {
		return true
	}
	a.Initial = importValid(a.Pool(), init)
	for _, c := range a.Given {
		at, ok := atInitial(a.Pool(), c, a.Initial)
		if !ok {
			return false
		}
		t := prove.Prove(context.Background(), []proof.Problem{{Left: at, Right: a.Pool().Bool(true)}}, prove.Options{})
		if t.Status != prove.Proved {
			return false
		}
		a.Starts = append(a.Starts, t.Proof())
	}
	return true
}
