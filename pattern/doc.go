// Package pattern holds the associative operators that updates are matched against: as
// seeds in a text file whose types are open, and compiled, for a tuple of types, for
// matching all of them in one pass against a saturated e-graph. What is proven of an
// operator is proven where it is used: see prove.Prover.Characterise.
package pattern
