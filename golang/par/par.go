// Package par runs long loops in blocks of their steps, in parallel.
//
// A block is the loop as it is written, over some of its steps; nothing is called for each step. Blocks must not write what others
// read. If one of them panics, what was computed is thrown away and the whole loop runs serially: it panics in the caller, at the
// step at which the loop does.
//
// The code is written for go1.18, and depends on the standard library alone.
package par

import (
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

// Reduce returns the state of a loop after n steps that begin with start.
//
//	s = par.Reduce(len(a), 1<<16, s, 0, func(lo, hi int, s int) int {
//		for _, v := range a[lo:hi] {
//			s += v
//		}
//		return s
//	}, func(x, y int) int { return x + y })
//
// The function block runs steps lo to hi, without hi, from a state. Merge is associative: it gives the state after the steps that gave x and the
// next ones, which began with identity and gave y. Blocks run from 2·grain steps on.
func Reduce[S any](n, grain int, start, identity S, block func(lo, hi int, s S) S, merge func(x, y S) S) S {
	blocks := count(n, grain)
	if blocks > 1 {
		parts := make([]S, blocks)
		ok := run(n, blocks, func(b, lo, hi int) bool {
			s := identity
			if b == 0 {
				s = start
			}
			parts[b] = block(lo, hi, s)
			return true
		})
		if ok {
			s := parts[0]
			for _, p := range parts[1:] {
				s = merge(s, p)
			}
			return s
		}
	}
	return block(0, n, start)
}

// Scan is Reduce of a loop of which each step also stores something that depends on the state. Total runs steps as block does, and stores
// nothing. All steps run twice, so that two processors would take as long as one: with fewer than three the loop runs serially. A step
// stores nothing that another one reads. If a block panics where total does not, as a store may that is out of bounds, the loop runs again
// serially, but later steps may have stored already.
func Scan[S any](n, grain int, start, identity S, total, block func(lo, hi int, s S) S, merge func(x, y S) S) S {
	blocks := count(n, grain)
	if blocks > 1 && runtime.GOMAXPROCS(0) > 2 {
		begin := make([]S, blocks+1)
		ok := run(n, blocks, func(b, lo, hi int) bool {
			begin[b+1] = total(lo, hi, identity)
			return true
		})
		if ok {
			begin[0] = start
			for b := 0; b < blocks; b++ {
				begin[b+1] = merge(begin[b], begin[b+1])
			}
			ok = run(n, blocks, func(b, lo, hi int) bool {
				block(lo, hi, begin[b])
				return true
			})
			if ok {
				return begin[blocks]
			}
		}
	}
	return block(0, n, start)
}

// Find returns the first step of n at which a search ends, and n where it does not. The function block gives the first such step
// from lo to hi, and hi where there is none.
//
// The first 16·grain steps run serially, so that a search that ends soon costs what the loop does. Then blocks of grain steps are begun
// in order until one finds something. Find waits for those that run already, which go on to their ends: steps behind the one that is
// found may run. Nobody may write what they read meanwhile.
func Find(n, grain int, block func(lo, hi int) int) int {
	if grain < 1 {
		grain = 1
	}
	head := n
	if processors() > 1 && n/16 > grain {
		head = 16 * grain
	}
	if at := block(0, head); at < head || head == n {
		return at
	}
	var least atomic.Int64
	least.Store(int64(n))
	ok := run(n-head, (n-head)/grain, func(_, lo, hi int) bool {
		if int64(head+lo) >= least.Load() {
			return false
		}
		at := block(head+lo, head+hi)
		for at < head+hi {
			old := least.Load()
			if int64(at) >= old || least.CompareAndSwap(old, int64(at)) {
				return false
			}
		}
		return true
	})
	if ok {
		return int(least.Load())
	}
	return block(head, n)
}

// Histogram adds to a table what n steps add to elements of it. The function block adds to the table that it is given; merge is
// associative and commutative, and zero its identity. Each block has a table of its own. Elements to which no step adds are neither read nor
// written.
func Histogram[T comparable](n, grain int, table []T, zero T, block func(lo, hi int, table []T), merge func(x, y T) T) {
	blocks := count(n, grain)
	if blocks > 1 && n/blocks >= len(table) { // tables are merged in less time than the steps take
		tables := make([][]T, blocks)
		ok := run(n, blocks, func(b, lo, hi int) bool {
			own := make([]T, len(table))
			for i := range own {
				own[i] = zero
			}
			block(lo, hi, own)
			tables[b] = own
			return true
		})
		if ok {
			for _, own := range tables {
				for i, v := range own {
					if v != zero {
						table[i] = merge(table[i], v)
					}
				}
			}
			return
		}
	}
	block(0, n, table)
}

// processors is how many run blocks: one where int has 32 bits, for operators were proven for 64.
func processors() int {
	if strconv.IntSize != 64 {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// count is the number of blocks for n steps, 1 where they are too few: four for each processor, so that one that wakes up late is not waited
// for long, and none of less than an eighth of grain.
func count(n, grain int) int {
	workers := processors()
	if grain < 1 {
		grain = 1
	}
	if workers < 2 || n/grain < 2 {
		return 1
	}
	if small := n / grain * 8; small < 4*workers {
		return small
	}
	return 4 * workers
}

// run calls block for each of some blocks of n steps, in order, on all processors. Where a call returns false, its goroutine makes no
// other one. It is not ok if a call panics; then others may not have been made.
func run(n, blocks int, block func(b, lo, hi int) bool) (ok bool) {
	var next, failed atomic.Int64
	work := func() {
		done := false
		defer func() {
			if !done {
				recover()
				failed.Add(1)
			}
		}()
		for failed.Load() == 0 {
			b := int(next.Add(1)) - 1
			if b >= blocks {
				break
			}
			hi := (b + 1) * (n / blocks)
			if b == blocks-1 {
				hi = n
			}
			if !block(b, b*(n/blocks), hi) {
				break
			}
		}
		done = true
	}
	var wait sync.WaitGroup
	for w := 1; w < blocks && w < runtime.GOMAXPROCS(0); w++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			work()
		}()
	}
	work()
	wait.Wait()
	return failed.Load() == 0
}
