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

// Bytes counts in an array of the function.
func Bytes(a []byte) [256]int {
	var h [256]int
	for _, v := range a { // fixed
		h[v]++
	}
	return h
}

// Weighted adds where the table has a place; it panics where an index is negative, and leaves the table as the loop does.
func Weighted(a []int, weights []int32, table []int64) {
	for i, v := range a { // fixed
		if w := weights[i%len(weights)]; v < len(weights) {
			table[v] -= int64(w) * int64(i)
		}
	}
}

func Bits(a []uint8, n int) []uint64 {
	h := make([]uint64, n)
	for i := 0; i < len(a); i += 2 { // fixed
		h[int(a[i])%n] ^= 1 << (a[i] % 64)
	}
	return h
}

func Aliased(a, h []int) {
	for _, v := range a { // refused: the answer assumes noalias
		h[v]++
	}
}

func Looked(a []byte, h []int) (s int) {
	for _, v := range a {
		h[v]++
		s += h[0]
	}
	return s
}

func Whole(a []byte, h []int) {
	for _, v := range a {
		h[v] += h[v] + 1
	}
}

func Levels(a []byte, h []float64) {
	for _, v := range a {
		h[v] += 0.5
	}
}

func Deferred(a []byte) (h [200]int) {
	defer func() { _ = recover() }()
	for _, v := range a { // refused: h is an array that others may see
		h[v]++
	}
	return h
}

func Ending(a []byte, h []int) {
	for _, v := range a {
		if h[v]++; v == 7 {
			return
		}
	}
}

func Fields(a []byte, s *struct{ counts []int }) {
	for _, v := range a { // refused: to a table of the function
		s.counts[v]++
	}
}

// The bounds are computed once, before the first step stores.
func Bounds(a []int, k []uint8) (s uint8) {
	for i, v := range a[:k[0]] { // refused: its bounds load, and a step stores
		s += uint8(v)
		k[i] = s
	}
	return s
}

func BoundsOfTable(a []byte, h, g []int) {
	for _, v := range a[:g[0]] { // refused: its bounds load, and a step stores
		h[v]++
	}
}

func Twofold(a []int, buffer []int32) (s int32) {
	x, y := buffer[:len(a)], buffer[1:]
	for i, v := range a { // refused: x and y, to which a step stores, may overlap
		s += int32(v)
		x[i] = s
		y[i] = -s
	}
	return s
}

// The state is in the bounds, which a block would compute of another state.
func Own(a []int, s int) int {
	for _, v := range a[:s] { // refused: its bounds depend on the state
		s += v
	}
	return s
}

func OwnBegin(a []int, s int) int {
	for i := s; i < len(a); i++ { // refused: its bounds depend on the state
		s += a[i]
	}
	return s
}

func OwnCount(a []int, s int) int {
	for i := range s { // fixed
		s += a[i]
	}
	return s
}

func ComplexSum(a []complex128) (s complex128) {
	//rfactor:assume reassoc
	for _, v := range a { // fixed
		s += v * 2i
	}
	return s
}

// Phase is another name of complex64.
type Phase = complex64

func ComplexState(a []Phase) (s Phase, n int) {
	//rfactor:assume reassoc
	for i, v := range a { // fixed
		if real(v) > 3 {
			n = max(n, i)
			s -= v
		}
	}
	return s, n
}

type signal complex64

func Named(a []complex64) (s, t complex64) {
	var x, y signal
	//rfactor:assume reassoc
	for _, v := range a { // fixed
		x += signal(v)
		y -= signal(v) * 2
	}
	return complex64(x), complex64(y)
}

func ComplexProduct(a []complex128) complex128 {
	p := complex(1, 0)
	//rfactor:assume reassoc
	for _, v := range a { // refused: the operator is more than arithmetic
		p *= v
	}
	return p
}

// Span is a range of columns with a width.
type Span = struct{ From, To, Width int }

func LastWidth(spans []Span, at, width int) int {
	for _, s := range spans { // fixed
		if s.From <= at && at <= s.To {
			width = s.Width
		}
	}
	return width
}

func LastOfTwo(a []int, x int) (at int, odd bool, seen bool) {
	at = -1
	for i, v := range a { // fixed
		switch {
		case v == x:
			at, seen = i, true
		case v%2 == 1:
			odd = v > 3
		}
		if v == 7 {
			odd = i > 5
		}
	}
	return at, odd, seen
}

func LastWord(words []string, x string) (last string, first []string) {
	for i, w := range words { // fixed
		if w != x {
			last = w
		} else {
			first = words[:i]
		}
	}
	return last, first
}

func Alphabetical(words []string) (last string) {
	for _, w := range words { // refused: a component of the state is no number
		last = max(last, w)
	}
	return last
}

func LastReads(a []int, x int) (at int) {
	for i, v := range a { // refused: a step assigns otherwise than by x = value
		if v == x {
			at, _ = doubled(i)
		}
	}
	return at
}

func doubled(i int) (int, bool) { return 2 * i, true }

// once counts its calls.
func once(list []Span, calls *int) []Span {
	*calls++
	return list
}

func Hoisted(spans []Span, x int) (total, calls int) {
	for i, v := range once(spans, &calls) { // fixed
		total += v.Width ^ i ^ x
	}
	return total, calls
}

func HoistedSearch(spans []Span, x int) (at, calls int) {
	for i, v := range once(spans, &calls) { // fixed
		if y := x % 100; v.Width == y {
			return i, calls
		}
	}
	return -1, calls
}

func HoistedNew(spans []Span, x int) (at, from int) {
	for i, v := range append(spans[:0:0], spans...) { // fixed
		if v.From == x {
			w := v.Width
			if w > i {
				return i, w
			}
		}
	}
	return -1, len(spans)
}

func HoistedState(a []int, n int) int {
	for _, v := range a[:min(absolute(n), len(a))] { // fixed
		n += v
	}
	return n
}

func absolute(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

func Literal(x int) bool {
	for _, v := range []int{1, 2, x} { // refused: what it ranges over is short
		if v == 7 {
			return true
		}
	}
	return false
}

func Addressed(spans []Span, at, width int) int {
	for i := range spans { // fixed
		if s := &spans[i]; s.From <= at && at <= s.To {
			width = s.Width
		}
	}
	return width
}

func AddressedLocal(a []int, box [4]int) (s int) {
	for _, v := range a { // refused: a step takes an address
		p := &box[v&3]
		s += *p ^ v
	}
	return s
}

type boxes struct {
	parts [64]int
	list  []int
}

func (b boxes) all() []int { return b.list }

func HoistedLarge(a []int) (n int) {
	b := boxes{list: a}
	for _, v := range b.all() { // fixed
		if v > 3 {
			n++
		}
	}
	return n
}
