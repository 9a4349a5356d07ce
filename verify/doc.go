// Package verify re-establishes what an answer of the matcher says, from the answer's line of
// JSON alone. It is the trusted base: whoever believes this package, its folders and packages
// ir and rules need believe nothing of the search.
//
//	{"schema":2,"status":"associative","update":["select(y0, x0 + 1, x0)"],
//	 "operator":{"exprs":["x0 + y0"],…},"inject":["select(y0, 1, 0)"],…,"proof":{"certificate":…}}
//
// Of an operator it establishes that update = x ⊕ inject, that ⊕ is associative, each side of
// the identity, commutativity and idempotence, and that an invariant of the state holds where
// it must; of a lift the action, the composition and the identity; of a refusal that its
// counterexample refutes; of a staged answer each stage's, and that they make up the update. Every equation is proven under assumptions that the answer lists.
//
// The checkers are one room each: verify/equation (proofs by cases, on the
// arithmetic of verify/poly and verify/linear), verify/steps (chains of rewrite steps),
// verify/bits (decision diagrams), verify/extrema, verify/integers, verify/exhaustive, and verify/pole
// (whether terms of a law have values).
package verify
