package loops

import (
	"math"
	"sync/atomic"
)

// The loops of this file look like reductions. None of them may be called one, or not a plain one.

type total struct{ sum, lost float64 }

func kahan(a []float64) float64 {
	var s, c float64
	for _, v := range a { // want: refused counted | compensation
		y := v - c
		t := s + y
		c = (t - s) - y
		s = t
	}
	return s
}

func neumaier(a []float64) float64 {
	var s, c float64
	for _, v := range a { // want: refused counted | compensation
		t := s + v
		if (s >= 0) == (s >= v) {
			c += (s - t) + v
		} else {
			c += (v - t) + s
		}
		s = t
	}
	return s + c
}

func kahanInMemory(t *total, a []float64) {
	for _, v := range a { // want: refused counted | compensation
		y := v - t.lost
		u := t.sum + y
		t.lost = (u - t.sum) - y
		t.sum = u
	}
}

func aliased(p *int, a []int) (s int) {
	for i := range a { // want: reduction counted | under noalias
		s += a[i]
		*p = s
	}
	return s
}

func shifted(a []int) (s int) {
	for i := 0; i+1 < len(a); i++ { // want: stopped | store beside the reduction
		a[i+1] = a[i] + 1
		s += a[i]
	}
	return s
}

func recovered(a []int) (s int) {
	defer func() { recover() }()
	for i := 0; ; i++ { // want: stopped | endless loop
		s += a[i]
	}
}

func captured(a []int) int {
	s := 0
	add := func(v int) { s += v }
	for _, v := range a {
		add(v)
	}
	return s
}

func printed(a []int) (s int) {
	for _, v := range a { // want: stopped | unknown call
		s += v
		println(s)
	}
	return s
}

func received(c chan int) (s int) {
	for v := range c { // want: stopped | channel
		s += v
	}
	return s
}

func queue(c chan int) (s int) {
	for i := 0; i < 10; i++ { // want: stopped | channel
		s += len(c)
	}
	return s
}

func overMap(m map[string]float64) (s float64) {
	for _, v := range m { // want: reduction counted | no order changes the result under reassoc
		s += v
	}
	return s
}

func lastOfMap(m map[string]int) (last int) {
	for _, v := range m { // want: stopped | range over a map (value | , gives last = | ; the other way round
		last = v
	}
	return last
}

func keyedArgmaxOfMap(m map[int]int) (at int) {
	best := -1 << 63
	for k, v := range m { // want: reduction counted | no order changes the result
		if v > best || v == best && k < at {
			best, at = v, k
		}
	}
	return at
}

func valueOf(m map[int]int, key int) (found int) {
	for k, v := range m { // want: counted | no order changes the result
		if k == key {
			found = v
		}
	}
	return found
}

func valueNear(m map[int]int, key int) (found int) {
	for k, v := range m { // want: stopped | range over a map
		if k/2 == key {
			found = v
		}
	}
	return found
}

func alternating(m map[int]int) (s int) {
	for _, v := range m { // want: stopped | range over a map
		s = v - s
	}
	return s
}

func hashOfMap(m map[int]uint64, table []uint64) (h uint64) {
	for k := range m { // want: stopped | range over a map
		h = h*31 + table[k]
	}
	return h
}

func polynomial(m map[uint64]uint64) (h uint64) {
	for k, v := range m { // want: counted | no order changes the result
		h = h*31 + 0*k*v
	}
	return h
}

func loaded(x *atomic.Int64) (s int64) {
	for i := 0; i < 10; i++ { // want: stopped | unknown call
		s += x.Load()
	}
	return s
}

func spin(flag *atomic.Bool) (n int) {
	for !flag.Load() { // want: stopped | unknown call
		n ^= 1
	}
	return n
}

func deferred(a []int) (s int) {
	for _, v := range a { // want: stopped | go or defer
		s ^= v
		defer println(v)
	}
	return s
}

func histogram(a []byte, h []int) (s int) {
	for _, v := range a { // want: stopped | scattered store
		h[v] = s
		s += h[v]
	}
	return s
}

func filteredInPlace(a []int) []int {
	out := a[:0]
	for i := len(a) - 1; i >= 0; i-- { // want: stopped | compaction (append)
		if v := a[i]; v > 0 {
			out = append(out, v)
		}
	}
	return out
}

func compactedInPlace(a []int) (n int) {
	for _, v := range a { // want: stopped | compaction
		if v > 0 {
			a[n] = v
			n++
		}
	}
	return n
}

func appendedLast(a []int) (out []int, s int) {
	for _, v := range a { // want: stopped
		out = append(out, v)
		s += out[len(out)/2]
	}
	return out, s
}

func doubled(n int) (out []int) {
	for range n { // want: stopped
		out = append(out, out...)
	}
	return out
}

func kept(a []int) (all [][]int) {
	var out []int
	for _, v := range a { // want: stopped
		if v > 0 {
			out = append(out, v)
		}
		all = append(all, out)
	}
	return all
}

func nilness(a []int) (n int) {
	var out []int
	for _, v := range a { // want: stopped
		if v > 0 {
			out = append(out, a[:0]...)
		}
		if out == nil {
			n++
		}
	}
	return n
}

type list struct {
	items []int
	n     int
}

func (t *list) appendedAndRead(a []int) (s int) {
	for _, v := range a { // want: stopped
		if v > 0 {
			t.items = append(t.items, v)
		}
		s += t.items[0]
	}
	return s
}

func (t *list) peek() int { return t.items[0] }

func (t *list) appendedAndCalled(a []int) (s int) {
	for _, v := range a { // want: stopped
		if v > 0 {
			t.items = append(t.items, v)
		}
		s += t.peek()
	}
	return s
}

func escaped(p *[]int, a []int) (s int) {
	var out []int
	for _, v := range a { // want: stopped
		if v > 0 {
			out = append(out, v)
		}
		*p = out
		s += (*p)[0]
	}
	return s
}

func popped(a []int) (s int) {
	var stack []int
	for _, v := range a { // want: stopped
		if v > 0 {
			stack = append(stack, v)
		} else {
			stack = stack[:len(stack)-1]
		}
		s += len(stack)
	}
	return s
}

func filteredMap(m map[int]int) (out []int) {
	for _, v := range m { // want: stopped | range over a map
		if v > 0 {
			out = append(out, v)
		}
	}
	return out
}

func scatteredAndRead(h, at []int) (s int) {
	for _, v := range at { // want: stopped | scattered store
		h[v] = s
		s += h[v/2]
	}
	return s
}

func movesItsBound(p *list, a []int) (s int) {
	for i := 0; i < p.n; i++ { // want: stopped
		s += a[i]
		a[i/2] = p.n
		*(&p.n) = a[i]
	}
	return s
}

func chased(next []int, at int) (n int) {
	for i := 0; i < 10; i++ { // want: stopped | load at an address of the state
		at = next[at]
	}
	return at
}

func truncated(a []float64) (s float64) {
	for _, v := range a { // want: stopped | float to integer of the state
		s = float64(int(s)) + v
	}
	return s
}

func forever() {
	n := 1
	for { // want: stopped | endless loop
		n *= 3
	}
}

func effect(a []int, f func(int) int) (s int) {
	for _, v := range a { // want: stopped | unknown call
		s += f(v)
	}
	return s
}

var global int

func writes(x int) int {
	global += x
	return x
}

func calledWithEffect(a []int) (s int) {
	for _, v := range a { // want: stopped | unknown call
		s += writes(v)
	}
	return s
}

func linked(p *node) (s int) {
	for ; p != nil; p = p.next { // want: stopped | type of the state
		s += p.value
	}
	return s
}

type node struct {
	value int
	next  *node
}

func generic[T int | float64](a []T) (s T) {
	for _, v := range a { // want: reduction counted | sum, under reassoc
		s += v
	}
	return s
}

func gotos(n int) (s int) {
	i := 0
again:
	if i < n { // want: reduction counted | sum
		s += i
		i++
		goto again
	}
	return s
}

func fnv(a []byte) (h uint32) {
	for _, v := range a { // want: refused counted
		h = (h ^ uint32(v)) * 16777619
	}
	return h
}

func readBack(a, b []int) (s int) {
	for i, v := range a { // want: stopped | store beside the reduction
		b[i] = v
		s += b[i]
	}
	return s
}

func overlapping(a []int) (s int) {
	b := a[1:]
	for i := range b { // want: stopped | store beside the reduction
		b[i] = s
		s += a[i]
	}
	return s
}

func oneElement(a []int, b *[4]int) (s int) {
	for i, v := range a { // want: stopped | store beside the reduction
		s += b[i&3] + v
		b[i&3] = v
	}
	return s
}

func structs(p []pair) (s int) {
	for i := range p { // want: stopped | store beside the reduction
		q := p[len(p)-1-i]
		s += q.x
		p[i].x = q.y
	}
	return s
}

func peek(a []int, i int) int { return a[i] }

func readsThroughCall(a, b []int) (s int) {
	for i := range a { // want: stopped | store beside the reduction
		s += peek(a, i)
		b[i] = s
	}
	return s
}

func bytesToString(a []byte, b []byte) (n int) {
	for i := range a { // want: stopped
		b[i] = 'x'
		if string(a) == "x" {
			n++
		}
	}
	return n
}

type buffer struct{ words []int }

func (b *buffer) throughField() (s int) {
	for i := range b.words[1:] { // want: stopped | store beside the reduction
		b.words[i+1] = 2 * s
		s += b.words[i]
	}
	return s
}

func wholeAndPart(p []pair) (s int) {
	for i, q := range p { // want: stopped | store beside the reduction
		p[0].x = i
		p[len(p)-1-i].y = s
		s += q.x
	}
	return s
}

func numbered(m map[int]int) (s int) {
	i := 0
	for _, v := range m { // want: stopped | range over a map
		s += i * v
		i++
	}
	return s
}

func firstOfMap(m map[int]int) (s int) {
	for k, v := range m { // want: stopped | range over a map
		if k == 7 {
			break
		}
		s += v
	}
	return s
}

func argmaxOfMap(m map[int]int) (at int) {
	best := -1
	for k, v := range m { // want: stopped | range over a map
		if v > best {
			best, at = v, k
		}
	}
	return at
}

func collected(m map[int]int, out []int) (s int) {
	i := 0
	for _, v := range m { // want: stopped | range over a map
		out[i] = v
		i++
		s ^= v
	}
	return s
}

func changed(m map[int]int) (s int) {
	for k, v := range m { // want: stopped | unknown call (delete)
		delete(m, k+1)
		s += v
	}
	return s
}

func written(m map[int]int) (s int) {
	for k, v := range m { // want: stopped | scattered store
		m[k+1] = v
		s += v
	}
	return s
}

type node2 struct {
	sum  int
	next *node2
}

func sameVariable(t *total, u *float64, a []float64) {
	for _, v := range a { // want: reduction counted | under reassoc, noalias
		t.sum += v
		*u += v
	}
}

func elementOfItself(a []int) {
	for _, v := range a { // want: stopped | scalar in memory
		a[0] += v
	}
}

func wholeStruct(t *pair, a []int) (s int) {
	for _, v := range a { // want: stopped | scalar in memory
		u := *t
		s += u.y
		t.x += v
	}
	return s
}

func throughPointer(n *node2, a []int) {
	for _, v := range a { // want: stopped | type of the state
		n.sum += v
		n = n.next
	}
}

func fixedIndex(h *[4]int, i, j int, a []int) {
	for _, v := range a { // want: stopped | scalar in memory
		h[i] += v
		h[j] ^= v
	}
}

func setterOfCounter(t *pair, n int) (s int) {
	for i := 0; i < n; i += t.x { // want: refused state
		s ^= i
		t.y += 1
		t.x = t.x + t.y
	}
	return s
}

func loadedPlain(x *int64) int64 { return atomic.LoadInt64(x) }

func volatile(x *int64) (s int64) {
	for range 10 { // want: stopped | unknown call
		s += loadedPlain(x)
	}
	return s
}

func setX(p *pair) int {
	q := p
	q.x++
	return q.y
}

func callsSetter(p *pair, n int) (s int) {
	for range n { // want: stopped | unknown call
		s += setX(p)
	}
	return s
}

func swapped(p pair) *pair { return &pair{p.y, p.x} }

func addresses(p pair, n int) (s int) {
	for range n { // want: stopped | unknown call
		if swapped(p) == swapped(p) {
			s++
		}
	}
	return s
}

func first(m map[int]int) int {
	for k := range m {
		return k
	}
	return 0
}

func drawsFromMap(m map[int]int, n int) (s int) {
	for range n { // want: stopped | unknown call
		s += first(m)
	}
	return s
}

func fibonacci(n int) int {
	if n < 2 {
		return n
	}
	return fibonacci(n-1) + fibonacci(n-2)
}

func recursive(a []int) (s int) {
	for _, v := range a { // want: stopped | unknown call
		s += fibonacci(v)
	}
	return s
}

func guardedCall(f func() int) (n int) {
	defer func() { recover() }()
	return f()
}

func recovers(n int, f func() int) (s int) {
	for range n { // want: stopped | unknown call
		s += guardedCall(f)
	}
	return s
}

func step(x, v int) int {
	if v < 0 {
		return x
	}
	return x*x + v
}

func squares(a []int) (s int) {
	for _, v := range a { // want: refused counted
		s = step(s, v)
	}
	return s
}

// Of the loops around these nothing may be said: they are not read, and only the inner ones are reported.

func innerOfState(a [][]int) (s int) {
	for _, row := range a {
		for _, v := range row { // want: reduction counted | sum
			s += v
		}
		s ^= 1
	}
	return s
}

func innerBound(a []int) (s int) {
	for _, v := range a {
		t := 0
		for i := 0; i < s; i++ { // want: counted
			t ^= i * v
		}
		s += t
	}
	return s
}

func innerStores(a [][]int, b []int) (s int) {
	for i, row := range a {
		t := 0
		for j, v := range row { // want: counted | under noalias
			t += v
			b[j] = t
		}
		s += t + b[i]
	}
	return s
}

func innerLeaves(a [][]int) (s int) {
	for _, row := range a {
		t := 0
		for _, v := range row { // want: input
			if v < 0 {
				return s
			}
			t += v
		}
		s += t
	}
	return s
}

func innerOverMap(a []map[int]int) (s int) {
	for _, m := range a {
		last := 0
		for k, v := range m { // want: stopped | range over a map
			last = last*k + v
		}
		s += last
	}
	return s
}

func innerReadsMemory(t *pair, a [][]int) {
	for _, row := range a {
		n := 0
		for _, v := range row { // want: counted
			n += v * t.x
		}
		t.x += n
	}
}

func innerCalls(t *pair, a [][]int) {
	for _, row := range a {
		n := 0
		for _, v := range row { // want: counted
			n += v * sumOf(t)
		}
		t.x += n
	}
}

func sumOf(t *pair) int { return t.x + t.y }

func complexQuotient(a []complex128) complex128 {
	q := complex128(1)
	for _, v := range a { // want: stopped | type of the state (complex division)
		q /= v
	}
	return q
}

func complexInputQuotient(a []complex128) (s complex128) {
	for i, v := range a { // want: reduction counted | sum
		s += v / complex(float64(i), 1)
	}
	return s
}

// A float product rounds to the type of its operands: this one is not (x0*y0 - x1*y1) in float32.
func narrowProduct(a []complex64) complex64 {
	p := complex64(1)
	for _, v := range a { // want: refused
		p *= v
	}
	return p
}

// Keys that differ may have the same real part: then the last of them counts.
func complexKeys(m map[complex128]int) (n int) {
	for k, v := range m { // want: stopped | range over a map
		if real(k) == 1 {
			n = v
		}
	}
	return n
}

func structEscapes(a []int, keep func(*span)) (s int) {
	for i, v := range a { // want: stopped | unknown call | allocation
		p := span{v, i}
		keep(&p)
		s += p.from
	}
	return s
}

func structInInnerLoop(a []int) (s int) {
	for i := range a { // its inner loop stores: it is not read
		p := span{i, 0}
		for j := range 3 { // want: reduction counted | p.to, p.from
			p.to += j
			p.from++
		}
		s += p.to
	}
	return s
}

func overFunction(each func(yield func(int) bool)) (s int) {
	for v := range each { // want: reduction counted | by sum | it ranges over a function
		s += v
	}
	return s
}

func overFunctionAround(each func(yield func([]int) bool)) (s int) {
	for row := range each {
		for _, v := range row { // want: reduction counted | sum
			s += v
		}
	}
	return s
}

type number interface{ int | float64 }

func genericMemory[T number](a []T, at *struct{ sum T }) {
	for _, v := range a { // want: reduction counted | under noalias, reassoc
		at.sum += v
	}
}

func complexMemory(a []complex128, at *struct{ sum complex128 }) {
	for _, v := range a { // want: stopped | type of the state
		at.sum += v
	}
}

// endless ends where v becomes 1. It never does for 0.
func endless(v int) (n int) {
	for v != 1 { // want: refused state
		v = v / 2 * 3
		n++
	}
	return n
}

func callsEndless(a, b []int) (t int) {
	for i, v := range a { // want: reduction counted | a step may panic: bounds | not known to end: endless
		t += endless(v) + b[i]
	}
	return t
}

// countdown ends: its counter cannot wrap.
func countdown(v int) (n int) {
	for i := v; i > 0; i-- { // want: reduction counted
		n += i & 3
	}
	return n
}

func callsCountdown(a []int) (t int) {
	for _, v := range a { // want: reduction counted | without: known to end
		t += countdown(v)
	}
	return t
}

func readsWhileHolds(a, b []int) bool {
	ok := true
	for i := range a { // want: reduction counted | panic elsewhere than the loop: bounds of b[i]
		if ok && b[i] == 0 {
			ok = false
		}
	}
	return ok
}

func positive(v int) int {
	if v < 0 {
		panic("negative")
	}
	return v
}

func callsPanic(a []int) (t int) {
	for _, v := range a { // want: reduction counted | a step may panic: panic | without: elsewhere
		t += positive(v)
	}
	return t
}

func panicsItself(a []int) (t int) {
	for _, v := range a { // want: reduction input | a step may panic: panic | elsewhere than the loop: panic
		if v < 0 {
			panic("negative")
		}
		t += v
	}
	return t
}

func innerEndless(a []int) (t int) {
	for _, v := range a { // want: reduction counted | not known to end: an inner loop
		for v > 1 { // want: state
			v = v/2 + v%2*3
		}
		t += v
	}
	return t
}

func toSentinel(a []int) (t int) {
	for i := 0; a[i] != 0; i++ { // want: reduction input | elsewhere than the loop: bounds of a[i]
		t += a[i]
	}
	return t
}

func unhashable(m map[any]int, a []any) (t int) {
	for _, v := range a { // want: reduction counted | a step may panic: map key
		t += m[v]
	}
	return t
}

func incomparable(a []any, x any) (t int) {
	for _, v := range a { // want: reduction counted | a step may panic: comparison
		if v == x {
			t++
		}
	}
	return t
}

func nilArray(p *[4]int) (t int) {
	for i := range p { // want: reduction counted | a step may panic: nil
		t += p[i]
	}
	return t
}

func inArray(p [4]int) (t int) {
	for i := range p { // want: reduction counted | without: panic
		t += p[i]
	}
	return t
}

type keeper struct{ keep, other *int }

// The field keep points to s itself.
func keptInField(k *keeper, a []int) (s int) {
	k.keep = &s
	for _, v := range a { // want: stopped | scalar in memory
		s += v
		s += *k.keep
	}
	return s
}

func keptInSlice(a []int) (s int) {
	all := []*int{&s}
	for i, v := range a { // want: stopped | scalar in memory
		s += v
		s += *all[i%len(all)]
	}
	return s
}

func keptInMap(m map[int]*int, a []int) (s int) {
	m[0] = &s
	for _, v := range a { // want: stopped | scalar in memory
		s += v + *m[v]
	}
	return s
}

type buffers struct {
	in, out []int
	n       int
}

func shiftedField(x *buffers) (s int) {
	x.out = x.in[1:]
	for i := 0; i+1 < len(x.in); i++ { // want: stopped | store beside the reduction
		s += x.in[i]
		x.out[i] = s
	}
	return s
}

func fieldsApart(x *buffers) (s int) {
	for i := 0; i < len(x.in); i++ { // want: reduction counted | under noalias
		s += x.in[i]
		x.out[i] = s
	}
	return s
}

func eitherSlice(a, b []int, same bool) (s int) {
	out := b
	if same {
		out = a[1:]
	}
	for i := 0; i+1 < len(a); i++ { // want: stopped | store beside the reduction
		s += a[i]
		out[i] = s
	}
	return s
}

func freshSlice(a []int) (out []int, s int) {
	out = make([]int, len(a))
	for i, v := range a { // want: reduction counted | a scan by sum: | without: noalias
		s += v
		out[i] = s
	}
	return out, s
}

// Later steps would see what was published, but nothing is loaded from there.
func freshButKnown(x *buffers, a []int) (s int) {
	out := make([]int, len(a))
	x.out = out
	for i, v := range a { // want: reduction counted | without: noalias
		s += v
		out[i] = s
	}
	return s
}

func freshAndLoaded(x *buffers, n int) (s int) {
	out := make([]int, n)
	x.out = out
	for i := 0; i+1 < n; i++ { // want: stopped | store beside the reduction
		s += x.out[i]
		out[i+1] = s
	}
	return s
}

type sample struct{ x, sum int }

func fieldsOfElement(a []sample) (s int) {
	for i := range a { // want: reduction counted | without: noalias
		s += a[i].x
		a[i].sum = s
	}
	return s
}

func fieldsOfOtherElements(a, b []sample) (s int) {
	for i := range a { // want: reduction counted | without: noalias
		s += a[i].x
		b[i].sum = s
	}
	return s
}

func localStruct(a []int) int {
	var t sample
	for _, v := range a { // want: reduction counted | without: noalias
		t.x += v
		t.sum += v * v
	}
	return t.x + t.sum
}

func sumAndLargest(a []int) (s, most int) {
	count := func() {
		for _, v := range a { // want: reduction counted | without: noalias
			s += v
			most = max(most, v)
		}
	}
	count()
	return s, most
}

func identityOf(p *int) *int { return p }

func throughCall(a []int) (s int) {
	q := identityOf(&s)
	for _, v := range a { // want: reduction counted | under noalias
		s += v
		s += *q
	}
	return s
}

func swappedRows(n, rounds int) (s int) {
	cur, next := make([]int, n), make([]int, n)
	for range rounds {
		for i := range cur { // want: reduction counted | under noalias
			s += cur[i]
			next[i] = s
		}
		cur, next = next, cur
	}
	return s
}

func swappedToOne(n, rounds int) (s int) {
	cur, next := make([]int, n), make([]int, n)
	for range rounds {
		for i := 0; i+1 < n; i++ { // want: stopped | store beside the reduction
			s += cur[i]
			next[i+1] = s
		}
		cur = next
	}
	return s
}

// A list points to what no finite set of names has.
func relinks(p *node2, a []int) (s int) {
	for q := p; q.next != nil; q = q.next { // want: stopped
		q.next = &node2{next: q.next.next}
	}
	for i := range a { // want: stopped | scalar in memory
		p.next.next.next.next.sum += p.next.next.next.sum
		s += a[i]
	}
	return s
}

// What was lost when p was rounded is no zero.
func lostOfProduct(a []float64, x float64) (s, lost float64) {
	for _, v := range a { // want: stopped | call on the state
		p := s * x
		lost += math.FMA(-x, s, p)
		s = p + v
	}
	return s, lost
}

func restOf(x, y, p float64) float64 { return math.FMA(x, y, -p) }

func lostElsewhere(a []float64, x float64) (s, lost float64) {
	for _, v := range a { // want: stopped | call on the state
		p := s * x
		lost += restOf(s, x, p)
		s = p + v
	}
	return s, lost
}
