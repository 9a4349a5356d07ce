package simd

import "unsafe"

// prefetch asks for the lines of memory that begin in [p, p+bytes), where p lies in the
// first of them.
//
//go:noescape
func prefetch(p unsafe.Pointer, bytes uintptr)
