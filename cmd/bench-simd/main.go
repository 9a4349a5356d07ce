// Bench-simd measures the kernels of package simd on one core and prints a table
// as tab-separated values, and nothing else on standard output:
//
//	bench-simd [KERNEL…]
//
// Each row is the best half millisecond of several runs of at least 50 ms. limit_gb_s
// is what a loop that only loads reaches on the same memory, the best of three such
// loops (on other memory, even of the same size, the caches do up to a fifth better
// or worse), whose runs alternate with those of the kernel; share is gb_s over it.
// Without GOEXPERIMENT=simd there are no vectors, neither in the kernels nor in the
// loads.
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

func main() { os.Exit(doMain(os.Args[1:], os.Stdout, os.Stderr)) }

func doMain(only []string, stdout, stderr io.Writer) int {
	for _, name := range only {
		if !slices.ContainsFunc(kernels, func(k kernel) bool { return k.name == name }) {
			fmt.Fprintf(stderr, "bench-simd: no kernel %q\n", name)
			return 2
		}
	}
	fmt.Fprintln(stdout, "kernel\tn\tbackend\tgb_s\tlimit_gb_s\tshare")
	for _, k := range kernels {
		if len(only) > 0 && !slices.Contains(only, k.name) {
			continue
		}
		for _, n := range []int{32 << 10, 1 << 20, 16 << 20} {
			measure(k, n, stdout, stderr)
		}
	}
	return 0
}

// The runs of a row alternate, so that a moment in which the machine is busy spoils
// one run of each loop and not all runs of one; and of a run its best window counts,
// for the same reason.
const (
	rounds = 5
	run    = 50 * time.Millisecond
	window = 500 * time.Microsecond
)

func measure(k kernel, n int, stdout, stderr io.Writer) {
	a := newArena(k.bytes * n)
	backends := k.bind(a, n)
	speeds := make([]float64, len(backends))
	limit, best := 0.0, ""
	for range rounds {
		for _, l := range loads {
			if s := speed(k.bytes*n, func() { l.run(a.memory) }); s > limit {
				limit, best = s, l.name
			}
		}
		for i, b := range backends {
			speeds[i] = max(speeds[i], speed(k.bytes*n, b.run))
		}
	}
	fmt.Fprintf(stderr, "%s at %d: best load loop %s\n", k.name, n, best)
	for i, b := range backends {
		fmt.Fprintf(stdout, "%s\t%d\t%s\t%.1f\t%.1f\t%.2f\n", k.name, n, b.name, speeds[i], limit, speeds[i]/limit)
	}
}

// speed runs f for some time, and again, and returns the GB/s of the best window.
func speed(size int, f func()) float64 {
	f()
	turns, best := 1, time.Duration(1<<62)
	for start := time.Now(); time.Since(start) < run; {
		began := time.Now()
		for range turns {
			f()
		}
		d := time.Since(began)
		if d < window {
			turns = max(2*turns, int(1.1*float64(turns)*float64(window)/float64(d+1)))
			best = 1 << 62
			continue
		}
		best = min(best, d/time.Duration(turns))
	}
	return float64(size) / float64(best.Nanoseconds())
}
