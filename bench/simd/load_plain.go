//go:build !(goexperiment.simd && go1.27)

package simd

import (
	"bytes"
	"unsafe"
)

// loads are loops that only read memory. In plain Go two of them are functions of package bytes.
var loads = []struct {
	name string
	run  func([]byte)
}{
	{"words", loadWords},
	{"bytes.IndexByte", func(x []byte) { bytes.IndexByte(x, 1) }},
	{"bytes.Count", func(x []byte) { bytes.Count(x, []byte{1}) }},
}

func loadWords(memory []byte) {
	x := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/8)
	var a, b uint64
	for ; len(x) >= 8; x = x[8:] {
		a |= x[0] | x[1] | x[2] | x[3]
		b |= x[4] | x[5] | x[6] | x[7]
	}
	keep(a | b)
}
