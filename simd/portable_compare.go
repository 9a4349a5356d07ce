package simd

func eq[T Number](dst []bool, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] == y[i]
	}
}

func ne[T Number](dst []bool, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] != y[i]
	}
}

func lt[T Number](dst []bool, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] < y[i]
	}
}

func le[T Number](dst []bool, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] <= y[i]
	}
}

func gt[T Number](dst []bool, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] > y[i]
	}
}

func ge[T Number](dst []bool, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] >= y[i]
	}
}

func countEq[T Number](x []T, k T) int {
	n := 0
	for _, v := range x {
		if v == k {
			n++
		}
	}
	return n
}

func countMaskedEq[T Integer](x []T, mask, k T) int {
	n := 0
	for _, v := range x {
		if v&mask == k {
			n++
		}
	}
	return n
}

func countNe[T Number](x []T, k T) int {
	n := 0
	for _, v := range x {
		if v != k {
			n++
		}
	}
	return n
}

func countLt[T Number](x []T, k T) int {
	n := 0
	for _, v := range x {
		if v < k {
			n++
		}
	}
	return n
}

func countLe[T Number](x []T, k T) int {
	n := 0
	for _, v := range x {
		if v <= k {
			n++
		}
	}
	return n
}

func countGt[T Number](x []T, k T) int {
	n := 0
	for _, v := range x {
		if v > k {
			n++
		}
	}
	return n
}

func countGe[T Number](x []T, k T) int {
	n := 0
	for _, v := range x {
		if v >= k {
			n++
		}
	}
	return n
}
