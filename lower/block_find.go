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
	payload []int // components, and what each takes
	taken   []ir.Expr
}

// searchesOf finds the groups among the components of an update. Floats are left out: how
// a minimum and a comparison treat NaN differs.
func searchesOf(values []ir.Expr, parts []part, ok []bool) []search {
	var out []search
	for c, p := range parts {
		if !ok[c] || p.op != ir.Min && p.op != ir.Max || !p.leaf.Type().IsInt() {
			continue
		}
		s := search{key: c, leaf: p.leaf, max: p.op == ir.Max}
		for i, v := range values {
			last, taken, is := carries(v, s, i)
			if !is || len(s.payload) > 0 && last != s.last {
				continue
			}
			s.last = last
			s.payload, s.taken = append(s.payload, i), append(s.taken, taken)
		}
		if len(s.payload) > 0 {
			out = append(out, s)
		}
	}
	return out
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
	told, best := r.later(s, now), z.least(s.max, x)
	alone := func(k, n int) {
		if r.several {
			told(k, n, best(n))
			return
		}
		now(k, n)
	}
	p := pass{alone: alone, kind: z, over: x, fold: simd.FoldMin, took: told}
	if s.max {
		p.fold = simd.FoldMax
	}
	none := neutralValue(map[bool]ir.Op{false: ir.Min, true: ir.Max}[s.max], leaf.Type())
	p.from = func() uint64 { return none }
	return p
}

// later is told the best values of blocks, and finds the element when the row has ended, in
// the last block whose best was better than what was before: until then that value is enough.
func (r *rowCode) later(s search, now step) func(k, n int, best uint64) {
	w := r.w
	var before uint64 // the key when the row began
	start, length := 0, 0
	r.end = append(r.end, func() {
		if length == 0 {
			return
		}
		n := length
		length = 0
		w.set[s.key](r.target.offset, before)
		r.compute(start, n, start+n, 0)
		now(start, n)
	})
	return func(k, n int, v uint64) {
		key := w.old[s.key](r.target.offset)
		if !s.better(v, key) {
			return
		}
		if length == 0 {
			before = key
		}
		start, length = k, n
		w.set[s.key](r.target.offset, v)
	}
}

// better reports whether v takes the place of key.
func (s search) better(v, key uint64) bool {
	if v == key {
		return s.last
	}
	less := v < key
	if s.leaf.Type().IsSigned() {
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
