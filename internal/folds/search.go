package folds

import "github.com/rfactor-go/rfactor/ir"

// Search is a group of components that carry the least or greatest leaf so far, and what
// belongs to the element where it was found.
type Search struct {
	Key     int       // the component that has the leaf
	Leaf    ir.Expr   // of which the least is searched, or the greatest where Max is set
	Max     bool      // the greatest leaf is searched
	Last    bool      // among equal leaves the last wins, else the first
	Folded  bool      // of floats: the key is their min or max, so that a zero in it may have another's sign
	Payload []int     // components that change with the key
	Taken   []ir.Expr // what each of Payload takes from the element that is found
}

// Searches returns the searches among the components of an update; nil where there are none. For each component, parts and ok are
// the results of All. For floats the searches compute what the update does as long as no value is NaN.
func Searches(values []ir.Expr, parts []Part, ok []bool) []Search {
	var out []Search
	for c, p := range parts {
		s := Search{Key: c, Leaf: p.Leaf, Max: p.Op == ir.Max, Folded: values[c].Type().IsFloat()}
		if !ok[c] {
			found := false
			if s, found = chosen(values[c], c); !found {
				continue
			}
		} else if p.Op != ir.Min && p.Op != ir.Max || !p.Leaf.Type().IsInt() && !p.Leaf.Type().IsFloat() {
			continue
		}
		for i, v := range values {
			last, taken, is := carries(v, s, i)
			if !is || (len(s.Payload) > 0 || !ok[c]) && last != s.Last {
				continue
			}
			s.Last = last
			s.Payload, s.Taken = append(s.Payload, i), append(s.Taken, taken)
		}
		if len(s.Payload) > 0 || !ok[c] {
			out = append(out, s)
		}
	}
	return out
}

// chosen recognises a search without payload in v, the next value of the float component c:
// select(leaf < x, leaf, x) and its like. Min and max are none, since they choose between zeros
// of both signs.
func chosen(v ir.Expr, c int) (s Search, ok bool) {
	if v.Op() != ir.Select || !v.Type().IsFloat() || !v.Arg(0).Op().IsComparison() {
		return s, false
	}
	x := v.Pool().X(c, v.Type())
	op, l, r, leaf := v.Arg(0).Op(), v.Arg(0).Arg(0), v.Arg(0).Arg(1), v.Arg(1)
	if leaf == x {
		op, leaf = Negated(op), v.Arg(2)
	}
	if l == x {
		op, l, r = Mirrored(op), r, l
	}
	if l != leaf || r != x || !leaf.IsLeaf() || v.States() != x.States() {
		return s, false
	}
	switch op { // what leaf must be for x to go
	case ir.Lt, ir.Le, ir.Gt, ir.Ge:
		s = Search{Key: c, Leaf: leaf, Max: op == ir.Gt || op == ir.Ge, Last: op == ir.Le || op == ir.Ge}
		return s, s.chooses(v, x, leaf, x)
	}
	return s, false
}

// chooses reports whether v is one of two values: taken where the leaf takes the place of the key x, else kept. Of floats this is so where both are
// numbers; who runs a search takes its steps one by one where some are not.
func (s Search) chooses(v, x, taken, kept ir.Expr) bool {
	op := map[bool]ir.Op{false: ir.Lt, true: ir.Gt}[s.Max]
	if s.Last {
		op = map[bool]ir.Op{false: ir.Le, true: ir.Ge}[s.Max]
	}
	var numbers []ir.Expr
	if x.Type().IsFloat() {
		numbers = []ir.Expr{ir.NotOf(ir.Make(ir.IsNaN, x)), ir.NotOf(ir.Make(ir.IsNaN, s.Leaf))}
	}
	return Holds(0, v, ir.SelectOf(ir.Make(op, s.Leaf, x), taken, kept), numbers...)
}

// carries reports whether the value of component i is select(x_key keeps, x_i, taken).
func carries(v ir.Expr, s Search, i int) (last bool, taken ir.Expr, ok bool) {
	if v.Op() != ir.Select || i == s.Key {
		return
	}
	cond, keep, take := v.Arg(0), v.Arg(1), v.Arg(2)
	p := v.Pool()
	x, key := p.X(i, v.Type()), p.X(s.Key, s.Leaf.Type())
	if cond.NumArgs() != 2 {
		return
	}
	op, l, r := cond.Op(), cond.Arg(0), cond.Arg(1)
	if l != key {
		op, l, r = Mirrored(op), r, l
	}
	if l != key || r != s.Leaf {
		return
	}
	if keep != x {
		op, keep, take = Negated(op), take, keep
	}
	if keep != x || !take.IsLeaf() {
		return
	}
	switch { // what op must be for x to be kept
	case op == ir.Lt && !s.Max, op == ir.Gt && s.Max:
		s.Last = true
	case op == ir.Le && !s.Max, op == ir.Ge && s.Max:
		s.Last = false
	default:
		return
	}
	return s.Last, take, s.chooses(v, key, take, x)
}

// Mirrored returns the comparison of (b, a) that is equal to the comparison op of (a, b): > for <.
func Mirrored(op ir.Op) ir.Op {
	return map[ir.Op]ir.Op{ir.Lt: ir.Gt, ir.Gt: ir.Lt, ir.Le: ir.Ge, ir.Ge: ir.Le, ir.Eq: ir.Eq, ir.Ne: ir.Ne}[op]
}

// Negated returns the comparison that holds where op does not: >= for <.
func Negated(op ir.Op) ir.Op {
	return map[ir.Op]ir.Op{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Le: ir.Gt, ir.Gt: ir.Le, ir.Eq: ir.Ne, ir.Ne: ir.Eq}[op]
}

// Op returns the operator that keeps the best key: ir.Min or ir.Max.
func (s Search) Op() ir.Op {
	if s.Max {
		return ir.Max
	}
	return ir.Min
}
