// Package testpoint evaluates equations at test points, to refute them before a proof is tried.
//
//	x + y = x | y   →   x = 1, y = 1: 2 and 1
//
// Points are adversarial and always the same: limits of types, ties, small numbers, NaN, −0 and
// infinities, as far as the assumptions leave them.
package testpoint
