package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit"
)

// writeOperator writes the operator of x0, x1, …, what is merged so far, and y0, y1, …, what a slice gave.
func (r *Rewrite) writeOperator() error {
	op := r.loop.Answer.Operator
	if len(op.Given) > 0 || len(op.Exprs) != len(r.states) || len(op.Identity) != len(r.states) {
		return refuse("the operator holds of some states only")
	}
	for _, e := range slices.Concat(op.Exprs, op.Identity) {
		for _, v := range ir.Vars(e) {
			if v.Kind() != ir.State && v.Kind() != ir.Leaf || v.Index() >= len(r.states) {
				return refuse("the operator depends on %s", v)
			}
		}
	}
	for _, e := range op.Identity {
		if !e.IsClosed() {
			return refuse("the identity depends on the state")
		}
	}
	for _, g := range r.loop.Answer.Groups {
		if len(g.Where) > 0 || len(g.NonNeg) > 0 {
			return refuse("the answer holds of some inputs only")
		}
	}
	if err := r.checkNames(); err != nil {
		return err
	}
	leaf := func(e ir.Expr) string {
		if e.Kind() == ir.State {
			return fmt.Sprint("x", e.Index())
		}
		return fmt.Sprint("y", e.Index())
	}
	texts, functions := emit.Fragment(slices.Concat(op.Exprs, op.Identity), leaf, helperPrefix)
	r.merge, r.start, r.needs = texts[:len(r.states)], texts[len(r.states):], functions
	return nil
}

// helperPrefix stands before the name of a function that merging calls; the name of the function that has the loop replaces it.
const helperPrefix = "rfactorHelper"

// isKept reports whether merging leaves a component as it is.
func isKept(text string, i int) bool { return text == fmt.Sprint("x", i) }

// checkNames refuses packages in which a name that generated functions use means something else.
func (r *Rewrite) checkNames() error {
	scope := r.pkg.Types.Scope()
	words := []string{"min", "max", "len", "make", "recover", "bool", "int", "true", "false", "panic", "string", "uint64", "any"}
	for _, o := range own {
		words = append(words, o[1])
	}
	for _, t := range r.loop.Answer.Types {
		words = append(words, emit.GoType(t))
	}
	for _, w := range words {
		if scope.Lookup(w) != nil {
			return refuse("the package declares %s", w)
		}
	}
	for path, name := range r.types.imports {
		for _, o := range own {
			if o[1] == name && o[0] != path && !(name == "rand" && path == "math/rand") {
				return refuse("the file imports another package as %s", name)
			}
		}
	}
	locals := []string{"part", "parts", "wait", "size", "workers", "grain", "from", "to", "w", "p", "lo", "hi", "over", "ok"}
	for _, v := range r.states {
		t := r.types.write(v.Type())
		if slices.Contains(locals, t) || len(t) > 1 && strings.Trim(t[1:], "0123456789") == "" {
			return refuse("a type is called %s", t)
		}
	}
	return nil
}
