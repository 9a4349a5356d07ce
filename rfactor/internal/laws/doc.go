// Package laws proves the laws of lifts and writes their certificates: equations of compositions, which
// are larger than those of updates, and of kinds that the prover splits into too many cases.
//
//	max(max(x + a, b) + c, d) = max(x + (a + c), max(b + c, d))   as sets of sums (package maxplus)
//	((x << 1) ^ a) << 1 = (x << 2) ^ (a << 1)                     bit by bit (package gf2)
//	the saturating sum of u8                                      over the integers
package laws
