// Package proof holds the words in which claims and their proofs are written: equations,
// the laws of an operator as equations, and proof trees. It decides nothing. A finder of
// proofs makes trees; package verify/equation checks them.
//
// An Operator states its laws: Associativity, Commutativity, IdentityOn and others return Problems, which are equations
// under given conditions. Of a Tree the Kind says how it proves one; docs/certificates.md explains every kind.
package proof

import "github.com/rfactor-go/rfactor/ir"

// Problem is an equation to prove: Left = Right wherever every given condition is true.
// All expressions belong to one pool.
type Problem struct {
	Given       []ir.Expr
	Left, Right ir.Expr
}

// Equations states that two tuples are equal, component by component, where the given
// conditions hold.
func Equations(given, a, b []ir.Expr) []Problem {
	ps := make([]Problem, len(a))
	for i := range a {
		ps[i] = Problem{Given: given, Left: a[i], Right: b[i]}
	}
	return ps
}
