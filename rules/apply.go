package rules

import "github.com/rfactor-go/rfactor/ir"

// Applies reports whether r, its left side in any operand order, turns left into right,
// and at which type T.
func (r *Rule) Applies(left, right ir.Expr) (ir.Type, bool) {
	var b Binding
	for _, form := range r.Forms() {
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
