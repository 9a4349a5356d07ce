package bits

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
	"github.com/rfactor-go/rfactor/verify/proof"
)

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

// maxGates bounds the memory for a circuit. The search stops at a quarter of it.
const maxGates = 1 << 16

func (c *circuit) add(g gate) literal {
	if c.Burn(1); len(c.gates) >= maxGates {
		poly.Fail("the circuit has more than %d gates", maxGates)
	}
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
