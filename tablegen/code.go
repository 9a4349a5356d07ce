package tablegen

import "github.com/rfactor-go/rfactor/simd"

// code is a value in a byte: a small integer, a literal that may be an identity, or what is
// known of any other value. A flag is the number 0 or 1.
type code = uint8

const (
	unknown   code = 0
	firstCode code = 1
	below     code = 254 // a number that has no code and is less than the small integers
	above     code = 255 // greater than those from 0 on

	leastCoded, mostCoded      = -125, 125
	firstLiteral          code = mostCoded - leastCoded + 2
)

// differ reports whether two codes are those of different values.
func differ(a, b code) bool { return a != b && a != unknown && b != unknown }

// table is an operation on codes.
type table [1 << 16]code

// codeOf is the code of an integer.
func codeOf(v int) code { return code(v - leastCoded + 1) }

// coder gives the values of a space their codes.
type coder[T simd.Number] struct {
	s      *space[T]
	values [256]T
	end    code // of the codes in use
}

func newCoder[T simd.Number](s *space[T], ids []identity[T]) *coder[T] {
	c := &coder[T]{s: s, end: firstLiteral}
	for v := leastCoded; v <= mostCoded; v++ {
		c.values[codeOf(v)] = T(int64(v))
	}
	for _, e := range ids {
		if e.variable < 0 && !c.exact(c.code(e.value)) && c.end < below {
			c.values[c.end] = e.value
			c.end++
		}
	}
	return c
}

// exact reports whether a code is that of one value.
func (c *coder[T]) exact(k code) bool { return k != unknown && k < c.end }

func (c *coder[T]) code(v T) code {
	i := int64(v)
	if c.s.w.values == unsignedWords {
		i = int64(int32(i)) // the greatest word is −1
	}
	if leastCoded <= i && i <= mostCoded {
		if k := codeOf(int(i)); c.s.same(c.values[k], v) {
			return k
		}
	}
	for k := firstLiteral; k < c.end; k++ {
		if c.s.same(c.values[k], v) {
			return k
		}
	}
	least, most := c.values[firstCode], c.values[codeOf(mostCoded)]
	switch {
	case v > most:
		return above
	case v < least && c.s.w.values != unsignedWords:
		return below
	}
	return unknown
}

// table is an operation on one or two operands as the scalar evaluator does it.
func (c *coder[T]) table(op opcode) *table {
	o, t := &operations[op], new(table)
	operands := []node{{op: opVar}, {op: opVar, args: [3]uint32{1}}}
	s := &space[T]{w: c.s.w, numbers: bank[T]{nodes: operands}, flags: bank[bool]{nodes: operands}}
	root := node{op, [3]uint32{0, 1}}
	from, to := firstCode, c.end
	if o.args[0] == flag {
		from, to = codeOf(0), codeOf(1)+1
	}
	var e env[T]
	for a := from; a < to; a++ {
		for b := from; b < to; b++ {
			e[0], e[1] = c.values[a], c.values[b]
			if o.result == flag {
				t.set(a, b, c.code(ofFlag[T](s.truthOf(&root, &e))))
			} else {
				t.set(a, b, c.code(s.numberOf(&root, &e)))
			}
		}
	}
	switch {
	case len(o.args) == 1:
		for a := from; a < to; a++ {
			for b := range t[:256] {
				t.set(a, code(b), t.at(a, firstCode)) // whatever stands for the other operand
			}
		}
	case o.args[0] == number:
		c.extend(t, op)
	}
	return t
}

func (t *table) at(a, b code) code     { return t[int(a)<<8|int(b)] }
func (t *table) set(a, b code, v code) { t[int(a)<<8|int(b)] = v }

// extend says what is known of an operation on a small integer and a number beyond them.
func (c *coder[T]) extend(t *table, op opcode) {
	for v := leastCoded; v <= mostCoded; v++ {
		s := codeOf(v)
		for _, k := range []code{below, above} {
			least, most := s, k
			if k == below || v < 0 && c.s.w.values == unsignedWords {
				least, most = k, s
			}
			c.order(t, op, least, most)
			if c.s.w.values == reals || c.s.w.values == ieee || c.s.w.values == numbers {
				continue
			}
			switch {
			case op == opAdd && v == 0, op == opMul && v == 1:
				t.set(s, k, k)
				t.set(k, s, k)
			case op == opMul && v == 0:
				t.set(s, k, s)
				t.set(k, s, s)
			case op == opSub && v == 0:
				t.set(k, s, k)
			}
		}
	}
	c.order(t, op, below, above)
}

// order fills in an operation that only compares, for two codes of which one is less.
func (c *coder[T]) order(t *table, op opcode, least, most code) {
	switch op {
	case opLess:
		t.set(least, most, codeOf(1))
		t.set(most, least, codeOf(0))
	case opEqual:
		t.set(least, most, codeOf(0))
		t.set(most, least, codeOf(0))
	case opMin:
		t.set(least, most, least)
		t.set(most, least, least)
	case opMax:
		t.set(least, most, most)
		t.set(most, least, most)
	}
}
