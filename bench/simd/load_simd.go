//go:build goexperiment.simd && go1.27

package simd

import (
	"simd"
	"unsafe"
)

// loads are the loops that only load: the disjunction of what they load costs an
// operation that a load may carry along.
var loads = []struct {
	name string
	run  func([]byte)
}{
	{"four vectors a turn", loadFour},
	{"eight vectors a turn", loadEight},
	{"two streams", loadStreams},
}

func words(memory []byte) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/8)
}

func loadFour(memory []byte) {
	var s0, s1, s2, s3 simd.Uint64s
	n := s0.Len()
	for x := words(memory); len(x) >= 4*n; x = x[4*n:] {
		s0 = s0.Or(simd.LoadUint64s(x))
		s1 = s1.Or(simd.LoadUint64s(x[n:]))
		s2 = s2.Or(simd.LoadUint64s(x[2*n:]))
		s3 = s3.Or(simd.LoadUint64s(x[3*n:]))
	}
	store(s0.Or(s1).Or(s2.Or(s3)))
}

func loadEight(memory []byte) {
	var s0, s1, s2, s3 simd.Uint64s
	n := s0.Len()
	for x := words(memory); len(x) >= 8*n; x = x[8*n:] {
		s0 = s0.Or(simd.LoadUint64s(x))
		s1 = s1.Or(simd.LoadUint64s(x[n:]))
		s2 = s2.Or(simd.LoadUint64s(x[2*n:]))
		s3 = s3.Or(simd.LoadUint64s(x[3*n:]))
		s0 = s0.Or(simd.LoadUint64s(x[4*n:]))
		s1 = s1.Or(simd.LoadUint64s(x[5*n:]))
		s2 = s2.Or(simd.LoadUint64s(x[6*n:]))
		s3 = s3.Or(simd.LoadUint64s(x[7*n:]))
	}
	store(s0.Or(s1).Or(s2.Or(s3)))
}

func loadStreams(memory []byte) {
	var s0, s1, s2, s3 simd.Uint64s
	n := s0.Len()
	x := words(memory)
	x, y := x[:len(x)/2], x[len(x)/2:]
	for ; len(x) >= 2*n && len(y) >= 2*n; x, y = x[2*n:], y[2*n:] {
		s0 = s0.Or(simd.LoadUint64s(x))
		s1 = s1.Or(simd.LoadUint64s(y))
		s2 = s2.Or(simd.LoadUint64s(x[n:]))
		s3 = s3.Or(simd.LoadUint64s(y[n:]))
	}
	store(s0.Or(s1).Or(s2.Or(s3)))
}

func store(s simd.Uint64s) {
	var w [8]uint64
	s.Store(w[:])
	keep(w[0])
}
