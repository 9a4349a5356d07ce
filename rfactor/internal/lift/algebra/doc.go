// Package algebra fits each component of an update by itself to functions that are closed under composition: how leaves, the state, selects
// and operators are read, applied and composed. Fit puts the rows of the components together, with a table for flags and a memory of the
// elements before a slice.
//
// To add an algebra, write a file with a type that is an Algebra and a function that makes one, and add a row to the families of
// package family.
package algebra
