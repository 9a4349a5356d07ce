package pattern

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
)

// Entry is one operator at one tuple of types, with the laws that were proven of it when its table
// was made. A match proves again what its certificate needs.
type Entry struct {
	Name        string
	Types       []ir.Type
	Exprs       []ir.Expr // over x_i, y_i, k_i, in a pool that is never written again
	Identity    []ir.Expr // over k_i; nil where there is none
	Side        string    // of the identity: two, left, right, middle or none
	Commutative bool
	Idempotent  bool
	Assumes     ir.Assume // what associativity relies on
	Excludes    ir.Assume // assumptions under whose reading of the expressions it is no operator
	Leaves      int
	Proof       prove.Method // of associativity
	Source      string       // where the operator comes from: listed, or the enumeration that found it
	Forms       []Form       // other forms in which an update may use it

	from *Entry // of which this is a copy in another pool; nil for none
}

// Origin returns the entry as it was read, of which e may be a copy in a table.
func (e *Entry) Origin() *Entry {
	if e.from != nil {
		return e.from
	}
	return e
}

// Form is another form in which an update may use an operator. Exprs, over the leaves y_i, p_i and n_i, are equal to the
// operator's expressions with Inject substituted for y_i.
type Form struct{ Exprs, Inject []ir.Expr }

const columns = 12

// Line returns the entry as a line of its table, without the line's end.
func (e *Entry) Line() string {
	text := func(es []ir.Expr) string {
		if len(es) == 0 {
			return "-"
		}
		return ir.Strings(es)
	}
	var laws, forms []string
	if e.Commutative {
		laws = append(laws, "commutative")
	}
	if e.Idempotent {
		laws = append(laws, "idempotent")
	}
	for _, f := range e.Forms {
		forms = append(forms, text(f.Exprs)+" with "+text(f.Inject))
	}
	list := func(words []string, sep string) string {
		if len(words) == 0 {
			return "-"
		}
		return strings.Join(words, sep)
	}
	line := strings.Join([]string{e.Name, text(e.Exprs), text(e.Identity), e.Side, list(laws, ","), e.Assumes.String(), e.Excludes.String(),
		strconv.Itoa(e.Leaves), e.Proof.String(), e.Source, list(forms, " | ")}, "\t")
	return line + "\t" + lineSum(line)
}

// lineSum guards a line against edits: a table is regenerated, not written by hand.
func lineSum(line string) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(line))) }

// row is a line of a table: an entry whose expressions are still text.
type row struct {
	entry Entry
	exprs string
	texts []string // the expressions, the identity unless it is "-", and of each form two
}

// parseRow reads a line of the table for a tuple of types.
func parseRow(types []ir.Type, line string) (*row, error) {
	cut := strings.LastIndexByte(line, '\t')
	if cut < 0 || lineSum(line[:cut]) != line[cut+1:] {
		return nil, fmt.Errorf("the line is not as it was generated: its check sum differs")
	}
	c := strings.Split(line, "\t")
	if len(c) != columns {
		return nil, fmt.Errorf("%d columns, want %d", len(c), columns)
	}
	r := &row{exprs: c[1], texts: []string{c[1]}, entry: Entry{Name: c[0], Types: types, Side: c[3], Source: c[9],
		Commutative: strings.Contains(c[4], "commutative"), Idempotent: strings.Contains(c[4], "idempotent")}}
	if c[2] != "-" {
		r.texts = append(r.texts, c[2])
	}
	e := &r.entry
	var err error
	for i, a := range []*ir.Assume{&e.Assumes, &e.Excludes} {
		if c[5+i] == "none" {
			continue
		}
		if *a, err = ir.ParseAssume(c[5+i]); err != nil {
			return nil, err
		}
	}
	if e.Leaves, err = strconv.Atoi(c[7]); err != nil {
		return nil, err
	}
	var ok bool
	if e.Proof, ok = prove.ParseMethod(c[8]); !ok {
		return nil, fmt.Errorf("no method of proof is called %s", c[8])
	}
	if c[10] == "-" {
		return r, nil
	}
	for text := range strings.SplitSeq(c[10], " | ") {
		exprs, inject, ok := strings.Cut(text, " with ")
		if !ok {
			return nil, fmt.Errorf("no 'with' in %s", text)
		}
		r.texts = append(r.texts, exprs, inject)
	}
	return r, nil
}

// parseRows reads the expressions of all rows at once, which is much cheaper than one after
// the other.
func parseRows(name string, types []ir.Type, rows []*row) ([]*Entry, error) {
	var texts []string
	var all []ir.Type
	for _, r := range rows {
		for _, text := range r.texts {
			if n := strings.Count(text, ";") + 1; n != len(types) {
				return nil, fmt.Errorf("%s: %d expressions for %d components: %s", name, n, len(types), text)
			}
			all = append(all, types...)
		}
		texts = append(texts, r.texts...)
	}
	pool := ir.NewPool()
	vars := map[string]ir.Expr{}
	scope := program.Scope{Var: func(name string) (ir.Expr, bool) {
		v, ok := vars[name]
		if !ok {
			if v, ok = variable(pool, types, name); ok {
				vars[name] = v
			}
		}
		return v, ok
	}}
	es, err := program.ParseExprs(pool, scope, name, all, strings.Join(texts, ";"))
	if err != nil {
		return nil, err
	}
	next := func() []ir.Expr {
		t := es[:len(types):len(types)]
		es = es[len(types):]
		return t
	}
	entries := make([]*Entry, len(rows))
	for i, r := range rows {
		e := &r.entry
		e.Exprs = next()
		n := len(r.texts) - 1
		if n%2 == 1 {
			e.Identity = next()
		}
		for range n / 2 {
			e.Forms = append(e.Forms, Form{next(), next()})
		}
		entries[i] = e
	}
	return entries, nil
}

// ParseForm reads a form: expressions, the word with, and the inject map, as Parse reads both. The
// first mistake is an error.
func ParseForm(pool *ir.Pool, types []ir.Type, text string) (f Form, err error) {
	exprs, inject, ok := strings.Cut(text, " with ")
	if !ok {
		return f, fmt.Errorf("no 'with' in %s", text)
	}
	if f.Exprs, err = Parse(pool, types, exprs); err != nil {
		return f, err
	}
	f.Inject, err = Parse(pool, types, inject)
	return f, err
}

// Parse reads the expressions of an operator or of a form of it, one for each type, separated by
// semicolons. x_i and y_i have the type of component i, further y_i and all k_i that of the first
// numeric component (else the first), p_i are bool and n_i are integers that are never negative.
// The first mistake is an error. A nil pool panics.
func Parse(pool *ir.Pool, types []ir.Type, text string) ([]ir.Expr, error) {
	scope := program.Scope{Var: func(name string) (ir.Expr, bool) { return variable(pool, types, name) }}
	parts := strings.Split(text, ";")
	if len(parts) != len(types) {
		return nil, fmt.Errorf("%d expressions for %d components: %s", len(parts), len(types), text)
	}
	var es []ir.Expr
	for i, part := range parts {
		e, err := program.ParseExpr(pool, scope, types[i], strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		es = append(es, e)
	}
	return es, nil
}

func variable(pool *ir.Pool, types []ir.Type, name string) (ir.Expr, bool) {
	if len(name) != 2 || name[1] < '0' || name[1] > '9' {
		return ir.Expr{}, false
	}
	i := int(name[1] - '0')
	t := types[0]
	for _, c := range types {
		if c.IsNumeric() {
			t = c
			break
		}
	}
	switch name[0] {
	case 'x':
		if i >= len(types) {
			return ir.Expr{}, false
		}
		return pool.X(i, types[i]), true
	case 'y':
		if i < len(types) {
			t = types[i]
		}
		return pool.Y(i, t), true
	case 'k':
		return pool.K(i, t), true
	case 'p':
		return pool.Var(ir.Leaf, name, i, ir.Bool), true
	case 'n':
		return pool.Var(ir.Leaf, name, i, t), true
	}
	return ir.Expr{}, false
}
