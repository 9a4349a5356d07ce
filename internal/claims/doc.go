// Package claims decides, apart from the search and from the checker, whether what a line of
// answers claims is true. It reads only the claim, never the certificate, and evaluates it:
//
//	update = x ⊕ inject at x0 = 3, y0 = -1
//
// at adversarial and random points, in the semantics that the claim names: machine integers
// wrap, integers under nsw and nuw are unbounded, floats under reassoc are rational numbers
// with infinities and NaN, other floats are IEEE, and under afn exp, log and sqrt are
// intervals of 200 bits. A claim that no point refutes is taken for true.
package claims
