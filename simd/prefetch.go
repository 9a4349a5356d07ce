package simd

import "unsafe"

// Prefetch asks the processor to fetch x from memory and does not wait for it. Where there
// are many passes over a block that is in the nearest cache, memory would be idle meanwhile:
// no processor foresees as much as a block. It takes a third off the time of four passes over
// blocks of 2048 of 32 Mi, and adds a fifth where a cache has all. It does nothing but on
// amd64.
func Prefetch[T Number | bool](x []T) {
	if len(x) > 0 {
		prefetch(unsafe.Pointer(unsafe.SliceData(x)), uintptr(len(x))*unsafe.Sizeof(x[0]))
	}
}
