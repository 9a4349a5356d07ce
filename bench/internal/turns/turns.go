// Package turns times several ways to do a work by turns, in this process and in others.
package turns

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Way is one way to do a work.
type Way struct {
	Name string
	NS   func() (float64, error) // measures it once, in nanoseconds; 0 where it has no such work
	Best float64                 // the least of all turns; 0 where there is none
}

// Take measures each way, and then each again.
func Take(ctx context.Context, turns int, ways []*Way) error {
	for range turns {
		for _, w := range ways {
			if err := ctx.Err(); err != nil {
				return err
			}
			ns, err := w.NS()
			if err != nil {
				return fmt.Errorf("%s: %w", w.Name, err)
			}
			if ns > 0 && (w.Best == 0 || ns < w.Best) {
				w.Best = ns
			}
		}
	}
	return nil
}

// Timed is a way that calls f, often enough for the clock; what it takes is divided by n.
func Timed(name string, n int, f func() error) *Way {
	return &Way{Name: name, NS: func() (float64, error) {
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

// Sizes reads numbers of elements, such as 32Ki,4Mi.
func Sizes(list string) (ns []int, err error) {
	for s := range strings.SplitSeq(list, ",") {
		var n int
		unit := strings.TrimLeft(s, "0123456789")
		if _, err := fmt.Sscan(strings.TrimSuffix(s, unit), &n); err != nil || !slices.Contains([]string{"", "Ki", "Mi"}, unit) || n < 1 || n > 1<<30 {
			return nil, fmt.Errorf("no number of elements: %q", s)
		}
		ns = append(ns, n<<map[string]int{"": 0, "Ki": 10, "Mi": 20}[unit])
	}
	return ns, nil
}
