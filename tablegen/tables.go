package tablegen

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// note is the second line of every table. The prover is the project's own: tables do not
// depend on a solver being installed.
func (r *generation) note() string {
	return fmt.Sprintf("every entry is proven by package prove; made with -leaves %d", r.o.leaves())
}

// signatures are the tuples of types that get a table, if there is an operator on them.
func (r *generation) signatures() (all [][]ir.Type) {
	seen := map[string]bool{}
	add := func(types []ir.Type) {
		for _, t := range types {
			if !r.o.wants(t) {
				return
			}
		}
		if name := pattern.TableName(types); !seen[name] {
			seen[name] = true
			all = append(all, types)
		}
	}
	for _, l := range listed() {
		for _, types := range l.tuples() {
			add(types)
		}
	}
	for _, s := range r.selections() {
		for _, t := range s.types {
			add(s.at(t))
		}
	}
	slices.SortFunc(all, func(a, b []ir.Type) int { return slices.Compare(a, b) })
	return all
}

// at is the selection's tuple of types for one type of the family.
func (s selection) at(t ir.Type) (types []ir.Type) {
	for _, c := range s.shape {
		if c == 'f' {
			types = append(types, ir.Bool)
		} else {
			types = append(types, t)
		}
	}
	return types
}

// tuples are the tuples of types of a listed operator: every choice for its letters.
func (s *seed) tuples() [][]ir.Type {
	tuples := [][]ir.Type{nil}
	of := map[string]int{} // component that has the letter first
	for i, c := range s.Components {
		first, again := of[c.Letter]
		if !again {
			of[c.Letter] = i
		}
		var next [][]ir.Type
		for _, tuple := range tuples {
			if again {
				next = append(next, append(slices.Clone(tuple), tuple[first]))
				continue
			}
			for _, class := range c.Classes {
				for _, t := range class.Types() {
					next = append(next, append(slices.Clone(tuple), t))
				}
			}
		}
		tuples = next
	}
	return tuples
}

// tables proves the operators at every tuple of types and writes the tables.
func (r *generation) tables(ctx context.Context) error {
	picked := map[string][]chosen{}
	for _, s := range r.selections() {
		kept, _, err := r.readSelected(s)
		if err != nil {
			return err
		}
		for _, t := range s.types {
			name := pattern.TableName(s.at(t))
			picked[name] = append(picked[name], kept...)
			if s.shape != "nn" {
				continue
			}
			for u := ir.Invalid + 1; int(u) < ir.NumTypes; u++ {
				if u == t {
					continue
				}
				for _, mixed := range [][]ir.Type{{t, u}, {u, t}} {
					name := pattern.TableName(mixed)
					picked[name] = append(picked[name], wellTyped(mixed, kept)...)
				}
			}
		}
	}
	all := r.signatures()
	return r.parallel(ctx, len(all), func(ctx context.Context, i int) error {
		name := pattern.TableName(all[i])
		if text, err := os.ReadFile(r.file("table-" + name)); err == nil && r.o.Resume {
			return writeFile(filepath.Join(r.o.Out, name), string(text))
		}
		m := &maker{pool: ir.NewPool(), types: all[i], prover: new(prove.Prover)}
		if err := m.make(ctx, picked[name]); err != nil || len(m.entries) == 0 {
			return err
		}
		r.count(m.proofs)
		text := pattern.FormatTable(m.entries, r.note())
		if err := writeFile(r.file("table-"+name), text); err != nil {
			return err
		}
		return writeFile(filepath.Join(r.o.Out, name), text)
	}, "prove")
}

// wellTyped are the operators on two numbers of one type that make sense where one of the
// components has another type: argmin's, whose second component is only passed on.
func wellTyped(types []ir.Type, all []chosen) (out []chosen) {
	for _, c := range all {
		if _, err := pattern.Parse(ir.NewPool(), types, c.exprs); err == nil {
			out = append(out, c)
		}
	}
	return out
}

func (r *generation) count(ps [prove.NumMethods]proofs) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range ps {
		r.proofs[i].add(ps[i])
	}
}

// make makes the entries: what is known to the field, and what was enumerated, as far as it
// is proven and adds something to the others.
func (m *maker) make(ctx context.Context, picked []chosen) error {
	for _, l := range listed() {
		needs, excludes, ok := l.at(m.types)
		if !ok {
			continue
		}
		e, err := m.entry(ctx, l.Name, l.Exprs, needs)
		if err == nil && e == nil {
			e, err = m.entry(ctx, l.Name, l.Exprs, ir.AllAssumptions&^excludes)
		}
		if err != nil {
			return err
		}
		if e == nil {
			continue // counted in the report
		}
		e.Excludes, e.Source = excludes, "listed"
		for _, sp := range l.Spellings {
			f, err := pattern.ParseForm(m.pool, m.types, sp.Exprs+" with "+sp.Inject)
			if err != nil {
				return err
			}
			e.Forms = append(e.Forms, f)
		}
		m.entries = append(m.entries, e)
	}
	for _, c := range picked {
		e, err := m.entry(ctx, "", c.exprs, worldOfStudy(c.source).allowed)
		if err != nil {
			return err
		}
		if e == nil {
			continue // an operator of the family, not of this type
		}
		e.Excludes, e.Source = m.excludes(e), c.source
		m.entries = append(m.entries, e)
	}
	slices.SortFunc(m.entries, pattern.Compare)
	m.entries = slices.CompactFunc(m.entries, func(a, b *pattern.Entry) bool { return pattern.Compare(a, b) == 0 })
	m.entries = pattern.Needed(ctx, m.entries, func(e *pattern.Entry) bool { return e.Source == "listed" })
	return ctx.Err()
}

func worldOfStudy(source string) *world {
	for i := range worlds {
		w := &worlds[i]
		if len(source) > len(w.name) && source[:len(w.name)+1] == w.name+"-" {
			return w
		}
	}
	panic("tablegen: internal: no world of " + source)
}

// at says on what a listed operator relies at a tuple of types, and under which assumptions
// it is none: where integers are unbounded, one that needs them to wrap.
func (s *seed) at(types []ir.Type) (needs, excludes ir.Assume, ok bool) {
	if needs, ok = s.Needs(types, ir.AllAssumptions); ok {
		return needs, 0, true
	}
	for _, excludes := range []ir.Assume{ir.NSW, ir.NUW, ir.NSW | ir.NUW} {
		if needs, ok = s.Needs(types, ir.AllAssumptions&^excludes); ok {
			return needs, excludes, true
		}
	}
	return 0, 0, false
}

// maker proves operators on one tuple of types.
type maker struct {
	pool    *ir.Pool
	types   []ir.Type
	prover  *prove.Prover
	entries []*pattern.Entry
	proofs  [prove.NumMethods]proofs
}

// proving returns options that prove what an operator's laws need by plain means. Proofs by bits would prove nearly all of
// the bit tricks among the candidates, too: of those of 5 leaves on one signed integer 315 of 343
// that are left out; and by all that linear arithmetic derives, a fifth more of those of 8 leaves,
// in four times the time. They would enlarge the tables by updates that nobody writes and that a
// match answers directly.
func proving(allowed ir.Assume) prove.Options {
	return prove.Options{Allowed: allowed, Effort: prove.Plain}
}

// entry proves an operator, and has the certificates replayed; nil if that fails. Without a name
// it is called by its text.
func (m *maker) entry(ctx context.Context, name, text string, allowed ir.Assume) (*pattern.Entry, error) {
	es, err := pattern.Parse(m.pool, m.types, text)
	if err != nil {
		return nil, err
	}
	pool := ir.NewPool() // one for each: proofs leave their terms in it
	begun := time.Now()
	p, _ := m.prover.Characterise(ctx, proof.Operator{Types: m.types, Exprs: pool.Import(es...)}, proving(allowed))
	if p == nil || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if replay(p) != nil {
		return nil, nil // the checker has limits of its own: what it does not see is not proven
	}
	e := &pattern.Entry{Name: name, Types: m.types, Exprs: es, Side: p.Side.String(), Commutative: p.Commutative,
		Idempotent: p.Idempotent, Assumes: p.Assumes, Leaves: leafCount(es)}
	if name == "" {
		e.Name = ir.Strings(es)
	}
	if p.Side != proof.NoSide {
		e.Identity = m.pool.Import(p.Identity...)
	}
	nodes, took := 0, time.Since(begun)
	for _, t := range p.Proofs.Associative {
		e.Proof = max(e.Proof, prove.MethodOf(t))
		nodes += t.Size()
	}
	m.proofs[e.Proof].add(proofs{1, nodes, nodes, took, took})
	return e, nil
}

// excludes is the assumption under whose reading an operator that wraps is none.
func (m *maker) excludes(e *pattern.Entry) (out ir.Assume) {
	var w testpoint.Evaluator
	op := proof.Operator{Types: e.Types, Exprs: e.Exprs}
	for _, t := range e.Types {
		for _, a := range []ir.Assume{ir.NSW, ir.NUW} {
			if !a.Unbounded(t) || e.Assumes.Has(a) {
				continue
			}
			for _, p := range op.Associativity() {
				if w.Refute(p, a) != nil {
					out |= a
				}
			}
		}
	}
	return out
}

// replay completes and checks the proofs of a proven operator.
func replay(p *prove.Proven) error {
	check := func(ps []proof.Problem, assume ir.Assume, trees []*proof.Tree) error {
		for i, t := range trees {
			full, err := prove.Certify(ps[i], assume, t)
			if err == nil {
				err = verify.Equation(ps[i], assume, full)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := check(p.Associativity(), p.Assumes, p.Proofs.Associative); err != nil {
		return fmt.Errorf("associativity: %w", err)
	}
	if err := check(p.Commutativity(), p.Assumes, p.Proofs.Commutative); err != nil {
		return fmt.Errorf("commutativity: %w", err)
	}
	if err := check(p.Idempotence(), p.Assumes, p.Proofs.Idempotent); err != nil {
		return fmt.Errorf("idempotence: %w", err)
	}
	return nil
}

// Verify proves every entry of a table again, and compares the laws that are proven with those
// that the table states. Then it evaluates associativity and the other laws at so many points more.
// name is the name of the table's file, which says the types. The first difference is an error
// that names the entry; nil means that the table is as it should be.
func Verify(ctx context.Context, name, text string, points int) error {
	if ctx == nil {
		panic("tablegen: Verify needs a context")
	}
	entries, err := pattern.ReadTable(name, text)
	if err != nil {
		return err
	}
	for _, e := range entries {
		m := &maker{pool: ir.NewPool(), types: e.Types, prover: new(prove.Prover)}
		again, err := m.entry(ctx, e.Name, ir.Strings(e.Exprs), e.Assumes)
		if err != nil {
			return err
		}
		if again == nil {
			return fmt.Errorf("%s: %s is not proven", name, e.Name)
		}
		again.Name, again.Source, again.Excludes = e.Name, e.Source, e.Excludes
		for _, f := range e.Forms {
			again.Forms = append(again.Forms, pattern.Form{Exprs: m.pool.Import(f.Exprs...), Inject: m.pool.Import(f.Inject...)})
		}
		if got, want := again.Line(), e.Line(); got != want {
			return fmt.Errorf("%s: proven is\n%s\nthe table has\n%s", name, got, want)
		}
	}
	var v evaluation
	for _, e := range entries {
		v.add(e)
	}
	if err := v.run(ctx, points); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// evaluation is laws of entries of one table, by the assumptions under which they are said to
// hold. Those of one kind are evaluated at the same points, for which most of the time goes.
type evaluation [ir.AllAssumptions + 1][]law

type law struct {
	entry *pattern.Entry
	proof.Problem
	tape *tape.Tape
	in   []*row
}

func (v *evaluation) add(e *pattern.Entry) {
	op := proof.Operator{Types: e.Types, Exprs: e.Exprs}
	ps := op.Associativity()
	if e.Commutative {
		ps = append(ps, op.Commutativity()...)
	}
	if e.Idempotent {
		ps = append(ps, op.Idempotence()...)
	}
	for _, p := range ps {
		v[e.Assumes] = append(v[e.Assumes], law{entry: e, Problem: p, tape: tape.New(p.Left, p.Right)})
	}
}

// run tries to refute the laws at random and extreme points, under their assumptions.
func (v *evaluation) run(ctx context.Context, points int) error {
	rng := rand.New(rand.NewPCG(5, 6))
	for assume, laws := range v {
		var vars []ir.Expr
		at := map[ir.Expr]*row{}
		for i := range laws {
			l := &laws[i]
			for _, x := range l.tape.Inputs {
				if at[x] == nil {
					at[x] = new(row)
					vars = append(vars, x)
				}
				l.in = append(l.in, at[x])
			}
		}
		for n := 0; n < points && len(laws) > 0; n += tape.Lanes {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			for _, x := range vars {
				for l := range at[x] {
					at[x][l] = testpoint.Draw(rng, x.Type(), ir.Assume(assume), rng.IntN(4))
				}
			}
			for i := range laws {
				if laws[i].refuted() {
					return fmt.Errorf("%s is refuted by evaluation", laws[i].entry.Name)
				}
			}
		}
	}
	return nil
}

func (l *law) refuted() bool {
	assume := l.entry.Assumes
	out := l.tape.Run(l.in)
	over := l.tape.Overflowed(assume)
	for i := range tape.Lanes {
		if over>>i&1 == 0 && !testpoint.Close(l.Left.Type(), assume, out[0][i], out[1][i]) {
			return true
		}
	}
	return false
}
