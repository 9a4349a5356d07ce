package pattern

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/recent"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Own has operators beside those of the embedded tables, each proven when it was read. A match proves
// again what its certificate needs, as it does of embedded ones. A nil Own has none. Several goroutines may
// use one. What is compiled of it is kept with it: read it once.
type Own struct {
	entries  map[string][]*Entry // by the name of the file that a table of their types has
	alone    bool                // they replace the embedded tables
	compiled recent.Map[tableKey, *Compiled]
}

func newOwn(alone bool) *Own {
	return &Own{entries: map[string][]*Entry{}, alone: alone, compiled: recent.Map[tableKey, *Compiled]{Most: tables.Most}}
}

// NotAnOperator is the error for an operator of one's own that is not associative, or not proven to be.
type NotAnOperator struct {
	Name    string
	Exprs   []ir.Expr
	Counter *prove.Counterexample // to associativity; nil where that is neither proven nor refuted
}

// Error says what was refuted, with the values.
func (e *NotAnOperator) Error() string {
	c := e.Counter
	if c == nil {
		return fmt.Sprintf("%s is neither proven to be associative nor refuted: %s", e.Name, ir.Strings(e.Exprs))
	}
	var at []string
	for i, v := range c.Inputs {
		at = append(at, fmt.Sprintf("%s = %s", v, verify.ValueText(v.Type(), c.Values[i])))
	}
	slices.Sort(at)
	return fmt.Sprintf("%s is not associative: %s: (x ⊕ y) ⊕ z = %s, but x ⊕ (y ⊕ z) = %s, where %s", e.Name, ir.Strings(e.Exprs),
		verify.ValueText(c.Type, c.Left), verify.ValueText(c.Type, c.Right), strings.Join(at, ", "))
}

// ReadOwn reads all files of a folder that are named like tables, i32.txt or i32-i32.txt, and proves
// every operator in them. A file is a table that rfactor tablegen wrote, or has a line for each operator,
// a name, a colon and an expression for each component, as [Parse] reads them; lines that begin with # are
// comments:
//
//	max_abs : max(abs(x0), abs(y0))
//
// Answers name an operator by the namespace, a slash and its name. An operator that is not proven to be
// associative under any assumptions is an error, which wraps a [*NotAnOperator]. Other errors are of
// files that cannot be read, with their lines, of a name that is there twice, and those of ctx.
func ReadOwn(ctx context.Context, dir fs.FS, namespace string) (*Own, error) {
	files, err := fs.Glob(dir, "*.txt")
	if err != nil {
		return nil, err
	}
	own := newOwn(false)
	names := map[string]bool{}
	for _, file := range files {
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return nil, err
		}
		if err := own.readFile(ctx, file, string(text), namespace, names); err != nil {
			return nil, err
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("there is no table: files are named by the types of components, such as i32.txt or i32-i32.txt")
	}
	return own, nil
}

func (o *Own) readFile(ctx context.Context, file, text, namespace string, names map[string]bool) error {
	types, err := typesOf(file)
	if err != nil {
		return err
	}
	if strings.HasPrefix(text, tableHead) {
		entries, err := ReadTable(file, text)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := o.add(ctx, namespace+"/"+e.Name, proof.Operator{Types: types, Exprs: e.Exprs}, file+" "+e.Name); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			names[file+e.Name] = true
		}
		return nil
	}
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		place := fmt.Sprintf("%s:%d", file, i+1)
		name, exprs, ok := strings.Cut(line, ":")
		name = strings.TrimSpace(name)
		switch {
		case !ok || name == "" || strings.ContainsAny(name, " \t/"):
			return fmt.Errorf("%s: expected a name, a colon and the expressions of an operator", place)
		case names[file+name]:
			return fmt.Errorf("%s: %s is there twice", place, name)
		}
		names[file+name] = true
		es, err := Parse(ir.NewPool(), types, exprs)
		if err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		if err := o.add(ctx, namespace+"/"+name, proof.Operator{Types: types, Exprs: es}, place); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
	}
	return nil
}

// Alone gives a table that has one operator and none of the embedded ones: Match then says whether an
// update is x ⊕ inject for that operator. An operator that is associative only on the states that satisfy
// what is given is taken, too: Match proves its laws again, under what is given of its update. Conditions
// on inputs say nothing of operands, and are left out. The errors are those of ReadOwn.
func Alone(ctx context.Context, name string, types []ir.Type, text string, given ...ir.Expr) (*Own, error) {
	pool := ir.NewPool()
	exprs, err := Parse(pool, types, text)
	if err != nil {
		return nil, err
	}
	own := newOwn(true)
	err = own.add(ctx, name, proof.Operator{Types: types, Exprs: exprs}, "asked for")
	if refuted := (*NotAnOperator)(nil); errors.As(err, &refuted) {
		if states := onStates(given); len(states) > 0 {
			err = own.add(ctx, name, proof.Operator{Types: types, Exprs: exprs, Given: pool.Import(states...)}, "asked for")
		}
	}
	if err != nil {
		return nil, err
	}
	return own, nil
}

// onStates returns the conditions that read no input.
func onStates(given []ir.Expr) []ir.Expr {
	return slices.DeleteFunc(slices.Clone(given), func(c ir.Expr) bool {
		return slices.ContainsFunc(ir.Vars(c), func(v ir.Expr) bool { return v.Kind() == ir.Leaf || v.Kind() == ir.Coord })
	})
}

// add proves an operator and takes it in, with the laws that were proven.
func (o *Own) add(ctx context.Context, name string, op proof.Operator, source string) error {
	types, exprs := op.Types, op.Exprs
	p, t := prove.Characterise(ctx, op, prove.Options{Allowed: ir.AllAssumptions, Thorough: true})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case p == nil:
		return &NotAnOperator{Name: name, Exprs: exprs, Counter: t.Counter}
	}
	e := &Entry{Name: name, Types: types, Exprs: exprs, Side: p.Side.String(), Commutative: p.Commutative, Idempotent: p.Idempotent,
		Assumes: p.Assumes, Leaves: leaves(exprs), Source: source}
	for _, tree := range t.Proofs {
		e.Proof = max(e.Proof, prove.MethodOf(tree))
	}
	if p.Side != proof.NoSide {
		e.Identity = p.Identity
	}
	compileTable([]*Entry{e}, ir.AllAssumptions, simplified) // gives literals symbols, before any session begins
	file := TableName(types)
	o.entries[file] = append(o.entries[file], e)
	return nil
}

// leaves counts the variables and literals of expressions, as often as they are written.
func leaves(es []ir.Expr) (n int) {
	for _, e := range es {
		if e.NumArgs() == 0 {
			n++
		}
		for i := range e.NumArgs() {
			n += leaves([]ir.Expr{e.Arg(i)})
		}
	}
	return n
}

// IsAlone reports whether the table stands in place of the embedded ones.
func (o *Own) IsAlone() bool { return o != nil && o.alone }

// Entries lists the operators on a tuple of types, in their order; nil where there are none.
func (o *Own) Entries(types []ir.Type) []*Entry {
	if o == nil {
		return nil
	}
	return o.entries[TableName(types)]
}

// Table returns the function Table with these operators behind the embedded ones, or in their place.
func (o *Own) Table(types []ir.Type, allowed ir.Assume) *Compiled {
	return o.cached(types, allowed, saturated)
}

// GreedyTable returns the same table for terms that the greedy simplifier has written: each operator also in the form that
// the simplifier gives it.
func (o *Own) GreedyTable(types []ir.Type, allowed ir.Assume) *Compiled {
	return o.cached(types, allowed, simplified)
}

// SyntacticTable returns the table as it is written, with these operators in the same way: each operator in one form, or, if inAnyOrder is set, with
// the operands of commutative operators in every order.
func (o *Own) SyntacticTable(types []ir.Type, allowed ir.Assume, inAnyOrder bool) *Compiled {
	if inAnyOrder {
		return o.cached(types, allowed, commuted)
	}
	return o.cached(types, allowed, exact)
}

func (o *Own) cached(types []ir.Type, allowed ir.Assume, written formsOf) *Compiled {
	mine := o.Entries(types)
	if len(mine) == 0 && !o.IsAlone() || len(types) > maxTuple {
		return cached(types, allowed, written)
	}
	key := tableKey{n: len(types), allowed: allowed, written: written}
	copy(key.types[:], types)
	return o.compiled.Get(key, func() (*Compiled, int) {
		if !o.alone {
			mine = slices.Concat(Entries(types), mine)
		}
		c := compileTable(mine, allowed, written)
		weight := 1 + 2*weightOfEntry*len(c.Entries) // with what a caller has beside
		for _, g := range c.groups {                 // literals of one's own get a symbol before a session numbers them
			weight += weightOfForm * len(c.compiled(g).forms)
		}
		return c, weight
	})
}
