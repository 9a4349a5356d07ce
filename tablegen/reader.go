package tablegen

import "github.com/rfactor-go/rfactor/simd"

// reader gives the values of functions at all points: those that the space keeps, and of
// each level beyond them one function's at a time, computed from its operands'.
type reader[T simd.Number] struct {
	s       *space[T]
	numbers [maxLeaves + 1]slot[T]
	flags   [maxLeaves + 1]slot[bool]
}

// slot holds the values of one function.
type slot[V any] struct {
	id  uint32
	row []V
}

func newReader[T simd.Number](s *space[T]) *reader[T] { return &reader[T]{s: s} }

func (r *reader[T]) number(id uint32) []T {
	n, b := r.s.pts.n, &r.s.numbers
	if end := (int(id) + 1) * n; end <= len(b.values) {
		return b.values[end-n : end]
	}
	c := &r.numbers[b.levelOf(id)]
	if c.row == nil || c.id != id {
		if c.id = id; c.row == nil {
			c.row = make([]T, n)
		}
		r.numberValues(b.nodes[id], c.row)
	}
	return c.row
}

func (r *reader[T]) flag(id uint32) []bool {
	n, b := r.s.pts.n, &r.s.flags
	if end := (int(id) + 1) * n; end <= len(b.values) {
		return b.values[end-n : end]
	}
	c := &r.flags[b.levelOf(id)]
	if c.row == nil || c.id != id {
		if c.id = id; c.row == nil {
			c.row = make([]bool, n)
		}
		r.flagValues(b.nodes[id], c.row)
	}
	return c.row
}

// numberValues evaluates a function at all points, given its operands' values.
func (r *reader[T]) numberValues(nd node, dst []T) {
	m := &r.s.kernels.Map
	a := func(i int) []T { return r.number(nd.args[i]) }
	switch nd.op {
	case opVar:
		copy(dst, r.s.pts.values[nd.args[0]])
	case opAdd:
		m.Add(dst, a(0), a(1))
	case opSub:
		m.Sub(dst, a(0), a(1))
	case opMul:
		m.Mul(dst, a(0), a(1))
	case opMin:
		m.Min(dst, a(0), a(1))
	case opMax:
		m.Max(dst, a(0), a(1))
	case opAnd:
		m.And(dst, a(0), a(1))
	case opOr:
		m.Or(dst, a(0), a(1))
	case opXor:
		m.Xor(dst, a(0), a(1))
	case opSatAdd, opSatSub:
		for i, v := range a(0) {
			dst[i] = r.s.binary(nd.op, v, a(1)[i])
		}
	case opNeg:
		m.Neg(dst, a(0))
	case opAbs:
		m.Abs(dst, a(0))
	case opComplement:
		m.Not(dst, a(0))
	case opSelect:
		m.Select(dst, r.flag(nd.args[0]), a(1), a(2))
	default:
		panic("tablegen: internal: no operation on numbers")
	}
	switch {
	case r.s.w.values == ieee && (nd.op == opNeg || nd.op == opAbs):
		for i, v := range dst {
			if v != v {
				dst[i] = r.s.pts.nan
			}
		}
	case (r.s.w.values == reals || r.s.w.values == numbers) && (nd.op == opNeg || nd.op == opMul):
		for i := range dst {
			dst[i] += 0 // one zero
		}
	}
}

func (r *reader[T]) flagValues(nd node, dst []bool) {
	switch nd.op {
	case opVar:
		copy(dst, r.s.pts.flags[nd.args[0]])
		return
	case opLess:
		r.s.kernels.Compare.Lt(dst, r.number(nd.args[0]), r.number(nd.args[1]))
		return
	case opEqual:
		r.s.kernels.Compare.Eq(dst, r.number(nd.args[0]), r.number(nd.args[1]))
		return
	}
	a := r.flag(nd.args[0])
	if nd.op == opNegate {
		for i, v := range a {
			dst[i] = !v
		}
		return
	}
	b := r.flag(nd.args[1])
	switch nd.op {
	case opBoth:
		for i, v := range a {
			dst[i] = v && b[i]
		}
	case opEither:
		for i, v := range a {
			dst[i] = v || b[i]
		}
	case opDiffer:
		for i, v := range a {
			dst[i] = v != b[i]
		}
	case opChoose:
		c := r.flag(nd.args[2])
		for i, v := range a {
			dst[i] = v && b[i] || !v && c[i]
		}
	default:
		panic("tablegen: internal: no operation on flags")
	}
}
