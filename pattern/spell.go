package pattern

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
)

// maxSpellings bounds the forms of one operator in the compiled table.
const maxSpellings = 64

// spellings makes the forms in which the saturated e-graph may hold a tuple of expressions:
// ring parts in their normal form, which fixes the order of operands, and commutative
// operators in every order. Where that makes too many, the orders of what the ring's
// normal form does not reach are given up first within it, then altogether.
type spellings [3]orders

func newSpellings(allowed ir.Assume) *spellings {
	return &spellings{{allowed: allowed, raw: true, swap: true}, {allowed: allowed, swap: true}, {allowed: allowed}}
}

func (s *spellings) of(exprs []ir.Expr) [][]ir.Expr {
	for i := range s {
		if tuples := s[i].tuples(exprs); len(tuples) > 0 {
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

	known map[ordered][]ir.Expr // what swapped returned: operators share many terms
}

// ordered is what swapped was asked about.
type ordered struct {
	e     ir.Expr
	fixed bool
}

// tuples returns the combinations of the components' forms, nil where they are too many.
func (o *orders) tuples(exprs []ir.Expr) [][]ir.Expr {
	tuples := [][]ir.Expr{nil}
	for _, e := range exprs {
		forms := o.of(e)
		next := make([][]ir.Expr, 0, len(forms)*len(tuples))
		for _, f := range forms {
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
func (o *orders) of(e ir.Expr) []ir.Expr {
	ring := !o.plain && isRing(e) && poly.DomainOf(e.Type(), o.allowed) != 0
	if !ring {
		return o.swapped(e, false)
	}
	forms := o.swapped(poly.Normal(e, o.allowed), true)
	if !o.raw {
		return forms
	}
	forms = slices.Clip(forms)
	for _, f := range o.swapped(e, false) {
		forms = addForm(forms, f)
	}
	return forms
}

// swapped returns the operand orders of e; fixed keeps those of ring operators over the state,
// which the normal form orders.
func (o *orders) swapped(e ir.Expr, fixed bool) []ir.Expr {
	key := ordered{e, fixed}
	if forms, ok := o.known[key]; ok {
		return forms
	}
	forms := o.combined(e, fixed)
	if o.known == nil {
		o.known = map[ordered][]ir.Expr{}
	}
	o.known[key] = forms
	return forms
}

// combined returns e with each combination of its operands' forms, the last operand's first.
func (o *orders) combined(e ir.Expr, fixed bool) []ir.Expr {
	n := e.NumArgs()
	if n == 0 {
		return []ir.Expr{e}
	}
	lists := make([][]ir.Expr, n)
	for i := range lists {
		lists[i] = o.operand(e.Arg(i), fixed)
	}
	swap := o.swap && e.Op().Commutes() && !(fixed && isRing(e) && !e.IsLeaf())
	var forms []ir.Expr
	args, at := make([]ir.Expr, n), make([]int, n)
	for len(forms) <= maxSpellings {
		for i, k := range at {
			args[i] = lists[i][k]
		}
		forms = addForm(forms, ir.Rebuild(e, args))
		if swap {
			forms = addForm(forms, ir.Rebuild(e, []ir.Expr{args[1], args[0]}))
		}
		if !advance(at, lists) {
			break
		}
	}
	return forms
}

// advance moves on to the next combination of elements of lists; false behind the last.
func advance(at []int, lists [][]ir.Expr) bool {
	for i := len(at) - 1; i >= 0; i-- {
		if at[i]++; at[i] < len(lists[i]) {
			return true
		}
		at[i] = 0
	}
	return false
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
func (o *orders) operand(e ir.Expr, fixed bool) []ir.Expr {
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
func normalComparisons(es []ir.Expr) []ir.Expr {
	return es[0].Pool().Map(es, func(e ir.Expr) ir.Expr {
		if !e.Op().IsComparison() {
			return ir.Expr{}
		}
		ab := normalComparisons(args(e))
		a, b := ab[0], ab[1]
		switch {
		case e.Op() == ir.Gt:
			return ir.LtOf(b, a)
		case e.Op() == ir.Ne:
			return ir.NotOf(ir.EqOf(a, b))
		case a.Type().IsFloat():
			return ir.Make(e.Op(), a, b)
		case e.Op() == ir.Le:
			return ir.NotOf(ir.LtOf(b, a))
		case e.Op() == ir.Ge:
			return ir.NotOf(ir.LtOf(a, b))
		}
		return ir.Make(e.Op(), a, b)
	})
}
