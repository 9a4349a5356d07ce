// Package bits checks equations between words bit by bit, in arithmetic that wraps.
//
//	(x0 << 8) ^ u32(y0)  =  x0*256 + u32(y0)     for y0:u8: no bit of one word meets one of the other
//	(x0 << 7) ^ u32(y0)  =  x0*128 + u32(y0)     refused: bit 7 carries
//
// Each bit is brought to a normal form: a binary decision diagram of the bits of variables, or a
// polynomial over the field of two elements in them. A function has one of either. Carries and comparisons have small
// diagrams, and products of matrices of bits have small polynomials. A term that is not read as bits, such as a
// quotient of two variables, stands for a word of inputs.
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
	d := newDiagrams(space, first)
	left, right, r := bothSides(space, d, p)
	given := yes
	for _, g := range p.Given {
		given = d.and(given, r.word(g)[0])
	}
	for i, l := range left {
		if d.and(given, l) != d.and(given, right[i]) {
			poly.Fail("bit %d of both sides is not the same", i)
		}
	}
}

// Sums checks that the bits of both sides are the same polynomials. It does not use given conditions. Sums
// fails as poly.Fail does.
func Sums(space *poly.Space, p proof.Problem) {
	s := newSums(space)
	left, right, _ := bothSides(space, s, p)
	for i, l := range left {
		if !s.same(l, right[i]) {
			poly.Fail("bit %d of both sides is not the same polynomial", i)
		}
	}
}

// bothSides reads both sides of an equation in a normal form.
func bothSides(space *poly.Space, f form, p proof.Problem) (left, right word, r *reader) {
	switch {
	case space.Assume&(ir.NSW|ir.NUW) != 0:
		poly.Fail("bits of integers that do not wrap")
	case p.Left.Type() != p.Right.Type():
		poly.Fail("the sides have different types")
	}
	r = &reader{space, f, map[lowBits]word{}, map[string]word{}}
	return r.word(p.Left), r.word(p.Right), r
}

// bit is the number of a function of inputs in a normal form. In each form the constants are no and yes.
type bit int32

// The constants.
const (
	no  bit = 0
	yes bit = 1
)

// form is a normal form of functions of inputs.
type form interface {
	fresh(t ir.Type, name string) word // a word of inputs, for a variable or, without a name, a term
	choose(p, a, b bit) bit
	not(a bit) bit
	and(a, b bit) bit
	or(a, b bit) bit
	xor(a, b bit) bit
	lost() bool // whether a function since the last call had no form: its number is that of another one
}
