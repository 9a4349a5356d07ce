//go:build goexperiment.simd && go1.27

package simd

import (
	"math/bits"
	"simd/archsimd"
	"unsafe"
)

// packs tells which lanes of a vector of 8 are kept: those whose bits are set, in their order.
var packs = func() (t [256][8]uint32) {
	for m := range t {
		at := 0
		for lane := range 8 {
			if m>>lane&1 != 0 {
				t[m][at] = uint32(lane)
				at++
			}
		}
	}
	return t
}()

// pairs is the same of vectors of 4 lanes of 64 bits, as halves of them.
var pairs = func() (t [16][8]uint32) {
	for m := range t {
		at := 0
		for lane := range 4 {
			if m>>lane&1 != 0 {
				t[m][at], t[m][at+1] = uint32(2*lane), uint32(2*lane+1)
				at += 2
			}
		}
	}
	return t
}()

func keep32(dst, x []uint32, keep []byte) int {
	if Vector() < 256 {
		return keepPlain(dst, x, keep)
	}
	n, zero := 0, archsimd.BroadcastUint8x32(0)
	for ; len(x) >= 32; x, keep = x[32:], keep[32:] {
		m := ^archsimd.LoadUint8x32(keep).Equal(zero).ToBits()
		for i := 0; i < 32; i += 8 {
			archsimd.LoadUint32x8(x[i:]).Permute(archsimd.LoadUint32x8Array(&packs[m&0xff])).Store(dst[n:])
			n += bits.OnesCount8(uint8(m))
			m >>= 8
		}
	}
	endVectors()
	return n + keepPlain(dst[n:], x, keep)
}

func keep64(dst, x []uint64, keep []byte) int {
	if Vector() < 256 {
		return keepPlain(dst, x, keep)
	}
	n, zero := 0, archsimd.BroadcastUint8x32(0)
	from, to := inHalves(x), inHalves(dst)
	for ; len(keep) >= 32; from, keep = from[64:], keep[32:] {
		m := ^archsimd.LoadUint8x32(keep).Equal(zero).ToBits()
		for i := 0; i < 64; i += 8 {
			archsimd.LoadUint32x8(from[i:]).Permute(archsimd.LoadUint32x8Array(&pairs[m&0xf])).Store(to[2*n:])
			n += bits.OnesCount8(uint8(m & 0xf))
			m >>= 4
		}
	}
	endVectors()
	return n + keepPlain(dst[n:], x[len(x)-len(keep):], keep)
}

// inHalves is a slice of words as the halves of them, the lower ones first.
func inHalves(s []uint64) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(s))), 2*len(s))
}
