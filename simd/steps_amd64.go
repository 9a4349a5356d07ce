//go:build goexperiment.simd && go1.27

package simd

import "simd/archsimd"

// fewSteps is how many bytes are not worth the rows of parts.
const fewSteps = 64

// steps takes four parts of x side by side, and returns how many bytes.
func steps(next *[256][16]uint8, x []uint8, state *uint8) int {
	if Vector() == 0 || len(x) < fewSteps {
		return 0
	}
	n := len(x) / 4
	xa, xb, xc, xd := x[:n], x[n:][:n], x[2*n:][:n], x[3*n:][:n]
	var row [16]uint8
	for s := range row {
		row[s] = uint8(s)
	}
	a := archsimd.LoadUint8x16Array(&row)
	b, c, d := a, a, a
	for i, y := range xa {
		a = archsimd.LoadUint8x16Array(&next[y]).PermuteOrZero(a.BitsToInt8())
		b = archsimd.LoadUint8x16Array(&next[xb[i]]).PermuteOrZero(b.BitsToInt8())
		c = archsimd.LoadUint8x16Array(&next[xc[i]]).PermuteOrZero(c.BitsToInt8())
		d = archsimd.LoadUint8x16Array(&next[xd[i]]).PermuteOrZero(d.BitsToInt8())
	}
	b.PermuteOrZero(a.BitsToInt8()).StoreArray(&row)
	*state = row[*state&15]
	d.PermuteOrZero(c.BitsToInt8()).StoreArray(&row)
	*state = row[*state&15]
	return 4 * n
}
