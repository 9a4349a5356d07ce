package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/simd"
)

// foldLanes folds the elements of a block into the elements of their lanes.
func (z typed[T]) foldLanes(f *folding) step {
	to, leaf, lanes := f.data.(*vector[T]), f.leaf.(*vector[T]), f.lanes
	combine := z.mapping(f.op)
	var half []T
	one := func(k, i int) {
		data, at := to.v, *f.at+(k+i)%lanes*f.stride
		combine(data[at:at+1], data[at:at+1], leaf.v[i:i+1])
	}
	return func(k, n int) {
		i := 0
		for ; i < n && (f.exact || (k+i)%lanes != 0 || n-i < lanes); i++ {
			one(k, i)
		}
		if rows := (n - i) / lanes; rows > 0 {
			half = slices.Grow(half[:0], n)[:n]
			row := halve(combine, half, leaf.v[i:i+rows*lanes], lanes)
			for l := range row {
				data, at := to.v, *f.at+l*f.stride
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
