// Package poly holds polynomials over ℤ, ℚ and the integers modulo 2^n, and writes terms in a
// normal form as sums of products.
//
//	(x0 ^ y0) + ((x0 & y0) << 1)   →   x0 + y0
//
// A Space interns polynomials, so that equal ones have equal numbers. Normal reads a term into
// a space and writes the polynomial as a term again; two terms that the laws of a ring make
// equal have the same normal form.
package poly
