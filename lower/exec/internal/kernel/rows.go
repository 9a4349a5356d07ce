package kernel

import "github.com/rfactor-go/rfactor/simd"

// AddRows adds rows of n elements to that which begins at the element at, one after another. They
// begin at the elements from; each is multiplied by its factor, if there are factors.
func (z *typed[T]) AddRows(data, rows any) func(at, n int, from []int, factors []uint64) {
	dst, src := data.(*Vector[T]), rows.(*Vector[T])
	return func(at, n int, from []int, factors []uint64) {
		to, all := dst.V[at:][:n], src.V
		if len(factors) == 0 {
			for ; len(from) >= 4; from = from[4:] {
				addFour(to, all[from[0]:], all[from[1]:], all[from[2]:], all[from[3]:])
			}
			for _, f := range from {
				row := all[f:][:len(to)]
				for i := range to {
					to[i] += row[i]
				}
			}
			return
		}
		for ; len(from) >= 4; from, factors = from[4:], factors[4:] {
			k := [4]T{z.uncarry(factors[0]), z.uncarry(factors[1]), z.uncarry(factors[2]), z.uncarry(factors[3])}
			addProducts(to, k, all[from[0]:], all[from[1]:], all[from[2]:], all[from[3]:])
		}
		for j, f := range from {
			k, row := z.uncarry(factors[j]), all[f:][:len(to)]
			for i := range to {
				to[i] += T(k * row[i])
			}
		}
	}
}

func addFour[T simd.Number](to, a, b, c, d []T) {
	a, b, c, d = a[:len(to)], b[:len(to)], c[:len(to)], d[:len(to)]
	for i := range to {
		to[i] = to[i] + a[i] + b[i] + c[i] + d[i]
	}
}

// addProducts rounds each product and each sum.
func addProducts[T simd.Number](to []T, k [4]T, a, b, c, d []T) {
	a, b, c, d = a[:len(to)], b[:len(to)], c[:len(to)], d[:len(to)]
	k0, k1, k2, k3 := k[0], k[1], k[2], k[3]
	for i := range to {
		to[i] = to[i] + T(k0*a[i]) + T(k1*b[i]) + T(k2*c[i]) + T(k3*d[i])
	}
}
