package simd

import "unsafe"

// Prefetch asks the processor to fetch x from memory and does not wait for it. Where there
// are several passes over a block that is in the nearest cache, memory would be idle
// meanwhile: no processor foresees as much as a block. It does nothing but on amd64.
func Prefetch[T Number | bool](x []T) {
	if len(x) > 0 {
		prefetch(unsafe.Pointer(unsafe.SliceData(x)), uintptr(len(x))*unsafe.Sizeof(x[0]))
	}
}
