package exec

import (
	"math"
	"unsafe"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

// vector is a block of values of one type: memory of its own, or a piece of an array.
type vector[T any] struct{ v []T }

// strided is where a row lies in an array: its k-th point at offset + k·stride.
type strided struct{ offset, stride int }

// step does its work on elements [k, k+n) of a row.
type step func(k, n int)

// kind is what can be done with blocks of one type. Operands and results are *vector of
// it, and so are data, which are arrays.
type kind interface {
	register(n int) any
	fill(reg any, v uint64, n int)    // the same value everywhere
	at(reg any, i *int) func() uint64 // reads one element
	get(reg any) func(i int) uint64   // the same, i given
	put(reg any) func(i int, v uint64)
	hold(reg, column any) // makes reg the slice column, or nothing where that is nil
	clear(reg any)
	load(reg, data any, c *strided) step // without copying where the stride is 1
	ahead(data any, c *strided) step     // asks for what load will need
	copied(reg, data any, c *strided) step
	pick(reg, data any, offsets *vector[int]) step            // from anywhere
	store(data, reg any, c *strided, mask *vector[bool]) step // all, where mask is nil
	iota(reg any, from func() uint64, by func() uint64) step
	unary(op ir.Op, to kind, dst, x any) step
	binary(op ir.Op, dst, x, y any) step     // a comparison's dst is of bool
	fused(op ir.Op, dst any, of ...any) step // a·b + c, and a·b op c·d of four operands
	choose(dst any, cond *vector[bool], x, y any) step
	cast(to ir.Type, dst, x any) step
	fold(f *folding) step
	beside(f simd.Fold) bool                                                   // whether several does it
	several(over any, passes []pass) step                                      // all at once
	product(re, im any) func(n int, x, y uint64) (uint64, uint64)              // (x + iy) times those of a block
	count(op ir.Op, x any, mask uint64, than func() uint64) func(n int) uint64 // how many compare so, but for Eq and Ne with all bits
	total(x any) func(n int) uint64                                            // modulo 2^64
	find(f *finding) step
	place(last bool, leaf any, found func(k int, v uint64)) func(k, n int, v uint64)
	least(max bool, x any) func(n int) uint64 // the least element of a block, or the greatest
	scatter(s *scattering) step
	addCounts(data any, counts *[256]uint32, place *[256]int, base int, x uint64)
	move(dst, x any, n int)
	swap(x, y any)
	pairs(even, odd any, n int) // takes even apart: its elements of even number go to its front
}

// kindOf gives the kernels of a type; nil where the type holds no values.
func kindOf(t ir.Type) kind { return kinds[t] }

var kinds [ir.NumTypes]kind

func init() { // tables of simd are made in its own initialisation
	kinds = [ir.NumTypes]kind{
		ir.Bool: bools{},
		ir.I8:   newTyped[int8](ir.I8), ir.I16: newTyped[int16](ir.I16), ir.I32: newTyped[int32](ir.I32), ir.I64: newTyped[int64](ir.I64),
		ir.U8: newTyped[uint8](ir.U8), ir.U16: newTyped[uint16](ir.U16), ir.U32: newTyped[uint32](ir.U32), ir.U64: newTyped[uint64](ir.U64),
		ir.F32: newTyped[float32](ir.F32), ir.F64: newTyped[float64](ir.F64),
	}
}

// typed is the kind of a numeric type.
type typed[T simd.Number] struct {
	t ir.Type
	*simd.Table[T]
}

func newTyped[T simd.Number](t ir.Type) typed[T] { return typed[T]{t, simd.For[T]()} }

// carry and uncarry go between T and the way in which package ir carries values.
func (z typed[T]) carry(v T) uint64 {
	switch z.t {
	case ir.F32:
		return uint64(math.Float32bits(float32(v)))
	case ir.F64:
		return math.Float64bits(float64(v))
	}
	return uint64(v)
}

func (z typed[T]) uncarry(v uint64) T {
	switch z.t {
	case ir.F32:
		return T(math.Float32frombits(uint32(v)))
	case ir.F64:
		return T(math.Float64frombits(v))
	}
	return T(v)
}

// register makes room for a little more than n elements: memory that is a power of two apart
// would compete for the same lines of the cache.
func (typed[T]) register(n int) any {
	if n == 0 {
		return &vector[T]{}
	}
	return &vector[T]{make([]T, n, n+64)}
}

func (z typed[T]) fill(reg any, v uint64, n int) { fill(reg.(*vector[T]).v[:n], z.uncarry(v)) }

func fill[T any](to []T, v T) {
	for i := range to {
		to[i] = v
	}
}

func (z typed[T]) at(reg any, i *int) func() uint64 {
	r := reg.(*vector[T])
	switch z.t {
	case ir.F32, ir.F64:
		return func() uint64 { return z.carry(r.v[*i]) }
	}
	return func() uint64 { return uint64(r.v[*i]) }
}

func (z typed[T]) get(reg any) func(i int) uint64 {
	r := reg.(*vector[T])
	if z.t.IsFloat() {
		return func(i int) uint64 { return z.carry(r.v[i]) }
	}
	return func(i int) uint64 { return uint64(r.v[i]) }
}

func (z typed[T]) put(reg any) func(i int, v uint64) {
	r := reg.(*vector[T])
	if z.t.IsFloat() {
		return func(i int, v uint64) { r.v[i] = z.uncarry(v) }
	}
	return func(i int, v uint64) { r.v[i] = T(v) }
}

func (typed[T]) hold(reg, column any) { hold[T](reg, column) }
func (typed[T]) clear(reg any)        { clear(reg.(*vector[T]).v) }

func hold[T any](reg, column any) { reg.(*vector[T]).v, _ = column.([]T) }

func (typed[T]) load(reg, data any, c *strided) step   { return load[T](reg, data, c) }
func (typed[T]) ahead(data any, c *strided) step       { return ahead[T](data, c) }
func (typed[T]) copied(reg, data any, c *strided) step { return copied[T](reg, data, c) }
func (typed[T]) pick(reg, data any, offsets *vector[int]) step {
	return pick[T](reg, data, offsets)
}
func (typed[T]) store(data, reg any, c *strided, mask *vector[bool]) step {
	return store[T](data, reg, c, mask)
}

func (typed[T]) move(dst, x any, n int)     { move[T](dst, x, n) }
func (typed[T]) pairs(even, odd any, n int) { pairs[T](even, odd, n) }

func (typed[T]) swap(x, y any) { swap[T](x, y) }

// swap lets two registers of the same length change their memory.
func swap[T any](x, y any) {
	a, b := x.(*vector[T]), y.(*vector[T])
	a.v, b.v = b.v, a.v
}

func move[T any](dst, x any, n int) {
	d, a := dst.(*vector[T]), x.(*vector[T])
	if d != a {
		copy(d.v[:n], a.v[:n])
	}
}

func pairs[T any](even, odd any, n int) {
	e, o := even.(*vector[T]).v, odd.(*vector[T]).v
	for i := range n {
		o[i] = e[2*i+1]
		e[i] = e[2*i]
	}
}

func load[T any](reg, data any, c *strided) step {
	r, d := reg.(*vector[T]), data.(*vector[T])
	gathered := copied[T](reg, data, c)
	return func(k, n int) {
		if c.stride != 1 {
			gathered(k, n)
			return
		}
		at := c.offset + k
		r.v = d.v[at : at+n]
	}
}

// nearBytes is the size of arrays that are not asked for: a cache is likely to have them.
const nearBytes = 4 << 20

func ahead[T simd.Number | bool](data any, c *strided) step {
	d := data.(*vector[T])
	far := nearBytes / int(unsafe.Sizeof(*new(T)))
	return func(k, n int) {
		if c.stride == 1 && len(d.v) > far {
			simd.Prefetch(d.v[c.offset+k : c.offset+k+n])
		}
	}
}

func copied[T any](reg, data any, c *strided) step {
	r, m := reg.(*vector[T]), data.(*vector[T])
	var own []T
	return func(k, n int) {
		d := m.v
		if len(own) < n {
			own = make([]T, n)
		}
		r.v = own[:n]
		at := c.offset + k*c.stride
		if c.stride == 1 {
			copy(r.v, d[at:])
			return
		}
		for i := range r.v {
			r.v[i] = d[at]
			at += c.stride
		}
	}
}

func pick[T any](reg, data any, offsets *vector[int]) step {
	r, m := reg.(*vector[T]), data.(*vector[T])
	return func(k, n int) {
		to, d := r.v[:n], m.v
		for i, at := range offsets.v[:n] {
			to[i] = d[at]
		}
	}
}

func store[T any](data, reg any, c *strided, mask *vector[bool]) step {
	r, m := reg.(*vector[T]), data.(*vector[T])
	return func(k, n int) {
		at, d := c.offset+k*c.stride, m.v
		if mask == nil && c.stride == 1 {
			copy(d[at:at+n], r.v)
			return
		}
		for i, v := range r.v[:n] {
			if mask == nil || mask.v[i] {
				d[at] = v
			}
			at += c.stride
		}
	}
}

func (z typed[T]) iota(reg any, from, by func() uint64) step {
	r := reg.(*vector[T])
	return func(k, n int) {
		d := by()
		v := from() + uint64(k)*d
		for i := range r.v[:n] {
			r.v[i] = T(v)
			v += d
		}
	}
}

func (z typed[T]) choose(dst any, cond *vector[bool], x, y any) step {
	d, a, b := dst.(*vector[T]), x.(*vector[T]), y.(*vector[T])
	f := z.Map.Select
	return func(k, n int) { f(d.v[:n], cond.v[:n], a.v[:n], b.v[:n]) }
}

func (z typed[T]) unary(op ir.Op, to kind, dst, x any) step {
	a := x.(*vector[T])
	if op == ir.IsNaN {
		d := dst.(*vector[bool])
		return func(k, n int) {
			for i, v := range a.v[:n] {
				d.v[i] = v != v
			}
		}
	}
	d := dst.(*vector[T])
	m := &z.Map
	if f := map[ir.Op]func(dst, x []T){ir.Neg: m.Neg, ir.Abs: m.Abs, ir.BitNot: m.Not, ir.Sqrt: m.Sqrt}[op]; f != nil {
		return func(k, n int) { f(d.v[:n], a.v[:n]) }
	}
	return func(k, n int) {
		for i, v := range a.v[:n] {
			d.v[i] = z.uncarry(ir.Apply1(op, z.t, z.t, z.carry(v)))
		}
	}
}

func (z typed[T]) binary(op ir.Op, dst, x, y any) step {
	a, b := x.(*vector[T]), y.(*vector[T])
	if op.IsComparison() {
		d := dst.(*vector[bool])
		f := z.comparison(op)
		return func(k, n int) { f(d.v[:n], a.v[:n], b.v[:n]) }
	}
	d := dst.(*vector[T])
	if f := z.mapping(op); f != nil {
		return func(k, n int) { f(d.v[:n], a.v[:n], b.v[:n]) }
	}
	if op == ir.Mod && z.t.Bits() <= 32 {
		return func(k, n int) { remainders(d.v[:n], a.v[:n], b.v[:n]) }
	}
	return func(k, n int) {
		y := b.v[:n]
		for i, v := range a.v[:n] {
			d.v[i] = z.uncarry(ir.Apply2(op, z.t, z.carry(v), z.carry(y[i])))
		}
	}
}

func (z typed[T]) fused(op ir.Op, dst any, of ...any) step {
	var v [4]*vector[T]
	for i, x := range of {
		v[i] = x.(*vector[T])
	}
	r, a, b, c, d := dst.(*vector[T]), v[0], v[1], v[2], v[3]
	if d == nil {
		f := z.Map.MulAdd
		return func(k, n int) { f(r.v[:n], a.v[:n], b.v[:n], c.v[:n]) }
	}
	f := z.Map.MulAddMul
	if op == ir.Sub {
		f = z.Map.MulSubMul
	}
	return func(k, n int) { f(r.v[:n], a.v[:n], b.v[:n], c.v[:n], d.v[:n]) }
}

// remainders are Euclidean, of integers of 32 bits at most.
func remainders[T simd.Number](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		a, b := int64(x[i]), int64(y[i])
		if b == 0 {
			dst[i] = 0
			continue
		}
		if b < 0 {
			b = -b
		}
		var r int64
		if b&(b-1) == 0 {
			r = a & (b - 1)
		} else if r = a % b; r < 0 {
			r += b
		}
		dst[i] = T(r)
	}
}

func (z typed[T]) comparison(op ir.Op) func(dst []bool, x, y []T) {
	c := &z.Compare
	return map[ir.Op]func(dst []bool, x, y []T){ir.Lt: c.Lt, ir.Le: c.Le, ir.Gt: c.Gt, ir.Ge: c.Ge, ir.Eq: c.Eq, ir.Ne: c.Ne}[op]
}

// mapping is the kernel of an operation, nil where there is none.
func (z typed[T]) mapping(op ir.Op) func(dst, x, y []T) {
	m := &z.Map
	return map[ir.Op]func(dst, x, y []T){
		ir.Add: m.Add, ir.Sub: m.Sub, ir.Mul: m.Mul, ir.Div: m.Div, ir.Min: m.Min, ir.Max: m.Max,
		ir.BitAnd: m.And, ir.BitOr: m.Or, ir.BitXor: m.Xor, ir.SatAdd: m.AddSat, ir.SatSub: m.SubSat,
	}[op]
}

func (z typed[T]) cast(to ir.Type, dst, x any) step {
	a := x.(*vector[T])
	switch d := dst.(type) {
	case *vector[bool]:
		return func(k, n int) {
			for i, v := range a.v[:n] {
				d.v[i] = v != 0
			}
		}
	case *vector[int8]:
		return convert(d, a)
	case *vector[int16]:
		return convert(d, a)
	case *vector[int32]:
		return convert(d, a)
	case *vector[int64]:
		return convert(d, a)
	case *vector[uint8]:
		return convert(d, a)
	case *vector[uint16]:
		return convert(d, a)
	case *vector[uint32]:
		return convert(d, a)
	case *vector[uint64]:
		return convert(d, a)
	case *vector[float32]:
		return convert(d, a)
	case *vector[float64]:
		return convert(d, a)
	}
	panic("lower: internal: no vector")
}

func convert[D, S simd.Number](d *vector[D], x *vector[S]) step {
	f := simd.Converter[D, S]()
	return func(k, n int) { f(d.v[:n], x.v[:n]) }
}
