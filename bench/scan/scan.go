// Package scan times recurrences that keep every step, beside the peers of other languages.
package scan

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
)

// Command times scans, by turns with their peers.
var Command = &command.Command{
	Name:  "scan",
	About: "times scans in lanes, beside copies, loops in Go and C, and the peers that are installed",
	Doc: `ns is what an element took, the least of all turns; copy is the ratio to a plain copy in the same process and of as many elements.
lanes are the loops of package simd, with the fixed tile and tree of a schedule; run1 and run2 the program on as many goroutines, whose memory is
allocated anew for each run. Peers, built or started where there is a compiler or numpy: c, openmp, c++, numpy (with scipy).
Vectors need GOTOOLCHAIN=go1.27.4 GOEXPERIMENT=simd.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		turns := f.Int("turns", 5, "take `N` turns")
		only := f.String("only", "", "measure the works whose name has `TEXT` alone")
		sizes := f.String("n", "32Ki,4Mi,32Mi", "measure these numbers of elements")
		return func(c *command.Call) error {
			var ns []int
			for s := range strings.SplitSeq(*sizes, ",") {
				n, err := elements(s)
				if err != nil {
					return command.Usage(err.Error())
				}
				ns = append(ns, n)
			}
			return measure(c.Context, ns, *turns, *only, c.Stdout, c.Stderr)
		}
	},
}

func elements(s string) (int, error) {
	var n int
	unit := strings.TrimLeft(s, "0123456789")
	if _, err := fmt.Sscan(strings.TrimSuffix(s, unit), &n); err != nil || !slices.Contains([]string{"", "Ki", "Mi"}, unit) || n < 1 || n > 1<<30 {
		return 0, fmt.Errorf("no number of elements: %q", s)
	}
	return n << map[string]int{"": 0, "Ki": 10, "Mi": 20}[unit], nil
}

// way is one way to do a work; ns measures it once.
type way struct {
	name string
	ns   func() (float64, error)
	best float64
}

func measure(ctx context.Context, sizes []int, turns int, only string, stdout, stderr io.Writer) error {
	peers, stop, err := startPeers(ctx, stderr)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Fprintln(stdout, "work\tn\tway\tns\tcopy")
	for _, w := range works {
		if !strings.Contains(w.name, only) {
			continue
		}
		for _, n := range sizes {
			if err := compare(ctx, w, n, turns, peers, stdout); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			runtime.GC()
		}
	}
	return nil
}

func compare(ctx context.Context, w work, n, turns int, peers []*peer, stdout io.Writer) error {
	ways, err := w.ways(ctx, n)
	if err != nil {
		return err
	}
	for _, p := range peers {
		for _, name := range p.ways {
			ways = append(ways, &way{name: name, ns: func() (float64, error) { return p.ask(w.name, name, n) }})
		}
	}
	for range turns {
		for _, v := range ways {
			if err := ctx.Err(); err != nil {
				return err
			}
			ns, err := v.ns()
			if err != nil {
				return fmt.Errorf("%s: %w", v.name, err)
			}
			if ns > 0 && (v.best == 0 || ns < v.best) {
				v.best = ns
			}
		}
	}
	for _, v := range ways {
		if v.best > 0 { // a peer may have no such work
			fmt.Fprintf(stdout, "%s\t%d\t%s\t%.3f\t%.2f\n", w.name, n, v.name, v.best, ways[0].best/v.best)
		}
	}
	return nil
}

// timed is a way that calls f, often enough for the clock.
func timed(name string, n int, f func() error) *way {
	return &way{name: name, ns: func() (float64, error) {
		calls := max(1, 1<<20/n)
		best := time.Duration(1 << 62)
		for range 3 {
			begin := time.Now()
			for range calls {
				if err := f(); err != nil {
					return 0, err
				}
			}
			best = min(best, time.Since(begin))
		}
		return float64(best.Nanoseconds()) / float64(calls) / float64(n), nil
	}}
}
