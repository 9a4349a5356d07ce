//go:build !amd64

package simd

import "unsafe"

func prefetch(unsafe.Pointer, uintptr) {}
