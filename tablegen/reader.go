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
	switch args := operations[nd.op].args; {
	case nd.op == opVar:
		copy(dst, r.s.pts.values[nd.args[0]])
	case len(args) == 1:
		a := r.number(nd.args[0])
		r.s.mapNumbers(nd.op, dst, nil, a, a)
	case len(args) == 2:
		r.s.mapNumbers(nd.op, dst, nil, r.number(nd.args[0]), r.number(nd.args[1]))
	default:
		r.s.mapNumbers(nd.op, dst, r.flag(nd.args[0]), r.number(nd.args[1]), r.number(nd.args[2]))
	}
}

func (r *reader[T]) flagValues(nd node, dst []bool) {
	switch args := operations[nd.op].args; {
	case nd.op == opVar:
		copy(dst, r.s.pts.flags[nd.args[0]])
	case args[0] == number:
		r.s.compare(nd.op, dst, r.number(nd.args[0]), r.number(nd.args[1]))
	default:
		var operands [3][]bool
		for i := range args {
			operands[i] = r.flag(nd.args[i])
		}
		r.s.mapFlags(nd.op, dst, operands[0], operands[1], operands[2])
	}
}

// mapNumbers does an operation on values at many points; that on one operand reads a.
func (s *space[T]) mapNumbers(op opcode, dst []T, cond []bool, a, b []T) {
	m := &s.kernels.Map
	switch op {
	case opAdd:
		m.Add(dst, a, b)
	case opSub:
		m.Sub(dst, a, b)
	case opMul:
		m.Mul(dst, a, b)
	case opMin:
		m.Min(dst, a, b)
	case opMax:
		m.Max(dst, a, b)
	case opAnd:
		m.And(dst, a, b)
	case opOr:
		m.Or(dst, a, b)
	case opXor:
		m.Xor(dst, a, b)
	case opSatAdd, opSatSub:
		for i, v := range a {
			dst[i] = s.binary(op, v, b[i])
		}
	case opNeg:
		m.Neg(dst, a)
	case opAbs:
		m.Abs(dst, a)
	case opComplement:
		m.Not(dst, a)
	case opSelect:
		m.Select(dst, cond, a, b)
	default:
		panic("tablegen: internal: no operation on numbers")
	}
	switch {
	case s.w.values == ieee && (op == opNeg || op == opAbs):
		for i, v := range dst {
			if v != v {
				dst[i] = s.pts.nan
			}
		}
	case (s.w.values == reals || s.w.values == numbers) && (op == opNeg || op == opMul):
		for i := range dst {
			dst[i] += 0 // one zero
		}
	}
}

func (s *space[T]) compare(op opcode, dst []bool, a, b []T) {
	switch op {
	case opLess:
		s.kernels.Compare.Lt(dst, a, b)
	case opEqual:
		s.kernels.Compare.Eq(dst, a, b)
	default:
		panic("tablegen: internal: no comparison")
	}
}

func (s *space[T]) mapFlags(op opcode, dst, a, b, c []bool) {
	switch op {
	case opNegate:
		for i, v := range a {
			dst[i] = !v
		}
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
		for i, v := range a {
			dst[i] = v && b[i] || !v && c[i]
		}
	default:
		panic("tablegen: internal: no operation on flags")
	}
}
