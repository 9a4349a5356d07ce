// Package stat has loops for rfactor vet to look at.
package stat

// Coldest returns the least temperature and when it was measured first.
func Coldest(t []float64) (least float64, day int) {
	least = t[0]
	for i, v := range t {
		if v < least {
			least, day = v, i
		}
	}
	return least, day
}

// Balance returns the account after fees: every day it bears interest, and something is paid in.
func Balance(start int64, percent int64, paid []int64) int64 {
	for _, p := range paid {
		start = start*percent + p
	}
	return start
}

// Above counts what exceeds a limit.
func Above(t []float64, limit float64) (n int) {
	for _, v := range t {
		if v > limit {
			n++
		}
	}
	return n
}

// Total adds numbers as Kahan does. It is no plain sum.
func Total(t []float64) (s float64) {
	lost := 0.0
	for _, v := range t {
		y := v - lost
		u := s + y
		lost = (u - s) - y
		s = u
	}
	return s
}
