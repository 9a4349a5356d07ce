// Package simd measures the kernels of the package of that name on one core.
//
// Each row is the best half millisecond of several runs of at least 50 ms. limit_gb_s
// is what a loop that only loads reaches on the same memory, the best of three such
// loops (on other memory, even of the same size, the caches do up to a fifth better
// or worse), whose runs alternate with those of the kernel; share is gb_s over it.
// Without GOEXPERIMENT=simd there are no vectors, neither in the kernels nor in the
// loads.
package simd

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
)

// Command measures kernels on one core.
var Command = &command.Command{
	Name:  "simd",
	About: "measures the kernels of package simd on one core, beside loops that only load",
	Args:  "[KERNEL…]",
	Doc: `gb_s is that of the best half millisecond, limit_gb_s what the best loop reaches that only loads, share the one over the other.
Vectors need GOTOOLCHAIN=go1.27.4 GOEXPERIMENT=simd.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		return func(c *command.Call) error {
			for _, name := range c.Args {
				if !slices.ContainsFunc(kernels, func(k kernel) bool { return k.name == name }) {
					return command.Usage(fmt.Sprintf("no kernel %q", name))
				}
			}
			fmt.Fprintln(c.Stdout, "kernel\tn\tbackend\tgb_s\tlimit_gb_s\tshare")
			for _, k := range kernels {
				if len(c.Args) > 0 && !slices.Contains(c.Args, k.name) {
					continue
				}
				for _, n := range []int{32 << 10, 1 << 20, 16 << 20} {
					measure(k, n, c.Stdout, c.Stderr)
				}
			}
			return nil
		}
	},
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
