package rfactor

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
)

// If update(x, l) = x ⊕ h(l) and e is a middle identity of ⊕, then
// x ⊕ update(e, l) = x ⊕ e ⊕ h(l) = update(x, l). So whether an update is an instance of ⊕
// is one equation: update(x, l) = x ⊕ update(e, l). Evaluation refutes it for nearly every
// entry of the table; what survives is proven. The same is asked of φ(update(φ⁻¹(x), l))
// for some bijections φ, which finds the conjugates φ⁻¹(φ(x) ⊕ φ(y)).

// probeEntry is an operator of the table made ready for probing.
type probeEntry struct {
	*pattern.Entry
	exprs      []ir.Expr // in a pool of its own
	x, y       []ir.Expr
	constant   ir.Expr   // its k, or the zero Expr
	identity   []ir.Expr // a middle identity by evaluation; over the constant
	literals   []row     // the identity where it is literal
	literalKey string
	leaves     int
}

var probeTables sync.Map // *pattern.Compiled → []*probeEntry

// probeTable lists the entries for the types of a part that have an identity.
func (m *matcher) probeTable(p *part) []*probeEntry {
	t := pattern.Table(p.types, m.allowed)
	if v, ok := probeTables.Load(t); ok {
		return v.([]*probeEntry)
	}
	var out []*probeEntry
	for _, e := range t.Entries {
		if pe := newProbeEntry(e, m.allowed); pe != nil {
			out = append(out, pe)
		}
	}
	v, _ := probeTables.LoadOrStore(t, out)
	return v.([]*probeEntry)
}

func newProbeEntry(e *pattern.Entry, allowed ir.Assume) *probeEntry {
	pool := ir.NewPool()
	op := prove.Operator{Types: e.Types, Exprs: pool.Import(e.Exprs...)}
	pe := &probeEntry{Entry: e, exprs: op.Exprs}
	ks := constants(pe.exprs)
	id, ok := prove.NewProver().LikelyIdentity(op, allowed)
	if !ok || len(ks) > 1 {
		return nil
	}
	if len(ks) == 1 {
		pe.constant = ks[0]
	}
	pe.identity = id
	pe.x, pe.y, _ = op.Operands()
	literal := true
	for i := range id {
		pe.leaves += pe.exprs[i].Size()
		literal = literal && id[i].Op() == ir.Const
	}
	if literal {
		for _, c := range id {
			var r row
			for lane := range r {
				r[lane] = c.Value()
			}
			pe.literals = append(pe.literals, r)
		}
		pe.literalKey = ir.Strings(id)
	}
	return pe
}

func constants(es []ir.Expr) (ks []ir.Expr) {
	for _, v := range ir.Vars(es...) {
		if v.Kind() == ir.Param {
			ks = append(ks, v)
		}
	}
	return ks
}

// trial is an entry with its constant bound, through a bijection.
type trial struct {
	*probeEntry
	k   ir.Expr // what the entry's constant stands for; zero where it has none
	phi bijection
}

// prober evaluates the trials of one part through one bijection.
type prober struct {
	m      *matcher
	p      *part
	phi    bijection
	states []row            // φ of the states
	want   []row            // φ of the update
	starts map[string][]row // φ(update(φ⁻¹(e), l)) by the values of e
}

func (m *matcher) probe(p *part) *Group {
	table := m.probeTable(p)
	m.sample.evaluate(p, m.nonNeg, m.allowed)
	m.sample.restrict(slices.Concat(m.state, m.inputs))
	var trials []trial
	for _, phi := range m.bijections(p) {
		w := &prober{m: m, p: p, phi: phi, starts: map[string][]row{}}
		w.states, w.want = phi.applyRows(m.sample.states), phi.applyRows(m.sample.want)
		for _, e := range table {
			for _, k := range m.bindings(p, e) {
				if t := (trial{e, k, phi}); w.survives(t) {
					trials = append(trials, t)
				}
			}
		}
		if m.ctx.Err() != nil {
			return nil
		}
	}
	slices.SortStableFunc(trials, func(a, b trial) int {
		return cmp.Or(cmp.Compare(a.phi.cost(), b.phi.cost()),
			cmp.Compare(bits.OnesCount8(uint8(a.Assumes)), bits.OnesCount8(uint8(b.Assumes))),
			cmp.Compare(a.leaves, b.leaves))
	})
	for _, t := range trials[:min(len(trials), maxTrials)] {
		if g := m.tryTrial(p, t); g != nil {
			return g
		}
	}
	return nil
}

// maxTrials bounds how many survivors of evaluation are tried by proof.
const maxTrials = 12

// bindings are the terms that an entry's constant may stand for: the invariants of the
// update, and literals near those in it. Just the zero Expr where it has no constant.
func (m *matcher) bindings(p *part, e *probeEntry) []ir.Expr {
	if !e.constant.IsValid() {
		return []ir.Expr{{}}
	}
	var out []ir.Expr
	add := func(v ir.Expr) {
		if v.Type() == e.constant.Type() && !slices.Contains(out, v) && len(out) < maxBindings {
			out = append(out, v)
		}
	}
	ir.Walk(slices.Concat(m.state, p.values), func(v ir.Expr) {
		if v.IsInvariant() {
			add(v)
		}
	})
	return out
}

const maxBindings = 6

// survives evaluates the equation of a trial at the points of the sample.
func (w *prober) survives(t trial) bool {
	s := &w.m.sample
	env := map[ir.Expr]row{} // of the entry's own pool
	if t.k.IsValid() {
		env[t.constant] = s.value(t.k)
	}
	v := w.start(t, env)
	for i := range w.p.types {
		env[t.x[i]], env[t.y[i]] = w.states[i], v[i]
	}
	op := w.m.tape(t.probeEntry)
	wrong := s.differ(w.p.types, w.want, s.run(op, env)) & s.valid
	if wrong != 0 {
		wrong &^= op.Overflowed(s.allowed)
	}
	if wrong != 0 {
		w.m.miss(w.p, t, wrong, s.valid)
	}
	return wrong == 0
}

// start is φ(update(φ⁻¹(e), l)) for the identity e of a trial.
func (w *prober) start(t trial, env map[ir.Expr]row) []row {
	s := &w.m.sample
	e := t.literals
	key := t.literalKey
	if e == nil {
		e, key = s.run(ir.NewTape(t.identity...), env), ""
	}
	if v, ok := w.starts[key]; ok && key != "" {
		return v
	}
	instead := map[ir.Expr]row{}
	inverse := w.phi.inverse()
	for i, x := range w.p.states {
		instead[x] = inverse.applyRow(e[i])
	}
	v := w.phi.applyRows(s.run(&s.tape, instead))
	if key != "" {
		w.starts[key] = v
	}
	return v
}

// tape is the operator of an entry, compiled once in a workspace.
func (m *matcher) tape(e *probeEntry) *ir.Tape {
	t := m.tapes[e]
	if t == nil {
		t = ir.NewTape(e.exprs...)
		m.tapes[e] = t
	}
	return t
}

// tryTrial proves a trial: the operator is φ⁻¹(φ(x) ∘ φ(y)), its operand update(φ⁻¹(e), l).
func (m *matcher) tryTrial(p *part, t trial) *Group {
	op := m.bind(t, t.exprs)
	e := m.bind(t, t.identity)
	for i := range e {
		e[i] = canon.Greedy(t.phi.inverse().apply(e[i]), m.allowed)
	}
	inject := m.started(p, e)
	for i := range inject {
		inject[i] = canon.Greedy(inject[i], m.allowed)
	}
	if t.phi.op == ir.Const {
		return m.confirmEntry(p, "probe:", t.Entry, op, inject)
	}
	exprs := m.conjugate(p, t.phi, op)
	return m.confirm(p, "probe:"+t.Name+t.phi.name(), exprs, inject, func() *prove.Proven {
		proven, _ := m.prover.Characterise(m.ctx, prove.Operator{Types: p.types, Exprs: exprs, Given: m.state}, m.allowed, e)
		return proven
	})
}

// bind copies expressions of the entry into the match's pool, with its constant bound.
func (m *matcher) bind(t trial, es []ir.Expr) []ir.Expr {
	return m.pool.Map(es, func(e ir.Expr) ir.Expr {
		if e.Op() == ir.Var && e.Kind() == ir.Param {
			return t.k
		}
		return ir.Expr{}
	})
}

// conjugate is φ⁻¹(φ(x) ∘ φ(y)), simplified.
func (m *matcher) conjugate(p *part, phi bijection, op []ir.Expr) []ir.Expr {
	out := m.pool.Map(op, func(e ir.Expr) ir.Expr {
		if e.Op() == ir.Var && (e.Kind() == ir.State || e.Kind() == ir.Leaf) {
			return phi.apply(e)
		}
		return ir.Expr{}
	})
	for i := range out {
		out[i] = canon.Greedy(phi.inverse().apply(out[i]), m.allowed)
	}
	return out
}
