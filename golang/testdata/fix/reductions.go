package fix

// Running stores sums of prefixes in a slice that nobody else knows.
func Running(a []int) ([]int, int) {
	out, s := make([]int, len(a)), 0
	for i, v := range a { // fixed
		s += v
		out[i] = s
	}
	return out, s
}

// InPlace stores where it has loaded. A step that divides by zero stores nothing.
func InPlace(a []int, b []uint8) (s int) {
	for i := range a { // fixed
		s = max(s, a[i]/int(b[i%7]%100))
		a[i] = s - i
	}
	return s
}

// Exclusive stores two sums before the step, in slices of other types than what it reads.
func Exclusive(a []int, n int) ([]int32, []int64, int32) {
	starts, ends := make([]int32, len(a)), make([]int64, max(len(a)-n%3/2, 0))
	var at, last int32
	for i := 0; i < len(a); i++ { // fixed
		starts[i] = at
		if a[i] > 3 {
			at += int32(a[i])
		}
		last = max(last, int32(a[i]))
		ends[i] = int64(last)
	}
	return starts, ends, at
}

func Overlapping(a, out []int) (s int) {
	for i, v := range a { // refused: the answer assumes noalias
		s += v
		out[i] = s
	}
	return s
}

func Backwards(a []int) []int {
	out, s := make([]int, len(a)), 0
	for i, v := range a { // refused: a step stores otherwise than by a[i] = x
		s += v
		out[len(a)-1-i] = s
	}
	return out
}

func Pairs(a []int) []int {
	out, s := make([]int, len(a)), 0
	for i, v := range a { // refused: a step stores otherwise than by a[i] = x
		out[i], s = s, s+v
	}
	return out
}

// Reading is of a station.
type Reading = struct {
	Station string
	Place   struct{ X, Y float64 }
	Value   int
	Valid   bool
}

// The variable of the loop is a struct, which a step copies.
func Valid(a []Reading) (n, most int) {
	for _, r := range a { // fixed
		if r.Valid {
			n++
			most = max(most, r.Value)
		}
	}
	return n, most
}
