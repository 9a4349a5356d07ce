// Package pattern holds the associative operators that updates are matched against. There is a
// table for each tuple of types, embedded as the text that package tablegen wrote. Table compiles
// one for matching: all of its operators in one pass against a saturated e-graph. The laws of an
// operator are proven again where a match uses them: see prove.Prover.Characterise.
package pattern
