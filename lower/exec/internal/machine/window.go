// Package machine runs functions of WebAssembly over arrays of this process, where they lie.
//
// A memory of WebAssembly is 2^32 bytes. Here it is a window of the addresses that Go has: from the array that lies first to the end of the one that lies
// last. Functions find arrays by how far behind the first one they lie. In a browser, where this process has a memory of WebAssembly itself, they
// run in that one. That nothing is touched in between, or outside of arrays, is for who
// writes the functions to prove: see package wasm.
package machine

import (
	goruntime "runtime"
	"unsafe"
)

// Window is the range of addresses that arrays lie in.
type Window struct {
	base   unsafe.Pointer
	lo, hi uintptr
}

// Add makes the window hold some memory.
func (w *Window) Add(b []byte) {
	if len(b) == 0 {
		return
	}
	p := unsafe.Pointer(&b[0])
	if w.base == nil || uintptr(p) < w.lo {
		w.base, w.lo = p, uintptr(p)
	}
	w.hi = max(w.hi, uintptr(p)+uintptr(len(b)))
}

// MostBytes is less than 2^32 by a page: a memory of so many bytes has a length.
const MostBytes = 1<<32 - 1<<16

// Fits reports whether the window is no more than a memory holds.
func (w *Window) Fits() bool { return uint64(w.hi-w.lo) <= MostBytes }

// At is where an address lies in the window. Of WebAssembly the window is the memory that there is.
func (w *Window) At(p unsafe.Pointer) uint32 {
	if goruntime.GOARCH == "wasm" {
		return uint32(uintptr(p))
	}
	return uint32(uintptr(p) - w.lo)
}
