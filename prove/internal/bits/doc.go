// Package bits proves equations of words that wrap by their bits.
//
//	(x & y) + (x | y) = x + y   →   bit i of both has the same decision diagram
//
// Both sides become one circuit of conjunctions and exclusive ors. A solver that learns clauses
// from conflicts (SAT) looks for values at which a bit of one side differs from that of the
// other. Where there are none, an order of the variables is looked for in which the decision
// diagrams of the bits are small; that order is the certificate.
package bits
