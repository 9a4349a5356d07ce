// Package fix has loops with what becomes of each: a comment on the line of the loop has "fixed", or "refused:" and words of the
// reason.
package fix

import (
	"errors"
	"math"
	"math/bits"
	"sync"
)

type celsius float64

type series struct {
	data []float64
	n    int
	mu   sync.Mutex
}

var total int

func sum(a []int) (s int) {
	for _, v := range a { // fixed
		s += v
	}
	return s
}

func dot(a, b []float64) float64 {
	s := 0.0
	//rfactor:assume reassoc
	for i, v := range a { // fixed
		s += v * b[i]
	}
	return s
}

func warmest(a []celsius) (most celsius, day int) {
	most, day = celsius(math.Inf(-1)), -1
	//rfactor:assume nnan,nsz
	for i, v := range a { // fixed
		if v > most {
			most, day = v, i
		}
	}
	return most, day
}

func (s *series) largest() float64 {
	m := 0.0
	for i := 0; i < len(s.data); i++ { // fixed
		m = max(m, math.Abs(s.data[i])) // a comment
	}
	return m
}

func mixed(n, k int) (s int) {
	for i := range n { // fixed
		if i%3 == k {
			continue
		}
		s ^= i * i
	}
	return s
}

func every(a []uint8, k uint8) (n int, all bool) {
	all = true
	for i := 3; i < len(a)-1; i += 2 { // fixed
		if a[i] > k {
			n++
		}
		all = all && a[i] != k
	}
	return n, all
}

func ones(a []uint64) (n int) {
	for _, v := range a { // fixed
		n += bits.OnesCount64(v)
	}
	return n
}

func shadowed(a []int32) (s, t int32) {
	for i, v := range a { // fixed
		s := s + v
		t += s ^ int32(i)
		switch {
		case v > 3:
			t--
			break
		default:
			t ^= v
			t ^= v
		}
	}
	return s, t
}

func twice(a, b []int) (s int) {
	for _, v := range a { // fixed
		s += v
	}
	for _, v := range b { // fixed
		s = max(s, v)
	}
	return s
}

func names(a []int, lo, hi, at, over, size int) (s int) {
	for i, v := range a { // fixed
		s += v*lo + hi*at ^ over + size&i
	}
	return s
}

func offset(a []int, from int) (s int) {
	for i := from; i < len(a); i++ { // fixed
		s |= a[i]
	}
	return s
}

func closed(a []int) func() int {
	return func() int {
		s := 0
		for _, v := range a { // fixed
			s += v
		}
		return s
	}
}

func floats(a []float64) (s float64) {
	for _, v := range a { // refused: assumes reassoc: that takes //rfactor:assume reassoc at the loop
		s += v
	}
	return s
}

func comparison(a []float64) (m float64) {
	for _, v := range a { // refused: assumes
		if v > m {
			m = v
		}
	}
	return m
}

func clamped(a []int) (m int) {
	//rfactor:assume nsw
	for _, v := range a { // refused: parameters of steps
		m = max(m+v, 0)
	}
	return m
}

func horner(a []int, x int) (p int) {
	for _, v := range a { // refused: parameters of steps
		p = p*x + v
	}
	return p
}

func keys(m map[string]int) (s int) {
	for _, v := range m { // refused: a map has no slices
		s += v
	}
	return s
}

func runes(t string) (n int) {
	for _, r := range t { // refused: ranges over a string
		if r > 127 {
			n++
		}
	}
	return n
}

func array(a *[8]int) (s int) {
	for _, v := range a { // refused: ranges over a *[8]int
		s += v
	}
	return s
}

func search(a []int) (s int) {
	for _, v := range a { // refused: decides where the loop ends
		if v < 0 {
			break
		}
		s += v
	}
	return s
}

func stopping(a []int) (s int, err error) {
	for _, v := range a { // refused: decides where the loop ends
		if v < 0 {
			return 0, errors.New("negative")
		}
		s += v
	}
	return s, nil
}

func prefixes(a, out []int) (s int) {
	for i, v := range a { // refused: the answer assumes noalias
		s += v
		out[i] = s
	}
	return s
}

func inMemory(a []int, s *int) {
	for _, v := range a { // refused: variable in memory
		*s += v
	}
}

func global(a []int) {
	for _, v := range a { // refused: variable in memory
		total += v
	}
}

func (s *series) field(a []int) {
	for _, v := range a { // refused: variable in memory
		s.n += v
	}
}

// A closure that may run later sees the variable.
func captured(a []int) (s int, f func() int) {
	f = func() int { return s }
	for _, v := range a { // refused: variable in memory
		s += v
	}
	return s, f
}

// The result that recover leaves is that of the steps before.
func recovered(a, b []int) (s int) {
	defer func() { _ = recover() }()
	for i, v := range a { // refused: variable in memory
		s += v * b[i]
	}
	return s
}

// Whether b is read depends on the state.
func payload(a, b []int) (least, which int) {
	least = 1 << 30
	for i, v := range a { // refused: the state decides whether a step panics (bounds)
		if v < least {
			least, which = v, b[i]
		}
	}
	return least, which
}

// The element that the state asks for is the one that was read before.
func again(a []int) (least int) {
	least = 1 << 30
	for i := 0; i < len(a); i++ { // fixed
		if a[i] < least {
			least = a[i]
		}
	}
	return least
}

func anyOf(a, b []bool) (found bool) {
	for i := range a { // refused: the state decides whether a step panics (bounds)
		found = found || b[i]
	}
	return found
}

func quotients(a []int, k int) (found bool) {
	for _, v := range a { // refused: the state decides whether a step panics (division)
		found = found || v/k == 3
	}
	return found
}

func alsoCounted(a []int) (s, n int) {
	for _, v := range a { // refused: n is
		s += v
		n++
	}
	return s, n
}

func last(a []int) (s, v int) {
	for i := range a { // refused: v is assigned and no part of the state
		v = a[i]
		s += v
	}
	return s, 0
}

func counterLives(a []int) (s, i int) {
	for i = 0; i < len(a); i++ { // fixed
		s += a[i]
	}
	return s, i
}

func counterAssigned(n int) (s int) {
	for i := 0; i < n; i++ { // refused: assigns the counter
		s ^= i
		i += 2
	}
	return s
}

func labelled(a []int) (s int) {
loop:
	for _, v := range a { // refused: the loop has a label
		if v == 3 {
			continue loop
		}
		s += v
	}
	return s
}

func gotos(a []int) (s int) {
	i := 0
next:
	if i < len(a) { // refused: made of gotos
		s += a[i]
		i++
		goto next
	}
	return s
}

func localType(a []int) int {
	type mine int
	var s mine
	for _, v := range a { // fixed
		s += mine(v)
	}
	return int(s)
}

func generic[T ~[]int](a T) (s int) {
	for _, v := range a { // refused: it ranges over a T
		s += v
	}
	return s
}

func large(a []int) (s int) {
	var weights [1000]int
	weights[3] = len(a)
	for i, v := range a { // refused: too large for a copy
		s += v * weights[i]
	}
	return s
}

func locked(a []int) (n int) {
	var s series
	s.n = len(a)
	for i := range a { // refused: s has a lock
		n ^= i & s.n
	}
	return n
}

func bound(a []int) (s int) {
	for _, v := range next(a) { // fixed
		s += v
	}
	return s
}

func next(a []int) []int { total++; return a }

func rows(a [][]int, f func(int) int) (s int) {
	for _, v := range a[f(3)] { // fixed
		s += v
	}
	return s
}

func headerOnly(a []int, k int) (s int) {
	for i := 0; i < len(a)-1; i++ { // fixed
		s ^= a[k]
	}
	return s
}

func builtins(a []int, min, max int) (s int) {
	for _, v := range a { // fixed
		s += v*min ^ max
	}
	return s
}

//go:nosplit
func directed(a []int) (s int) {
	for _, v := range a { // refused: the function has a directive //go:nosplit
		s += v
	}
	return s
}

// The values of the key and of its copy differ.
func keyChanged(a []int) (s int) {
	for i, v := range a { // fixed
		i *= 2
		s ^= v * i
	}
	return s
}

// The variable of the loop hides the one of the function.
func hidden(a []int, v int) (s int) {
	s = v
	for i, v := range a[v:] { // fixed
		if v := v + i; v > 3 {
			s += v
		}
	}
	return s + v
}

func escaping(a []int) (s int, all []*int) {
	for _, v := range a {
		s += v
		all = append(all, &v)
	}
	return s, all
}

func goes(a []int, c chan int) (s int) {
	for _, v := range a {
		s += v
		c <- s
	}
	return s
}

func asserted(a []any) (s int) {
	for _, v := range a { // fixed
		s += v.(int)
	}
	return s
}

func pointers(a []*int) (s int) {
	for _, p := range a { // fixed
		s += *p
	}
	return s
}

func lookup(m map[string]int, names []string) (s int) {
	for _, n := range names { // fixed
		s += m[n]
	}
	return s
}

func quotient(a, b []int) (s int) {
	for i := 0; i < len(a); i++ { // fixed
		s += a[i] / b[i]
	}
	return s
}

// collatz never ends for 0.
func collatz(v int) (n int) {
	for v != 1 {
		if n++; v%2 == 0 {
			v /= 2
		} else {
			v = 3*v + 1
		}
	}
	return n
}

// The serial loop panics where b is too short, and never gets to what follows in a.
func hangs(a, b []int) (t int) {
	for i, v := range a { // refused: a step calls collatz, which is not known to end
		t += collatz(v) + b[i]
	}
	return t
}

func low(v int) (n int) {
	for i := 0; i < 8; i++ { // refused: it has few steps
		n += v >> i & 1
	}
	return n
}

func bounded(a, b []int) (t int) {
	for i, v := range a { // fixed
		t += low(v) + b[i]
	}
	return t
}

func onlyWhile(a, b []int) bool {
	ok := true
	for i := range a { // refused: the state decides whether a step panics (bounds)
		if ok && b[i] == 0 {
			ok = false
		}
	}
	return ok
}

func callback(a []int, weight func(int) int) (s int) {
	//rfactor:pure
	for _, v := range a { // fixed
		s += weight(v)
	}
	return s
}

func callbackUnknown(a []int, weight func(int) int) (s int) {
	for _, v := range a {
		s += weight(v)
	}
	return s
}

func inclusive(n int) (s int) {
	for i := 1; i <= n; i++ { // fixed
		s ^= i * i
	}
	return s
}

func inclusiveSteps(a []int, from int) (s int) {
	for i := from; len(a)-1 >= i; i += 3 { // fixed
		s += a[i]
	}
	return s
}

func inclusiveFew(v int) (s int) {
	for i := 0; i <= 63; i++ { // refused: it has few steps
		s += v >> i & 1
	}
	return s
}

// The bound is assigned, and no block needs it.
func movedBound(a []int, n, from int) (s int) {
	n = min(n, len(a))
	from++
	for i := from; i < n-1; i++ { // fixed
		s += a[i]
	}
	return s
}

func made(a []int) (s int) {
	for i, v := range a { // fixed
		p := struct{ x, y int }{v, i}
		if p.x > 3 {
			p.y = 5
		}
		s += p.x * p.y
	}
	return s
}

// The state decides what the variable of a step holds, and so whether its use panics.
func stored(a, b []int) (found bool) {
	for _, v := range a { // refused: the state decides whether a step panics (bounds)
		p := struct{ skip bool }{}
		if found {
			p.skip = true
		}
		if !p.skip && b[v] == 0 {
			found = true
		}
	}
	return found
}
