package bits

import "github.com/rfactor-go/rfactor/internal/reuse"

// lit is a literal of a circuit: twice the number of a node, plus 1 for its negation.
type lit int32

const (
	no  lit = 0 // node 0 is false
	yes lit = 1
)

func (l lit) not() lit  { return l ^ 1 }
func (l lit) node() int { return int(l >> 1) }

// gate is a node of a circuit: a conjunction or an exclusive or of two literals. Inputs and
// the constant have none.
type gate struct {
	a, b lit
	kind gateKind
}

type gateKind uint8

const (
	inputGate gateKind = iota
	andGate
	xorGate
)

// circuit is a graph of gates without two gates of the same function of the same literals. A
// gate comes after those that it reads.
type circuit struct {
	gates  []gate
	number map[gate]lit
	asked  int // gates that were asked for: the work
	mayAsk int // for how many gates
}

func (c *circuit) reset() {
	c.number = reuse.Map(c.number)
	c.gates, c.asked = append(c.gates[:0], gate{}), 0
}

func (c *circuit) input() lit {
	c.gates = append(c.gates, gate{})
	return lit(2 * (len(c.gates) - 1))
}

func (c *circuit) gate(g gate) lit {
	if g.a > g.b {
		g.a, g.b = g.b, g.a
	}
	if c.asked++; c.asked > c.mayAsk {
		return no // of a circuit that is too large, which nobody uses
	}
	l, ok := c.number[g]
	if !ok {
		c.gates = append(c.gates, g)
		l = lit(2 * (len(c.gates) - 1))
		c.number[g] = l
	}
	return l
}

func (c *circuit) and(a, b lit) lit {
	switch {
	case a == no || b == no || a == b.not():
		return no
	case a == yes || a == b:
		return b
	case b == yes:
		return a
	}
	return c.gate(gate{a, b, andGate})
}

func (c *circuit) or(a, b lit) lit { return c.and(a.not(), b.not()).not() }

// xor of literals without their signs, which go to the result.
func (c *circuit) xor(a, b lit) lit {
	sign := (a ^ b) & 1
	a, b = a&^1, b&^1
	switch {
	case a == b:
		return sign
	case a == no:
		return b ^ sign
	case b == no:
		return a ^ sign
	}
	return c.gate(gate{a, b, xorGate}) ^ sign
}

// choose returns a where p holds, else b.
func (c *circuit) choose(p, a, b lit) lit {
	switch {
	case a == b:
		return a
	case a == b.not():
		return c.xor(p, b)
	}
	first := c.and(p, a)
	return c.or(first, c.and(p.not(), b))
}

// add returns the sum bit and the carry of three bits.
func (c *circuit) add(a, b, carry lit) (sum, out lit) {
	x := c.xor(a, b)
	both := c.and(a, b)
	return c.xor(x, carry), c.or(both, c.and(x, carry))
}
