package adversarial

import (
	"cmp"
	"iter"
	"slices"
)

// Ranges over functions, and generic functions.

func seqSum(values iter.Seq[int]) (s int) {
	for v := range values { // want: reduction counted | by sum | y0 = v | it ranges over a function | no fix
		s += v
	}
	return s
}

func seqPairs(values iter.Seq2[int, int32]) (s int, m int32) {
	for k, v := range values { // want: reduction counted | sum and max | y0 = k, y1 = v | no fix
		s += k
		m = max(m, v)
	}
	return s, m
}

func seqUntil(values iter.Seq[int]) (s int) {
	for v := range values { // want: reduction input | by sum | no fix
		if v < 0 {
			break
		}
		s += v
	}
	return s
}

func seqReturns(values iter.Seq[int]) int {
	s := 0
	for v := range values { // want: reduction state | a search along a scan by sum | no fix
		s += v
		if s > 100 {
			return s
		}
	}
	return -1
}

func seqShared() (s int) {
	values := func(yield func(int) bool) {
		s *= 2
		yield(1)
		s *= 2
		yield(2)
	}
	for v := range values { // want: stopped | range over a function | no fix
		s += v
	}
	return s
}

func seqPointed(values func(*int) iter.Seq[int]) int {
	s := 0
	for v := range values(&s) { // want: stopped | range over a function | no fix
		s += v
	}
	return s
}

func seqDeferred(values iter.Seq[int]) (s int) {
	defer func() { s++ }()
	for v := range values { // want: stopped | range over a function | no fix
		s += v
	}
	return s
}

func seqDefers(values iter.Seq[int], f func()) (s int) {
	for v := range values { // want: stopped | go or defer | no fix
		defer f()
		s += v
	}
	return s
}

func seqScale() (s int) {
	k := 1
	values := func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
			k++
		}
	}
	for v := range values { // want: reduction counted | by sum | v*k | no fix
		s += v * k
	}
	return s
}

func seqHorner() (s int) {
	k := 1
	values := func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
			k++
		}
	}
	for v := range values { // want: lift counted | affine | no fix
		s = s*k + v
	}
	return s
}

func seqField(values iter.Seq[int], x *struct{ sum int }) {
	for v := range values { // want: nothing
		x.sum += v
	}
}

func seqStores(values iter.Seq[int], out []int) (s int) {
	for v := range values { // want: stopped | range over a function | no fix
		s += v
		out[v] = s
	}
	return s
}

func seqNested(rows iter.Seq[iter.Seq[int]]) (s int) {
	for row := range rows {
		for v := range row { // want: stopped | range over a function | no fix
			s += v
		}
	}
	return s
}

func seqCalls(values iter.Seq[int], f func(int) int) (s int) {
	for v := range values { // want: stopped | unknown call | no fix
		s += f(v)
	}
	return s
}

func seqPromised(values iter.Seq[int], f func(int) int) (s int) {
	//rfactor:pure
	for v := range values { // want: reduction counted | under pure | no fix
		s += f(v)
	}
	return s
}

func seqKeys(m map[string]int) (n int) {
	for k := range slices.Values([]string{"a", "b"}) { // want: reduction counted | by sum | no fix
		n += m[k]
	}
	return n
}

func seqEach(values iter.Seq[int]) (f []func() int, n int) {
	for v := range values { // want: stopped | no fix
		f = append(f, func() int { return n + v })
		n++
	}
	return f, n
}

func seqLabelled(rows [][]int, values iter.Seq[int]) (s int) {
rows:
	for _, row := range rows {
		for v := range values { // want: answered | it ranges over a function | no fix
			if v == len(row) {
				continue rows
			}
			s += v
		}
	}
	return s
}

type floats interface{ ~float32 | ~float64 }

func sumFloats[T floats](a []T) (s T) {
	for _, v := range a { // want: reduction counted | under reassoc | identity -0.0 | no fix
		s += v
	}
	return s
}

func sumAny[T cmp.Ordered](a []T) (s T) {
	for _, v := range a { // want: stopped | type parameter | no fix
		s += v
	}
	return s
}

func leastOf[T cmp.Ordered](a []T) T {
	m := a[0]
	for _, v := range a { // want: reduction counted | by min | without: under | without: identity | no fix
		m = min(m, v)
	}
	return m
}

func halvesOf[T ~int8 | ~uint8](a []T) (s T) {
	for _, v := range a { // want: no fix
		s = s/2 + v
	}
	return s
}

func dotOf[T floats](a, b []T) (s T) {
	for i, v := range a { // want: reduction counted | under reassoc, contract | bounds | no fix
		s += v * b[i]
	}
	return s
}

func convertedSum[T ~int8 | ~int64](a []T) (s int) {
	for _, v := range a { // want: reduction counted | by sum | fix
		s += int(v)
	}
	return s
}

func twoKinds[T ~int, U ~float64](a []T, b []U) (s T, t U) {
	for i, v := range a { // want: reduction counted | by sum | under reassoc | no fix
		s += v
		t += b[i]
	}
	return s, t
}

func twoSets[T ~string | ~int, U ~uint8 | ~float32](a []T, b []U) (s T, most U) {
	for i, v := range a { // want: stopped | no fix
		s += v
		most = max(most, b[i])
	}
	return s, most
}

func sumOfTwo[K comparable, T ~int | ~int16, U ~int8 | ~uint8](m map[K]T, by []U) (s T, n U) {
	for _, v := range m { // want: by sum and bit_xor | commutative | no order changes the result | no fix
		s += v
		n ^= by[0]
	}
	return s, n
}

func halvesOfTwo[T ~int8 | ~uint8, U ~int16 | ~uint16](a []T, b []U) (s T, u U) {
	for i := range a { // want: without: by | no fix
		s = (s + a[i]) / 2
		u = (u + b[i]) / 2
	}
	return s, u
}

type namedNumber interface {
	~int | ~int64
	error
}

func sumOfNamed[T namedNumber](a []T) (s T) {
	for _, v := range a { // want: reduction counted | by sum | commutative | no fix
		s += v
	}
	return s
}

func lengthsOfNamed[T namedNumber](a []T) (n int) {
	for _, v := range a { // want: stopped | unknown call | no fix
		n += len(v.Error())
	}
	return n
}

func keptLast[T any](a []T, ok func(T) bool) (last T) {
	//rfactor:pure
	for _, v := range a { // want: lift counted | under pure | no fix
		if ok(v) {
			last = v
		}
	}
	return last
}
