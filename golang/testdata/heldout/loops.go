// Package heldout has functions as they stand in programs, with what was expected of each before it was looked at.
//
//	// want: WORDS | without: WORDS | answered | fix | no fix
//	// want: nothing
//
// Where something else is said, the line above has what was expected. That of bestStretch overlooked that int32 wraps, that of sharedField that
// first is an element of rs; the others are what the tool falls short by.
package heldout

import (
	"cmp"
	"errors"
	"iter"
	"math"
	"slices"
)

type point struct{ x, y float64 }

type reading struct {
	sensor string
	value  int
	at     int64
}

type limits struct {
	low, high int
	seen      int
}

func longestWord(words []string) (longest string, letters int) {
	for _, w := range words { // want: reduction counted | letters | no fix
		letters += len(w)
		if len(w) > len(longest) {
			longest = w
		}
	}
	return longest, letters
}

var errNegative = errors.New("negative")

func validate(v int) error {
	if v < 0 {
		return errNegative
	}
	return nil
}

func firstProblem(values []int) (err error) {
	for _, v := range values { // want: reduction counted | validate | idempotent
		if err == nil {
			err = validate(v)
		}
	}
	return err
}

func centroid(ps []point) point {
	var c point
	for _, p := range ps { // want: reduction counted | by sum | under reassoc | c.x, c.y
		c.x += p.x
		c.y += p.y
	}
	return point{c.x / float64(len(ps)), c.y / float64(len(ps))}
}

func limitsOf(rs []reading) limits {
	l := limits{low: math.MaxInt, high: math.MinInt}
	for _, r := range rs { // want: reduction counted | min and max and sum
		l.low = min(l.low, r.value)
		l.high = max(l.high, r.value)
		l.seen++
	}
	return l
}

func add(a, b limits) limits {
	return limits{min(a.low, b.low), max(a.high, b.high), a.seen + b.seen}
}

func merged(ls []limits) limits {
	var all limits
	for _, l := range ls { // want: reduction counted | min and max and sum | commutative
		all = add(all, l)
	}
	return all
}

func hottest(rs []reading) reading {
	top := rs[0]
	for _, r := range rs[1:] { // want: reduction counted | argmax
		if r.value > top.value {
			top = r
		}
	}
	return top
}

func powers(a []int) [3]int {
	var m [3]int
	for _, v := range a { // want: reduction counted | by sum | commutative
		m[0]++
		m[1] += v
		m[2] += v * v
	}
	return m
}

func longestRun(s string) (best int) {
	run := 0
	// expected: answered
	for i := 1; i < len(s); i++ { // want: refused counted | in stages | no fix
		if s[i] == s[i-1] {
			run++
		} else {
			run = 0
		}
		best = max(best, run)
	}
	return best + 1
}

func bestStretch(gains []int32) (best int32) {
	var here int32
	// expected: answered | without: nsw
	for _, g := range gains { // want: refused counted | a lift under nsw | no fix
		here = max(here+g, 0)
		best = max(best, here)
	}
	return best
}

func balanced(s string) bool {
	depth, low := 0, 0
	// expected: answered
	for _, c := range s { // want: refused counted | in stages | no fix
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		}
		low = min(low, depth)
	}
	return depth == 0 && low == 0
}

func polynomial(text string) (h uint64) {
	for i := 0; i < len(text); i++ { // want: lift counted | affine | no fix
		h = h*131 + uint64(text[i])
	}
	return h
}

func fnv(text string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(text); i++ { // want: refused | no fix
		h ^= uint32(text[i])
		h *= 16777619
	}
	return h
}

func spread(a []float64, mean float64) (s float64) {
	for _, v := range a { // want: reduction counted | by sum | reassoc
		d := v - mean
		s += d * d
	}
	return s
}

func matching(rs []reading, keep func(reading) bool) (n int) {
	//rfactor:pure
	for _, r := range rs { // want: reduction counted | by sum | under pure
		if keep(r) {
			n++
		}
	}
	return n
}

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

func total[T integer](a []T) (s T) {
	for _, v := range a { // want: reduction counted | by sum | commutative
		s += v
	}
	return s
}

func largest[T cmp.Ordered](a []T) T {
	m := a[0]
	for _, v := range a { // want: reduction counted | by max
		if v > m {
			m = v
		}
	}
	return m
}

func sumSeq(values iter.Seq[int]) (s int) {
	for v := range values { // want: by sum | commutative | no fix
		s += v
	}
	return s
}

func alternating(a []int) (s int) {
	for i, v := range a { // want: reduction counted | by sum | fix
		if i%2 == 0 {
			s += v
		} else {
			s -= v
		}
	}
	return s
}

func number(digits []byte) (n int) {
	for _, d := range digits { // want: lift counted | affine
		n = n*10 + int(d-'0')
	}
	return n
}

func lastName(rs []reading) (name string) {
	for _, r := range rs { // want: lift counted | name | fix
		if r.sensor != "" {
			name = r.sensor
		}
	}
	return name
}

func alphabeticallyLast(names []string) string {
	last := ""
	for _, n := range names { // want: reduction counted | by max | identity ""
		if n > last {
			last = n
		}
	}
	return last
}

func coldestDay(t []int) (day, least int) {
	least = math.MaxInt
	for i, v := range t { // want: reduction counted | argmin (first of equals) | fix
		if v < least {
			least, day = v, i
		}
	}
	return day, least
}

func majority(a []int) (candidate int) {
	votes := 0
	for _, v := range a { // want: refused | no fix
		switch {
		case votes == 0:
			candidate, votes = v, 1
		case v == candidate:
			votes++
		default:
			votes--
		}
	}
	return candidate
}

func isSorted(a []int) bool {
	for i := 1; i < len(a); i++ { // want: search input
		if a[i] < a[i-1] {
			return false
		}
	}
	return true
}

func running(a []int64) []int64 {
	out := make([]int64, len(a))
	var s int64
	for i, v := range a { // want: reduction counted | a scan | prefixes | without: noalias
		s += v
		out[i] = s
	}
	return out
}

func dot(x, y []float64) (s float64) {
	for i := range x { // want: reduction counted | by sum | reassoc | contract | bounds
		s = math.FMA(x[i], y[i], s)
	}
	return s
}

func newest(rs []*reading) *reading {
	var last *reading
	// expected: reduction counted
	for _, r := range rs { // want: refused counted | no fix
		if last == nil || r.at > last.at {
			last = r
		}
	}
	return last
}

func indexOfLargest(a []int) int {
	best := 0
	for i := range a { // want: reduction counted | argmax (first of equals)
		if a[i] > a[best] {
			best = i
		}
	}
	return best
}

// Traps.

func intoItself(a []int) {
	sum := &a[len(a)-1]
	for _, v := range a { // want: stopped | no fix
		*sum += v
	}
}

func shadowed(a []int) int {
	best := 0
	for _, v := range a { // want: nothing
		best := max(best, v)
		_ = best
	}
	return best
}

func everyTurn(a []int) (turns int) {
	var n uint8
	for range a { // want: reduction counted | by sum | no fix
		n++
		if n == 0 {
			turns++
		}
	}
	return turns
}

func peak(a []float32) float32 {
	m := float32(math.Inf(-1))
	for _, v := range a { // want: answered | nnan | no fix
		if !(v <= m) {
			m = v
		}
	}
	return m
}

func favourite(votes map[string]int) (name string) {
	most := 0
	for k, n := range votes { // want: stopped | range over a map | no fix
		if n > most {
			most, name = n, k
		}
	}
	return name
}

func someKey(m map[string]int) (key string) {
	for k := range m { // want: stopped | range over a map | no fix
		key = k
	}
	return key
}

func byClosure(a []int) (s int) {
	add := func(v int) { s = s*2 + v }
	for _, v := range a { // want: stopped | no fix
		add(v)
		s ^= v
	}
	return s
}

func closing(files []func() error) (err error) {
	for _, f := range files { // want: stopped | no fix
		defer func() {
			if e := f(); e != nil {
				err = e
			}
		}()
		if err == nil {
			err = errNegative
		}
	}
	return err
}

func remainders(a, b []int) (s int) {
	defer func() { _ = recover() }()
	for i, v := range a { // want: reduction counted | bounds | division | no fix
		s += v % b[i]
	}
	return s
}

func filtered(a []int) (out []int, s int) {
	out = a[:0]
	for _, v := range a { // want: stopped | no fix
		if v > 0 {
			out = append(out, v)
			s += v
		}
	}
	return out, s
}

func joined(words []string) (text string) {
	for _, w := range words { // want: stopped | type of the state | no fix
		text += w
	}
	return text
}

func changes(values []any) (n int) {
	var before any
	for _, v := range values { // want: stopped | no fix
		if v != before {
			n++
		}
		before = v
	}
	return n
}

func wrapped(values []int) (err error) {
	for _, v := range values { // want: stopped | no fix
		if e := validate(v); e != nil {
			err = errors.Join(err, e)
		}
	}
	return err
}

func sharedField(rs []reading, total *int) {
	first := &rs[0]
	// expected: under noalias
	for i := range rs { // want: stopped | scalar in memory | no fix
		first.at += rs[i].at
		*total += rs[i].value
	}
}

func throughArray(a []int) (s int) {
	var keep [2]*int
	keep[1] = &s
	for i, v := range a { // want: stopped | no fix
		s += v
		*keep[i&1] ^= v
	}
	return s
}

func shortest(words []string) string {
	best := words[0]
	for _, w := range words { // want: reduction counted | without: identity
		best = min(best, w)
	}
	return best
}

func lastOf(m [][]string) (last []string) {
	for i := len(m) - 1; i >= 0; i-- { // want: answered | last
		if len(m[i]) > 0 && !slices.Contains(m[i], "") {
			last = m[i]
		}
	}
	return last
}
