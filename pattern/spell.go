package pattern

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
)

// maxSpellings bounds the forms of one operator in the compiled table.
const maxSpellings = 64

// spellings returns the forms in which the saturated e-graph may hold a tuple of expressions:
// ring parts in their normal form, which fixes the order of operands, and commutative
// operators in every order. Where that makes too many, the orders of what the ring's
// normal form does not reach are given up first within it, then altogether.
func spellings(exprs []ir.Expr, allowed ir.Assume) [][]ir.Expr {
	for _, o := range []orders{{allowed: allowed, raw: true, swap: true}, {allowed: allowed, swap: true}, {allowed: allowed}} {
		if tuples := o.tuples(exprs); len(tuples) > 0 {
			return tuples
		}
	}
	panic("pattern: internal: no spelling")
}

// swaps returns a tuple of expressions with the operands of commutative operators in every order, as it
// stands where those are too many.
func swaps(exprs []ir.Expr) [][]ir.Expr {
	o := orders{swap: true, plain: true}
	if tuples := o.tuples(exprs); len(tuples) > 0 {
		return tuples
	}
	return [][]ir.Expr{exprs}
}

// orders makes the operand orders of expressions.
type orders struct {
	allowed ir.Assume
	raw     bool // ring parts as they are written, too
	swap    bool
	plain   bool // no normal forms
}

// tuples returns the combinations of the components' forms, nil where they are too many.
func (o orders) tuples(exprs []ir.Expr) [][]ir.Expr {
	tuples := [][]ir.Expr{nil}
	for _, e := range exprs {
		var next [][]ir.Expr
		for _, f := range o.of(e) {
			for _, t := range tuples {
				next = append(next, append(slices.Clone(t), f))
			}
		}
		if tuples = next; len(tuples) > maxSpellings {
			return nil
		}
	}
	return tuples
}

// of lists the forms of e, each once, or one more than a tuple may have: terms around them have as many.
func (o orders) of(e ir.Expr) []ir.Expr {
	var forms []ir.Expr
	add := func(f ir.Expr) { forms = addForm(forms, f) }
	ring := !o.plain && isRing(e) && poly.DomainOf(e.Type(), o.allowed) != 0
	if ring {
		for _, f := range o.swapped(poly.Normal(e, o.allowed), true) {
			add(f)
		}
	}
	if !ring || o.raw {
		for _, f := range o.swapped(e, false) {
			add(f)
		}
	}
	return forms
}

// swapped returns the operand orders of e; fixed keeps those of ring operators over the state,
// which the normal form orders.
func (o orders) swapped(e ir.Expr, fixed bool) []ir.Expr {
	if e.NumArgs() == 0 {
		return []ir.Expr{e}
	}
	lists := [][]ir.Expr{nil}
	for i := range e.NumArgs() {
		forms := o.operand(e.Arg(i), fixed)
		var next [][]ir.Expr
		for _, l := range lists {
			for _, f := range forms {
				next = append(next, append(slices.Clone(l), f))
			}
		}
		lists = next
	}
	var forms []ir.Expr
	swap := o.swap && e.Op().Commutes() && !(fixed && isRing(e) && !e.IsLeaf())
	for _, l := range lists {
		if len(forms) > maxSpellings {
			break
		}
		forms = addForm(forms, ir.Rebuild(e, l))
		if swap {
			forms = addForm(forms, ir.Rebuild(e, []ir.Expr{l[1], l[0]}))
		}
	}
	return forms
}

// addForm adds a form that is not among others yet, unless these are too many already.
func addForm(forms []ir.Expr, f ir.Expr) []ir.Expr {
	if len(forms) > maxSpellings || slices.Contains(forms, f) {
		return forms
	}
	return append(forms, f)
}

// operand returns the forms of a proper subterm: inside a ring term ring operators belong to
// it, elsewhere they begin a ring term of their own.
func (o orders) operand(e ir.Expr, fixed bool) []ir.Expr {
	if fixed && isRing(e) {
		return o.swapped(e, true)
	}
	return o.of(e)
}

func isRing(e ir.Expr) bool {
	switch e.Op() {
	case ir.Add, ir.Sub, ir.Mul, ir.Neg, ir.Div, ir.BitNot:
		return true
	}
	return false
}

// normalComparisons writes comparisons as the rules do: with < and ==, ! outside.
// It is exact where comparisons are negated exactly: not on floats with NaN, for which
// a <= b stays.
func normalComparisons(e ir.Expr) ir.Expr {
	return e.Pool().Map([]ir.Expr{e}, func(s ir.Expr) ir.Expr {
		if !s.Op().IsComparison() {
			return ir.Expr{}
		}
		a, b := normalComparisons(s.Arg(0)), normalComparisons(s.Arg(1))
		switch {
		case s.Op() == ir.Gt:
			return ir.LtOf(b, a)
		case s.Op() == ir.Ne:
			return ir.NotOf(ir.EqOf(a, b))
		case a.Type().IsFloat():
			return ir.Make(s.Op(), a, b)
		case s.Op() == ir.Le:
			return ir.NotOf(ir.LtOf(b, a))
		case s.Op() == ir.Ge:
			return ir.NotOf(ir.LtOf(a, b))
		}
		return ir.Make(s.Op(), a, b)
	})[0]
}
