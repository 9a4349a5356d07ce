package pattern

import (
	"slices"
	"sync"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/internal/recent"
	"github.com/rfactor-go/rfactor/ir"
)

// Compiled is the table for one tuple of types, compiled for matching: of what needs the same operators at once, when a
// graph has these for the first time. It may be shared. Table makes it, and methods of Own.
type Compiled struct {
	Entries []*Entry // in the order of the table
	allowed ir.Assume
	written formsOf
	groups  []*group
	plain   [ir.NumOps]*Entry // x0 op y0, by op
	grew    func(weight int)  // tells the cache that has it; nil for none

	beside sync.Once // makes what follows
	kept   any
}

// group is operators that need the same operators in the e-graph to match.
type group struct {
	needs  egraph.Operators
	drafts []draft

	once  sync.Once // makes what follows
	table *egraph.Table
	forms []form
}

// draft is what the forms of an entry are made of.
type draft struct {
	entry         int
	exprs, inject []ir.Expr
}

// form is one spelling of an entry as the e-graph may contain it.
type form struct {
	entry  int32
	leaves int32     // of the entry's expressions: fewer is better
	inject []ir.Expr // per component, over the wildcards y_i, p_i, n_i, k_i
	wild   []uint8   // the wildcards that the form binds, by their numbers
}

// Variables of compiled patterns are numbered by role, which decides what they may bind.
const (
	firstX   = 0
	firstY   = 16
	firstP   = 32
	firstN   = 40
	firstK   = 48
	maxTuple = 16
)

func roleNumber(v ir.Expr) int {
	switch v.Name()[0] {
	case 'x':
		return firstX + v.Index()
	case 'y':
		return firstY + v.Index()
	case 'p':
		return firstP + v.Index()
	case 'n':
		return firstN + v.Index()
	}
	return firstK + v.Index()
}

// tables are the tables that were used lately. A form has .2 KB in a table, and an entry three times that.
var tables = recent.Map[tableKey, *Compiled]{Most: 70_000}

const (
	weightOfEntry = 3
	weightOfForm  = 1
)

type tableKey struct {
	types   [maxTuple]ir.Type
	n       int
	allowed ir.Assume // that matter for the types
	written formsOf
}

// formsOf says in which forms a compiled table has its operators.
type formsOf uint8

const (
	saturated  formsOf = iota // that saturation reaches
	simplified                // and that the greedy simplifier gives
	exact                     // as the table has them
	commuted                  // the same with operands in every order
)

// Table returns the embedded table for a tuple of types: the operators on it that need no more
// than the allowed assumptions, in the forms that saturation reaches. A tuple without a table gives
// one without entries. A table is compiled when it is first asked for, and kept while it is used.
func Table(types []ir.Type, allowed ir.Assume) *Compiled { return cached(types, allowed, saturated) }

func cached(types []ir.Type, allowed ir.Assume, written formsOf) *Compiled {
	key := tableKey{n: len(types), written: written}
	if key.n > len(key.types) {
		return compileTable(Entries(types), allowed, written) // there is none so wide
	}
	set := ir.TypeSet(1 << ir.Bool)
	for i, t := range types {
		key.types[i], set = t, set|1<<t
	}
	key.allowed = allowed & canon.MatterTo(set)
	return tables.Get(key, func() (*Compiled, int) {
		c := compileTable(Entries(types), key.allowed, written)
		c.grew = func(weight int) { tables.Grow(key, weight) }
		return c, 1 + weightOfEntry*len(c.Entries)
	})
}

// Beside returns what a caller makes of the table, once: it is kept as long as the table is. entries says how many it has.
func (c *Compiled) Beside(build func() (v any, entries int)) any {
	c.beside.Do(func() {
		v, entries := build()
		c.kept = v
		c.weigh(weightOfEntry * entries)
	})
	return c.kept
}

// weigh tells the cache that the table has grown.
func (c *Compiled) weigh(more int) {
	if c.grew != nil {
		c.grew(more)
	}
}

func compileTable(entries []*Entry, allowed ir.Assume, written formsOf) *Compiled {
	c := &Compiled{allowed: allowed, written: written, groups: []*group{}}
	pool := ir.NewPool() // of its own: forms are made in it
	for _, e := range entries {
		if allowed.Has(e.Assumes) && allowed&e.Excludes == 0 {
			c.addEntry(e.in(pool))
		}
	}
	return c
}

// in is the entry with its expressions in another pool.
func (e *Entry) in(pool *ir.Pool) *Entry {
	c := *e
	c.from = e.Origin()
	c.Exprs, c.Identity, c.Forms = pool.Import(e.Exprs...), pool.Import(e.Identity...), nil
	for _, f := range e.Forms {
		c.Forms = append(c.Forms, Form{pool.Import(f.Exprs...), pool.Import(f.Inject...)})
	}
	return &c
}

// Operation returns the entry that is a single operation on x0 and y0, or y0 and x0; nil where the table has none.
func (c *Compiled) Operation(op ir.Op) *Entry { return c.plain[op] }

// isOperation reports whether an entry is an operation on its two operands, in either order.
func (e *Entry) isOperation() bool {
	if len(e.Exprs) != 1 || e.Exprs[0].NumArgs() != 2 {
		return false
	}
	x, y := e.Exprs[0].Arg(0), e.Exprs[0].Arg(1)
	if x.Op() == ir.Var && x.Kind() == ir.Leaf {
		x, y = y, x
	}
	return x.Op() == ir.Var && x.Kind() == ir.State && y.Op() == ir.Var && y.Kind() == ir.Leaf
}

// addEntry adds an entry and drafts of its forms.
func (c *Compiled) addEntry(e *Entry) {
	c.Entries = append(c.Entries, e)
	if at := &c.plain; e.isOperation() && at[e.Exprs[0].Op()] == nil {
		at[e.Exprs[0].Op()] = e
	}
	pool, types := e.Exprs[0].Pool(), e.Types
	inject := operands(pool, types)
	c.addDraft(e.Exprs, inject)
	if c.written == exact || c.written == commuted {
		return
	}
	for _, f := range e.Forms {
		c.addDraft(f.Exprs, f.Inject)
	}
	for i, t := range types {
		if t != ir.Bool || len(types) == 1 {
			continue
		}
		for v := range uint64(2) {
			c.addDraft(specialise(e.Exprs, inject, pool.Y(i, t), v))
		}
	}
}

// addDraft adds a draft of the last entry to the group of those that need the same operators.
func (c *Compiled) addDraft(exprs, inject []ir.Expr) {
	needs := egraph.Operators(0)
	if c.written == saturated {
		exprs = normalComparisons(exprs)
		needs = c.needs(exprs)
	}
	i := slices.IndexFunc(c.groups, func(g *group) bool { return g.needs == needs })
	if i < 0 {
		i, c.groups = len(c.groups), append(c.groups, &group{needs: needs})
	}
	g := c.groups[i]
	g.drafts = append(g.drafts, draft{len(c.Entries) - 1, exprs, inject})
}

// needs returns operators that every spelling of expressions has: all but those of the ring, whose normal form decides about them.
func (c *Compiled) needs(exprs []ir.Expr) (all egraph.Operators) {
	for _, e := range exprs {
		if isRing(e) && poly.DomainOf(e.Type(), c.allowed) != 0 {
			all |= c.needsOfAtoms(poly.Normal(e, c.allowed))
		} else if e.NumArgs() > 0 {
			all |= canon.Operators(e) | c.needs(args(e))
		}
	}
	return all
}

// needsOfAtoms returns what the terms need that the ring's operators in e are applied to.
func (c *Compiled) needsOfAtoms(e ir.Expr) (all egraph.Operators) {
	if !isRing(e) {
		return c.needs([]ir.Expr{e})
	}
	for _, a := range args(e) {
		all |= c.needsOfAtoms(a)
	}
	return all
}

func args(e ir.Expr) []ir.Expr {
	out := make([]ir.Expr, e.NumArgs())
	for i := range out {
		out[i] = e.Arg(i)
	}
	return out
}

// specialise is the operator where a flag y of its second operand is known: an update that
// never sets a flag, or always does, does not mention it.
func specialise(exprs, inject []ir.Expr, y ir.Expr, v uint64) (es, in []ir.Expr) {
	literal := y.Pool().Const(ir.Bool, v)
	at := func(e ir.Expr) ir.Expr { return ir.Subst(e, []ir.Expr{y}, []ir.Expr{literal}) }
	for i := range exprs {
		es = append(es, canon.Greedy(at(exprs[i]), 0))
		in = append(in, at(inject[i]))
	}
	return es, in
}

// operands are the y_i of an operator on the types.
func operands(pool *ir.Pool, types []ir.Type) []ir.Expr {
	ys := make([]ir.Expr, len(types))
	for i, t := range types {
		ys[i] = pool.Y(i, t)
	}
	return ys
}

// compiled returns the group, compiled.
func (c *Compiled) compiled(g *group) *group {
	g.once.Do(func() {
		w := compiling{Compiled: c, group: g, pool: ir.NewPool(), spellings: newSpellings(c.allowed), patterns: canon.Patterns{Number: roleNumber}}
		var patterns [][]egraph.Pattern
		for _, d := range g.drafts {
			patterns = append(patterns, w.addForms(d)...)
		}
		g.drafts = nil
		table, err := egraph.CompileTable(patterns)
		if err != nil {
			panic("pattern: internal: " + err.Error())
		}
		g.table = table
		g.forms = slices.Clone(g.forms)
		c.weigh(weightOfForm * len(g.forms))
	})
	return g
}

// compiling is a group that is compiled, with what its operators have in common.
type compiling struct {
	*Compiled
	*group
	pool      *ir.Pool // of its own: others may be compiled at the same time
	spellings *spellings
	patterns  canon.Patterns
}

func (c *compiling) addForms(d draft) [][]egraph.Pattern {
	var patterns [][]egraph.Pattern
	for _, tuple := range c.tuples(c.pool.Import(d.exprs...)) {
		row := make([]egraph.Pattern, len(tuple))
		for i, e := range tuple {
			row[i] = c.patterns.Of(e)
		}
		patterns = append(patterns, row)
		f := form{entry: int32(d.entry), inject: d.inject, leaves: int32(c.Entries[d.entry].Leaves)}
		for _, v := range ir.Vars(tuple...) {
			if v.Kind() != ir.State {
				f.wild = append(f.wild, uint8(roleNumber(v)))
			}
		}
		c.forms = append(c.forms, f)
	}
	return patterns
}

// tuples lists the forms of an operator that the table has.
func (c *compiling) tuples(exprs []ir.Expr) [][]ir.Expr {
	switch c.written {
	case exact:
		return [][]ir.Expr{exprs}
	case commuted:
		return swaps(exprs)
	}
	tuples := c.spellings.of(normalComparisons(exprs))
	if c.written == simplified {
		simple := make([]ir.Expr, len(exprs))
		for i, e := range exprs {
			simple[i] = canon.Greedy(e, c.allowed)
		}
		tuples = append(tuples, c.spellings.of(simple)...)
	}
	return tuples
}
