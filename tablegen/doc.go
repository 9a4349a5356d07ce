// Package tablegen makes the operator tables that updates are matched against: it
// enumerates functions, keeps those that are associative, and proves what it keeps.
//
// Functions are enumerated bottom-up by the number of leaves of their smallest expression
// and told apart by their values at test points: an expression whose values are those of an
// earlier one is dropped. How many spellings a function has does not matter, which is what
// makes 8 leaves a matter of minutes. A function that is associative at test points is kept unless
// it is redundant: an instance, a conjugate or a mirror image of a simpler one. Package prove
// proves those that are kept at every type. They are written with their properties as text: one
// table for each tuple of types.
//
// Generate writes the tables and a report into a folder; it may be interrupted and resumed, and split into shards that
// Merge joins. Verify proves a table again. Each returns an error for bad options, for files that cannot be read or
// written, and if its context ends.
package tablegen
