// Package kernel has the operations of the block executor on blocks of one type.
//
// A Kind prepares an operation once and gives a Step, a closure that then does it on block after
// block. Operands are registers: each is a *Vector of the Go type of its elements, passed as any.
//
//	z := kernel.Of(ir.I32)
//	x, y, sum := z.Register(2048), z.Register(2048), z.Register(2048)
//	add := z.Binary(ir.Add, sum, x, y)
//	add(0, 2048)   →   sum[i] = x[i] + y[i]
package kernel

import (
	"math"
	"unsafe"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

// Vector is a block of values: memory of its own, or a piece of an array.
type Vector[T any] struct{ V []T }

// Strided is where a row lies in an array: its k-th point is the element Offset + k·Stride.
type Strided struct{ Offset, Stride int }

// Step does its work on the points [k, k+n) of a row. Registers hold these at [0, n).
type Step func(k, n int)

// Kind prepares the operations on blocks of one type. Registers (dst, reg, x, y) and arrays
// (data) are *Vector of that type. The Kind of bool panics where bool has no such operation.
type Kind interface {
	Register(n int) any                // memory for n elements; of n = 0 a Vector without any
	Fill(reg any, v uint64, n int)     // sets the first n elements to v
	At(reg any, i *int) func() uint64  // reads the element *i
	Get(reg any) func(i int) uint64    // reads the element i
	Put(reg any) func(i int, v uint64) // writes it
	Hold(reg, column any)              // makes the slice column the memory of reg; nil for none
	Clear(reg any)                     // sets all elements to 0
	Move(dst, x any, n int)            // copies
	Swap(x, y any)                     // exchanges the memory of two registers of one length
	Pairs(even, odd any, n int)        // splits the 2n elements of even: those of odd number go to odd

	Load(reg, data any, c *Strided) Step                               // makes reg a piece of data; copies where the stride is not 1
	Ahead(data any, c *Strided) Step                                   // prefetches what Load will need
	Tile(reg, data any, c *Strided, n int) Tile                        // of n elements at most
	Copied(reg, data any, c *Strided) Step                             // loads into memory of reg's own
	Pick(reg, data any, offsets *Vector[int]) Step                     // loads the elements at offsets
	Store(data, reg any, c *Strided, mask *Vector[bool]) Step          // where mask holds; everywhere where mask is nil
	Keep(data, reg any, mask *Vector[bool], block int) func(at, n int) // copies those of n elements where mask holds to data, from at on

	Iota(reg any, from, by func() uint64) Step // from() + k·by()
	Unary(op ir.Op, to Kind, dst, x any) Step
	Binary(op ir.Op, dst, x, y any) Step     // a comparison's dst is of bool
	Fused(op ir.Op, dst any, of ...any) Step // a·b + c of three operands, a·b op c·d of four
	AddRows(data, rows any) func(at, n int, from []int, factors []uint64)
	Choose(dst any, cond *Vector[bool], x, y any) Step
	Cast(to ir.Type, dst, x any) Step

	Fold(f *Folding) Step
	Affine(total, dst, a, b any) (Step, Scan)                                  // composes steps x ↦ x·a + b with total, anew where k is 0; steps through them
	Scan(op ir.Op, dst, leaf any) Scan                                         // of operations that CanScan has
	Tree(op ir.Op, dst any, leaves ...any) *Tree                               // of floats: of Add and Mul one leaf, of steps x ↦ x·a + b the two
	Beside(f simd.Fold) bool                                                   // reports whether Several does f
	Several(over any, passes []Pass) Step                                      // does all passes at once
	Product(re, im any) func(n int, x, y uint64) (uint64, uint64)              // x + iy times the n complex numbers of a block
	Count(op ir.Op, x any, mask uint64, than func() uint64) func(n int) uint64 // of n elements those with x&mask op than(); only Eq and Ne take a mask
	Total(x any) func(n int) uint64                                            // the sum of n integers modulo 2^64
	Scatter(s *Scattering) Step
	AddCounts(data any, counts *[256]uint32, place *[256]int, base int, x uint64) // adds counts[b]·x to the element base + place[b]

	Find(f *Finding) Step
	Place(last bool, leaf any, found func(k int, v uint64)) func(k, n int, v uint64) // tells found where in a block the value v is, first or last
	Least(max bool, x any) func(n int) uint64                                        // the least of n elements, or the greatest
}

// Of is the Kind of a type; nil for ir.Invalid.
func Of(t ir.Type) Kind { return kinds[t] }

// kinds is filled by init: the tables of package simd are made in its own initialisation.
var kinds [ir.NumTypes]Kind

func init() {
	kinds = [ir.NumTypes]Kind{
		ir.Bool: bools{},
		ir.I8:   newTyped[int8](ir.I8), ir.I16: newTyped[int16](ir.I16), ir.I32: newTyped[int32](ir.I32), ir.I64: newTyped[int64](ir.I64),
		ir.U8: newTyped[uint8](ir.U8), ir.U16: newTyped[uint16](ir.U16), ir.U32: newTyped[uint32](ir.U32), ir.U64: newTyped[uint64](ir.U64),
		ir.F32: newTyped[float32](ir.F32), ir.F64: newTyped[float64](ir.F64),
	}
}

// typed is the kind of a numeric type. Its methods are on pointers: a kind is used through an interface alone, and of methods on values the
// compiler makes a second copy for that.
type typed[T simd.Number] struct {
	t ir.Type
	*simd.Table[T]
}

func newTyped[T simd.Number](t ir.Type) *typed[T] { return &typed[T]{t, simd.For[T]()} }

// carry and uncarry go between T and the way in which package ir carries values.
func (z *typed[T]) carry(v T) uint64 {
	switch z.t {
	case ir.F32:
		return uint64(math.Float32bits(float32(v)))
	case ir.F64:
		return math.Float64bits(float64(v))
	}
	return uint64(v)
}

func (z *typed[T]) uncarry(v uint64) T {
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
func (*typed[T]) Register(n int) any {
	if n == 0 {
		return &Vector[T]{}
	}
	return &Vector[T]{make([]T, n, n+64)}
}

func (z *typed[T]) Fill(reg any, v uint64, n int) { fill(reg.(*Vector[T]).V[:n], z.uncarry(v)) }

func fill[T any](to []T, v T) {
	for i := range to {
		to[i] = v
	}
}

func (z *typed[T]) At(reg any, i *int) func() uint64 {
	r := reg.(*Vector[T])
	switch z.t {
	case ir.F32, ir.F64:
		return func() uint64 { return z.carry(r.V[*i]) }
	}
	return func() uint64 { return uint64(r.V[*i]) }
}

func (z *typed[T]) Get(reg any) func(i int) uint64 {
	r := reg.(*Vector[T])
	if z.t.IsFloat() {
		return func(i int) uint64 { return z.carry(r.V[i]) }
	}
	return func(i int) uint64 { return uint64(r.V[i]) }
}

func (z *typed[T]) Put(reg any) func(i int, v uint64) {
	r := reg.(*Vector[T])
	if z.t.IsFloat() {
		return func(i int, v uint64) { r.V[i] = z.uncarry(v) }
	}
	return func(i int, v uint64) { r.V[i] = T(v) }
}

func (*typed[T]) Hold(reg, column any) { hold[T](reg, column) }
func (*typed[T]) Clear(reg any)        { clear(reg.(*Vector[T]).V) }

func hold[T any](reg, column any) { reg.(*Vector[T]).V, _ = column.([]T) }

func (*typed[T]) Load(reg, data any, c *Strided) Step   { return load[T](reg, data, c) }
func (*typed[T]) Ahead(data any, c *Strided) Step       { return ahead[T](data, c) }
func (*typed[T]) Copied(reg, data any, c *Strided) Step { return copied[T](reg, data, c) }
func (*typed[T]) Pick(reg, data any, offsets *Vector[int]) Step {
	return pick[T](reg, data, offsets)
}
func (*typed[T]) Store(data, reg any, c *Strided, mask *Vector[bool]) Step {
	return store[T](data, reg, c, mask)
}

func (*typed[T]) Move(dst, x any, n int)     { move[T](dst, x, n) }
func (*typed[T]) Pairs(even, odd any, n int) { pairs[T](even, odd, n) }

func (*typed[T]) Swap(x, y any) { swap[T](x, y) }

// swap lets two registers of the same length change their memory.
func swap[T any](x, y any) {
	a, b := x.(*Vector[T]), y.(*Vector[T])
	a.V, b.V = b.V, a.V
}

func move[T any](dst, x any, n int) {
	d, a := dst.(*Vector[T]), x.(*Vector[T])
	if d != a {
		copy(d.V[:n], a.V[:n])
	}
}

func pairs[T any](even, odd any, n int) {
	e, o := even.(*Vector[T]).V, odd.(*Vector[T]).V
	for i := range n {
		o[i] = e[2*i+1]
		e[i] = e[2*i]
	}
}

func load[T any](reg, data any, c *Strided) Step {
	r, d := reg.(*Vector[T]), data.(*Vector[T])
	gathered := copied[T](reg, data, c)
	return func(k, n int) {
		if c.Stride != 1 {
			gathered(k, n)
			return
		}
		at := c.Offset + k
		r.V = d.V[at : at+n]
	}
}

// nearBytes is the size of arrays that are not asked for: a cache is likely to have them.
const nearBytes = 4 << 20

func ahead[T simd.Number | bool](data any, c *Strided) Step {
	d := data.(*Vector[T])
	far := nearBytes / int(unsafe.Sizeof(*new(T)))
	return func(k, n int) {
		if c.Stride == 1 && len(d.V) > far {
			simd.Prefetch(d.V[c.Offset+k : c.Offset+k+n])
		}
	}
}

func copied[T any](reg, data any, c *Strided) Step {
	r, m := reg.(*Vector[T]), data.(*Vector[T])
	var own []T
	return func(k, n int) {
		d := m.V
		if len(own) < n {
			own = make([]T, n)
		}
		r.V = own[:n]
		at := c.Offset + k*c.Stride
		if c.Stride == 1 {
			copy(r.V, d[at:])
			return
		}
		for i := range r.V {
			r.V[i] = d[at]
			at += c.Stride
		}
	}
}

func pick[T any](reg, data any, offsets *Vector[int]) Step {
	r, m := reg.(*Vector[T]), data.(*Vector[T])
	return func(k, n int) {
		to, d := r.V[:n], m.V
		for i, at := range offsets.V[:n] {
			to[i] = d[at]
		}
	}
}

func store[T any](data, reg any, c *Strided, mask *Vector[bool]) Step {
	r, m := reg.(*Vector[T]), data.(*Vector[T])
	return func(k, n int) {
		at, d := c.Offset+k*c.Stride, m.V
		if mask == nil && c.Stride == 1 {
			copy(d[at:at+n], r.V)
			return
		}
		for i, v := range r.V[:n] {
			if mask == nil || mask.V[i] {
				d[at] = v
			}
			at += c.Stride
		}
	}
}

func (z *typed[T]) Iota(reg any, from, by func() uint64) Step {
	r := reg.(*Vector[T])
	return func(k, n int) {
		d := by()
		v := from() + uint64(k)*d
		for i := range r.V[:n] {
			r.V[i] = T(v)
			v += d
		}
	}
}

func (z *typed[T]) Choose(dst any, cond *Vector[bool], x, y any) Step {
	d, a, b := dst.(*Vector[T]), x.(*Vector[T]), y.(*Vector[T])
	f := z.Map.Select
	return func(k, n int) { f(d.V[:n], cond.V[:n], a.V[:n], b.V[:n]) }
}

func (z *typed[T]) Unary(op ir.Op, to Kind, dst, x any) Step {
	a := x.(*Vector[T])
	if op == ir.IsNaN {
		d := dst.(*Vector[bool])
		return func(k, n int) {
			for i, v := range a.V[:n] {
				d.V[i] = v != v
			}
		}
	}
	d := dst.(*Vector[T])
	m := &z.Map
	if f := map[ir.Op]func(dst, x []T){ir.Neg: m.Neg, ir.Abs: m.Abs, ir.BitNot: m.Not, ir.Sqrt: m.Sqrt}[op]; f != nil {
		return func(k, n int) { f(d.V[:n], a.V[:n]) }
	}
	return func(k, n int) {
		for i, v := range a.V[:n] {
			d.V[i] = z.uncarry(ir.Apply1(op, z.t, z.t, z.carry(v)))
		}
	}
}

func (z *typed[T]) Binary(op ir.Op, dst, x, y any) Step {
	a, b := x.(*Vector[T]), y.(*Vector[T])
	if op.IsComparison() {
		d := dst.(*Vector[bool])
		f := comparison(z, op)
		return func(k, n int) { f(d.V[:n], a.V[:n], b.V[:n]) }
	}
	d := dst.(*Vector[T])
	if f := mapping(z, op); f != nil {
		return func(k, n int) { f(d.V[:n], a.V[:n], b.V[:n]) }
	}
	switch {
	case op == ir.Mod && z.t.Bits() <= 32:
		return func(k, n int) { remainders(d.V[:n], a.V[:n], b.V[:n]) }
	case op == ir.Shl:
		return func(k, n int) { shiftLeft(d.V[:n], a.V[:n], b.V[:n], z.t.Unsigned().Max()) }
	case op == ir.Shr && z.t.IsSigned():
		return func(k, n int) { shiftSigned(d.V[:n], a.V[:n], b.V[:n], z.t.Unsigned().Max()) }
	case op == ir.Shr:
		return func(k, n int) { shiftRight(d.V[:n], a.V[:n], b.V[:n]) }
	}
	return func(k, n int) {
		y := b.V[:n]
		for i, v := range a.V[:n] {
			d.V[i] = z.uncarry(ir.Apply2(op, z.t, z.carry(v), z.carry(y[i])))
		}
	}
}

func (z *typed[T]) Fused(op ir.Op, dst any, of ...any) Step {
	var v [4]*Vector[T]
	for i, x := range of {
		v[i] = x.(*Vector[T])
	}
	r, a, b, c, d := dst.(*Vector[T]), v[0], v[1], v[2], v[3]
	if d == nil {
		f := z.Map.MulAdd
		return func(k, n int) { f(r.V[:n], a.V[:n], b.V[:n], c.V[:n]) }
	}
	f := z.Map.MulAddMul
	if op == ir.Sub {
		f = z.Map.MulSubMul
	}
	return func(k, n int) { f(r.V[:n], a.V[:n], b.V[:n], c.V[:n], d.V[:n]) }
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

// shiftLeft is of integers. Counts are read without sign: most has all bits of the type.
func shiftLeft[T simd.Number](dst, x, y []T, most uint64) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = T(uint64(x[i]) << (uint64(y[i]) & most))
	}
}

// shiftSigned is to the right, and repeats the sign.
func shiftSigned[T simd.Number](dst, x, y []T, most uint64) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = T(int64(x[i]) >> min(uint64(y[i])&most, 63))
	}
}

// shiftRight is of unsigned integers.
func shiftRight[T simd.Number](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = T(uint64(x[i]) >> uint64(y[i]))
	}
}

func comparison[T simd.Number](z *typed[T], op ir.Op) func(dst []bool, x, y []T) {
	c := &z.Compare
	return map[ir.Op]func(dst []bool, x, y []T){ir.Lt: c.Lt, ir.Le: c.Le, ir.Gt: c.Gt, ir.Ge: c.Ge, ir.Eq: c.Eq, ir.Ne: c.Ne}[op]
}

// mapping is the kernel of an operation, nil where there is none.
func mapping[T simd.Number](z *typed[T], op ir.Op) func(dst, x, y []T) {
	m := &z.Map
	return map[ir.Op]func(dst, x, y []T){
		ir.Add: m.Add, ir.Sub: m.Sub, ir.Mul: m.Mul, ir.Div: m.Div, ir.Min: m.Min, ir.Max: m.Max,
		ir.BitAnd: m.And, ir.BitOr: m.Or, ir.BitXor: m.Xor, ir.SatAdd: m.AddSat, ir.SatSub: m.SubSat,
	}[op]
}

func (z *typed[T]) Cast(to ir.Type, dst, x any) Step {
	a := x.(*Vector[T])
	switch d := dst.(type) {
	case *Vector[bool]:
		return func(k, n int) {
			for i, v := range a.V[:n] {
				d.V[i] = v != 0
			}
		}
	case *Vector[int8]:
		return convert(d, a)
	case *Vector[int16]:
		return convert(d, a)
	case *Vector[int32]:
		return convert(d, a)
	case *Vector[int64]:
		return convert(d, a)
	case *Vector[uint8]:
		return convert(d, a)
	case *Vector[uint16]:
		return convert(d, a)
	case *Vector[uint32]:
		return convert(d, a)
	case *Vector[uint64]:
		return convert(d, a)
	case *Vector[float32]:
		return convert(d, a)
	case *Vector[float64]:
		return convert(d, a)
	}
	panic("kernel: internal: no vector")
}

func convert[D, S simd.Number](d *Vector[D], x *Vector[S]) Step {
	f := simd.Converter[D, S]()
	return func(k, n int) { f(d.V[:n], x.V[:n]) }
}
