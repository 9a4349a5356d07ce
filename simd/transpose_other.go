//go:build !(goexperiment.simd && go1.27 && amd64)

package simd

func transpose8(dst, x []byte, rows, lanes, each int) (l int) { return 0 }

func transpose16(dst, x []uint16, rows, lanes, each int) (l int) { return 0 }

func transpose32(dst, x []uint32, rows, lanes, each int) (l int) { return 0 }

func transpose64(dst, x []uint64, rows, lanes, each int) (l int) { return 0 }
