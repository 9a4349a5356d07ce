// Package bits checks equations between words bit by bit, in arithmetic that wraps.
//
//	(x0 << 8) ^ u32(y0)  =  x0*256 + u32(y0)     for y0:u8: no bit of one word meets one of the other
//	(x0 << 7) ^ u32(y0)  =  x0*128 + u32(y0)     refused: bit 7 carries
//
// Both sides become one circuit of conjunctions and exclusive ors. A proof is either that both have the
// same polynomials over the field of two elements, or a list of clauses. A term that is not read as bits,
// such as a quotient of two variables, stands for a word of inputs.
package bits

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Diagrams checks that both sides have the same bits for all inputs. It fails as poly.Fail does.
func Diagrams(space *poly.Space, p proof.Problem) {
	c := newCircuit(space, p)
	left, right := c.word(p.Left), c.word(p.Right)
	d := c.diagrams(slices.Concat(left, right))
	compare(left, right, func(a, b literal) bool { return d.of(a) == d.of(b) })
	space.Fuel = c.Fuel
}

// Clauses checks that no bit of both sides differs where the given conditions hold. Each of the lemmas
// must follow by unit propagation from the gates and the lemmas before it, and so must the claim at last.
// It fails as poly.Fail does.
func Clauses(space *poly.Space, p proof.Problem, lemmas []byte) {
	c := newCircuit(space, p)
	var given word
	for _, g := range p.Given {
		given = append(given, c.bit(g))
	}
	left, right := c.word(p.Left), c.word(p.Right)
	s := c.clauses(given)
	s.learn(lemmas)
	compare(left, right, func(a, b literal) bool { return s.follows(a.not(), b) && s.follows(a, b.not()) })
	space.Fuel = c.Fuel
}

// compare demands that the bits of both sides are the same literals, or are seen to be the same.
func compare(left, right word, same func(a, b literal) bool) {
	for i, a := range left {
		if b := right[i]; a != b && !same(a, b) {
			poly.Fail("bit %d of both sides is not seen to be the same", i)
		}
	}
}

// literal is a bit of a circuit: twice the number of a gate, plus 1 for its negation.
type literal int

// The constants: gate 0 is false.
const (
	no  literal = 0
	yes literal = 1
)

func (l literal) not() literal { return l ^ 1 }

// gate is a function of two literals, or an input.
type gate struct {
	kind gateKind
	a, b literal
}

type gateKind uint8

const (
	input gateKind = iota
	conjunction
	difference
)

// word lists bits, the lowest first.
type word []literal

// circuit makes the bits of terms. It makes gates in the order in which the search does, so that both
// give them the same numbers.
type circuit struct {
	*poly.Space // of polynomials in words
	gates       []gate
	known       map[gate]literal
	words       []word
	numbers     map[string]int // of words, by their bits or by an operator and its operands
	choices     map[ir.Expr]*choice
}

func newCircuit(space *poly.Space, p proof.Problem) *circuit {
	switch {
	case space.Assume&(ir.NSW|ir.NUW) != 0:
		poly.Fail("bits of integers that do not wrap")
	case p.Left.Type() != p.Right.Type():
		poly.Fail("the sides have different types")
	}
	return &circuit{
		Space: &poly.Space{Fuel: space.Fuel}, // under no assumption: no word is the inverse of another
		gates: []gate{{}}, known: map[gate]literal{}, numbers: map[string]int{}, choices: map[ir.Expr]*choice{},
	}
}

// fresh returns a word of new inputs.
func (c *circuit) fresh(t ir.Type) word {
	w := make(word, t.Bits())
	for i := range w {
		w[i] = c.add(gate{})
	}
	return w
}

// opaque returns the word of an operator that is not looked into, the same for the same operands.
func (c *circuit) opaque(op ir.Op, t ir.Type, x, y int) word {
	key := fmt.Sprint(op, t, x, y)
	n, ok := c.numbers[key]
	if !ok {
		n = c.number(c.fresh(t))
		c.numbers[key] = n
	}
	return c.words[n]
}

// number returns the number of a word.
func (c *circuit) number(w word) int {
	c.Burn(1 + len(w)/4)
	key := fmt.Sprint(w)
	n, ok := c.numbers[key]
	if !ok {
		n = len(c.words)
		c.numbers[key] = n
		c.words = append(c.words, w)
	}
	return n
}

func (c *circuit) add(g gate) literal {
	c.Burn(1)
	c.gates = append(c.gates, g)
	return literal(2 * (len(c.gates) - 1))
}

// gate returns the literal of a function of two literals, the same for the same operands.
func (c *circuit) gate(kind gateKind, a, b literal) literal {
	g := gate{kind, min(a, b), max(a, b)}
	l, ok := c.known[g]
	if !ok {
		l = c.add(g)
		c.known[g] = l
	}
	return l
}

func (c *circuit) and(a, b literal) literal {
	switch {
	case a == no || b == no || a == b.not():
		return no
	case a == yes || a == b:
		return b
	case b == yes:
		return a
	}
	return c.gate(conjunction, a, b)
}

func (c *circuit) or(a, b literal) literal { return c.and(a.not(), b.not()).not() }

// xor gives the signs of its operands to the result.
func (c *circuit) xor(a, b literal) literal {
	sign := (a ^ b) & 1
	a, b = a&^1, b&^1
	switch {
	case a == b:
		return sign
	case a == no || b == no:
		return a ^ b ^ sign
	}
	return c.gate(difference, a, b) ^ sign
}

// choose returns a where p is true, else b.
func (c *circuit) choose(p, a, b literal) literal {
	switch {
	case a == b:
		return a
	case a == b.not():
		return c.xor(p, b)
	}
	then := c.and(p, a)
	return c.or(then, c.and(p.not(), b))
}

// sum adds two words and a carry. It returns the last carry, too.
func (c *circuit) sum(x, y word, carry literal) (word, literal) {
	out := make(word, len(x))
	for i := range x {
		half := c.xor(x[i], y[i])
		both := c.and(x[i], y[i])
		out[i] = c.xor(half, carry)
		carry = c.or(both, c.and(half, carry))
	}
	return out, carry
}

// product adds up shifted words. Where they have many bits, only the low ones of the product are read.
func (c *circuit) product(t ir.Type, m, n int) int {
	x, y := c.words[m], c.words[n]
	if y.occupied() < x.occupied() {
		x, y = y, x
	}
	var high word
	if x.occupied()*len(x) > maxPartialBits {
		high = c.opaque(ir.Mul, t, m, n)[lowWidth:]
		x, y = x[:lowWidth], y[:lowWidth]
	}
	total := constant(0, len(x))
	for i, l := range x {
		if l == no {
			continue
		}
		row := constant(0, len(x))
		for j := i; j < len(x); j++ {
			row[j] = c.and(l, y[j-i])
		}
		total, _ = c.sum(total, row, no)
	}
	return c.number(append(total, high...))
}

// Limits of products. The search has the same.
const (
	maxPartialBits = 80
	lowWidth       = 8
)

// occupied counts the bits that are not known to be 0.
func (w word) occupied() (n int) {
	for _, l := range w {
		if l != no {
			n++
		}
	}
	return n
}

func constant(v uint64, width int) word {
	w := make(word, width)
	for i := range w {
		w[i] = literal(v >> i & 1)
	}
	return w
}

func repeated(l literal, n int) word { return slices.Repeat(word{l}, n) }

func (w word) top() literal { return w[len(w)-1] }

// sign is what extends a word of the type: its highest bit, or 0.
func (w word) sign(t ir.Type) literal {
	if t.IsSigned() {
		return w.top()
	}
	return no
}

func (w word) not() word {
	out := slices.Clone(w)
	for i := range out {
		out[i] = out[i].not()
	}
	return out
}

// up and down shift a word by at most its width. Fill comes in.
func (w word) up(n int) word { return append(repeated(no, n), w[:len(w)-n]...) }

func (w word) down(n int, fill literal) word {
	return append(slices.Clone(w[n:]), repeated(fill, n)...)
}

// each applies a function to the bits of two words.
func each(f func(a, b literal) literal, x, y word) word {
	out := make(word, len(x))
	for i := range x {
		out[i] = f(x[i], y[i])
	}
	return out
}

func (c *circuit) pick(p literal, x, y word) word {
	return each(func(a, b literal) literal { return c.choose(p, a, b) }, x, y)
}

// below reports x < y: x + ^y + 1 does not carry. Signs count the other way.
func (c *circuit) below(t ir.Type, x, y word) literal {
	if t.IsSigned() {
		last := len(x) - 1
		x, y = append(slices.Clone(x[:last]), y[last]), append(slices.Clone(y[:last]), x[last])
	}
	_, carry := c.sum(x, y.not(), yes)
	return carry.not()
}

// same reports x = y.
func (c *circuit) same(x, y word) literal {
	all := yes
	for i := range x {
		all = c.and(all, c.xor(x[i], y[i]).not())
	}
	return all
}
