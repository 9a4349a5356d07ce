package simd

// Sum returns the kernel that adds the elements of x in the wider type W; a
// narrower W would be the same sum, truncated.
//
// The wide types are int64, uint64 and float64.
func Sum[W, T Number]() func(x []T) W {
	for _, f := range sums {
		if f, ok := f.(func([]T) W); ok {
			return f
		}
	}
	return sum[W, T]
}

// PortableSum returns the twin of Sum in plain Go.
func PortableSum[W, T Number]() func(x []T) W { return sum[W, T] }

func sum[W, T Number](x []T) W {
	var s0, s1, s2, s3 W
	for ; len(x) >= 4; x = x[4:] {
		s0 += W(x[0])
		s1 += W(x[1])
		s2 += W(x[2])
		s3 += W(x[3])
	}
	for _, v := range x {
		s0 += W(v)
	}
	return (s0 + s1) + (s2 + s3)
}
