package exec

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/simd"
)

// byteCounts adds constants to elements whose places depend on one byte. The bytes of a block are
// counted first, and each value that occurs is looked up once.
type byteCounts struct {
	*rowCode
	bytes  ir.Expr // the read
	data   *kernel.Vector[uint8]
	from   *scalar.Cursor
	counts [256]uint32
	place  [256]int // of the element by byte, without the coordinates that are the same in a row; -1: none
	fixed  []fixedCoordinate
	moving []movingCoordinate
	base   int // of those coordinates in this block
	amount []func() uint64
}

// fixedCoordinate is one that is the same in a row.
type fixedCoordinate struct {
	index func() uint64
	dim   int
	width int
}

// movingCoordinate is one that depends on the byte.
type movingCoordinate struct {
	dim   int
	index func(value int) int
}

// countBytes is the mode of stages whose left side depends on one byte, and reports whether the
// stage is of that form.
//
//	f(in(r)) = f(in(r)) + k   →   count the bytes of a block; f(b) += k*count[b] for each byte b
func (r *rowCode) countBytes() bool {
	n := r.w.nest
	dims := n.Targets[r.w.inner]
	read := r.onlyByte(dims)
	if r.mask != nil || !read.IsValid() {
		return false
	}
	for c, p := range n.Parts {
		t := n.Stage.Buffer.Types[c]
		if !n.IsPart[c] || p.Op != ir.Const && (p.Op != ir.Add || !t.IsInt() || r.varies(p.Leaf)) {
			return false
		}
	}
	a := r.source(read)
	from := r.cursor(n.Forms[r.w.inner][read], a)
	if from == nil {
		return false
	}
	b := &byteCounts{rowCode: r, bytes: read, data: a.Columns[read.Index()].(*kernel.Vector[uint8]), from: from}
	for i, d := range dims {
		b.dimension(d.Index, i)
	}
	r.w.run.onShape(b.lay)
	for c, p := range n.Parts {
		if p.Op == ir.Const {
			b.amount = append(b.amount, nil)
			continue
		}
		b.amount = append(b.amount, r.w.Compile(n.Parts[c].Leaf))
	}
	r.steps = append(r.steps, b.count)
	r.finish = append(r.finish, b.add)
	return true
}

// onlyByte is the one read of bytes that coordinates depend on, where they depend on nothing
// else that changes in a run.
func (r *rowCode) onlyByte(dims []access.Coordinate) (read ir.Expr) {
	ok := true
	var visit func(ir.Expr)
	visit = func(e ir.Expr) {
		switch {
		case access.IsRead(e):
			ok = ok && e.Type() == ir.U8 && (!read.IsValid() || read == e)
			read = e
		case e.Op() == ir.Var:
			_, param := r.w.run.Params[e]
			ok = ok && param
		default:
			for _, a := range access.Operands(e) {
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
func (b *byteCounts) dimension(index ir.Expr, dim int) {
	if !b.varies(index) {
		b.fixed = append(b.fixed, fixedCoordinate{b.w.Compile(index), dim, 0})
		return
	}
	s := scalar.NewScalars(&b.w.run.Names)
	v := uint64(0)
	s.Memo[b.bytes] = func() uint64 { return v }
	f := s.Compile(index)
	b.moving = append(b.moving, movingCoordinate{dim, func(i int) int {
		v = uint64(i)
		s.Point++
		return int(int64(f()))
	}})
}

// lay computes the places of bytes in the buffer as it is now.
func (b *byteCounts) lay() {
	clear(b.place[:])
	dims, widths := b.w.buffer.Dims, make([]int, len(b.w.buffer.Dims))
	width := 1
	for i, d := range dims {
		widths[i] = width
		width *= d.Extent
	}
	for i := range b.fixed {
		b.fixed[i].width = widths[b.fixed[i].dim]
	}
	for _, m := range b.moving {
		d := dims[m.dim]
		for i := range b.place {
			at := m.index(i) - d.Min
			if at < 0 || at >= d.Extent || b.place[i] < 0 {
				b.place[i] = -1
				continue
			}
			b.place[i] += at * widths[m.dim]
		}
	}
}

// manyBytes is from how many on the kernel with several tables is faster than one.
const manyBytes = 4096

// count counts a block, and checks that each byte that occurs has a place.
func (b *byteCounts) count(k, n int) {
	clear(b.counts[:])
	at := b.from.Offset + k*b.from.Stride
	switch {
	case b.from.Stride != 1:
		for range n {
			b.counts[b.data.V[at]]++
			at += b.from.Stride
		}
	case n < manyBytes:
		simd.PortableHistogram(&b.counts, b.data.V[at:at+n])
	default:
		simd.Histogram(&b.counts, b.data.V[at:at+n])
	}
	b.base = 0
	for _, f := range b.fixed {
		d := b.w.buffer.Dims[f.dim]
		i := int(int64(f.index())) - d.Min
		b.bad = b.bad || i < 0 || i >= d.Extent
		b.base += i * f.width
	}
	for v, c := range b.counts {
		b.bad = b.bad || c != 0 && b.place[v] < 0
	}
}

func (b *byteCounts) add(k, n int) {
	for c, f := range b.amount {
		if f == nil {
			continue
		}
		kernel.Of(b.w.nest.Stage.Buffer.Types[c]).AddCounts(b.w.buffer.Columns[c], &b.counts, &b.place, b.base, f())
	}
}
