// Package bits checks equations between words bit by bit, in arithmetic that wraps.
//
//	(x0 << 8) ^ u32(y0)  =  x0*256 + u32(y0)     for y0:u8: no bit of one word meets one of the other
//	(x0 << 7) ^ u32(y0)  =  x0*128 + u32(y0)     refused: bit 7 carries
//
// Each bit is a binary decision diagram of the bits of variables, and a function of these has one diagram.
// A term that is not read as bits, such as a quotient of two variables, stands for a word of inputs.
package bits

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Equal checks that both sides have the same bits wherever the given conditions hold. The diagrams ask
// the groups of variables one after another, and the others last. The order decides how large they become.
// Equal fails as poly.Fail does.
func Equal(space *poly.Space, p proof.Problem, first [][]string) {
	switch {
	case space.Assume&(ir.NSW|ir.NUW) != 0:
		poly.Fail("bits of integers that do not wrap")
	case p.Left.Type() != p.Right.Type():
		poly.Fail("the sides have different types")
	}
	d := newDiagrams(space, first)
	given := yes
	for _, g := range p.Given {
		given = d.and(given, d.word(g)[0])
	}
	right := d.word(p.Right)
	for i, l := range d.word(p.Left) {
		if d.and(given, l) != d.and(given, right[i]) {
			poly.Fail("bit %d of both sides is not the same", i)
		}
	}
}
