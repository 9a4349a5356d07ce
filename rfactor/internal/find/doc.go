// Package find proposes operators for a part of an update: operators of the tables that agree with the part at points, instances of
// them in a saturated e-graph, and the part itself with its inputs in the role of the second operand.
//
//	select(y0 > 9, x0 + 1, x0)   →   x0 + y0 of the tables, with select(y0 > 9, 1, 0) for y0
//	k0 - max(k0 - x0, y0)        →   max of the tables under k0 - x, that is k0 - max(k0 - x0, k0 - y0), with k0 - y0 for y0
//	x0*y0 + x1*y1; …             →   the product of the matrices x and y, which is the update itself
//
// The package proves nothing. A Candidate is a guess; the caller proves that the part is x ⊕ Inject and that ⊕ is associative, and
// takes the next Candidate where a proof fails.
//
// Some finders need an update that is written in another way: Tidied, Multiplied, Distributed and Signs rewrite terms of some form, and
// Sweep whatever has the values of a smaller term. Others find the operator of another part, from which one of the part at hand is made:
// Adjoined, Counted and Reordered. A Rewriting and a Transfer are guesses, too.
//
// To add a finder, write a method of Context that gives candidates, rewritings or transfers, and a row in the table lookups or pipeline of
// package rfactor.
package find
