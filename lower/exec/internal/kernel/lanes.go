package kernel

import (
	"slices"

	"github.com/rfactor-go/rfactor/simd"
)

// foldLanes folds the elements of a block into the elements of their lanes.
func foldLanes[T simd.Number](z *typed[T], f *Folding) Step {
	to, leaf, lanes := f.Data.(*Vector[T]), f.Leaf.(*Vector[T]), f.Lanes
	combine := mapping(z, f.Op)
	var half []T
	one := func(k, i int) {
		data, at := to.V, *f.At+(k+i)%lanes*f.Stride
		combine(data[at:at+1], data[at:at+1], leaf.V[i:i+1])
	}
	return func(k, n int) {
		i := 0
		for ; i < n && (f.Exact || (k+i)%lanes != 0 || n-i < lanes); i++ {
			one(k, i)
		}
		if rows := (n - i) / lanes; rows > 0 {
			half = slices.Grow(half[:0], n)[:n]
			row := halve(combine, half, leaf.V[i:i+rows*lanes], lanes)
			for l := range row {
				data, at := to.V, *f.At+l*f.Stride
				combine(data[at:at+1], data[at:at+1], row[l:l+1])
			}
			i += rows * lanes
		}
		for ; i < n; i++ {
			one(k, i)
		}
	}
}

// halve combines rows of a few lanes, one half of them with the other, until one is left.
func halve[T simd.Number](combine func(dst, x, y []T), to, rows []T, lanes int) []T {
	for n := len(rows) / lanes; n > 1; n /= 2 {
		h := n / 2 * lanes
		combine(to[:h], rows[:h], rows[h:2*h])
		if n%2 == 1 {
			combine(to[:lanes], to[:lanes], rows[2*h:])
		}
		rows = to[:h]
	}
	return rows
}
