// Package adversarial has loops that look like plain reductions, with what may be said of them, and whether they may be replaced.
//
//	// want: WORDS | without: WORDS | fix | no fix
//	// want: nothing
package adversarial

import (
	"math"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Defers, goroutines, channels.

func deferred(a []int) (s int) {
	for _, v := range a { // want: stopped | no fix
		defer func() { s += v }()
		s ^= v
	}
	return s
}

func deferredBefore(a []int) (s int) {
	defer func() { s *= 2 }()
	for _, v := range a { // want: no fix
		s += v
	}
	return s
}

func recoveredResult(a []int, b []int) (s int) {
	defer func() { recover() }()
	for i, v := range a { // want: no fix
		s += v * b[i]
	}
	return s
}

func spawned(a []int, c chan int) (s int) {
	for _, v := range a { // want: stopped | no fix
		go func() { c <- v }()
		s += v
	}
	return s
}

func sent(a []int, c chan<- int) (s int) {
	for _, v := range a { // want: stopped | channel | no fix
		s += v
		c <- s
	}
	return s
}

func got(n int, c <-chan int) (s int) {
	for range n { // want: stopped | channel | no fix
		s += <-c
	}
	return s
}

func chosen(n int, c, d <-chan int) (s int) {
	for range n { // want: stopped | no fix
		select {
		case v := <-c:
			s += v
		case v := <-d:
			s -= v
		}
	}
	return s
}

func locked(a []int, m *sync.Mutex) (s int) {
	for _, v := range a { // want: stopped | no fix
		m.Lock()
		s += v
		m.Unlock()
	}
	return s
}

func atomicLoad(a []int, p *int64) (s int64) {
	for range a { // want: stopped | no fix
		s += atomic.LoadInt64(p)
	}
	return s
}

func atomicTyped(a []int, p *atomic.Int64) (s int64) {
	for range a { // want: stopped | no fix
		s ^= p.Load()
	}
	return s
}

func waiting(a []int, w *sync.WaitGroup) (s int) {
	for _, v := range a { // want: stopped | no fix
		w.Wait()
		s += v
	}
	return s
}

func closes(a []chan int) (s int) {
	for _, c := range a { // want: stopped | no fix
		close(c)
		s++
		s ^= 1
	}
	return s
}

func lengthOfChannel(a []chan int) (s int) {
	for _, c := range a { // want: stopped | channel | no fix
		s += len(c)
	}
	return s
}

func capOfChannel(c chan int, n int) (s int) {
	for i := range n { // want: stopped | channel | no fix
		s += cap(c) * i
	}
	return s
}

// Closures.

func throughClosure(a []int) (s int) {
	f := func(v int) int { s++; return v }
	for _, v := range a { // want: stopped | no fix
		s += f(v)
	}
	return s
}

func ofParameter(a []int, f func(int) int) (s int) {
	for _, v := range a { // want: stopped | unknown call | no fix
		s += f(v)
	}
	return s
}

func seenByClosure(a []int, show func(func() int)) (s int) {
	show(func() int { return s })
	for _, v := range a { // want: no fix
		s += v
	}
	return s
}

func closureKeepsCounter(a []int) (s int, fs []func() int) {
	for i, v := range a { // want: stopped | no fix
		fs = append(fs, func() int { return i + v })
		s += v
	}
	return s, fs
}

func calledAtOnce(a []int) (s int) {
	for _, v := range a { // want: nothing
		func() { s += v }()
	}
	return s
}

type counter interface{ Count() int }

func ofInterface(a []counter) (s int) {
	for _, v := range a { // want: stopped | unknown call | no fix
		s += v.Count()
	}
	return s
}

func overFunction(seq func(func(int) bool)) (s int) {
	for v := range seq { // want: reduction counted | by sum | it ranges over a function | no fix
		s += v
	}
	return s
}

// Labels, gotos, exits.

func labelled(a [][]int) (s int) {
outer:
	for _, row := range a {
		for _, v := range row { // want: no fix
			if v < 0 {
				continue outer
			}
			s += v
		}
	}
	return s
}

func leavesBoth(a [][]int) (s int) {
outer:
	for _, row := range a {
		for _, v := range row { // want: no fix
			if v < 0 {
				break outer
			}
			s += v
		}
	}
	return s
}

func jumped(a []int) (s int) {
	i := 0
again:
	if i < len(a) { // want: no fix
		s += a[i]
		i++
		goto again
	}
	return s
}

func broken(a []int) (s int) {
	for _, v := range a { // want: reduction input | a search | no fix
		if v == 0 {
			break
		}
		s += v
	}
	return s
}

func brokenByState(a []int) (s int) {
	for _, v := range a { // want: reduction state | a search along | no fix
		s += v
		if s > 100 {
			break
		}
	}
	return s
}

func returned(a []int) (s int) {
	for _, v := range a { // want: input | no fix
		if v == 0 {
			return -1
		}
		s += v
	}
	return s
}

func exits(a []int, b []int) (s int) {
	for i, v := range a { // want: input | may panic: bounds | elsewhere than the loop: bounds of b[i] | no fix
		if v == 0 {
			break
		}
		s += b[i]
	}
	return s
}

func counterLives(a []int) (s, i int) {
	for i = 0; i < len(a); i++ { // want: fix
		s += a[i]
	}
	return s, i
}

func lastElement(a []int) (s, last int) {
	for _, v := range a { // want: reduction
		s += v
		last = v
	}
	return s, last
}

// Overflow of indices and counters.

func wraps(n uint8, a *[256]int) (s int) {
	for i := uint8(0); i < n; i += 3 { // want: no fix
		s += a[i]
	}
	return s
}

func wrapsAround(n int32) (s int32) {
	for i := int32(0); i >= 0; i += n { // want: no fix
		s ^= i
	}
	return s
}

func up(a []int) (s int) {
	for i := 0; i <= len(a)-1; i++ { // want: reduction
		s += a[i]
	}
	return s
}

func down(a []int) (s int) {
	for i := len(a) - 1; i >= 0; i-- { // want: reduction
		s = s*31 + a[i]
	}
	return s
}

func overflows(a []int32) (s int32) {
	for _, v := range a { // want: reduction counted | sum: s | without: nsw
		s += v
	}
	return s
}

func averages(a []int8) (s int8) {
	for _, v := range a { // want: refused | no fix
		s = (s + v) / 2
	}
	return s
}

func saturates(a []uint8) (s uint8) {
	for _, v := range a {
		if s > 255-v { // a saturating sum
			s = 255
		} else {
			s += v
		}
	}
	return s
}

func subtracts(a []int) (s int) {
	for _, v := range a { // want: lift | no fix
		s = v - s - s
	}
	return s
}

func clampsAround(a []int32) (s int32) {
	for _, v := range a { // want: no fix
		s = max(min(s+v, 100), -100)
	}
	return s
}

func shiftsOut(a []uint, n uint) (s uint) {
	for _, v := range a { // want: no fix
		s = s<<n | v
	}
	return s
}

func movesIndex(a []int) (s int) {
	for i := 0; i < len(a); i++ { // want: no fix
		s += a[i]
		if a[i] == 0 {
			i++
		}
	}
	return s
}

func boundMoves(a []int) (s int) {
	n := len(a)
	for i := 0; i < n; i++ { // want: no fix
		s += a[i]
		if a[i] == 0 {
			n--
		}
	}
	return s
}

func boundInMemory(a []int, n *int) (s int) {
	for i := 0; i < *n; i++ { // want: under noalias | no fix
		s += a[i]
		*n = a[i]
	}
	return s
}

// Floats.

func sumOfFloats(a []float64) (s float64) {
	for _, v := range a { // want: under reassoc | no fix
		s += v
	}
	return s
}

func largestByComparison(a []float64) (m float64) {
	for _, v := range a { // want: under nsz | no fix
		if v > m {
			m = v
		}
	}
	return m
}

func largestBuiltin(a []float64) (m float64) {
	for _, v := range a { // want: reduction counted | without: nnan | fix
		m = max(m, v)
	}
	return m
}

func largestOfLibrary(a []float64) (m float64) {
	for _, v := range a { // want: reduction counted
		m = math.Max(m, v)
	}
	return m
}

func nanCounts(a []float64) (n int) {
	for _, v := range a { // want: reduction counted | without: nnan | fix
		if v != v {
			n++
		}
	}
	return n
}

func anyNaN(a []float64) (found bool) {
	for _, v := range a { // want: reduction counted | without: nnan
		found = found || v != v
	}
	return found
}

func compensated(a []float64) (s float64) {
	c := 0.0
	for _, v := range a { // want: refused | compensation | no fix
		y := v - c
		t := s + y
		c = (t - s) - y
		s = t
	}
	return s
}

func dotted(a, b []float64) (s float64) {
	for i, v := range a { // want: reassoc | contract | no fix
		s += v * b[i]
	}
	return s
}

func squeezed(a []float64) (s float32) {
	for _, v := range a { // want: no fix
		s = float32(float64(s) + v)
	}
	return s
}

func floatCounter(n float64) (s int) {
	for x := 0.0; x < n; x += 0.1 { // want: no fix
		s ^= int(x)
	}
	return s
}

func truncates(a []float64) (s int) {
	for _, v := range a { // want: stopped | float to integer | no fix
		s = int(float64(s) + v)
	}
	return s
}

func productOfFloats(a []float64) (p float64) {
	p = 1
	for _, v := range a { // want: under reassoc | no fix
		p *= v
	}
	return p
}

func firstLargest(a []float64) (at int) {
	best := math.Inf(-1)
	for i, v := range a { // want: first of equals | without: commutative | no fix
		if v > best {
			best, at = v, i
		}
	}
	return at
}

// Maps.

func writesMap(m map[int]int) (s int) {
	for k, v := range m { // want: stopped | no fix
		s += v
		m[k+1] = v
	}
	return s
}

func deletesFromMap(m map[int]int) (s int) {
	for k, v := range m { // want: stopped | no fix
		s += v
		delete(m, k^1)
	}
	return s
}

func clearsMap(m map[int]int) (s int) {
	for _, v := range m { // want: stopped | no fix
		s += v
		clear(m)
	}
	return s
}

func lastOfMap(m map[int]int) (last int) {
	for _, v := range m { // want: stopped | range over a map | no fix
		last = v
	}
	return last
}

func firstOfMap(m map[int]int) (first int) {
	for k := range m { // want: nothing
		first = k
		break
	}
	return first
}

func hashOfMap(m map[int]int) (h int) {
	for _, v := range m { // want: stopped | range over a map | no fix
		h = h*31 + v
	}
	return h
}

func sumOfMap(m map[int]float64) (s float64) {
	for _, v := range m { // want: no order changes the result under reassoc | no fix
		s += v
	}
	return s
}

func appendsMap(m map[int]int) (out []int) {
	for k := range m { // want: nothing
		out = append(out, k)
	}
	return out
}

func countsInMap(a []int, m map[int]int) (s int) {
	for _, v := range a { // want: stopped | scattered store | no fix
		m[v]++
		s += m[v]
	}
	return s
}

func argmaxOfMap(m map[string]int) (best string, most int) {
	for k, v := range m { // want: stopped | no fix
		if v > most {
			best, most = k, v
		}
	}
	return best, most
}

// Unsafe.

func punned(a []float64, p *uint64) (s uint64) {
	q := (*float64)(unsafe.Pointer(p))
	for _, v := range a { // want: no fix | without: reduction counted | this loop
		*p += uint64(v)
		*q = v
	}
	return *p
}

func viewed(a []int64) (s int64) {
	b := unsafe.Slice((*int64)(unsafe.Pointer(&s)), 1)
	for _, v := range a { // want: stopped | scalar in memory | no fix
		s += v
		s += b[0]
	}
	return s
}

// Stores.

func storesAhead(a []int) (s int) {
	for i := 0; i+1 < len(a); i++ { // want: stopped | store beside | no fix
		s += a[i]
		a[i+1] = s
	}
	return s
}

func storesBehind(a []int) (s int) {
	for i := 1; i < len(a); i++ { // want: no fix
		s += a[i]
		a[i-1] = s
	}
	return s
}

func storesInPlace(a []int) (s int) {
	for i, v := range a { // want: a scan by sum | stores prefixes | fix
		s += v
		a[i] = s
	}
	return s
}

func storesByValue(a, b []int) (s int) {
	for _, v := range a { // want: no fix
		s += b[v]
		b[v] = s
	}
	return s
}

func swaps(a []int) (s int) {
	for i := 0; i+1 < len(a); i++ { // want: stopped | no fix
		s += a[i]
		a[i], a[i+1] = a[i+1], a[i]
	}
	return s
}

func reslices(a []int) (s int) {
	for len(a) > 0 { // want: no fix
		s += a[0]
		a = a[a[0]&1:]
	}
	return s
}

func inPlaceFilter(a []int) []int {
	out := a[:0]
	for _, v := range a { // want: stopped | compaction | no fix
		if v > 0 {
			out = append(out, v)
		}
	}
	return out
}

func appendsToItself(a []int) (s int) {
	for i := 0; i < 10; i++ { // want: no fix
		a = append(a, s)
		s += a[i]
	}
	return s
}

func copies(a, b []int) (s int) {
	for i := range a { // want: stopped | no fix
		copy(b[i:], a)
		s += b[i]
	}
	return s
}

func printsThem(a []int) (s int) {
	for _, v := range a { // want: stopped | unknown call | no fix
		print(v)
		s += v
	}
	return s
}

func chases(next []int) (s, at int) {
	for range next { // want: stopped | load at an address of the state | no fix
		at = next[at]
		s++
		s ^= at
	}
	return s, at
}

func linked(p *node) (s int) {
	for ; p != nil; p = p.next { // want: no fix
		s += p.v
	}
	return s
}

type node struct {
	v    int
	next *node
}

func concatenates(a []string) (s string) {
	for _, v := range a { // want: stopped | type of the state | no fix
		s += v
	}
	return s
}

func generic[T int | float64](a []T) (s T) {
	for _, v := range a { // want: reduction counted | by sum | under reassoc | without: identity | no fix
		s += v
	}
	return s
}

func genericQuotient[T int | int8](a []T, d T) (n int) {
	for _, v := range a { // want: may panic: division | no fix
		if v/d > 1 {
			n++
		}
	}
	return n
}

func packageState(a []int) {
	for _, v := range a { // want: reduction | no fix
		total += v
	}
}

var total int

func copiesArray(a [8]int) (s int) {
	for i := range a { // want: reduction counted | without: panic
		s += a[i]
	}
	return s
}

func overPointerToArray(a *[8]int) (s int) {
	for i := range a { // want: reduction counted | may panic: nil
		s += a[i]
	}
	return s
}

func overString(t string) (s int) {
	for i := range t { // want: reduction counted
		s += int(t[i])
	}
	return s
}

// The table is what the loop reads, under another name.
func countsItself(a []int) {
	h := a[:len(a)/2]
	for _, v := range a { // want: nothing
		h[v]++
	}
}

func countsWhatItMayBe(a, h []int) {
	for _, v := range a { // want: a histogram by sum, under noalias | no fix
		h[v]++
	}
}

func countsTwice(a []byte, h []int) {
	for _, v := range a { // want: nothing
		h[v]++
		h[v+1]++
	}
}

func countsMaximum(a []byte, h []int) {
	for i, v := range a { // want: nothing
		h[v] += i - h[0]
	}
}

func searchesWhatOthersWrite(a []*int, c []any, x int) int {
	for i, p := range a { // want: no fix
		if c[i] == nil && *p == x {
			return i
		}
	}
	return -1
}
