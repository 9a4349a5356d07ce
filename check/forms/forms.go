// Package forms writes proven operators in the notations of other languages: OpenMP, C++, Rust with rayon, Futhark, StableHLO,
// JAX, and SQL.
//
//	x + y of i32   →   #pragma omp declare reduction(sum : int32_t : …) initializer(omp_priv = 0)
//
// What is written computes the operator bit by bit, under what its laws assume: signed numbers wrap, whatever the language says of
// overflow. An operation that a language has in another meaning is refused, and so is an operator whose runtime would need a law
// that is not proven.
package forms

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/check"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// form is a notation.
type form struct {
	name     string
	commutes bool // its runtime combines in any order
	identity bool // it needs a neutral element on both sides
	lines    bool // each operation is a line
	extrema  bool // its min and max of floats are those of package ir
	types    map[ir.Type]string
	literal  func(t ir.Type, v uint64) string
	term     func(w *writer, e ir.Expr, args []string) string // empty where it has no such operation
	let      func(name, typ, text string) string              // a line that names a term; nil where terms are written out
	operand  func(side string, i, n int) string               // component i of n of the operand x or y
	render   func(o *operator) string
}

var all = []*form{openmp, cpp, rayon, futhark, stablehlo, jax, sql}

// Names lists the notations.
func Names() (names []string) {
	for _, f := range all {
		names = append(names, f.name)
	}
	return names
}

// operator is what a form renders.
type operator struct {
	name     string
	note     []string // what is proven, in lines
	types    []string
	lets     []string
	results  []string
	identity []string // nil where there is none on both sides
	commutes bool
}

// Write writes an operator under a name, which every language takes as one. The report says what is proven of it. An error says what the form
// lacks, or which law does not hold.
func Write(formName, name string, r *check.Report) (text string, err error) {
	for _, f := range all {
		if f.name == formName {
			return write(f, name, r)
		}
	}
	return "", fmt.Errorf("there is no form %q; they are %s", formName, strings.Join(Names(), ", "))
}

func write(f *form, name string, r *check.Report) (text string, err error) {
	if !isName(name) {
		return "", fmt.Errorf("%q is no name in all languages: a letter, then letters, digits and _", name)
	}
	if err := lawsFor(f, r); err != nil {
		return "", err
	}
	o := &operator{name: name, note: noteOf(r), commutes: r.Commutative.Holds()}
	for _, t := range r.Operator.Types {
		typ, ok := f.types[t]
		if !ok {
			return "", fmt.Errorf("%s has no type %s", f.name, t)
		}
		o.types = append(o.types, typ)
	}
	w := &writer{f: f, allowed: r.Allowed, n: len(o.types)}
	if o.results, err = w.write(r.Operator.Exprs); err != nil {
		return "", err
	}
	o.lets = w.lets
	if w.assumes != 0 {
		o.note = append(o.note, "As it is written here it assumes "+w.assumes.String()+".")
	}
	if r.Side == proof.Two {
		for _, e := range r.Identity {
			if e.Op() != ir.Const {
				return "", fmt.Errorf("the identity %s is no literal", e)
			}
			o.identity = append(o.identity, f.literal(e.Type(), e.Value()))
		}
	}
	return f.render(o), nil
}

func isName(name string) bool {
	for i, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && (c >= '0' && c <= '9' || c == '_')) {
			return false
		}
	}
	return name != "" && len(name) < 64
}

// lawsFor checks that what a runtime takes on trust is proven.
func lawsFor(f *form, r *check.Report) error {
	switch {
	case len(r.Operator.Given) > 0:
		return errors.New("what is given of operands has no place in another notation")
	case !r.Associative.Holds():
		return errors.New("it is not proven to be associative")
	case r.Associative.Assumes()&(ir.NSW|ir.NUW) != 0:
		return errors.New("it is associative only where nothing overflows, and partial results may")
	case f.commutes && !r.Commutative.Holds():
		return fmt.Errorf("%s combines in any order, and it is not proven to commute", f.name)
	case f.commutes && r.Commutative.Assumes()&(ir.NSW|ir.NUW) != 0:
		return errors.New("it commutes only where nothing overflows, and partial results may")
	case f.identity && r.Side != proof.Two:
		return fmt.Errorf("%s needs a neutral element, and none is known on both sides", f.name)
	}
	return nil
}

// noteOf says what is proven.
func noteOf(r *check.Report) []string {
	law := func(l *check.Law) string {
		text := l.Name
		if l.Assumes() != 0 {
			text += " under " + l.Assumes().String()
		}
		return text
	}
	laws := []string{law(&r.Associative)}
	for _, l := range []*check.Law{&r.Commutative, &r.Idempotent} {
		if l.Holds() {
			laws = append(laws, law(l))
		}
	}
	lines := []string{strings.ReplaceAll(ir.Strings(r.Operator.Exprs), "\n", " "), "Proven by rfactor: " + strings.Join(laws, ", ") + "."}
	for _, p := range r.Poles {
		lines = append(lines, "But "+p.Text+".")
	}
	return lines
}

// writer writes the terms of an operator.
type writer struct {
	f       *form
	allowed ir.Assume
	assumes ir.Assume // what is allowed and needed, beside what the laws assume
	n       int       // components
	lets    []string
	texts   map[ir.Expr]string
	err     error
}

// maxText bounds a term that is written out.
const maxText = 1 << 14

// write returns the texts of terms, with lets for what occurs twice.
func (w *writer) write(es []ir.Expr) (results []string, err error) {
	uses := map[ir.Expr]int{}
	ir.Walk(es, func(e ir.Expr) {
		for i := range e.NumArgs() {
			uses[e.Arg(i)]++
		}
	})
	w.texts = map[ir.Expr]string{}
	ir.Walk(es, func(e ir.Expr) {
		text := w.one(e)
		if leaf := e.Op() == ir.Var || e.Op() == ir.Const; w.f.let != nil && (!leaf && uses[e] > 1 || w.f.lines && e.Op() != ir.Var) {
			name := fmt.Sprintf("t%d", len(w.lets))
			if w.f.lines {
				name = "%" + name
			}
			w.lets = append(w.lets, w.f.let(name, w.f.types[e.Type()], text))
			text = name
		}
		if len(text) > maxText && w.err == nil {
			w.err = fmt.Errorf("it is too long for %s, which names no terms", w.f.name)
			text = ""
		}
		w.texts[e] = text
	})
	for _, e := range es {
		results = append(results, w.texts[e])
	}
	return results, w.err
}

// one writes a term whose operands are written.
func (w *writer) one(e ir.Expr) string {
	fail := func(format string, args ...any) string {
		if w.err == nil {
			w.err = fmt.Errorf(format, args...)
		}
		return ""
	}
	if _, ok := w.f.types[e.Type()]; !ok {
		return fail("%s has no type %s", w.f.name, e.Type())
	}
	switch e.Op() {
	case ir.Const:
		return w.f.literal(e.Type(), e.Value())
	case ir.Var:
		switch e.Kind() {
		case ir.State:
			return w.f.operand("x", e.Index(), w.n)
		case ir.Leaf:
			return w.f.operand("y", e.Index(), w.n)
		}
		return fail("the constant %s has no place in an operator of %s", e, w.f.name)
	}
	if why := w.differs(e); why != "" {
		return fail("%s", why)
	}
	args := make([]string, e.NumArgs())
	for i := range args {
		args[i] = w.texts[e.Arg(i)]
	}
	text := w.f.term(w, e, args)
	if text == "" {
		return fail("%s has no operation that is %s of %s", w.f.name, e.Op(), e.Arg(0).Type())
	}
	return text
}

// differs says why an operation means something else in other languages; empty where it does not.
func (w *writer) differs(e ir.Expr) string {
	t := e.Arg(0).Type()
	switch e.Op() {
	case ir.Max, ir.Min:
		switch needs := ir.NNaN | ir.NSZ; {
		case !t.IsFloat() || w.f.extrema:
		case w.allowed.Has(needs):
			w.assumes |= needs
		default:
			return fmt.Sprintf("%s of floats differs between languages for NaN and −0, unless nnan and nsz are allowed", e.Op())
		}
	case ir.Div, ir.Mod:
		if t.IsInt() && (t.IsSigned() || e.Arg(1).Op() != ir.Const || e.Arg(1).Value() == 0) {
			return fmt.Sprintf("%s of integers rounds otherwise in other languages, or fails", e.Op())
		}
	case ir.Shl, ir.Shr:
		if by := e.Arg(1); by.Op() != ir.Const || by.Value() >= uint64(t.Bits()) {
			return "a shift by a number that is not less than the width differs between languages"
		}
	case ir.Cast:
		if t.IsFloat() && e.Type().IsInt() || e.Type() == ir.Bool {
			return fmt.Sprintf("%s to %s differs between languages", t, e.Type())
		}
	}
	return ""
}
