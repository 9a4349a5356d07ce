package simd

import "unsafe"

// Keep copies the elements of x at which keep holds to the beginning of dst, in their order, and returns how many
// they are. It panics where dst or keep is shorter than x; of dst elements behind those that are kept may be
// overwritten, as far as x has elements. dst does not overlap x.
func Keep[T Number](dst, x []T, keep []bool) int {
	dst, bytes := dst[:len(x)], bytesOf(keep[:len(x)])
	switch unsafe.Sizeof(*new(T)) {
	case 4:
		return keep32(as[uint32](dst), as[uint32](x), bytes)
	case 8:
		return keep64(as[uint64](dst), as[uint64](x), bytes)
	}
	return keepPlain(dst, x, bytes)
}

// keepPlain writes each element and goes on behind it if it is kept, which no branch decides.
func keepPlain[T any](dst, x []T, keep []byte) int {
	n := 0
	for i, v := range x {
		dst[n] = v
		n += int(keep[i])
	}
	return n
}

// as is a slice of elements as another type, whose size is that of theirs or divides it.
func as[To, From any](s []From) []To {
	return unsafe.Slice((*To)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(From))/unsafe.Sizeof(*new(To))))
}

// bytesOf is a slice of truth values as bytes, 0 and 1.
func bytesOf(s []bool) []byte { return as[byte](s) }
