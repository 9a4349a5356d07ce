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
//
// # Why decomposition is sound
//
// Let component i of an update on (x_0, …, x_n) depend on a set of components, and let R_i
// be the set of all components that i reaches over such dependencies, i included. For a
// closed set S, one that contains R_i for each of its members i, the values of the
// components in S after a step depend only on those before it: the step restricted to S,
// u_S, is an update of its own, and running it on the S-part of a state gives the S-part of
// running the whole.
//
// Suppose closed sets S_1, …, S_m cover all components, and each u_S is x_S ⊕_S inject_S
// with an associative ⊕_S. Suppose further that where a component i lies in two of the sets,
// both operators give it the same function of the same operands and both injects the same
// value. (The operand of ⊕_S is a tuple over S, so this makes component i of ⊕_S depend on
// components in the intersection only, up to equality of functions.) Define component i of
// x ⊕ y by any ⊕_S with i ∈ S, and likewise inject. Then, restricted to any S_j, the tuple
// operator ⊕ is ⊕_S_j: its components in S_j are given by ⊕_S_j or by an equal function. So
// (x ⊕ y) ⊕ z and x ⊕ (y ⊕ z) agree on every S_j, that is everywhere, and x ⊕ inject(l) has
// in each component the value of u_S, that is of the update. The tuple of identities is an
// identity on each side on which all of them are; if their sides differ it is still a middle
// identity, since left and right identities are middle ones, of each ⊕_S and so of ⊕.
//
// Taking the smallest closed sets R_i first is only a matter of speed; any union of closed
// sets is closed, which is why regrouping is sound too. It is needed where components have
// no operator of their own: the first row of a product of 2×2 matrices depends only on
// itself, but no operator on rows multiplies it.
package rfactor
