package rewrite

import (
	"fmt"
	"go/types"
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
	for i, e := range op.Identity {
		if !e.IsClosed() {
			return refuse("the identity depends on the state")
		}
		if v := ir.Eval(e, &ir.Env{}); e.Type().IsInt() && v != e.Type().Min() && v != e.Type().Max() && int64(v) != int64(int32(v)) && r.isWord(i) {
			return refuse("the identity does not fit an int of 32 bits")
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

// isWord reports whether a component has a type whose size is that of the target.
func (r *Rewrite) isWord(i int) bool {
	b, ok := r.states[i].Type().Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Int || b.Kind() == types.Uint || b.Kind() == types.Uintptr)
}

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
	inBody := []string{"recover", "math", "int", "bool", "true", "false"} // functions with the body give parameters the names of the source
	for i, t := range r.loop.Answer.Types {
		inBody = append(inBody, emit.GoType(t), r.types.write(r.states[i].Type()))
	}
	for _, v := range slices.Concat(r.states, r.outer) {
		if slices.Contains(inBody, v.Name()) {
			return refuse("a variable is called %s", v.Name())
		}
	}
	for path, name := range r.types.imports {
		for _, o := range own {
			if o[1] == name && o[0] != path && !(name == "rand" && path == "math/rand") {
				return refuse("the file imports another package as %s", name)
			}
		}
	}
	locals := []string{"part", "parts", "wait", "size", "workers", "grain", "from", "to", "run", "w", "p", "lo", "hi", "over", "ok"}
	for _, v := range r.states {
		t := r.types.write(v.Type())
		if slices.Contains(locals, t) || len(t) > 1 && strings.Trim(t[1:], "0123456789") == "" {
			return refuse("a type is called %s", t)
		}
	}
	return nil
}
