package simd

// Four accumulators: one would wait for its own result each time. The first four
// elements start them, so that no identity is needed (that of float + is −0).

func reduceAdd[T Number](x []T, init T) T {
	if len(x) >= 8 {
		s0, s1, s2, s3 := x[0], x[1], x[2], x[3]
		for x = x[4:]; len(x) >= 4; x = x[4:] {
			s0 += x[0]
			s1 += x[1]
			s2 += x[2]
			s3 += x[3]
		}
		init += (s0 + s1) + (s2 + s3)
	}
	for _, v := range x {
		init += v
	}
	return init
}

func reduceMul[T Number](x []T, init T) T {
	if len(x) >= 8 {
		s0, s1, s2, s3 := x[0], x[1], x[2], x[3]
		for x = x[4:]; len(x) >= 4; x = x[4:] {
			s0 *= x[0]
			s1 *= x[1]
			s2 *= x[2]
			s3 *= x[3]
		}
		init *= (s0 * s1) * (s2 * s3)
	}
	for _, v := range x {
		init *= v
	}
	return init
}

func reduceMin[T Number](x []T, init T) T {
	s0, s1, s2, s3 := init, init, init, init
	for ; len(x) >= 4; x = x[4:] {
		s0 = min(s0, x[0])
		s1 = min(s1, x[1])
		s2 = min(s2, x[2])
		s3 = min(s3, x[3])
	}
	for _, v := range x {
		s0 = min(s0, v)
	}
	return min(s0, s1, s2, s3)
}

func reduceMax[T Number](x []T, init T) T {
	s0, s1, s2, s3 := init, init, init, init
	for ; len(x) >= 4; x = x[4:] {
		s0 = max(s0, x[0])
		s1 = max(s1, x[1])
		s2 = max(s2, x[2])
		s3 = max(s3, x[3])
	}
	for _, v := range x {
		s0 = max(s0, v)
	}
	return max(s0, s1, s2, s3)
}

func reduceAnd[T Integer](x []T, init T) T {
	for _, v := range x {
		init &= v
	}
	return init
}

func reduceOr[T Integer](x []T, init T) T {
	for _, v := range x {
		init |= v
	}
	return init
}

func reduceXor[T Integer](x []T, init T) T {
	for _, v := range x {
		init ^= v
	}
	return init
}

// reduceMinFloat compares, which is several times faster than min: an element that
// is not at least the minimum is less, or NaN. A zero is looked up again, for its
// sign.
func reduceMinFloat[T Float](x []T, init T) T {
	s := init
	for _, v := range x {
		if !(v >= s) {
			if v != v || s != s {
				return v + s
			}
			s = v
		}
	}
	if s == 0 {
		return reduceMin(x, init)
	}
	return s
}

func reduceMaxFloat[T Float](x []T, init T) T {
	s := init
	for _, v := range x {
		if !(v <= s) {
			if v != v || s != s {
				return v + s
			}
			s = v
		}
	}
	if s == 0 {
		return reduceMax(x, init)
	}
	return s
}

func addAbs[T Signed](x []T, init T) T {
	for _, v := range x {
		init += magnitude(v)
	}
	return init
}

func maxAbs[T Signed](x []T, init T) T {
	for _, v := range x {
		init = max(init, magnitude(v))
	}
	return init
}

func addAbsFloat[T Float](x []T, init T) T {
	if len(x) >= 8 {
		s0, s1, s2, s3 := magnitudeFloat(x[0]), magnitudeFloat(x[1]), magnitudeFloat(x[2]), magnitudeFloat(x[3])
		for x = x[4:]; len(x) >= 4; x = x[4:] {
			s0 += magnitudeFloat(x[0])
			s1 += magnitudeFloat(x[1])
			s2 += magnitudeFloat(x[2])
			s3 += magnitudeFloat(x[3])
		}
		init += (s0 + s1) + (s2 + s3)
	}
	for _, v := range x {
		init += magnitudeFloat(v)
	}
	return init
}

func maxAbsFloat[T Float](x []T, init T) T {
	s := init
	for _, v := range x {
		if !(v <= s && -v <= s) {
			if v != v || s != s {
				return v + s
			}
			s = magnitudeFloat(v)
		}
	}
	if s == 0 && len(x) > 0 {
		return 0 // +0, whatever the sign of init: absolute values have none
	}
	return s
}

// dot converts each product, so that no multiply-add is fused.
func dot[T Number](x, y []T, init T) T {
	y = y[:len(x)]
	if len(x) >= 8 {
		s0, s1, s2, s3 := T(x[0]*y[0]), T(x[1]*y[1]), T(x[2]*y[2]), T(x[3]*y[3])
		for x, y = x[4:], y[4:]; len(x) >= 4 && len(y) >= 4; x, y = x[4:], y[4:] {
			s0 += T(x[0] * y[0])
			s1 += T(x[1] * y[1])
			s2 += T(x[2] * y[2])
			s3 += T(x[3] * y[3])
		}
		init += (s0 + s1) + (s2 + s3)
	}
	for i, v := range x {
		init += T(v * y[i])
	}
	return init
}

// mulComplex runs two chains; the first elements start them, since not even 1 is an
// identity where an infinity meets the 0 of its imaginary part.
func mulComplex[T Number](re, im []T, r, i T) (T, T) {
	im = im[:len(re)]
	if len(re) >= 4 {
		r0, i0, r1, i1 := re[0], im[0], re[1], im[1]
		for re, im = re[2:], im[2:]; len(re) >= 2 && len(im) >= 2; re, im = re[2:], im[2:] {
			r0, i0 = timesComplex(r0, i0, re[0], im[0])
			r1, i1 = timesComplex(r1, i1, re[1], im[1])
		}
		r0, i0 = timesComplex(r0, i0, r1, i1)
		r, i = timesComplex(r, i, r0, i0)
	}
	for k, a := range re {
		r, i = timesComplex(r, i, a, im[k])
	}
	return r, i
}

func timesComplex[T Number](r, i, a, b T) (T, T) { return T(r*a) - T(i*b), T(r*b) + T(i*a) }
