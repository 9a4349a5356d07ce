// Package canon puts expressions of package ir into e-graphs, saturates them under the rules of
// package rules, and takes equal, simpler expressions out again.
//
// A Session holds the e-graph of expressions of one pool under one set of assumptions. Beside
// the rules it runs what no rule can say: an analysis of every class (its type, whether it
// mentions the state or an input, a literal value), and the normal form of sums of products of
// package poly, which merges what any number of commutative and associative steps would. Derive
// gives the chain of steps between two terms that Check replays without an e-graph.
//
// Greedy simplifies without an e-graph, as compilers do: it is the baseline of experiments, and
// tidies what is answered.
package canon
