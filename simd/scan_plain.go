package simd

func scanAdd[T Number](dst, x []T, v T) T {
	dst = dst[:len(x)]
	for i, y := range x {
		v += y
		dst[i] = v
	}
	return v
}

func scanMul[T Number](dst, x []T, v T) T {
	dst = dst[:len(x)]
	for i, y := range x {
		v *= y
		dst[i] = v
	}
	return v
}

func scanMin[T Number](dst, x []T, v T) T {
	dst = dst[:len(x)]
	for i, y := range x {
		v = min(v, y)
		dst[i] = v
	}
	return v
}

func scanMax[T Number](dst, x []T, v T) T {
	dst = dst[:len(x)]
	for i, y := range x {
		v = max(v, y)
		dst[i] = v
	}
	return v
}

func scanAnd[T Integer](dst, x []T, v T) T {
	dst = dst[:len(x)]
	for i, y := range x {
		v &= y
		dst[i] = v
	}
	return v
}

func scanOr[T Integer](dst, x []T, v T) T {
	dst = dst[:len(x)]
	for i, y := range x {
		v |= y
		dst[i] = v
	}
	return v
}

func scanXor[T Integer](dst, x []T, v T) T {
	dst = dst[:len(x)]
	for i, y := range x {
		v ^= y
		dst[i] = v
	}
	return v
}

func scanAffine[T Number](dst, a, b []T, v T) T {
	dst, a = dst[:len(b)], a[:len(b)]
	for i, y := range b {
		v = T(v*a[i]) + y
		dst[i] = v
	}
	return v
}

// size is the absolute value of a float.
func size[T Float](v T) T {
	if v < 0 {
		return -v
	}
	return v
}
