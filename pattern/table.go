package pattern

import (
	"slices"
	"sync"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
)

// Compiled is the table for one tuple of types, compiled for matching. It never changes
// and may be shared. Table and GreedyTable make it.
type Compiled struct {
	Entries []*Entry // in the order of the table
	allowed ir.Assume
	written formsOf
	table   *egraph.Table
	forms   []form
	roles   []uint8
}

// form is one spelling of an entry as the e-graph may contain it.
type form struct {
	entry  int
	inject []ir.Expr // per component, over the wildcards y_i, p_i, n_i, k_i
	leaves int       // of the entry's expressions: fewer is better
	wild   []ir.Expr // the wildcards that the form binds …
	roles  int       // … their numbers begin here in Compiled.roles
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

var tables sync.Map // tableKey → *Compiled

type tableKey struct {
	types   [maxTuple]ir.Type
	n       int
	allowed ir.Assume
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
// one without entries. A table is compiled when it is first asked for, and kept.
func Table(types []ir.Type, allowed ir.Assume) *Compiled { return cached(types, allowed, saturated) }

// GreedyTable returns the same table for terms that the greedy simplifier has written: each
// operator also in the form that the simplifier gives it.
func GreedyTable(types []ir.Type, allowed ir.Assume) *Compiled {
	return cached(types, allowed, simplified)
}

// SyntacticTable returns the same table as it is written: each operator in one form, or, if
// inAnyOrder is set, with the operands of commutative operators in every order.
func SyntacticTable(types []ir.Type, allowed ir.Assume, inAnyOrder bool) *Compiled {
	if inAnyOrder {
		return cached(types, allowed, commuted)
	}
	return cached(types, allowed, exact)
}

func cached(types []ir.Type, allowed ir.Assume, written formsOf) *Compiled {
	key := tableKey{n: len(types), allowed: allowed, written: written}
	if key.n > len(key.types) {
		return compileTable(Entries(types), allowed, written) // there is none so wide
	}
	copy(key.types[:], types)
	if c, ok := tables.Load(key); ok {
		return c.(*Compiled)
	}
	c, _ := tables.LoadOrStore(key, compileTable(Entries(types), allowed, written))
	return c.(*Compiled)
}

func compileTable(entries []*Entry, allowed ir.Assume, written formsOf) *Compiled {
	c := &Compiled{allowed: allowed, written: written}
	var patterns [][]egraph.Pattern
	pool := ir.NewPool() // of its own: forms are made in it
	for _, e := range entries {
		if allowed.Has(e.Assumes) && allowed&e.Excludes == 0 {
			patterns = append(patterns, c.addEntry(e.in(pool))...)
		}
	}
	table, err := egraph.CompileTable(patterns)
	if err != nil {
		panic("pattern: internal: " + err.Error())
	}
	c.table = table
	return c
}

// in is the entry with its expressions in another pool.
func (e *Entry) in(pool *ir.Pool) *Entry {
	c := *e
	c.Exprs, c.Identity, c.Forms = pool.Import(e.Exprs...), pool.Import(e.Identity...), nil
	for _, f := range e.Forms {
		c.Forms = append(c.Forms, Form{pool.Import(f.Exprs...), pool.Import(f.Inject...)})
	}
	return &c
}

// addEntry adds an entry and its forms, and answers their patterns.
func (c *Compiled) addEntry(e *Entry) [][]egraph.Pattern {
	c.Entries = append(c.Entries, e)
	pool, types := e.Exprs[0].Pool(), e.Types
	inject := operands(pool, types)
	patterns := c.addForms(e.Exprs, inject, e.Leaves)
	if c.written == exact || c.written == commuted {
		return patterns
	}
	for _, f := range e.Forms {
		patterns = append(patterns, c.addForms(f.Exprs, f.Inject, e.Leaves)...)
	}
	for i, t := range types {
		if t != ir.Bool || len(types) == 1 {
			continue
		}
		for v := range uint64(2) {
			es, in := specialise(e.Exprs, inject, pool.Y(i, t), v)
			patterns = append(patterns, c.addForms(es, in, e.Leaves)...)
		}
	}
	return patterns
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

func (c *Compiled) addForms(exprs, inject []ir.Expr, leaves int) [][]egraph.Pattern {
	tuples := c.tuples(exprs)
	var patterns [][]egraph.Pattern
	for _, tuple := range tuples {
		row := make([]egraph.Pattern, len(tuple))
		for i, e := range tuple {
			row[i] = canon.Pattern(e, roleNumber)
		}
		patterns = append(patterns, row)
		f := form{entry: len(c.Entries) - 1, inject: inject, leaves: leaves, roles: len(c.roles)}
		f.wild = slices.DeleteFunc(ir.Vars(tuple...), func(v ir.Expr) bool { return v.Kind() == ir.State })
		for _, v := range f.wild {
			c.roles = append(c.roles, uint8(roleNumber(v)))
		}
		c.forms = append(c.forms, f)
	}
	return patterns
}

// tuples lists the forms of an operator that the table has.
func (c *Compiled) tuples(exprs []ir.Expr) [][]ir.Expr {
	switch c.written {
	case exact:
		return [][]ir.Expr{exprs}
	case commuted:
		return swaps(exprs)
	}
	normal := make([]ir.Expr, len(exprs))
	for i, e := range exprs {
		normal[i] = normalComparisons(e)
	}
	tuples := spellings(normal, c.allowed)
	if c.written == simplified {
		simple := make([]ir.Expr, len(exprs))
		for i, e := range exprs {
			simple[i] = canon.Greedy(e, c.allowed)
		}
		tuples = append(tuples, spellings(simple, c.allowed)...)
	}
	return tuples
}
