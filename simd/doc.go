// Package simd holds loops over slices that run at the speed of memory or of the
// vector units: elementwise operations, reductions and index-carrying reductions
// for every numeric type.
//
// For hands out the kernels of one element type as a Table, Portable their twins
// in plain Go. With Go 1.27 and GOEXPERIMENT=simd the kernels of For use the
// portable package simd of the standard library, which has vectors of whatever
// width the machine has; in any other build For is Portable. A kernel and its twin
// give the same result, bit for bit, except for sums and products of floats, whose
// terms a kernel regroups.
//
// What stays scalar although vectors are on:
//
//   - Map.Div and Map.Sqrt exist for floats only, the saturating operations for
//     8- and 16-bit integers only, bitwise operations and shifts for integers only;
//     elsewhere these fields are nil.
//   - On anything but AVX-512, because the portable package can neither multiply
//     64-bit lanes nor move a lane to a place of another width: products of 64-bit
//     integers, Compare (its result is a slice of bool), Select, and the kernels of
//     Converter.
//   - Histogram: there is no portable gather or scatter, and AVX-512's detection of
//     conflicts is slower than private tables.
//
// Reduce.Several does reductions of one slice side by side: they take turns on parts that stay
// in the nearest cache, so that memory is read once. It lacks bitwise reductions, which the
// compiler of Go 1.27 cannot put beside one another, on vectors minima and maxima of floats,
// and lanes of 8 and 16 bits; Reduce.Beside says what it has.
//
// Elementwise kernels work on len(dst) elements and panic when an operand is
// shorter. dst may be an operand itself but may not overlap one otherwise.
package simd

//go:generate go run ./internal/gen
