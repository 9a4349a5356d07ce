// Package bits checks equations between words bit by bit, in arithmetic that wraps.
//
//	(x0 << 8) ^ u32(y0)  =  x0*256 + u32(y0)     for y0:u8: no bit of one word meets one of the other
//	(x0 << 7) ^ u32(y0)  =  x0*128 + u32(y0)     refused: bit 7 carries
//
// Both sides become one circuit of conjunctions and exclusive ors. Two bits are the same where they have
// the same binary decision diagram, or where it follows from a certificate's clauses. A term that is not
// read as bits, such as a quotient of two variables, stands for a word of inputs.
package bits

import (
	"slices"

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
