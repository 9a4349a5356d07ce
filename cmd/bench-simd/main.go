// Bench-simd measures the kernels of package simd on one core and prints a table
// as tab-separated values, and nothing else on standard output:
//
//	bench-simd [KERNEL…]
//
// Each row is the best of several runs of at least 50 ms. limit_gb_s is what a
// loop that only loads reaches on as many bytes, the best of three such loops,
// whose runs alternate with those of the kernel; share is gb_s over it. Without
// GOEXPERIMENT=simd there are no vectors, neither in the kernels nor in the loads.
package main

import (
	"bytes"
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

// rounds of runs, so that a moment in which the machine is busy spoils one run of
// each loop and not all runs of one.
const (
	rounds  = 5
	runtime = 50 * time.Millisecond
)

func measure(k kernel, n int, stdout, stderr io.Writer) {
	backends := k.bind(n)
	size := k.bytes * n
	memory := bytes.Repeat([]byte{2}, size) // written: pages never written are all one page
	speeds := make([]float64, len(backends))
	limit, best := 0.0, ""
	for range rounds {
		for _, l := range loads {
			if s := speed(size, func() { l.run(memory) }); s > limit {
				limit, best = s, l.name
			}
		}
		for i, b := range backends {
			speeds[i] = max(speeds[i], speed(size, b.run))
		}
	}
	fmt.Fprintf(stderr, "%s at %d: best load loop %s\n", k.name, n, best)
	for i, b := range backends {
		fmt.Fprintf(stdout, "%s\t%d\t%s\t%.1f\t%.1f\t%.2f\n", k.name, n, b.name, speeds[i], limit, speeds[i]/limit)
	}
}

// speed runs f for some time and returns GB/s.
func speed(size int, f func()) float64 {
	f()
	for n := 1; ; {
		start := time.Now()
		for range n {
			f()
		}
		d := time.Since(start)
		if d >= runtime {
			return float64(size) * float64(n) / float64(d.Nanoseconds())
		}
		n = max(2*n, int(1.1*float64(n)*float64(runtime)/float64(d+1)))
	}
}
