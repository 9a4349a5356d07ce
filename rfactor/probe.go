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
	pool     *ir.Pool
	exprs    []ir.Expr
	identity []ir.Expr // a middle identity by evaluation; over the entry's constants
	leaves   int
}

var probeTables sync.Map // *pattern.Compiled → []*probeEntry

// probeTable lists the entries of a table that have an identity.
func probeTable(t *pattern.Compiled, allowed ir.Assume) []*probeEntry {
	if v, ok := probeTables.Load(t); ok {
		return v.([]*probeEntry)
	}
	var out []*probeEntry
	w := prove.NewProver()
	for _, e := range t.Entries {
		pool := ir.NewPool()
		pe := &probeEntry{Entry: e, pool: pool, exprs: pool.Import(e.Exprs...)}
		id, ok := w.LikelyIdentity(prove.Operator{Types: e.Types, Exprs: pe.exprs}, allowed)
		if !ok || len(constants(pe.exprs)) > 1 {
			continue
		}
		pe.identity = id
		for _, x := range pe.exprs {
			pe.leaves += x.Size()
		}
		out = append(out, pe)
	}
	v, _ := probeTables.LoadOrStore(t, out)
	return v.([]*probeEntry)
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

func (m *matcher) probe(p *part) *Group {
	table := probeTable(pattern.Table(p.types, m.opts.Allowed), m.opts.Allowed)
	m.sample.evaluate(p, m.nonNeg, m.opts.Allowed)
	var trials []trial
	for _, phi := range m.bijections(p) {
		for _, e := range table {
			for _, k := range m.bindings(p, e) {
				t := trial{e, k, phi}
				if m.survives(p, t) {
					trials = append(trials, t)
				}
			}
		}
		if m.ctx.Err() != nil {
			return nil
		}
	}
	slices.SortStableFunc(trials, func(a, b trial) int {
		return cmp.Or(cmp.Compare(a.phi.cost, b.phi.cost),
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
	ks := constants(e.exprs)
	if len(ks) == 0 {
		return []ir.Expr{{}}
	}
	var out []ir.Expr
	add := func(v ir.Expr) {
		if v.Type() == ks[0].Type() && !slices.Contains(out, v) && len(out) < maxBindings {
			out = append(out, v)
		}
	}
	ir.Walk(p.values, func(v ir.Expr) {
		if v.IsInvariant() {
			add(v)
		}
	})
	return out
}

const maxBindings = 6

// survives evaluates the equation of a trial at the points of the sample.
func (m *matcher) survives(p *part, t trial) bool {
	s := &m.sample
	env := map[ir.Expr]row{} // of the entry's own pool
	if t.k.IsValid() {
		r, _ := s.run(ir.NewTape(t.k), nil)
		env[constants(t.exprs)[0]] = r[0]
	}
	e, ok1 := s.run(ir.NewTape(t.identity...), env)
	instead := map[ir.Expr]row{}
	for i, x := range p.states {
		instead[x] = t.phi.inverseRow(m, p.types[i], e[i])
	}
	v, ok2 := s.run(&s.tape, instead) // update(φ⁻¹(e), l)
	for i, typ := range p.types {
		env[t.pool.X(i, typ)] = t.phi.row(m, typ, s.states[i])
		env[t.pool.Y(i, typ)] = t.phi.row(m, typ, v[i])
	}
	got, ok3 := s.run(ir.NewTape(t.exprs...), env)
	want := make([]row, len(p.types))
	for i, typ := range p.types {
		want[i] = t.phi.row(m, typ, s.want[i])
	}
	return s.agree(p.types, want, got, s.valid&ok1&ok2&ok3)
}

// tryTrial proves a trial: the operator is φ⁻¹(φ(x) ∘ φ(y)), its operand update(φ⁻¹(e), l).
func (m *matcher) tryTrial(p *part, t trial) *Group {
	op := m.bind(t, t.exprs)
	e := m.bind(t, t.identity)
	for i := range e {
		e[i] = t.phi.inverse(e[i])
	}
	inject := m.pool.Map(p.values, func(v ir.Expr) ir.Expr {
		if v.Op() == ir.Var && v.Kind() == ir.State {
			return e[v.Index()]
		}
		return ir.Expr{}
	})
	for i := range inject {
		inject[i] = canon.Greedy(inject[i], m.opts.Allowed)
	}
	if t.phi.cost == 0 {
		return m.confirmEntry(p, "probe:", t.Entry, op, inject)
	}
	exprs := m.conjugate(p, t.phi, op)
	return m.confirm(p, "probe:"+t.Name+t.phi.name, exprs, inject, func() *prove.Proven {
		proven, _ := m.prover.Characterise(m.ctx, prove.Operator{Types: p.types, Exprs: exprs}, m.opts.Allowed)
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
		out[i] = canon.Greedy(phi.inverse(out[i]), m.opts.Allowed)
	}
	return out
}
