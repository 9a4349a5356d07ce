// Package bits proves equations of words that wrap by their bits.
//
//	(x & y) + (x | y) = x + y   →   a circuit of both sides, and clauses by which no bit differs
//
// Both sides become one circuit of conjunctions and exclusive ors. A solver that learns clauses
// from conflicts (SAT) refutes that a bit of one side differs from that of the other; the
// clauses that it needed are the certificate.
package bits
