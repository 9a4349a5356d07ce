package adversarial

import (
	"errors"
	"iter"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Others write the state while the loop runs, or see it.

func writtenByGoroutine(a []int, done chan bool) (s int) {
	go func() { s++; done <- true }()
	for _, v := range a { // want: reduction counted | without: under | without: may panic | no fix
		s += v
	}
	<-done
	return s
}

func readByGoroutine(a []int, seen chan<- int) (s int) {
	go func() {
		for range 10 {
			seen <- s
		}
	}()
	for _, v := range a { // want: reduction counted | without: under | without: may panic | no fix
		s ^= v
	}
	return s
}

func addsInGoroutines(a []int, w *sync.WaitGroup) (s int) {
	for _, v := range a { // want: nothing
		w.Add(1)
		go func() { s += v; w.Done() }()
	}
	w.Wait()
	return s
}

func yields(a []int) (s int) {
	for _, v := range a { // want: stopped | unknown call | no fix
		runtime.Gosched()
		s += v
	}
	return s
}

func ticks(a []int) (s int64) {
	for range a { // want: stopped | unknown call | no fix
		s += time.Now().UnixNano()
	}
	return s
}

func spins(flag *bool) (n int) {
	for !*flag { // want: nothing
		n++
	}
	return n
}

func once(a []int, o *sync.Once) (s int) {
	for _, v := range a { // want: stopped | allocation | no fix
		o.Do(func() { s = 100 })
		s += v
	}
	return s
}

var shared int

func sharedLimit(a []int) (s int) {
	for i := 0; i < shared; i++ { // want: reduction counted | without: under | may panic: bounds | fix
		s += a[i]
	}
	return s
}

// Defers and recovers.

func deferSeesState(a []int, b []int) (s int, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New(strconv.Itoa(s))
		}
	}()
	for i, v := range a { // want: reduction counted | without: under | may panic: bounds | no fix
		s += v * b[i]
	}
	return s, nil
}

func deferSeesLocal(a, b []int, report func(int)) {
	s := 0
	defer func() { report(s) }()
	for i, v := range a { // want: reduction counted | without: under | may panic: bounds | no fix
		s += v ^ b[i]
	}
}

func deferSeesCopy(a, b []int, report func(int)) (s int) {
	defer report(s)
	for i, v := range a { // want: reduction counted | without: under | may panic: bounds | no fix
		s += v ^ b[i]
	}
	return s
}

func recoversInStep(a, b []int) (s int) {
	for i := range a { // want: nothing
		func() {
			defer func() { _ = recover() }()
			s += b[i]
		}()
	}
	return s
}

func guarded(b []int, i int) (n int) {
	defer func() {
		if recover() != nil {
			n = -1
		}
	}()
	return b[i]
}

func callsGuarded(a, b []int) (s int) {
	for i := range a { // want: stopped | unknown call | no fix
		s += guarded(b, i)
	}
	return s
}

func deferInBranch(a []int, unlock func()) (s int) {
	for _, v := range a { // want: stopped | go or defer | no fix
		if v < 0 {
			defer unlock()
		}
		s += v
	}
	return s
}

func panicsWithState(a []int) (s int) {
	for _, v := range a { // want: reduction input | without: under | may panic: panic | elsewhere than the loop: panic | no fix
		if v < 0 {
			panic(s)
		}
		s += v
	}
	return s
}

func panicsByState(a []int) (s int) {
	for _, v := range a { // want: reduction state | without: under | may panic: panic | elsewhere than the loop: panic | no fix
		s += v
		if s < 0 {
			panic("negative")
		}
	}
	return s
}

func exitsByRuntime(a []int) (s int) {
	for _, v := range a { // want: stopped | unknown call | no fix
		if v < 0 {
			runtime.Goexit()
		}
		s += v
	}
	return s
}

// Closures and method values.

func capturedByValue(a []int) (s int, last func() int) {
	for _, v := range a { // want: stopped | allocation | no fix
		s += v
		last = func() int { return v }
	}
	return s, last
}

func closureOverState(a []int, use func(func(int))) (s int) {
	use(func(v int) { s += v })
	for _, v := range a { // want: reduction counted | without: under | without: may panic | no fix
		s = max(s, v)
	}
	return s
}

func closureAfter(a []int) (s int, more func() int) {
	for _, v := range a { // want: reduction counted | without: under | without: may panic | no fix
		s += v
	}
	return s, func() int { s++; return s }
}

func closureReads(a []int) (s int) {
	over := func() bool { return s > 100 }
	for _, v := range a { // want: stopped | unknown call | no fix
		if !over() {
			s += v
		}
	}
	return s
}

type cell struct{ n int }

func (c *cell) add(v int)     { c.n += v }
func (c cell) plus(v int) int { return c.n + v }
func (c *cell) get() int      { return c.n }

func methodValue(a []int) int {
	var c cell
	add := c.add
	for _, v := range a { // want: nothing
		add(v)
	}
	return c.n
}

func methodValueOfCopy(a []int) (s int) {
	var c cell
	plus := c.plus
	for _, v := range a { // want: stopped | unknown call | no fix
		c.n = s
		s = plus(v) + s
	}
	return s
}

func methodExpression(a []int) int {
	var c cell
	for _, v := range a { // want: nothing
		(*cell).add(&c, v)
	}
	return c.n
}

func methodReads(a []int, c *cell) {
	for _, v := range a { // want: stopped | scalar in memory | no fix
		c.n = max(c.get(), v)
	}
}

func methodOfNil(a []int, c *cell) (s int) {
	for _, v := range a { // want: reduction counted | without: under | may panic: nil | fix
		s += v + c.get()
	}
	return s
}

func functionVariable(a []int) (s int) {
	f := func(v int) int { return v + 1 }
	for _, v := range a { // want: stopped | unknown call | no fix
		s += f(v)
		if v == 3 {
			f = func(v int) int { return v - 1 }
		}
	}
	return s
}

var hook = func(v int) int { return v }

func packageHook(a []int) (s int) {
	for _, v := range a { // want: stopped | unknown call | no fix
		s += hook(v)
	}
	return s
}

func nilFunction(a []int) (s int) {
	var f func(int) int
	for _, v := range a { // want: stopped | unknown call | no fix
		s += f(v)
	}
	return s
}

// Shadows.

func shadowed(a []int) (s int) {
	for _, v := range a { // want: nothing
		s := s + v
		_ = s
	}
	return s
}

func shadowedInBranch(a []int) (s int) {
	for _, v := range a { // want: reduction counted | without: under | without: may panic | fix
		if s := s + v; s > 10 {
			s = 10
		}
		s ^= v
	}
	return s
}

func shadowsCounter(a []int) (s int) {
	for i := range a { // want: nothing
		for i := range i { // want: reduction counted | without: under | without: may panic | fix
			s += i
		}
		s += a[i]
	}
	return s
}

func shadowsBuiltin(a []int) (s int) {
	len := func(b []int) int { s++; return 3 }
	for i := 0; i < len(a); i++ { // want: stopped | unknown call | no fix
		s += a[i]
	}
	return s
}

func shadowsMax(a []int) (s int) {
	max := func(x, y int) int { return x - y }
	for _, v := range a { // want: reduction counted | without: under | without: may panic | fix
		s = max(s, v)
	}
	return s
}

func shadowsTrue(a []int) (ok bool) {
	const true = false
	for _, v := range a { // want: reduction counted | without: under | without: may panic | no fix
		if v == 0 {
			ok = true
		}
	}
	return ok
}

func shadowsInt(a []int16) int16 {
	type int = int16
	var s int
	for _, v := range a { // want: reduction counted | without: under | without: may panic | no fix
		s += int(v)
	}
	return s
}

func shadowsPar(a []int, par int) (s int) {
	runtime, merge, lo, hi := 1, 2, 3, par
	for i, v := range a { // want: reduction counted | without: under | without: may panic | no fix
		s += v*runtime + merge*i + lo ^ hi
	}
	return s
}

func shadowsSlice(a []int) (s int) {
	for _, a := range a { // want: reduction counted | without: under | without: may panic | fix
		s += a
	}
	return s
}

// Labels, goto, switches.

func continuesLabel(a [][]int) (s int) {
next:
	for _, row := range a { // want: nothing
		for i, v := range row { // want: reduction state | without: under | without: may panic | no fix
			s += v
			if s&1 == i {
				continue next
			}
		}
		s++
	}
	return s
}

func continuesOwnLabel(a []int) (s int) {
own:
	for _, v := range a { // want: reduction input | without: under | without: may panic | no fix
		switch {
		case v < 0:
			continue own
		case v == 0:
			break own
		}
		s += v
	}
	return s
}

func breaksSwitch(a []int) (s int) {
	for _, v := range a { // want: refused counted | no fix
		switch v {
		case 0:
			break
		default:
			s += v
		}
		s ^= 1
	}
	return s
}

func fallsThrough(a []int) (s int) {
	for _, v := range a { // want: refused counted | no fix
		switch v & 3 {
		case 0:
			s++
			fallthrough
		case 1:
			s += v
		case 2:
			s -= v
			fallthrough
		default:
			s ^= v
		}
	}
	return s
}

func gotoInside(a []int) (s int) {
	for _, v := range a { // want: reduction counted | without: under | without: may panic | no fix
		if v < 0 {
			goto skip
		}
		s += v
	skip:
		s++
	}
	return s
}

func gotoBack(a []int) (s int) {
	for _, v := range a { // want: nothing
	again:
		s += v
		if s&7 == 3 {
			goto again
		}
	}
	return s
}

func gotoOut(a []int) (s int) {
	for _, v := range a { // want: reduction input | without: under | without: may panic | no fix
		if v == 7 {
			goto out
		}
		s += v
	}
	return s
out:
	return -s
}

func switchOnState(a []int) (s int) {
	for _, v := range a { // want: lift counted | without: under | without: may panic | no fix
		switch s {
		case 0:
			s = v & 1
		case 1:
			s = v & 2
		default:
			s = 0
		}
	}
	return s
}

func switchWithCall(a []int, f func() int) (s int) {
	for _, v := range a { // want: stopped | unknown call | no fix
		switch f() {
		case v:
			s += v
		}
	}
	return s
}

func typeSwitch(a []any) (s int) {
	for _, v := range a { // want: stopped | unknown call | no fix
		switch v := v.(type) {
		case int:
			s += v
		case interface{ Count() int }:
			s += v.Count()
		}
	}
	return s
}

// Functions as ranges.

func overSequence(seq iter.Seq[int]) (s int) {
	for v := range seq { // want: reduction counted | by sum | it ranges over a function | no fix
		s += v
	}
	return s
}

func overPairs(seq iter.Seq2[int, int]) (s int) {
	for k, v := range seq { // want: lift counted | affine | it ranges over a function | no fix
		s = s*k + v
	}
	return s
}

func overValues(a []int) (s int) {
	for v := range slices.Values(a) { // want: reduction counted | by sum | it ranges over a function | no fix
		s += v
	}
	return s
}

func overOwnSequence(a []int) (s int) {
	each := func(yield func(int) bool) {
		for _, v := range a { // want: stopped | unknown call | no fix
			s++
			if !yield(v) {
				return
			}
		}
	}
	for v := range each { // want: stopped | range over a function | no fix
		s += v
	}
	return s
}

func overLines(t string) (n int) {
	for line := range strings.SplitSeq(t, "\n") { // want: reduction counted | by sum | it ranges over a function | no fix
		n += len(line)
	}
	return n
}

func yieldsState(a []int) iter.Seq[int] {
	return func(yield func(int) bool) {
		s := 0
		for _, v := range a { // want: stopped | unknown call | no fix
			s += v
			if !yield(s) {
				return
			}
		}
	}
}

// Named results.

func bareReturn(a []int) (s int, ok bool) {
	for _, v := range a { // want: reduction input | without: under | without: may panic | no fix
		if v < 0 {
			return
		}
		s += v
	}
	ok = true
	return
}

func resultShadowed(a []int) (s, n int) {
	for _, v := range a { // want: reduction counted | without: under | without: may panic | no fix
		if n := v & 3; n > 1 {
			s += n
		}
		n++
	}
	return
}

func returnsFromDefer(a []int) (s int) {
	defer func() { s = -s }()
	for _, v := range a { // want: reduction input | without: under | without: may panic | no fix
		if v == 0 {
			return 5
		}
		s += v
	}
	return
}

func firstError(a []string) (s int, err error) {
	for _, t := range a { // want: stopped | unknown call | no fix
		v, e := strconv.Atoi(t)
		if e != nil {
			return s, e
		}
		s += v
	}
	return s, nil
}

func lastError(a []string) (err error) {
	for _, t := range a { // want: stopped | unknown call | no fix
		if _, e := strconv.Atoi(t); e != nil {
			err = e
		}
	}
	return err
}
