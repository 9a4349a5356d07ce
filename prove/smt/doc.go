// Package smt asks solvers that speak SMT-LIB 2 for proofs.
//
//	x + y = y + x   →   (assert (not (= (bvadd x y) (bvadd y x)))) (check-sat)   →   unsat
//
// A Solver is a process of its own, such as z3 or cvc5: it can be killed and started again. Its
// word is a proof of kind proof.Solver, which package verify does not believe; a model that it
// gives is a counterexample only if evaluation confirms it. Nothing needs a solver: rfactor.Match
// asks one as a last resort, where its caller has passed one.
package smt
