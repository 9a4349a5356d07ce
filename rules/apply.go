package rules

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Applies reports whether r, its left side in any operand order, turns left into right,
// and at which type T.
func (r *Rule) Applies(left, right ir.Expr) (ir.Type, bool) {
	var b Binding
	for _, form := range r.orders() {
		b.Reset()
		if !form.Match(left, &b) {
			continue
		}
		if b.Type == ir.Invalid {
			b.Type = ir.Bool // all variables are bools
		}
		if _, ok := classOf(r.Classes, b.Type); !ok || !r.RHS.Match(right, &b) {
			continue
		}
		return b.Type, true
	}
	return ir.Invalid, false
}

// Orders returns the left side of r under every operand order of its commutative operators.
func (r *Rule) Orders() []*Term { return r.orders() }

// orders returns the forms of t under every operand order of its commutative operators.
func (t *Term) orders() []*Term {
	lists := [][]*Term{nil}
	for _, a := range t.Args {
		var next [][]*Term
		for _, prefix := range lists {
			for _, form := range a.orders() {
				next = append(next, append(slices.Clone(prefix), form))
			}
		}
		lists = next
	}
	var forms []*Term
	for _, args := range lists {
		forms = append(forms, &Term{Op: t.Op, Name: t.Name, Args: args})
	}
	if len(t.Args) == 2 && t.Op.Commutes() {
		for _, args := range lists {
			forms = append(forms, &Term{Op: t.Op, Args: []*Term{args[1], args[0]}})
		}
	}
	return forms
}
