//go:build !(goexperiment.simd && go1.27 && amd64)

package simd

func keep32(dst, x []uint32, keep []byte) int { return keepPlain(dst, x, keep) }

func keep64(dst, x []uint64, keep []byte) int { return keepPlain(dst, x, keep) }
