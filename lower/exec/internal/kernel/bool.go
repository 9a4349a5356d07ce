package kernel

import (
	"bytes"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

// bools is the kind of bool.
type bools struct{}

func (bools) Register(n int) any            { return &Vector[bool]{make([]bool, n)} }
func (bools) Fill(reg any, v uint64, n int) { fill(reg.(*Vector[bool]).V[:n], v != 0) }
func (bools) Get(reg any) func(i int) uint64 {
	r := reg.(*Vector[bool])
	return func(i int) uint64 { return bit(r.V[i]) }
}

func (bools) Put(reg any) func(i int, v uint64) {
	r := reg.(*Vector[bool])
	return func(i int, v uint64) { r.V[i] = v != 0 }
}

func (bools) Hold(reg, column any) { hold[bool](reg, column) }
func (bools) Clear(reg any)        { clear(reg.(*Vector[bool]).V) }

func (bools) Load(reg, data any, c *Strided) Step { return load[bool](reg, data, c) }
func (bools) Ahead(data any, c *Strided) Step     { return ahead[bool](data, c) }
func (bools) Tile(reg, data any, c *Strided, n int) Tile {
	return newTile[bool](reg, data, c, n)
}
func (bools) Copied(reg, data any, c *Strided) Step {
	return copied[bool](reg, data, c)
}
func (bools) Pick(reg, data any, offsets *Vector[int]) Step { return pick[bool](reg, data, offsets) }
func (bools) Store(data, reg any, c *Strided, mask *Vector[bool]) Step {
	return store[bool](data, reg, c, mask)
}

func (bools) Move(dst, x any, n int)     { move[bool](dst, x, n) }
func (bools) Swap(x, y any)              { swap[bool](x, y) }
func (bools) Pairs(even, odd any, n int) { pairs[bool](even, odd, n) }

func (bools) At(reg any, i *int) func() uint64 {
	r := reg.(*Vector[bool])
	return func() uint64 { return bit(r.V[*i]) }
}

func (bools) Iota(reg any, from, by func() uint64) Step {
	panic("kernel: internal: bool is no coordinate")
}

func (bools) AddRows(any, any) func(int, int, []int, []uint64) {
	panic("kernel: internal: bool is not added")
}
func (bools) Fused(ir.Op, any, ...any) Step { panic("kernel: internal: bool is not multiplied") }

func (bools) Choose(dst any, cond *Vector[bool], x, y any) Step {
	d, a, b := dst.(*Vector[bool]), x.(*Vector[bool]), y.(*Vector[bool])
	f := simd.For[uint8]().Map.Select
	return func(k, n int) { f(bytes01(d.V[:n]), cond.V[:n], bytes01(a.V[:n]), bytes01(b.V[:n])) }
}

func (bools) Unary(op ir.Op, to Kind, dst, x any) Step {
	d, a := dst.(*Vector[bool]), x.(*Vector[bool])
	f := simd.ForBool().Not
	return func(k, n int) { f(d.V[:n], a.V[:n]) }
}

func (bools) Binary(op ir.Op, dst, x, y any) Step {
	d, a, b := dst.(*Vector[bool]), x.(*Vector[bool]), y.(*Vector[bool])
	kernels := simd.ForBool()
	f := map[ir.Op]func(dst, x, y []bool){ir.And: kernels.And, ir.Or: kernels.Or, ir.Ne: kernels.Xor, ir.Eq: kernels.Xor}[op]
	return func(k, n int) {
		f(d.V[:n], a.V[:n], b.V[:n])
		if op == ir.Eq {
			kernels.Not(d.V[:n], d.V[:n])
		}
	}
}

func (bools) Cast(to ir.Type, dst, x any) Step { return castFromBool(dst, x.(*Vector[bool])) }

func castFromBool(dst any, x *Vector[bool]) Step {
	switch d := dst.(type) {
	case *Vector[int8]:
		return fromBool(d, x)
	case *Vector[int16]:
		return fromBool(d, x)
	case *Vector[int32]:
		return fromBool(d, x)
	case *Vector[int64]:
		return fromBool(d, x)
	case *Vector[uint8]:
		return fromBool(d, x)
	case *Vector[uint16]:
		return fromBool(d, x)
	case *Vector[uint32]:
		return fromBool(d, x)
	case *Vector[uint64]:
		return fromBool(d, x)
	case *Vector[float32]:
		return fromBool(d, x)
	case *Vector[float64]:
		return fromBool(d, x)
	}
	panic("kernel: internal: no vector")
}

func fromBool[T simd.Number](d *Vector[T], x *Vector[bool]) Step {
	f := simd.Converter[T, uint8]()
	return func(k, n int) { f(d.V[:n], bytes01(x.V[:n])) }
}

func (bools) Fold(f *Folding) Step {
	to, leaf := f.Data.(*Vector[bool]), f.Leaf.(*Vector[bool])
	return func(k, n int) {
		x, of := &to.V[*f.At], bytes01(leaf.V[:n])
		switch f.Op {
		case ir.And:
			*x = *x && bytes.IndexByte(of, 0) < 0
		case ir.Or:
			*x = *x || bytes.IndexByte(of, 1) >= 0
		default:
			*x = *x != (bytes.Count(of, []byte{1})%2 == 1)
		}
	}
}

// The methods that follow are never called: no plan counts, adds or orders values of type bool.
func (bools) Count(ir.Op, any, uint64, func() uint64) func(int) uint64 {
	panic("kernel: internal: count of bool")
}
func (bools) Beside(simd.Fold) bool    { return false }
func (bools) Several(any, []Pass) Step { panic("kernel: internal: several folds of bool") }
func (bools) Product(_, _ any) func(int, uint64, uint64) (uint64, uint64) {
	panic("kernel: internal: product of bool")
}
func (bools) Total(any) func(int) uint64 { panic("kernel: internal: total of bool") }
func (bools) AddCounts(any, *[256]uint32, *[256]int, int, uint64) {
	panic("kernel: internal: sum of bool")
}
func (bools) Find(*Finding) Step { panic("kernel: internal: order of bool") }
func (bools) Place(bool, any, func(int, uint64)) func(int, int, uint64) {
	panic("kernel: internal: order of bool")
}
func (bools) Least(bool, any) func(int) uint64 { panic("kernel: internal: order of bool") }

func (bools) Scatter(s *Scattering) Step {
	to, leaf := s.Data.(*Vector[bool]), s.Leaf.(*Vector[bool])
	return func(k, n int) {
		data := to.V
		for i, at := range s.Offsets.V[:n] {
			switch {
			case s.Mask != nil && !s.Mask.V[i]:
			case s.Op == ir.And:
				data[at] = data[at] && leaf.V[i]
			case s.Op == ir.Or:
				data[at] = data[at] || leaf.V[i]
			default:
				data[at] = data[at] != leaf.V[i]
			}
		}
	}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// First is the place of the first true value among n, -1 where there is none.
func First(reg *Vector[bool], n int) int {
	return bytes.IndexByte(bytes01(reg.V[:n]), 1)
}
