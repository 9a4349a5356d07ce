// Package simd holds loops over slices that run at the speed of memory or of the
// vector units: elementwise operations and comparisons for every numeric type. The
// search for tables (tablegen) evaluates terms with it; programs that are run or emitted
// do not use it.
//
// For hands out the kernels of one element type as a Table, Portable their twins
// in plain Go. With Go 1.27 and GOEXPERIMENT=simd the kernels of For use the portable
// package simd of the standard library, which has vectors of whatever width the machine
// has; in any other build For is Portable. A kernel and its twin give the same result,
// bit for bit, except for which NaN it is.
//
// On anything but AVX-512 products of 64-bit integers, Compare, whose result is a slice
// of bool, and Select stay scalar although vectors are on: the portable package can
// neither multiply 64-bit lanes nor move a lane to a place of another width. Bitwise
// operations exist for integers only; of floats these fields are nil.
//
// Elementwise kernels work on len(dst) elements and panic when an operand is
// shorter. dst may be an operand itself but may not overlap one otherwise.
package simd

//go:generate go run ./internal/gen
