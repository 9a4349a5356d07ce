// Package rfactor finds the associative operator behind a serial reduction, however it is
// written, and proves it. It is the package that other compilers import.
//
// Match takes an update, the new values of a tuple over its previous values x_i and over
// what is read at each step, and answers an operator ⊕ with its identity and a map inject
// such that
//
//	update(x, leaves) = x ⊕ inject(leaves),   (x ⊕ y) ⊕ z = x ⊕ (y ⊕ z)
//
// hold for all values, in the machine's arithmetic or under the assumptions that the answer
// lists; or it refuses and says why. Nothing is answered that is not proven.
package rfactor
