package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// Term is one side of a rule: an expression whose type T is still open.
type Term struct {
	Op   ir.Op // Var, Const or an operator
	Name string
	Args []*Term
}

// isBoolVar reports whether a variable is of type bool whatever T is.
func isBoolVar(name string) bool { return name[0] >= 'p' && name[0] <= 's' }

// typeOf returns the type of a variable in the instance at typ.
func typeOf(name string, typ ir.Type) ir.Type {
	if isBoolVar(name) {
		return ir.Bool
	}
	return typ
}

// Vars lists the distinct variables in the order of their first occurrence.
func (t *Term) Vars() []string {
	var vs []string
	t.walk(func(s *Term) {
		if s.Op == ir.Var && !slices.Contains(vs, s.Name) {
			vs = append(vs, s.Name)
		}
	})
	return vs
}

func (t *Term) walk(f func(*Term)) {
	f(t)
	for _, a := range t.Args {
		a.walk(f)
	}
}

// String writes the term with every operator as a call or in parentheses.
func (t *Term) String() string {
	switch {
	case len(t.Args) == 0:
		return t.Name
	case t.Op.Prec() > 0:
		return "(" + t.Args[0].String() + " " + t.Op.String() + " " + t.Args[1].String() + ")"
	case t.Op == ir.Neg || t.Op == ir.Not || t.Op == ir.BitNot:
		return t.Op.String() + t.Args[0].String()
	}
	args := make([]string, len(t.Args))
	for i, a := range t.Args {
		args[i] = a.String()
	}
	return t.Op.String() + "(" + strings.Join(args, ", ") + ")"
}

// Type returns the term's type in the instance at typ, or an error where there is none.
func (t *Term) Type(typ ir.Type) (ir.Type, error) {
	switch t.Op {
	case ir.Var:
		return typeOf(t.Name, typ), nil
	case ir.Const:
		if t.Name == "true" || t.Name == "false" {
			return ir.Bool, nil
		}
		return typ, nil
	}
	types := make([]ir.Type, len(t.Args))
	for i, a := range t.Args {
		var err error
		if types[i], err = a.Type(typ); err != nil {
			return ir.Invalid, err
		}
	}
	return ir.CheckTypes(t.Op, types...)
}

// Literal returns the value of a Const term in type typ.
func (t *Term) Literal(typ ir.Type) uint64 {
	switch t.Name {
	case "true":
		return 1
	case "false":
		return 0
	case "tmin":
		return typ.Min()
	case "tmax":
		return typ.Max()
	}
	n, err := strconv.ParseFloat(t.Name, 64)
	if err != nil {
		panic("rules: internal: literal " + t.Name)
	}
	if typ.IsFloat() {
		return ir.FloatBits(typ, n)
	}
	return typ.Wrap(uint64(int64(n)))
}

// Build returns the instance of the term at type typ, with vars for its variables.
func (t *Term) Build(p *ir.Pool, typ ir.Type, vars func(name string, t ir.Type) ir.Expr) ir.Expr {
	switch t.Op {
	case ir.Var:
		return vars(t.Name, typeOf(t.Name, typ))
	case ir.Const:
		ct, _ := t.Type(typ)
		return p.Const(ct, t.Literal(typ))
	}
	args := make([]ir.Expr, len(t.Args))
	for i, a := range t.Args {
		args[i] = a.Build(p, typ, vars)
	}
	return ir.Make(t.Op, args...)
}

// Binding is what a left side found: the type T and a term for each variable.
type Binding struct {
	Type ir.Type
	vars []binding // few: a search is faster than a map
}

type binding struct {
	name string
	term ir.Expr
}

// Reset forgets what was found.
func (b *Binding) Reset() { b.Type, b.vars = ir.Invalid, b.vars[:0] }

// Of returns the term of a variable; the zero Expr where it has none.
func (b *Binding) Of(name string) ir.Expr {
	for _, v := range b.vars {
		if v.name == name {
			return v.term
		}
	}
	return ir.Expr{}
}

// Bind gives a term to a variable that has none.
func (b *Binding) Bind(name string, e ir.Expr) { b.vars = append(b.vars, binding{name, e}) }

// Match matches the term, as it is written, against e. T is fixed by the first variable or
// literal of that type.
func (t *Term) Match(e ir.Expr, b *Binding) bool {
	switch t.Op {
	case ir.Var:
		if !b.fits(t, e) {
			return false
		}
		if old := b.Of(t.Name); old.IsValid() {
			return old == e
		}
		b.Bind(t.Name, e)
		return true
	case ir.Const:
		return b.fits(t, e) && e.IsConst(t.Literal(e.Type()))
	}
	if e.Op() != t.Op {
		return false
	}
	for i, a := range t.Args {
		if !a.Match(e.Arg(i), b) {
			return false
		}
	}
	return true
}

// fits fixes T by a leaf of the term, or compares it.
func (b *Binding) fits(t *Term, e ir.Expr) bool {
	want, _ := t.Type(ir.Invalid)
	if want == ir.Bool {
		return e.Type() == ir.Bool
	}
	if b.Type == ir.Invalid {
		b.Type = e.Type()
	}
	return b.Type == e.Type()
}
