package simd

import (
	"bytes"
	"unsafe"
)

// arena is the memory of all operands of a kernel, in one piece, so that the loops
// that only load can go over it.
type arena struct {
	memory []byte
	used   int
}

// newArena writes the memory: pages that were never written are all the same one.
func newArena(size int) *arena { return &arena{memory: bytes.Repeat([]byte{2}, size)} }

// carve takes the next n elements, of which the widest types come first. A bool
// has to be 0 or 1.
func carve[T any](a *arena, n int) []T {
	var v T
	m := a.memory[a.used:][:n*int(unsafe.Sizeof(v))]
	a.used += len(m)
	clear(m)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(m))), n)
}
