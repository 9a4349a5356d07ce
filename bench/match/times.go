package match

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/rfactor"
)

// measured is what an update took.
type measured struct {
	name   string
	median time.Duration // of the runs
	effort float64       // counted, in the unit of Options.Effort
	status rfactor.Status
}

// measure prints percentiles of each corpus under each set of assumptions, and of all corpora together.
func measure(c *command.Call, corpora []*bench, runs int) error {
	fmt.Fprintln(c.Stdout, "corpus\tn\tmedian_us\tp90_us\tp99_us\tp99.9_us\tmax_us\tslowest\teffort_max\tof")
	all := make([][]measured, len(settings))
	for _, b := range corpora {
		for i, s := range settings {
			name := b.corpus + ":" + s.name
			fmt.Fprintf(c.Stderr, "%s: %d runs\n", name, runs)
			rows, err := b.measure(c.Context, rfactor.Options{Allowed: s.allowed}, runs)
			if err != nil {
				return err
			}
			printTimes(c.Stdout, name, rows)
			all[i] = append(all[i], rows...)
		}
	}
	if len(corpora) > 1 {
		for i, s := range settings {
			printTimes(c.Stdout, "together:"+s.name, all[i])
		}
	}
	return nil
}

// measure matches every update once to warm up, and then so many times.
func (b *bench) measure(ctx context.Context, opts rfactor.Options, runs int) ([]measured, error) {
	rows := make([]measured, len(b.updates))
	times := make([][]time.Duration, len(b.updates))
	for run := range runs + 1 {
		for i, u := range b.updates {
			a, err := rfactor.Match(ctx, u, opts)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", b.lines[i].Name, err)
			}
			if run > 0 {
				times[i] = append(times[i], a.Elapsed)
			}
			rows[i] = measured{name: b.lines[i].Name, effort: a.Effort, status: a.Status}
		}
	}
	for i, t := range times {
		slices.Sort(t)
		rows[i].median = percentile(t, 50)
	}
	return rows, nil
}

// printTimes prints a row of all updates, one of those that are answered in one pass, one of those that are staged and one of those
// that are refused.
func printTimes(stdout io.Writer, name string, rows []measured) {
	of := map[string][]measured{}
	for _, m := range rows {
		kind := "answered"
		if m.status == rfactor.Staged || m.status == rfactor.Refused {
			kind = string(m.status)
		}
		of[kind] = append(of[kind], m)
	}
	printRow(stdout, name, rows)
	for _, kind := range []string{"answered", "staged", "refused"} {
		printRow(stdout, name+":"+kind, of[kind])
	}
}

// printRow prints percentiles of the medians, the slowest update, and the one of the greatest effort.
// Without updates it prints nothing.
func printRow(stdout io.Writer, name string, rows []measured) {
	if len(rows) == 0 {
		return
	}
	slices.SortStableFunc(rows, func(a, b measured) int { return cmp.Compare(a.median, b.median) })
	fmt.Fprintf(stdout, "%s\t%d", name, len(rows))
	for _, p := range []float64{50, 90, 99, 99.9, 100} {
		fmt.Fprintf(stdout, "\t%.1f", micros(percentile(rows, p).median))
	}
	hardest := slices.MaxFunc(rows, func(a, b measured) int { return cmp.Compare(a.effort, b.effort) })
	fmt.Fprintf(stdout, "\t%s\t%.3f\t%s\n", rows[len(rows)-1].name, hardest.effort, hardest.name)
}

// percentile returns the nearest-rank percentile of sorted values, of which there is at least one.
func percentile[T any](sorted []T, p float64) T {
	rank := int(math.Ceil(float64(len(sorted)) * p / 100))
	return sorted[max(0, rank-1)]
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
