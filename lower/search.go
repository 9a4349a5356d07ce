package lower

import "github.com/rfactor-go/rfactor/ir"

// search is a group of components that carry the least or greatest leaf so far, and what
// belongs to the element where it was found.
type search struct {
	key     int // the component that has the leaf
	leaf    ir.Expr
	max     bool
	last    bool  // among equal leaves the last wins, else the first
	folded  bool  // of floats: the key is their min or max, of which a zero's sign may be another's
	payload []int // components, and what each takes
	taken   []ir.Expr
}

// searchesOf finds the groups among the components of an update. How floats are treated here
// holds where there is no NaN.
func searchesOf(values []ir.Expr, parts []part, ok []bool) []search {
	var out []search
	for c, p := range parts {
		s := search{key: c, leaf: p.leaf, max: p.op == ir.Max, folded: values[c].Type().IsFloat()}
		if !ok[c] {
			found := false
			if s, found = chosen(values[c], c); !found {
				continue
			}
		} else if p.op != ir.Min && p.op != ir.Max || !p.leaf.Type().IsInt() && !p.leaf.Type().IsFloat() {
			continue
		}
		for i, v := range values {
			last, taken, is := carries(v, s, i)
			if !is || (len(s.payload) > 0 || !ok[c]) && last != s.last {
				continue
			}
			s.last = last
			s.payload, s.taken = append(s.payload, i), append(s.taken, taken)
		}
		if len(s.payload) > 0 || !ok[c] {
			out = append(out, s)
		}
	}
	return out
}

// chosen is select(leaf < x, leaf, x) on floats and its like. Among zeros it takes one as it
// is.
func chosen(v ir.Expr, c int) (s search, ok bool) {
	if v.Op() != ir.Select || !v.Type().IsFloat() || !v.Arg(0).Op().IsComparison() {
		return s, false
	}
	x := v.Pool().X(c, v.Type())
	op, l, r, leaf := v.Arg(0).Op(), v.Arg(0).Arg(0), v.Arg(0).Arg(1), v.Arg(1)
	if leaf == x {
		op, leaf = negated(op), v.Arg(2)
	}
	if l == x {
		op, l, r = mirrored(op), r, l
	}
	if l != leaf || r != x || !leaf.IsLeaf() || v.States() != x.States() {
		return s, false
	}
	switch op { // what leaf must be for x to go
	case ir.Lt, ir.Le, ir.Gt, ir.Ge:
		return search{key: c, leaf: leaf, max: op == ir.Gt || op == ir.Ge, last: op == ir.Le || op == ir.Ge}, true
	}
	return s, false
}

// carries reports whether the value of component i is select(x_key keeps, x_i, taken).
func carries(v ir.Expr, s search, i int) (last bool, taken ir.Expr, ok bool) {
	if v.Op() != ir.Select || i == s.key {
		return
	}
	cond, keep, take := v.Arg(0), v.Arg(1), v.Arg(2)
	p := v.Pool()
	x, key := p.X(i, v.Type()), p.X(s.key, s.leaf.Type())
	if cond.NumArgs() != 2 {
		return
	}
	op, l, r := cond.Op(), cond.Arg(0), cond.Arg(1)
	if l != key {
		op, l, r = mirrored(op), r, l
	}
	if l != key || r != s.leaf {
		return
	}
	if keep != x {
		op, keep, take = negated(op), take, keep
	}
	if keep != x || !take.IsLeaf() {
		return
	}
	switch { // what op must be for x to be kept
	case op == ir.Lt && !s.max, op == ir.Gt && s.max:
		return true, take, true
	case op == ir.Le && !s.max, op == ir.Ge && s.max:
		return false, take, true
	}
	return
}

// mirrored is the comparison with its operands exchanged, negated the opposite one.
func mirrored(op ir.Op) ir.Op {
	return map[ir.Op]ir.Op{ir.Lt: ir.Gt, ir.Gt: ir.Lt, ir.Le: ir.Ge, ir.Ge: ir.Le, ir.Eq: ir.Eq, ir.Ne: ir.Ne}[op]
}

func negated(op ir.Op) ir.Op {
	return map[ir.Op]ir.Op{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Le: ir.Gt, ir.Gt: ir.Le, ir.Eq: ir.Ne, ir.Ne: ir.Eq}[op]
}

func (s search) op() ir.Op {
	if s.max {
		return ir.Max
	}
	return ir.Min
}

// better reports whether v takes the place of key.
func (s search) better(v, key uint64) bool {
	t := s.leaf.Type()
	if v == key || t.IsFloat() && ir.Float(t, v) == ir.Float(t, key) {
		return s.last
	}
	less := v < key
	switch {
	case t.IsFloat():
		less = ir.Float(t, v) < ir.Float(t, key)
	case t.IsSigned():
		less = int64(v) < int64(key)
	}
	return less != s.max
}
