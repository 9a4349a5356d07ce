package lower

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

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

// finding is a search in blocks. The leaf is of the key's type or of a narrower one, which
// the key's extends.
type finding struct {
	max, last bool
	leaf      any
	signed    bool // the key's type
	key       func() uint64
	found     func(k int, v uint64) // is told the element of the row that the key now is of
}

func (z typed[T]) find(f *finding) step {
	leaf := f.leaf.(*vector[T])
	kernel := z.Find.MinFirst
	switch {
	case f.max && f.last:
		kernel = z.Find.MaxLast
	case f.max:
		kernel = z.Find.MaxFirst
	case f.last:
		kernel = z.Find.MinLast
	}
	if z.t.IsFloat() {
		return func(k, n int) {
			if v, i := kernel(leaf.v[:n], z.uncarry(f.key())); i >= 0 {
				f.found(k+i, z.carry(v))
			}
		}
	}
	return func(k, n int) {
		x := leaf.v[:n]
		key := f.key()
		first := -1 // the place that is ahead of the others
		v := T(key)
		if uint64(v) != key { // no element is like the key: all are better, or none
			if above := !f.signed || int64(key) > 0; above == f.max {
				return
			}
			first, v = 0, x[0]
		}
		v, i := kernel(x[first+1:], v)
		if i >= 0 || first >= 0 {
			f.found(k+first+1+i, uint64(v))
		}
	}
}

// place is told a value that elements [k, k+n) of a row have, and tells found where.
func (z typed[T]) place(last bool, leaf any, found func(k int, v uint64)) func(k, n int, v uint64) {
	x, place := leaf.(*vector[T]), z.Find.First
	if last {
		place = z.Find.Last
	}
	return func(k, n int, v uint64) {
		i := place(x.v[:n], z.uncarry(v))
		found(k+i, z.carry(x.v[i]))
	}
}

// unextended is the operand of a cast that changes no value.
func unextended(e ir.Expr) ir.Expr {
	if e.Op() != ir.Cast || !e.Type().IsInt() {
		return e
	}
	a := e.Arg(0)
	if from, to := a.Type(), e.Type(); !from.IsInt() || from.Bits() >= to.Bits() || from.IsSigned() && !to.IsSigned() {
		return e
	}
	return a
}

// search searches blocks, and evaluates what belongs to the element that is found at that
// point alone.
func (r *rowCode) search(s search) pass {
	w := r.w
	taken := w.compileAll(s.taken)
	ir.Walk(s.taken, func(e ir.Expr) {
		if isRead(e) && r.varies(e) {
			r.value(e) // all reads must be in range, whether taken or not
		}
	})
	found := func(k int, v uint64) {
		w.set[s.key](r.target.offset, v)
		*r.inner = uint64(int64(r.start + k))
		w.point++
		for i, c := range s.payload {
			w.set[c](r.target.offset, taken[i]())
		}
	}
	leaf := unextended(s.leaf)
	x, z := r.value(leaf), kinds[leaf.Type()]
	key := func() uint64 { return w.old[s.key](r.target.offset) }
	now := z.find(&finding{s.max, s.last, x, s.leaf.Type().IsSigned(), key, found})
	told, best := r.later(s, z.place(s.last, x, found)), z.least(s.max, x)
	alone := func(k, n int) {
		if r.several || leaf.Type().IsFloat() {
			told(k, n, best(n))
			return
		}
		now(k, n)
	}
	p := pass{alone: alone, kind: z, over: x, fold: simd.FoldMin, took: told}
	if s.max {
		p.fold = simd.FoldMax
	}
	none := neutralValue(s.op(), leaf.Type())
	p.from = func() uint64 { return none }
	return p
}

// later is told the best values of blocks, and finds the element when the row has ended, in
// the last block whose best was better than what was before: until then that value is enough.
func (r *rowCode) later(s search, place func(k, n int, v uint64)) func(k, n int, best uint64) {
	w := r.w
	t := s.leaf.Type()
	start, length := 0, 0
	settle := func() {
		if length == 0 {
			return
		}
		n, best := length, w.old[s.key](r.target.offset)
		length = 0
		r.compute(start, n, start+n, 0)
		place(start, n, best)
		if s.folded {
			w.set[s.key](r.target.offset, best)
		}
	}
	r.end = append(r.end, settle)
	var inOrder step
	if t.IsFloat() {
		inOrder = r.inOrder(append([]int{s.key}, s.payload...))
	}
	return func(k, n int, v uint64) {
		key := w.old[s.key](r.target.offset)
		if t.IsFloat() && (isNaN(t, key) || isNaN(t, v)) {
			settle()
			inOrder(k, n)
			r.compute(k, n, k+n, 0) // for other components
			return
		}
		better := s.better(v, key)
		if better {
			start, length = k, n
		}
		if s.folded {
			v = ir.Apply2(s.op(), t, key, v)
		} else if !better {
			return
		}
		w.set[s.key](r.target.offset, v)
	}
}

func isNaN(t ir.Type, v uint64) bool { return ir.Float(t, v) != ir.Float(t, v) }

// inOrder updates components point by point.
func (r *rowCode) inOrder(components []int) step {
	w := r.w
	s := newScalars(w.run)
	s.slots = w.slots
	var values []ir.Expr
	for _, c := range components {
		values = append(values, w.nest.stage.Values[c])
	}
	next := s.compileAll(values)
	fresh := make([]uint64, len(next))
	return func(k, n int) {
		for i := range n {
			*r.inner = uint64(int64(r.start + k + i))
			for _, c := range components {
				*w.states[c] = w.old[c](r.target.offset)
			}
			s.point++
			for j, f := range next {
				fresh[j] = f()
			}
			for j, c := range components {
				w.set[c](r.target.offset, fresh[j])
			}
		}
		w.fail(s.takeError())
	}
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

func (z typed[T]) least(max bool, x any) func(n int) uint64 {
	v, f := x.(*vector[T]), z.Reduce.Min
	if max {
		f = z.Reduce.Max
	}
	return func(n int) uint64 { return z.carry(f(v.v[1:n], v.v[0])) }
}
