package simd

func eq[T Number](dst []bool, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] == y[i]
	}
}

func lt[T Number](dst []bool, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] < y[i]
	}
}
