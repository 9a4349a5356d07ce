package read

import (
	"maps"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// memory is what a function has stored, by object and offset. Objects are the memory behind parameters, local variables
// and globals; they do not overlap.
type memory struct {
	cells   map[cell]value
	globals map[string]int
	objects int
	fields  []Field // of the objects behind parameters
	shared  int     // objects below this number are behind parameters
	touched map[cell]bool
}

type cell struct {
	object int
	offset int64
	size   int64
}

// Field is a scalar in memory.
type Field struct {
	Offset int64
	Type   ir.Type
}

// global returns the object of a global variable, whose contents are not known.
func (m *memory) global(name string) int {
	if m.globals == nil {
		m.globals = map[string]int{}
	}
	if _, ok := m.globals[name]; !ok {
		m.globals[name] = m.object()
	}
	return m.globals[name]
}

func (m *memory) object() int { m.objects++; return m.objects - 1 }

// alloca is a new local variable.
func (r *reader) alloca(in *syntax.Inst) value {
	if r.memory == nil {
		return value{bad: stop(Unread, in, "alloca")}
	}
	return value{ptr: &pointer{object: r.memory.object()}}
}

// overlaps reports whether another cell holds some of the bytes of c.
func (m *memory) overlaps(c cell) bool {
	for d := range m.touched {
		if d.object == c.object && d != c && d.offset < c.offset+c.size && c.offset < d.offset+d.size {
			return true
		}
	}
	return false
}

// store keeps a value in memory; in a loop every store is an obstacle.
func (r *reader) store(fr *frame, in *syntax.Inst) *Obstacle {
	if in.Flags["volatile"] || in.Flags["atomic"] {
		return stop(Order, in, "store")
	}
	if r.memory == nil {
		return stop(Store, in, "to %s", in.Args[1].Text)
	}
	v, to := r.operand(fr, in.Args[0], in), r.operand(fr, in.Args[1], in)
	size, ok := in.Type.Size()
	if to.ptr == nil || to.ptr.cond.IsValid() || !ok {
		return stop(Memory, in, "a store to %s", in.Args[1].Text)
	}
	c := cell{to.ptr.object, to.ptr.offset, size}
	if r.memory.overlaps(c) {
		return stop(Memory, in, "stores of several sizes")
	}
	r.memory.touched[c] = true
	r.memory.cells[c] = v
	return nil
}

// load reads memory: in a loop an input, since nothing is stored there.
func (r *reader) load(fr *frame, in *syntax.Inst) (value, *Obstacle) {
	if in.Flags["volatile"] || in.Flags["atomic"] {
		return value{}, stop(Order, in, "load")
	}
	at := r.operand(fr, in.Args[0], in)
	if r.memory == nil {
		return r.ranged(in, r.opaque(in, []value{{state: at.state, steady: at.steady}}, stop(StateAddress, in, "%s", in.Args[0].Text))), nil
	}
	size, ok := in.Type.Size()
	if at.ptr == nil || !ok {
		return value{bad: stop(Memory, in, "a load from %s", in.Args[0].Text)}, nil
	}
	return r.read(in, at.ptr, in.Type, size), nil
}

// read is what memory has at an address.
func (r *reader) read(in *syntax.Inst, p *pointer, t *syntax.Type, size int64) value {
	if p.cond.IsValid() {
		return r.gate(in, p.cond, true, false, r.read(in, p.a, t, size), r.read(in, p.b, t, size))
	}
	c := cell{p.object, p.offset, size}
	if v, ok := r.memory.cells[c]; ok {
		if want, isScalar := r.scalar(t); !isScalar || v.isScalar() && v.e.Type() == want {
			return v
		}
	}
	return value{bad: stop(Memory, in, "a load of %s at offset %d that nothing stored", t, p.offset)}
}

// address reads a getelementptr with literal indices.
func (r *reader) address(fr *frame, in *syntax.Inst) value {
	var args []value
	for _, v := range in.Args {
		args = append(args, r.operand(fr, v, in))
	}
	if r.memory == nil {
		return r.opaque(&syntax.Inst{Op: in.Op, Pos: in.Pos}, args, stop(Unread, in, "an address"))
	}
	bad := value{bad: stop(Memory, in, "an address that is computed")}
	if len(args) == 0 || args[0].ptr == nil {
		return bad
	}
	offset, ok := offsetOf(in.Type, in.Args[1:])
	if !ok {
		return bad
	}
	return value{ptr: args[0].ptr.moved(offset)}
}

// is reports whether two addresses are seen to be one.
func (p *pointer) is(q *pointer) bool {
	if p == q {
		return true
	}
	return !p.cond.IsValid() && !q.cond.IsValid() && p.object == q.object && p.offset == q.offset
}

func (p *pointer) moved(by int64) *pointer {
	q := *p
	if p.cond.IsValid() {
		q.a, q.b = p.a.moved(by), p.b.moved(by)
	} else {
		q.offset += by
	}
	return &q
}

// offsetOf adds up indices: the first one counts elements, the others lead into one.
func offsetOf(t *syntax.Type, indices []syntax.Value) (at int64, ok bool) {
	for i, v := range indices {
		if v.Kind != syntax.Int || v.Wide {
			return 0, false
		}
		n := int64(v.Bits)
		if i > 0 && t.Kind == syntax.Struct {
			by, ok := t.Offset(int(n))
			if !ok {
				return 0, false
			}
			at, t = at+by, t.Elems[n]
			continue
		}
		if i > 0 {
			if t.Kind != syntax.Array {
				return 0, false
			}
			t = t.Elem
		}
		size, ok := t.Size()
		if !ok || n < -1<<20 || n > 1<<20 || size > 1<<20 {
			return 0, false
		}
		at += n * size
	}
	return at, true
}

// copyMemory reads llvm.memcpy of a literal number of bytes.
func (r *reader) copyMemory(in *syntax.Inst, args []value) *Obstacle {
	if len(args) < 3 || args[0].ptr == nil || args[1].ptr == nil || args[0].ptr.cond.IsValid() || !args[2].isScalar() || args[2].e.Op() != ir.Const {
		return stop(Memory, in, "%s", in.Callee)
	}
	n := int64(args[2].e.Value())
	copies := map[cell]value{}
	for c := range r.memory.sources(args[1].ptr) {
		by := c.offset - args[1].ptr.first()
		if by < 0 || by >= n {
			continue
		}
		v := r.readCell(in, args[1].ptr, by, c.size)
		to := cell{args[0].ptr.object, args[0].ptr.offset + by, c.size}
		if v.bad != nil || by+c.size > n || r.memory.overlaps(to) {
			return stop(Memory, in, "%s of parts", in.Callee)
		}
		copies[to] = v
	}
	for to, v := range copies {
		r.memory.touched[to] = true
		r.memory.cells[to] = v
	}
	return nil
}

// first is the offset of an address, which is that of both of two.
func (p *pointer) first() int64 {
	for p.cond.IsValid() {
		p = p.a
	}
	return p.offset
}

// sources lists the cells of the first object that an address may be in.
func (m *memory) sources(p *pointer) map[cell]bool {
	for p.cond.IsValid() {
		p = p.a
	}
	out := map[cell]bool{}
	for c := range m.cells {
		if c.object == p.object {
			out[c] = true
		}
	}
	return out
}

func (r *reader) readCell(in *syntax.Inst, p *pointer, by, size int64) value {
	if p.cond.IsValid() {
		return r.gate(in, p.cond, true, false, r.readCell(in, p.a, by, size), r.readCell(in, p.b, by, size))
	}
	if v, ok := r.memory.cells[cell{p.object, p.offset + by, size}]; ok {
		return v
	}
	return value{bad: stop(Memory, in, "a copy of what nothing stored")}
}

// join merges what the ways to a block have stored.
func (r *reader) join(in *syntax.Inst, conds []ir.Expr, from []map[cell]value) map[cell]value {
	if len(from) == 1 {
		return maps.Clone(from[0])
	}
	out := map[cell]value{}
	for _, c := range slices.SortedFunc(maps.Keys(from[0]), compareCells) {
		values := make([]value, len(from))
		everywhere := true
		for i, m := range from {
			v, ok := m[c]
			values[i], everywhere = v, everywhere && ok
		}
		if everywhere {
			out[c] = r.gated(in, conds, values)
		}
	}
	return out
}

func compareCells(a, b cell) int {
	switch {
	case a.object != b.object:
		return a.object - b.object
	case a.offset != b.offset:
		return int(a.offset - b.offset)
	}
	return int(a.size - b.size)
}
