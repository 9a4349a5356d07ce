package lower

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

// byteCounts adds constants to elements whose places depend on one byte: the bytes of a
// block are counted first, and each value that occurs is looked up once.
type byteCounts struct {
	*rowCode
	bytes  ir.Expr // the read
	data   []uint8
	from   *cursor
	counts [256]uint32
	tables [][]int64 // for each dimension its coordinate by byte; nil where it is the same in a row
	fixed  []func() uint64
	place  [256]int // of the counts of this block
	amount []func() uint64
}

// countBytes is a mode of stages whose left side depends on data. It reports whether the
// stage is of that form.
func (r *rowCode) countBytes() bool {
	n := r.w.nest
	dims := n.targets[r.w.inner]
	read := r.onlyByte(dims)
	if r.mask != nil || !read.IsValid() {
		return false
	}
	for c, p := range n.parts {
		t := n.stage.Buffer.Types[c]
		if !n.isPart[c] || p.op != ir.Const && (p.op != ir.Add || !t.IsInt() || r.varies(p.leaf)) {
			return false
		}
	}
	a := r.w.run.arrays[read.Name()]
	from := r.cursor(n.forms[r.w.inner][read], a)
	if from == nil {
		return false
	}
	b := &byteCounts{rowCode: r, bytes: read, data: a.Data[read.Index()].([]uint8), from: from}
	for _, d := range dims {
		b.dimension(d.Index)
	}
	for c, p := range n.parts {
		if p.op == ir.Const {
			b.amount = append(b.amount, nil)
			continue
		}
		b.amount = append(b.amount, r.w.compile(n.parts[c].leaf))
	}
	r.steps = append(r.steps, b.count)
	r.finish = append(r.finish, b.add)
	return true
}

// onlyByte is the one read of bytes that coordinates depend on, where they depend on nothing
// else that changes in a run.
func (r *rowCode) onlyByte(dims []Coordinate) (read ir.Expr) {
	ok := true
	var visit func(ir.Expr)
	visit = func(e ir.Expr) {
		switch {
		case isRead(e):
			ok = ok && e.Type() == ir.U8 && (!read.IsValid() || read == e)
			read = e
		case e.Op() == ir.Var:
			_, param := r.w.run.params[e]
			ok = ok && param
		default:
			for _, a := range operands(e) {
				visit(a)
			}
		}
	}
	for _, d := range dims {
		if r.varies(d.Index) {
			visit(d.Index)
		}
	}
	if !ok {
		return ir.Expr{}
	}
	return read
}

// dimension adds a coordinate.
func (b *byteCounts) dimension(index ir.Expr) {
	if !b.varies(index) {
		b.tables, b.fixed = append(b.tables, nil), append(b.fixed, b.w.compile(index))
		return
	}
	s := newScalars(b.w.run)
	v := uint64(0)
	s.memo[b.bytes] = func() uint64 { return v }
	f := s.compile(index)
	table := make([]int64, 256)
	for i := range table {
		v = uint64(i)
		s.point++
		table[i] = int64(f())
	}
	b.tables, b.fixed = append(b.tables, table), append(b.fixed, nil)
}

// count counts a block, and finds the places of what occurs.
func (b *byteCounts) count(k, n int) {
	clear(b.counts[:])
	at := b.from.offset + k*b.from.stride
	if b.from.stride == 1 {
		simd.Histogram(&b.counts, b.data[at:at+n])
	} else {
		for range n {
			b.counts[b.data[at]]++
			at += b.from.stride
		}
	}
	index := make([]int64, len(b.tables))
	for i, f := range b.fixed {
		if f != nil {
			index[i] = int64(f())
		}
	}
	for v, c := range b.counts {
		if c == 0 {
			continue
		}
		for i, t := range b.tables {
			if t != nil {
				index[i] = t[v]
			}
		}
		place, err := b.w.buffer.offset(index)
		if err != nil {
			b.bad = true
			return
		}
		b.place[v] = place
	}
}

func (b *byteCounts) add(k, n int) {
	for c, f := range b.amount {
		if f == nil {
			continue
		}
		t, x := b.w.nest.stage.Buffer.Types[c], f()
		for v, m := range b.counts {
			if m != 0 {
				at := b.place[v]
				b.w.set[c](at, t.Wrap(b.w.old[c](at)+x*uint64(m)))
			}
		}
	}
}
