package find

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
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
	constant   ir.Expr       // its k, or the zero Expr
	identity   []ir.Expr     // a middle identity by evaluation; over the constant
	literals   []*sample.Row // the identity where it is literal
	literalKey string
	leaves     int
}

// probeTable holds the table entries of one tuple of types. Entries without an identity are in a list of their own.
type probeTable struct {
	entries []*probeEntry
	groups  []*probeGroup
	without []*pattern.Entry
}

// probeGroup is entries that have the same identity, and constants of the same name: they
// are evaluated together, what they have in common once.
type probeGroup struct {
	entries []*probeEntry // in one pool
	of      []int         // their places in the table
}

// grouped puts entries that have the same identity and the same constant into one group. All are of one pool.
func grouped(entries []*probeEntry) (groups []*probeGroup) {
	type key struct {
		identity string
		constant ir.Expr
	}
	at := map[key]*probeGroup{}
	for i, e := range entries {
		k := key{ir.Strings(e.identity), e.constant}
		g := at[k]
		if g == nil {
			g = &probeGroup{}
			at[k], groups = g, append(groups, g)
		}
		g.entries, g.of = append(g.entries, e), append(g.of, i)
	}
	return groups
}

func (cx *Context) probeTable(p *tuple.Part) *probeTable {
	t := cx.Table(p.Types)
	return t.Beside(func() (any, int) {
		table := &probeTable{}
		pool := ir.NewPool()
		entries := slices.Clip(t.Entries)
		if !cx.Tables.IsAlone() {
			entries = append(entries, ranked(p.Types)...)
		}
		rows := map[uint64]*sample.Row{}
		for _, e := range entries {
			if pe := newProbeEntry(e, proof.Operator{Types: e.Types, Exprs: pool.Import(e.Exprs...)}, cx.Allowed, new(effort.Meter), rows); pe != nil {
				table.entries = append(table.entries, pe)
			} else {
				table.without = append(table.without, e)
			}
		}
		table.groups = grouped(table.entries)
		return table, len(entries)
	}).(*probeTable)
}

// given lists the entries without an identity that have one on the states that satisfy what
// is given, with literals of the update for their constants: (x + y) % 3 while 0 <= x < 3.
func (t *probeTable) given(cx *Context, bindings *[ir.NumTypes][]ir.Expr) (out []*probeGroup) {
	for _, e := range t.without {
		ks := tuple.Params(e.Exprs)
		choices := unbound
		if len(ks) == 1 {
			choices = bindings[ks[0].Type()]
		}
		for _, k := range choices {
			if len(ks) > 1 || k.IsValid() && k.Op() != ir.Const || cx.Over() {
				continue
			}
			cx.Consider(20)
			pool := ir.NewPool()
			pool.Charge(func(n int) { cx.Registers.Meter.Spend(effort.Terms, n) })
			exprs := pool.Import(cx.bind(trial{k: k}, e.Exprs)...)
			if pe := newProbeEntry(e, proof.Operator{Types: e.Types, Exprs: exprs, Given: pool.Import(cx.State...)}, cx.Allowed, cx.Registers.Meter, map[uint64]*sample.Row{}); pe != nil {
				out = append(out, &probeGroup{[]*probeEntry{pe}, []int{len(t.entries)}})
			}
		}
	}
	return out
}

// newProbeEntry makes an entry ready, as an operator in a pool of its own, for which a meter is charged; nil where it has
// no identity. rows has a row of each literal that identities have.
func newProbeEntry(e *pattern.Entry, op proof.Operator, allowed ir.Assume, m *effort.Meter, rows map[uint64]*sample.Row) *probeEntry {
	pe := &probeEntry{Entry: e, exprs: op.Exprs}
	ks := tuple.Params(pe.exprs)
	if len(ks) > 1 {
		return nil
	}
	id, ok := startingFrom(e, op, allowed, m)
	if !ok {
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
			r := rows[c.Value()]
			if r == nil {
				r = new(sample.Row)
				for lane := range r {
					r[lane] = c.Value()
				}
				rows[c.Value()] = r
			}
			pe.literals = append(pe.literals, r)
		}
		pe.literalKey = ir.Strings(id)
	}
	return pe
}

// startingFrom returns the identity with which an entry is probed. No proof rests on it. The identity
// that evaluation suggests may be an infinity on floats, to which every result is close.
func startingFrom(e *pattern.Entry, op proof.Operator, allowed ir.Assume, m *effort.Meter) ([]ir.Expr, bool) {
	if len(e.Identity) > 0 && len(op.Given) == 0 {
		return op.Exprs[0].Pool().Import(e.Identity...), true
	}
	return prove.LikelyIdentity(op, allowed, m)
}

// trial is an entry with its constant bound, through a bijection.
type trial struct {
	*probeEntry
	k              ir.Expr // what the entry's constant stands for; zero where it has none
	phi            bijection
	size           int // of the operator with the constant in it
	through, place int // of the bijection among those that are tried, and of the entry in the table
}

// prober evaluates the trials of one part through one bijection.
type prober struct {
	cx     *Context
	p      *tuple.Part
	phi    bijection
	states []*sample.Row            // φ of the states
	want   []*sample.Row            // φ of the update
	starts map[string][]*sample.Row // φ(update(φ⁻¹(e), l)) by the values of e
	choice map[ir.Expr]*sample.Row  // values of what constants are bound to
}

// Probe proposes operators of the table, and conjugates of them, that agree with the part at points, the simplest first.
func (cx *Context) Probe(p *tuple.Part) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		trials := cx.trials(p)
		for _, t := range trials[:min(len(trials), maxTrials)] {
			if cx.Over() || !yield(cx.proposed(p, t)) {
				return
			}
		}
	}
}

// trials returns the trials of the table that evaluation does not refute, the simplest first.
func (cx *Context) trials(p *tuple.Part) (trials []trial) {
	defer cx.Rows.GiveBack(cx.Rows.Used)
	table := cx.probeTable(p)
	bindings := cx.bindings(p)
	groups := table.groups
	if len(cx.State) > 0 {
		more := table.given(cx, &bindings)
		defer cx.forget(more)
		groups = slices.Concat(groups, more)
	}
	s := cx.Points
	s.Evaluate(p, cx.NonNeg, cx.Allowed)
	s.Restrict(slices.Concat(cx.State, cx.Inputs))
	s.TellingFirst()
	phis := slices.DeleteFunc(cx.bijections(p), func(phi bijection) bool {
		return phi.overflows(s.States[0], s.Valid, s.Allowed) || phi.overflows(s.Want[0], s.Valid, s.Allowed)
	})
	for some := range slices.Chunk(phis, maxScreened) {
		w := cx.screen(p, some)
		for _, g := range groups {
			if cx.Over() {
				return nil
			}
			for _, k := range g.entries[0].choices(&bindings) {
				trials = w.survivors(trials, g, k)
			}
		}
	}
	for i := range trials {
		if t := &trials[i]; t.k.IsValid() && t.k.Op() == ir.Const { // 0 and 1 may make some of an operator fall away
			t.size = tuple.Size(simplified(cx.bind(*t, t.exprs)))
		} else {
			t.size = t.leaves
		}
	}
	slices.SortStableFunc(trials, func(a, b trial) int {
		return cmp.Or(cmp.Compare(a.phi.cost(), b.phi.cost()),
			cmp.Compare(bits.OnesCount8(uint8(a.Assumes)), bits.OnesCount8(uint8(b.Assumes))),
			cmp.Compare(a.size, b.size), cmp.Compare(a.through, b.through), cmp.Compare(a.place, b.place))
	})
	return trials
}

func (cx *Context) prober(p *tuple.Part, phi bijection) *prober {
	return &prober{cx: cx, p: p, phi: phi, states: phi.applyRows(&cx.Rows, cx.Points.States), want: phi.applyRows(&cx.Rows, cx.Points.Want),
		starts: map[string][]*sample.Row{}, choice: map[ir.Expr]*sample.Row{}}
}

// choices returns the terms to which an entry's constant may be bound; one zero Expr where the entry
// has no constant.
func (e *probeEntry) choices(bindings *[ir.NumTypes][]ir.Expr) []ir.Expr {
	if e.constant.IsValid() {
		return bindings[e.constant.Type()]
	}
	return unbound
}

// maxTrials bounds how many survivors of evaluation are tried by proof.
const maxTrials = 12

// unbound is the one choice of an entry without a constant.
var unbound = []ir.Expr{{}}

// bindings returns the terms for which an entry's constant may stand, by their type: the invariants of
// the update.
func (cx *Context) bindings(p *tuple.Part) (of [ir.NumTypes][]ir.Expr) {
	ir.Walk(slices.Concat(cx.State, p.Values), func(v ir.Expr) {
		if t := v.Type(); v.IsInvariant() && len(of[t]) < maxBindings && !slices.Contains(of[t], v) {
			of[t] = append(of[t], v)
		}
	})
	return of
}

const maxBindings = 6

// probeTapes are an entry's operator and identity compiled in a workspace.
type probeTapes struct {
	op, identity *tape.Tape
	slots        []probeSlot   // of the operator's inputs
	in           []*sample.Row // scratch
}

// probeSlot says what an input of an operator is.
type probeSlot struct {
	role  byte // x, y or k
	index int
}

// maxTapes bounds the tapes of a kind that a workspace keeps, and the tables that these keep.
const maxTapes = 1000

// kept returns the tapes of an entry or a group, compiled once in a workspace.
func kept[K comparable](in map[K]*probeTapes, k K, compile func() *probeTapes) *probeTapes {
	t := in[k]
	if t == nil {
		if len(in) == maxTapes {
			clear(in)
		}
		t = compile()
		in[k] = t
	}
	return t
}

func (cx *Context) tapes(e *probeEntry) *probeTapes {
	return kept(cx.compiled, e, func() *probeTapes { return e.compile(&cx.Registers, e.exprs) })
}

func (cx *Context) groupTapes(g *probeGroup) *probeTapes {
	return kept(cx.together, g, func() *probeTapes {
		var exprs []ir.Expr
		for _, e := range g.entries {
			exprs = append(exprs, e.exprs...)
		}
		return g.entries[0].compile(&cx.Registers, exprs)
	})
}

// compile makes tapes of expressions over an entry's variables, and of its identity.
func (e *probeEntry) compile(in *tape.Registers, exprs []ir.Expr) *probeTapes {
	t := &probeTapes{op: in.NewTape(exprs...), identity: tape.Paid(in.Meter, e.identity...)}
	for _, v := range t.op.Inputs {
		slot := probeSlot{'k', 0}
		if i := slices.Index(e.x, v); i >= 0 {
			slot = probeSlot{'x', i}
		} else if i := slices.Index(e.y, v); i >= 0 {
			slot = probeSlot{'y', i}
		}
		t.slots = append(t.slots, slot)
	}
	return t
}

// forget drops the tapes of groups that no other match has.
func (cx *Context) forget(groups []*probeGroup) {
	for _, g := range groups {
		delete(cx.together, g)
		for _, e := range g.entries {
			delete(cx.compiled, e)
		}
	}
}

// operands returns the rows of an operator's inputs. They hold until the next call.
func (c *probeTapes) operands(x, y []*sample.Row, k *sample.Row) []*sample.Row {
	c.in = c.in[:0]
	for _, slot := range c.slots {
		switch slot.role {
		case 'x':
			c.in = append(c.in, x[slot.index])
		case 'y':
			c.in = append(c.in, y[slot.index])
		default:
			c.in = append(c.in, k)
		}
	}
	return c.in
}

// constants returns the rows of the identity's inputs. They hold until the next call.
func (c *probeTapes) constants(k *sample.Row) []*sample.Row {
	c.in = c.in[:0]
	for range c.identity.Inputs {
		c.in = append(c.in, k)
	}
	return c.in
}

// value returns the values of a term for which a constant stands; nil for the zero Expr.
func (w *prober) value(k ir.Expr) *sample.Row {
	if !k.IsValid() {
		return nil
	}
	r := w.choice[k]
	if r == nil {
		r = w.cx.Points.Value(k)
		w.choice[k] = r
	}
	return r
}

// compare returns the points of the sample at which the equation of a trial fails, and those at which
// it holds. The other points say nothing, because something overflows there that must not, or an
// infinity is compared. A trial that holds at none is no instance either.
func (w *prober) compare(t trial) (wrong, agreed uint64) {
	s := w.cx.Points
	c := w.cx.tapes(t.probeEntry)
	k := w.value(t.k)
	out := c.op.Run(c.operands(w.states, w.start(t, c, k), k))
	wrong, vague := s.Differ(w.p.Types, w.want, out)
	valid := s.Valid &^ c.op.Overflowed(s.Allowed)
	return wrong & valid, valid &^ (wrong | vague)
}

// compareAll yields, for each entry of a group, its trial and what compare returns for it.
func (w *prober) compareAll(g *probeGroup, k ir.Expr) iter.Seq2[trial, [2]uint64] {
	return func(yield func(trial, [2]uint64) bool) {
		s := w.cx.Points
		w.cx.Consider(len(g.entries))
		c := w.cx.groupTapes(g)
		r := w.value(k)
		out := c.op.Run(c.operands(w.states, w.start(trial{probeEntry: g.entries[0]}, c, r), r))
		over := c.op.OverflowedEach(s.Allowed)
		n := len(w.p.Types)
		for i, e := range g.entries {
			wrong, vague := s.Differ(w.p.Types, w.want, out[i*n:(i+1)*n])
			valid := s.Valid
			for _, o := range over[i*n : (i+1)*n] {
				valid &^= o
			}
			if !yield(trial{e, k, w.phi, 0, 0, g.of[i]}, [2]uint64{wrong & valid, valid &^ (wrong | vague)}) {
				return
			}
		}
	}
}

// start returns the values of φ(update(φ⁻¹(e), l)) for the identity e of a trial.
func (w *prober) start(t trial, c *probeTapes, k *sample.Row) []*sample.Row {
	s := w.cx.Points
	if v, ok := w.starts[t.literalKey]; ok && t.literalKey != "" {
		return v
	}
	e := t.literals
	if e == nil {
		e = c.identity.Run(c.constants(k))
	}
	starts := sample.Instead{Vars: w.p.States, Rows: w.phi.inverse().applyRows(&w.cx.Rows, e)}
	v := w.phi.applyRows(&w.cx.Rows, s.Run(&s.Tape, &starts))
	if t.literalKey != "" {
		w.starts[t.literalKey] = v
	}
	return v
}

// proposed returns the candidate of a trial: the operator is φ⁻¹(φ(x) ∘ φ(y)), its operand update(φ⁻¹(e), l).
func (cx *Context) proposed(p *tuple.Part, t trial) Candidate {
	op := cx.bind(t, t.exprs)
	e := cx.bind(t, t.identity)
	for i := range e {
		e[i] = canon.Greedy(t.phi.inverse().apply(e[i]), cx.Allowed)
	}
	inject := cx.StartedFrom(p, e)
	if t.phi.op == ir.Const {
		return ofEntry("probe:", t.Entry, op, inject)
	}
	return Candidate{Via: "probe:" + t.Name + t.phi.name(), Exprs: cx.conjugate(t.phi, op), Inject: inject, Identity: e}
}

// bind copies expressions of the entry into the match's pool, with its constant bound.
func (cx *Context) bind(t trial, es []ir.Expr) []ir.Expr {
	return cx.Pool.Map(es, func(e ir.Expr) ir.Expr {
		if e.Op() == ir.Var && e.Kind() == ir.Param {
			return t.k
		}
		return ir.Expr{}
	})
}

// conjugate returns φ⁻¹(φ(x) ∘ φ(y)), simplified.
func (cx *Context) conjugate(phi bijection, op []ir.Expr) []ir.Expr {
	out := cx.Pool.Map(op, func(e ir.Expr) ir.Expr {
		if e.Op() == ir.Var && (e.Kind() == ir.State || e.Kind() == ir.Leaf) {
			return phi.apply(e)
		}
		return ir.Expr{}
	})
	for i := range out {
		out[i] = canon.Greedy(phi.inverse().apply(out[i]), cx.Allowed)
	}
	return out
}
