// Package tablegen makes the operator tables that updates are matched against: it
// enumerates functions, keeps those that are associative, and proves what it keeps.
//
// Functions are enumerated bottom-up by the number of leaves of their smallest expression
// and told apart by their values at test points: an expression whose values are those of an
// earlier one is dropped. How many spellings a function has does not matter, which is what
// makes 8 leaves a matter of minutes. What is associative at test points and not redundant
// (an instance, a conjugate or a mirror image of a simpler one) is proven at every type by
// package prove, and written with its properties as text: one table for each tuple of types.
package tablegen
