package fix

import "slices"

func Down(a []int) (most, at int) {
	at = -1
	for i := len(a) - 1; i >= 0; i-- { // fixed
		if a[i] > most {
			most, at = a[i], i
		}
	}
	return most, at
}

func DownBy(a []int, from, to int) (s int) {
	for i := min(from, len(a)) - 1; i > to; i -= 3 { // fixed
		s = max(s, a[i]^i)
	}
	return s
}

func DownSearch(a []int, x int) int {
	for i := len(a) - 1; i >= 0; i-- { // fixed
		if a[i] == x {
			return i
		}
	}
	return -1
}

func DownTo(a []int, x, to int) int {
	for i := len(a) - 2; to < i; i -= 2 { // fixed
		if a[i+1] == x {
			return i
		}
	}
	return -1
}

func Mirrored(a []int) (s int) {
	for i := 0; i > -len(a); i-- { // refused: it counts below 0
		s += a[-i] * i
	}
	return s
}

func Narrow(a []int, n int32) (s int) {
	for i := int32(0); i < min(n, int32(len(a))); i++ { // fixed
		s ^= a[i] + int(i)
	}
	return s
}

func Unsigned(a []int, n uint) (s uint) {
	for i := uint(1); i < uint(len(a)); i++ { // fixed
		s += uint(a[i]) * (i ^ n)
	}
	return s
}

func Signed(a []int, from int64) (s int64) {
	for i := from; i <= int64(len(a)-1); i++ { // fixed
		s += int64(a[i]) ^ i
	}
	return s
}

func Ranged(a []int, n uint32) (s uint32) {
	for i := range n % uint32(len(a)+1) { // fixed
		s += uint32(a[i]) ^ i
	}
	return s
}

func UnsignedDown(a []int) (s uint32) {
	for i := uint32(len(a)); i > 0; i-- { // fixed
		s += uint32(a[i-1]) ^ i
	}
	return s
}

func NarrowSearch(a []int, x int) (int32, int) {
	for i := int32(len(a)) - 1; i >= 0; i-- { // fixed
		if a[i] == x {
			return i, slices.Index(a, x)
		}
	}
	return -1, 0
}

func LongSearch(a []int, x int) uint64 {
	for i := uint64(3); i < uint64(len(a)); i++ { // fixed
		if w := a[i] * 3; w == x {
			return i + uint64(w)
		}
	}
	return 0
}

// The loop does not end where n is the greatest number.
func Wraps(a []int, n uint32) (s int) {
	for i := uint32(0); i <= n; i++ { // refused: may wrap around
		s += a[i]
	}
	return s
}

func WrapsDown(a []int, n uint) (s int) {
	for i := uint(len(a) - 1); i >= n; i-- { // refused: may wrap around
		s += a[i]
	}
	return s
}

func WrapsBy(a []int, n int32) (s int) {
	for i := int32(0); i < n; i += 2 { // refused: its counter is of type int32 and goes on by 2
		s += a[i]
	}
	return s
}

func Large(a []int, from uint64) (s int) {
	for i := from; i < uint64(len(a)); i++ { // refused: may be no int
		s += a[i]
	}
	return s
}

func Bytes8(a []int, n uint8) (s int) {
	for i := uint8(0); i < n; i++ { // refused: it counts in uint8
		s += a[i]
	}
	return s
}

func Apart(a []int, n int) (s int) {
	for i := 0; i < n; i-- { // refused: does not go on by a literal
		s += a[-i]
	}
	return s
}

func Kept(a []int, from int) (s, i int) {
	for i = from; i < len(a); i += 3 { // fixed
		if i >= 0 {
			s += a[i]
		}
	}
	return s, i
}

func KeptDown(a []int) (s int, i int64) {
	for i = int64(len(a)) - 1; i >= 0; i-- { // fixed
		s ^= a[i]
	}
	return s, i
}

func KeptUnsigned(a []int, x int) (h [8]int, i uint) {
	for i = 0; i < uint(len(a)); i++ { // fixed
		h[a[i]&7]++
	}
	return h, i
}

func KeptSearch(a []int, x int) (at, i int) {
	for i = 1; i <= len(a)-1; i++ { // fixed
		if a[i] == x {
			at = a[i-1]
			break
		}
	}
	return at, i
}

func KeptLast(a []int, x int) (last, i int) {
	for i = 2; i < len(a); i++ { // fixed
		if a[i] > x {
			last = i
		}
	}
	return last, i
}

func KeptFrom(a []int, s int) (int, int) {
	var i int
	for i = s; i < len(a); i++ { // refused: its bounds depend on the state
		s += i
	}
	return s, i
}

func KeptByOthers(a []int, f func(*int)) (s int) {
	var i int
	f(&i)
	for i = 0; i < len(a); i++ {
		s += a[i]
	}
	return s
}

func KeptOver(a []int) (s, i int) {
	for i = range a { // refused: it ranges over variables
		s += a[i]
	}
	return s, i
}
