// Package pattern holds the associative operators that updates are matched against: as
// seeds in a text file, as proven entries in generated tables, and compiled for matching a
// whole table in one pass against a saturated e-graph.
package pattern
