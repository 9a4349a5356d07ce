// Package lower turns a plan, stages with their loops, into something that runs: Source
// emits a Go package, Compile makes an executor that runs in process.
//
// An emitted package has the function, which compares its arguments with what the program
// reads, splits parallel loops into contiguous slices for goroutines, and merges their
// results in order; plain kernels; kernels on Go 1.27's portable package simd, built with
// GOEXPERIMENT=simd; a test that compares all of them with the serial program; and a
// benchmark.
//
// An executor's compiled form, closures over blocks of elements, serves run after run: arrays
// are found through memory that a run fills. Passes over the same elements are joined to one
// where package simd has it (Several), rows that lie one behind another to one row.
//
// How a kernel runs on vectors is one of a few forms, tried in order (emit_simd.go): sums of
// bytes in wider lanes, components of which each has its own operator, with indices found
// block by block (of floats while there is no NaN), and tuples whose operator commutes. An
// operator that is merely associative keeps the plain kernel: its slices run at once, its
// elements in order.
package lower
