package par

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// caught calls f, and says how it panics.
func caught[T any](f func() T) (result T, panicked string) {
	defer func() {
		if p := recover(); p != nil {
			panicked = fmt.Sprint(p)
		}
	}()
	return f(), ""
}

type affine struct{ a, b uint64 }

func compose(x, y affine) affine { return affine{x.a * y.a, x.b*y.a + y.b} }

// steps applies maps s·v + v, and panics at 13.
func steps(a []byte, s affine) affine {
	for _, v := range a {
		s = compose(s, affine{uint64(v) | 1, uint64(v)})
		_ = 1 / (int(v) - 13)
	}
	return s
}

func find(a []byte, lo, hi int) int {
	for i := lo; i < hi; i++ {
		if a[i] == 7 {
			return i
		}
		_ = 1 / (int(a[i]) - 13)
	}
	return hi
}

func FuzzPar(f *testing.F) {
	f.Add([]byte("abc"), uint8(1), uint8(3))
	f.Add([]byte{1, 2, 13, 4, 7, 5, 6}, uint8(1), uint8(4))
	f.Add([]byte{1, 2, 7, 4, 13, 5, 6}, uint8(2), uint8(2))
	f.Add([]byte{}, uint8(0), uint8(2))
	f.Fuzz(func(t *testing.T, a []byte, grain, workers uint8) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(int(workers%8) + 1))
		n, g := len(a), int(grain)
		start := affine{3, 5}
		same := func(name string, got, want any, gotPanic, wantPanic string) {
			t.Helper()
			if gotPanic != wantPanic || wantPanic == "" && fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: got %v %q, want %v %q", name, got, gotPanic, want, wantPanic)
			}
		}
		want, wantPanic := caught(func() affine { return steps(a, start) })
		got, gotPanic := caught(func() affine {
			return Reduce(n, g, start, affine{1, 0}, func(lo, hi int, s affine) affine { return steps(a[lo:hi], s) }, compose)
		})
		same("Reduce", got, want, gotPanic, wantPanic)

		at, atPanic := caught(func() int { return find(a, 0, n) })
		gotAt, gotAtPanic := caught(func() int { return Find(n, g, func(lo, hi int) int { return find(a, lo, hi) }) })
		same("Find", gotAt, at, gotAtPanic, atPanic)

		store := func(out []affine) func(lo, hi int, s affine) affine {
			return func(lo, hi int, s affine) affine {
				for i := lo; i < hi; i++ {
					s = steps(a[i:i+1], s)
					if out != nil {
						out[i] = s
					}
				}
				return s
			}
		}
		serial, parallel := make([]affine, n), make([]affine, n)
		want, wantPanic = caught(func() affine { return store(serial)(0, n, start) })
		got, gotPanic = caught(func() affine { return Scan(n, g, start, affine{1, 0}, store(nil), store(parallel), compose) })
		same("Scan", got, want, gotPanic, wantPanic)
		if !slices.Equal(serial, parallel) {
			t.Errorf("Scan stored %v, want %v", parallel, serial)
		}

		counts, counted := make([]int, 256), make([]int, 256)
		add := func(lo, hi int, table []int) {
			for _, v := range a[lo:hi] {
				table[v]++
			}
		}
		add(0, n, counts)
		Histogram(n, g, counted, 0, add, func(x, y int) int { return x + y })
		if !slices.Equal(counts, counted) {
			t.Errorf("Histogram counted %v, want %v", counted, counts)
		}
	})
}

// TestLong runs loops that are long enough for tables of their own, and stops early.
func TestLong(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	a := make([]int, 1<<16)
	for i := range a {
		a[i] = (i % 251) * (i % 251) % 251 // i*i of large i is no int of 32 bits
	}
	table := make([]int, 251)
	Histogram(len(a), 1<<10, table, 0, func(lo, hi int, table []int) {
		for _, v := range a[lo:hi] {
			table[v]++
		}
	}, func(x, y int) int { return x + y })
	for i := range table {
		for _, v := range a {
			if v == i {
				table[i]--
			}
		}
		if table[i] != 0 {
			t.Errorf("%d is counted %d times too often", i, table[i])
		}
	}
	if at := Find(len(a), 1<<10, func(lo, hi int) int {
		for i := lo; i < hi; i++ {
			if a[i] == 250 {
				return i
			}
		}
		return hi
	}); at != slices.Index(a, 250) && !(at == len(a) && slices.Index(a, 250) < 0) {
		t.Errorf("found at %d", at)
	}
}

// TestFindsTheFirst finds the first of several steps, wherever it is, and panics only where the loop does.
func TestFindsTheFirst(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const n, grain = 3000, 10
	for _, first := range []int{0, 1, 159, 160, 161, 169, 170, 1234, n - 1, n} {
		for _, later := range []int{1, 7, 500} {
			at, panicked := caught(func() int {
				return Find(n, grain, func(lo, hi int) int {
					for i := lo; i < hi; i++ {
						if i == first || i == first+later {
							return i
						}
						if i == first+3 {
							panic("behind the end")
						}
					}
					return hi
				})
			})
			if at != first || panicked != "" {
				t.Errorf("%d is first, found %d %s", first, at, panicked)
			}
		}
	}
}

// TestFindStops begins no blocks behind the one that is found but those that others have begun.
func TestFindStops(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const n, grain = 1 << 20, 1 << 4
	var most atomic.Int64
	Find(n, grain, func(lo, hi int) int {
		for old := most.Load(); int64(lo) > old && !most.CompareAndSwap(old, int64(lo)); old = most.Load() {
		}
		if lo >= 1<<12 {
			return lo
		}
		return hi
	})
	if most := most.Load(); most > 1<<13 {
		t.Errorf("a block at %d was run", most)
	}
}

// TestScanPanics panics where only the steps that store do.
func TestScanPanics(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	out := make([]int, 700)
	steps := func(lo, hi, s int, stores bool) int {
		for i := lo; i < hi; i++ {
			if s += i; stores {
				out[i] = s
			}
		}
		return s
	}
	_, panicked := caught(func() int {
		return Scan(1000, 10, 0, 0, func(lo, hi, s int) int { return steps(lo, hi, s, false) },
			func(lo, hi, s int) int { return steps(lo, hi, s, true) }, func(x, y int) int { return x + y })
	})
	if !strings.Contains(panicked, "index out of range [700]") {
		t.Errorf("it panics with %q", panicked)
	}
}

// TestHistogramShares has two loops add to elements of one table that are not the same. The race detector sees what else is written.
func TestHistogramShares(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const n = 1 << 12
	table := make([]int, 8)
	var wait sync.WaitGroup
	for odd := 0; odd < 2; odd++ {
		wait.Add(1)
		go func(odd int) {
			defer wait.Done()
			for k := 0; k < 20; k++ {
				Histogram(n, 16, table, 0, func(lo, hi int, table []int) {
					for i := lo; i < hi; i++ {
						table[i%4*2+odd]++
					}
				}, func(x, y int) int { return x + y })
			}
		}(odd)
	}
	wait.Wait()
	for i, got := range table {
		if got != 20*n/4 {
			t.Errorf("element %d is %d", i, got)
		}
	}
}

// TestPanicIsTheLoops panics in the caller with the value of the first step that does, though a later block panics first.
func TestPanicIsTheLoops(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	_, panicked := caught(func() int {
		return Reduce(1000, 10, 0, 0, func(lo, hi int, s int) int {
			for i := lo; i < hi; i++ {
				if i == 300 || i == 900 {
					panic(fmt.Sprint("step ", i))
				}
				s += i
			}
			return s
		}, func(x, y int) int { return x + y })
	})
	if panicked != "step 300" {
		t.Errorf("it panics with %q", panicked)
	}
}

// TestScanOfTwo runs a scan on two processors as the loop is written, once and in one block, and in blocks on three.
func TestScanOfTwo(t *testing.T) {
	for workers, want := range map[int]int64{2: 1, 3: 24} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
			if processors() == 1 { // int has 32 bits
				want = 1
			}
			var calls atomic.Int64
			block := func(lo, hi, s int) int {
				calls.Add(1)
				return s + hi - lo
			}
			if s := Scan(1000, 1, 5, 0, block, block, func(x, y int) int { return x + y }); s != 1005 || calls.Load() != want {
				t.Errorf("with %d processors: %d after %d calls, want 1005 after %d", workers, s, calls.Load(), want)
			}
		}()
	}
}
