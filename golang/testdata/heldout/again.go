package heldout

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"
	"sync"
)

type meter struct {
	sum  int
	peak int
	log  func(int)
	next *meter
}

func (m *meter) add(v int) { m.sum += v }

func (m meter) total() int { return m.sum }

type rect struct{ x0, y0, x1, y1 int }

func (r rect) union(s rect) rect {
	return rect{min(r.x0, s.x0), min(r.y0, s.y0), max(r.x1, s.x1), max(r.y1, s.y1)}
}

func (p point) plus(q point) point { return point{p.x + q.x, p.y + q.y} }

// Traps: what may not be claimed of them.

func aliasInCopy(a []int) (s int) {
	w := struct{ p *int }{&s}
	v := w
	for _, x := range a { // want: stopped | no fix
		s += x
		s ^= *v.p
	}
	return s
}

func aliasByTurns(a []int) (s, t int) {
	ps := [2]*int{&s, &t}
	for i, v := range a { // want: stopped | no fix
		s += v
		t += *ps[i&1]
	}
	return s, t
}

func boundMethod(a []int) int {
	m := &meter{}
	f := m.add
	for _, v := range a { // want: stopped | no fix
		m.sum = max(m.sum, v)
		f(v)
	}
	return m.sum
}

func boundCopy(a []int) (s int) {
	m := meter{}
	f := m.total          // of the meter as it is now
	for _, v := range a { // want: stopped | no fix
		m.sum += v
		s += f()
	}
	return s + m.sum
}

func recoversPartly(a, b []int) (s int) {
	defer func() {
		if recover() != nil {
			s = -s
		}
	}()
	for _, v := range a { // want: bounds | no fix
		s += b[v]
	}
	return s
}

func waitsFor(v int, c chan int) int {
	if v == 0 {
		select {}
	}
	return v
}

func waits(a, b []int, c chan int) (s int) {
	for i, v := range a { // want: not known to end | no fix
		s += waitsFor(v, c) + b[i]
	}
	return s
}

func leavesOuter(rows [][]int) (s, full int) {
outer:
	for _, row := range rows { // want: nothing
		for _, v := range row { // want: answered | search | by sum
			if v < 0 {
				continue outer
			}
			s += v
		}
		full++
	}
	return s, full
}

func growsItself(m map[int]int) (s int) {
	for k, v := range m { // want: no fix | without: commutative
		m[k+1000] = v
		s += v
	}
	return s
}

func countsLess(m map[int]int) (n int) {
	for k := range m { // want: nothing
		delete(m, k+1)
		n++
	}
	return n
}

func cutState(a []int64) (s int64) {
	for _, v := range a { // want: no fix | without: by sum
		s = int64(int32(s)) + v
	}
	return s
}

func halfKept(a []uint32) (s uint16) {
	for _, v := range a { // want: reduction counted | commutative
		s += uint16(v)
	}
	return s
}

func floatKeys(a []float64) map[float64]int {
	m := map[float64]int{}
	for _, v := range a { // want: nothing
		m[v]++
	}
	return m
}

func floatKeysSeen(a []float64) (n int) {
	m := map[float64]bool{}
	for _, v := range a { // want: no fix
		if !m[v] {
			n++
		}
		m[v] = true
	}
	return n
}

func stranger[T ~string | ~float64 | ~int](a []T) (s T) {
	for _, v := range a { // want: no fix | without: commutative
		s += v
	}
	return s
}

type sized interface {
	~int | ~string
	size() int
}

func sizes[T sized](a []T) (n int) {
	for _, v := range a { // want: stopped | unknown call | no fix
		n += v.size()
	}
	return n
}

func ofSmall[T ~uint8 | ~int64](a []T) (s T) {
	for _, v := range a { // want: without: by sum | no fix
		s = (s + v) / 2
	}
	return s
}

func doublesBetween(a []int) (s int) {
	seq := func(yield func(int) bool) {
		for _, v := range a {
			s *= 2
			if !yield(v) {
				return
			}
		}
	}
	for v := range seq { // want: without: by sum | no fix
		s += v
	}
	return s
}

func untilNegative(seq iter.Seq[int]) (s int) {
	for v := range seq { // want: answered | by sum | no fix
		if v < 0 {
			break
		}
		s += v
	}
	return s
}

func signOfZero(a []float64) float64 {
	s := math.Copysign(0, -1)
	for _, v := range a { // want: by sum | reassoc
		s += v
	}
	return s
}

func mixedBounds(a []float64) (lo, hi float64) {
	// expected: without: min and max
	for _, v := range a { // want: no fix | its own operator | without: nnan
		lo = min(lo, v)
		if v > hi || hi != hi {
			hi = v
		}
	}
	return lo, hi
}

func ownFloat(a []int) int {
	type float64 int
	var s float64
	for _, v := range a { // want: by sum | commutative | without: reassoc
		s += float64(v)
	}
	return int(s)
}

type noMath struct{ calls int }

func (n *noMath) Abs(v float64) float64 { n.calls++; return v }

func ownMath(a []float64) (s float64) {
	math := &noMath{}
	for _, v := range a { // want: stopped | no fix
		s = max(s, math.Abs(v))
	}
	return s + float64(math.calls)
}

func rowsOverlap(rows [][]int) (s int) {
	for i := range rows { // want: no fix
		s += rows[i][1]
		rows[i][0] = s
	}
	return s
}

func bestIsLowered(ms []meter) *meter {
	best := &ms[0]
	for i := range ms { // want: no fix | without: argmax
		if ms[i].peak > best.peak {
			best = &ms[i]
		}
		ms[i].peak /= 2
	}
	return best
}

func longestIsMarked(rows [][]int) (longest []int, s int) {
	for _, row := range rows { // want: no fix
		if len(row) > len(longest) {
			longest = row
		}
		longest[0] = 1
		s += row[0]
	}
	return longest, s
}

func loggedMeter(m *meter, a []int) {
	m.log = func(v int) { m.sum -= v }
	for _, v := range a { // want: stopped | no fix
		m.sum += v
		m.log(v)
	}
}

func joinedErrors(fs []func() error) (err error) {
	for _, f := range fs { // want: stopped | no fix
		err = errors.Join(err, f())
	}
	return err
}

func guardedBy(mu *sync.Mutex, shared *int, a []int) (s int) {
	for _, v := range a { // want: stopped | no fix
		mu.Lock()
		s += v * *shared
		mu.Unlock()
	}
	return s
}

func keepsCounters(n int) (s int) {
	var ps []*int
	for i := 0; i < n; i++ { // want: no fix
		ps = append(ps, &i)
		*ps[len(ps)-1] += s & 1
		s += i
	}
	return s
}

func walksMeters(m *meter) (s int) {
	// expected: by sum
	for ; m != nil; m = m.next { // want: stopped | type of the state
		s += m.sum
	}
	return s
}

func innerOfState(rows [][]int) (s int) {
	for _, row := range rows { // want: nothing
		t := s
		for _, v := range row { // want: answered
			t ^= v
		}
		s += t
	}
	return s
}

func innerUpToState(rows [][]int) (n int) {
	for _, row := range rows { // want: nothing
		hits := 0
		for i := 0; i < n && i < len(row); i++ { // want: answered
			hits += row[i]
		}
		n += hits
	}
	return n
}

func innerReadsCell(t *meter, rows [][]int) {
	for _, row := range rows { // want: nothing
		k := 0
		for _, v := range row { // want: answered
			k += v * t.sum
		}
		t.sum += k
	}
}

func wholeReset(t *meter, a []int) {
	for _, v := range a { // want: no fix | without: by sum
		t.sum += v
		if v == 0 {
			*t = meter{}
		}
	}
}

func wholeRead(t *meter, a []int) (last meter) {
	for _, v := range a { // want: no fix
		t.sum += v
		last = *t
	}
	return last
}

func throughInterface(x any, a []int) (s int) {
	m := x.(*meter)
	for _, v := range a { // want: without: commutative | no fix
		m.sum += v
		s += x.(*meter).sum
	}
	return s
}

func throughPair(m *meter, a []int) (s int) {
	all := [2]*meter{m, m.next}
	for i, v := range a { // want: without: commutative | no fix
		all[i&1].sum += v
		s += m.sum
	}
	return s
}

func nilMeter(t *meter, a []int) {
	for _, v := range a { // want: reduction counted | by sum
		t.sum += v
	}
}

func cutCount(n int, a []int) (s int) {
	for i := uint8(0); int(i) < n; i++ { // want: no fix
		s += a[i]
	}
	return s
}

func wrapsToEnd(a [256]int) (s int) {
	for i := int8(0); i >= 0; i++ { // want: answered | no fix
		s += a[i]
	}
	return s
}

func loweredIndex(a []uint32) (at uint8) {
	var best uint32
	for i, v := range a { // want: reduction counted | argmax
		if v > best {
			best, at = v, uint8(i)
		}
	}
	return at
}

func roundTrip(a []float64) (s int) {
	for _, v := range a { // want: no fix | without: by sum
		s = int(float64(s) + v)
	}
	return s
}

func smallStep(a []int64) (s float32) {
	for _, v := range a { // want: by sum | under reassoc
		s += float32(v)
	}
	return s
}

func largestOrZero(a []float64) (best float64) {
	best = math.Copysign(0, -1)
	for _, v := range a { // want: reduction counted | by max | without: nsz
		best = max(best, v, 0)
	}
	return best
}

func leastStrict(a []float64) float64 {
	least := math.NaN()
	for _, v := range a { // want: no fix
		if !(v >= least) {
			least = v
		}
	}
	return least
}

func lastNaN(a []float64) (at int) {
	for i, v := range a { // want: answered | segmented
		if v != v {
			at = i
		}
	}
	return at
}

func keysOfNaN(m map[float64]int) (s int) {
	for k := range m { // want: by sum | commutative
		s += m[k]
	}
	return s
}

func pulls(seq iter.Seq[int]) (s int) {
	next, stop := iter.Pull(seq)
	defer stop()
	for v, ok := next(); ok; v, ok = next() { // want: stopped | no fix
		s += v
	}
	return s
}

func tableOf(seq iter.Seq2[int, int]) (s int, err error) {
	for k, v := range seq { // want: no fix
		defer func() { s += k }()
		s += v
	}
	return s, nil
}

func spread2[K comparable, V ~int8 | ~float32](m map[K]V) (s V) {
	for _, v := range m { // want: by sum | under reassoc | no fix
		s += v
	}
	return s
}

func shiftedOut(a []uint) (s uint8) {
	s = 0xff
	// expected: no fix
	for _, v := range a { // want: by product | fix | without: by sum
		s <<= v
	}
	return s
}

func dividedDown(a []uint8) (s uint8) {
	s = 255
	for _, v := range a { // want: no fix
		s /= v
	}
	return s
}

func lockedOut(v int, mu sync.Locker) int {
	if v == 0 {
		mu.Lock()
		panic("zero")
	}
	return v
}

func locksOut(a, b []int, mu sync.Locker) (s int) {
	for i, v := range a { // want: not known to end | no fix
		s += lockedOut(v, mu) + b[i]
	}
	return s
}

// Programs: what should be read.

func bounds(rs []rect) rect {
	all := rs[0]
	for _, r := range rs[1:] { // want: reduction counted | by min and max | commutative
		all = all.union(r)
	}
	return all
}

func middle(ps []point) (c point) {
	for _, p := range ps { // want: reduction counted | by sum | under reassoc
		c = c.plus(p)
	}
	return c
}

func vowels(text string) (n int) {
	for _, r := range text { // want: reduction counted | by sum
		if strings.ContainsRune("aeiou", r) {
			n++
		}
	}
	return n
}

func sameEverywhere(a, b []string) bool {
	for i := range a { // want: search
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func bitmap(flags []bool) (m uint64) {
	for _, f := range flags { // want: answered | affine
		m <<= 1
		if f {
			m |= 1
		}
	}
	return m
}

func lastPositive(a []int) (at int, ok bool) {
	for i, v := range a { // want: reduction counted | fix
		if v > 0 {
			at, ok = i, true
		}
	}
	return at, ok
}

func widest(names map[string]string) (w int) {
	for k, v := range names { // want: reduction counted | max
		w = max(w, len(k)+len(v))
	}
	return w
}

func mean(a []float32) float32 {
	var s float64
	for _, v := range a { // want: reduction counted | by sum | reassoc
		s += float64(v)
	}
	return float32(s / float64(len(a)))
}

func paddings(fields []fmt.Stringer) (n int) {
	//rfactor:pure
	for _, f := range fields { // want: reduction counted | pure
		n += len(f.String())
	}
	return n
}
