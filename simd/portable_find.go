package simd

func minFirst[T Number](x []T, v T) (T, int) {
	at := -1
	for i, e := range x {
		if e < v {
			v, at = e, i
		}
	}
	return v, at
}

func minLast[T Number](x []T, v T) (T, int) {
	at := -1
	for i, e := range x {
		if e <= v {
			v, at = e, i
		}
	}
	return v, at
}

func maxFirst[T Number](x []T, v T) (T, int) {
	at := -1
	for i, e := range x {
		if e > v {
			v, at = e, i
		}
	}
	return v, at
}

func maxLast[T Number](x []T, v T) (T, int) {
	at := -1
	for i, e := range x {
		if e >= v {
			v, at = e, i
		}
	}
	return v, at
}
