// Package pattern holds the associative operators that updates are matched against. There is a
// table for each tuple of types, embedded as the text that package tablegen wrote. Table compiles
// one for matching: all of its operators in one pass against a saturated e-graph. The laws of an
// operator are proven again where a match uses them: see prove.Prover.Characterise.
//
// Entries lists the operators at a tuple of types, with their laws. ReadOwn reads operators of a caller's own, and
// proves each: one that is refuted, or neither proven nor refuted, is a NotAnOperator. ReadTable refuses a table that
// was edited, cut short or reordered, with the line.
package pattern
