package egraph

import (
	"syscall"
	"unsafe"
)

const (
	hugePage     = 2 << 20
	madvHugePage = 14 // of <sys/mman.h>; package syscall does not name it
)

// huge asks for huge pages under an array that was just made, if it is large enough to hold one,
// and returns it. Touching the array for the first time and reading it at random cost less then.
// Linux may ignore the wish.
func huge[T any](s []T) []T {
	var elem T
	size := uintptr(cap(s)) * unsafe.Sizeof(elem)
	first := unsafe.Pointer(unsafe.SliceData(s))
	skip := -uintptr(first) % hugePage // to the first whole page
	if size < skip+hugePage {
		return s
	}
	pages := unsafe.Slice((*byte)(unsafe.Add(first, skip)), (size-skip)&^(hugePage-1))
	_ = syscall.Madvise(pages, madvHugePage)
	return s
}
