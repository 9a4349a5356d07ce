package exec

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

// bools is the kind of bool.
type bools struct{}

func (bools) register(n int) any            { return &vector[bool]{make([]bool, n)} }
func (bools) fill(reg any, v uint64, n int) { fill(reg.(*vector[bool]).v[:n], v != 0) }
func (bools) get(reg any) func(i int) uint64 {
	r := reg.(*vector[bool])
	return func(i int) uint64 { return bit(r.v[i]) }
}

func (bools) put(reg any) func(i int, v uint64) {
	r := reg.(*vector[bool])
	return func(i int, v uint64) { r.v[i] = v != 0 }
}

func (bools) hold(reg, column any) { hold[bool](reg, column) }
func (bools) clear(reg any)        { clear(reg.(*vector[bool]).v) }

func (bools) load(reg, data any, c *strided) step { return load[bool](reg, data, c) }
func (bools) ahead(data any, c *strided) step     { return ahead[bool](data, c) }
func (bools) copied(reg, data any, c *strided) step {
	return copied[bool](reg, data, c)
}
func (bools) pick(reg, data any, offsets *vector[int]) step { return pick[bool](reg, data, offsets) }
func (bools) store(data, reg any, c *strided, mask *vector[bool]) step {
	return store[bool](data, reg, c, mask)
}

func (bools) move(dst, x any, n int)     { move[bool](dst, x, n) }
func (bools) swap(x, y any)              { swap[bool](x, y) }
func (bools) pairs(even, odd any, n int) { pairs[bool](even, odd, n) }

func (bools) at(reg any, i *int) func() uint64 {
	r := reg.(*vector[bool])
	return func() uint64 { return bit(r.v[*i]) }
}

func (bools) iota(reg any, from, by func() uint64) step {
	panic("lower: internal: bool is no coordinate")
}

func (bools) fused(ir.Op, any, ...any) step { panic("lower: internal: bool is not multiplied") }

func (bools) choose(dst any, cond *vector[bool], x, y any) step {
	d, a, b := dst.(*vector[bool]), x.(*vector[bool]), y.(*vector[bool])
	return func(k, n int) {
		for i, c := range cond.v[:n] {
			d.v[i] = c && a.v[i] || !c && b.v[i]
		}
	}
}

func (bools) unary(op ir.Op, to kind, dst, x any) step {
	d, a := dst.(*vector[bool]), x.(*vector[bool])
	f := simd.ForBool().Not
	return func(k, n int) { f(d.v[:n], a.v[:n]) }
}

func (bools) binary(op ir.Op, dst, x, y any) step {
	d, a, b := dst.(*vector[bool]), x.(*vector[bool]), y.(*vector[bool])
	kernels := simd.ForBool()
	f := map[ir.Op]func(dst, x, y []bool){ir.And: kernels.And, ir.Or: kernels.Or, ir.Ne: kernels.Xor, ir.Eq: kernels.Xor}[op]
	return func(k, n int) {
		f(d.v[:n], a.v[:n], b.v[:n])
		if op == ir.Eq {
			kernels.Not(d.v[:n], d.v[:n])
		}
	}
}

func (bools) cast(to ir.Type, dst, x any) step { return castFromBool(dst, x.(*vector[bool])) }

func castFromBool(dst any, x *vector[bool]) step {
	switch d := dst.(type) {
	case *vector[int8]:
		return fromBool(d, x)
	case *vector[int16]:
		return fromBool(d, x)
	case *vector[int32]:
		return fromBool(d, x)
	case *vector[int64]:
		return fromBool(d, x)
	case *vector[uint8]:
		return fromBool(d, x)
	case *vector[uint16]:
		return fromBool(d, x)
	case *vector[uint32]:
		return fromBool(d, x)
	case *vector[uint64]:
		return fromBool(d, x)
	case *vector[float32]:
		return fromBool(d, x)
	case *vector[float64]:
		return fromBool(d, x)
	}
	panic("lower: internal: no vector")
}

func fromBool[T simd.Number](d *vector[T], x *vector[bool]) step {
	return func(k, n int) {
		for i, c := range x.v[:n] {
			d.v[i] = 0
			if c {
				d.v[i] = 1
			}
		}
	}
}

func (bools) fold(f *folding) step {
	to, leaf := f.data.(*vector[bool]), f.leaf.(*vector[bool])
	return func(k, n int) {
		data := to.v
		x := data[*f.at]
		for _, v := range leaf.v[:n] {
			switch f.op {
			case ir.And:
				x = x && v
			case ir.Or:
				x = x || v
			default:
				x = x != v
			}
		}
		data[*f.at] = x
	}
}

// A bool is neither compared with a number, nor added, nor ordered.
func (bools) count(ir.Op, any, uint64, func() uint64) func(int) uint64 {
	panic("lower: internal: count of bool")
}
func (bools) beside(simd.Fold) bool    { return false }
func (bools) several(any, []pass) step { panic("lower: internal: several folds of bool") }
func (bools) product(_, _ any) func(int, uint64, uint64) (uint64, uint64) {
	panic("lower: internal: product of bool")
}
func (bools) total(any) func(int) uint64 { panic("lower: internal: total of bool") }
func (bools) addCounts(any, *[256]uint32, *[256]int, int, uint64) {
	panic("lower: internal: sum of bool")
}
func (bools) find(*finding) step { panic("lower: internal: order of bool") }
func (bools) place(bool, any, func(int, uint64)) func(int, int, uint64) {
	panic("lower: internal: order of bool")
}
func (bools) least(bool, any) func(int) uint64 { panic("lower: internal: order of bool") }

func (bools) scatter(s *scattering) step {
	to, leaf := s.data.(*vector[bool]), s.leaf.(*vector[bool])
	return func(k, n int) {
		data := to.v
		for i, at := range s.offsets.v[:n] {
			switch {
			case s.mask != nil && !s.mask.v[i]:
			case s.op == ir.And:
				data[at] = data[at] && leaf.v[i]
			case s.op == ir.Or:
				data[at] = data[at] || leaf.v[i]
			default:
				data[at] = data[at] != leaf.v[i]
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
