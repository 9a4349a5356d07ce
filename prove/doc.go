// Package prove decides whether equations between expressions hold for all values of their
// variables, in the machine's semantics or under named assumptions.
//
//	saturating_add(x, y) = min(x, 255 - y) + y   →   Proved, with a tree of cases
//	saturating_add(x, y) = x + y                 →   Refuted, at x = 255, y = 1
//
// Prove first evaluates the equations at test points (package testpoint): a difference there is
// a counterexample. What survives is proven by cases, and equations of integers that wrap, which
// cases leave open, by the bits of both sides. The Theorem is Proved with a proof tree for each
// equation, Refuted with a counterexample, or Unknown, which is never treated as proved.
//
// Certify completes a tree to the certificate that package verify checks, by code that the
// search does not share. Characterise proves the laws of an operator, and finds its identity.
//
// Neither a solver nor the network is asked; package smt has solvers for those who want one.
package prove
