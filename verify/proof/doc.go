// Package proof holds the words in which claims and their proofs are written: equations,
// the laws of an operator as equations, and proof trees. It decides nothing. A finder of
// proofs makes trees; package verify/equation checks them.
package proof
