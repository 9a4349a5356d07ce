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

// index returns the place of the first v in x, where v occurs.
func index[T Number](x []T, v T) int {
	for i, e := range x {
		if e == v {
			return i
		}
	}
	panic("internal: the value does not occur")
}

func lastIndex[T Number](x []T, v T) int {
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] == v {
			return i
		}
	}
	panic("internal: the value does not occur")
}
