package scale

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"
)

// Compare measures all terms of a simulation: shards of tables one by one and several at a time, what the engine adds, and the merge. Then it
// does the same shards as a pipeline, and the merge if it is asked for, and prints what the simulation says of that. The run is not measured from, not
// even for the bundles that prism makes.
func Compare(ctx context.Context, w io.Writer, shards, leaves, cores int, merge bool) error {
	dir, err := os.MkdirTemp("", "rfactor-scale")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	costs, err := Measure(ctx, shards, Tables(dir, leaves, shards))
	if err != nil {
		return err
	}
	alone := sum(secondsOf(costs))
	several, err := Together(ctx, shards, cores, Tables(dir, leaves, shards))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d shards of %d leaves, all types, -compare %d\n", shards, leaves, cores)
	fmt.Fprintf(w, "processor time: %.2f s one by one, %.2f s %d at a time\n", alone, several, cores)
	run := Run{Cores: cores}
	if run.Start, run.Shard, err = engine(ctx); err != nil {
		return err
	}
	fmt.Fprintf(w, "the engine takes %.3f s to start, and %.3f ms of processor time a shard\n", run.Start, 1000*run.Shard)
	var finish func(context.Context) error
	if merge {
		finish = func(ctx context.Context) error { return Merge(ctx, dir, leaves, shards) }
		begun := time.Now()
		if err := finish(ctx); err != nil {
			return err
		}
		run.Finish = time.Since(begun).Seconds()
		fmt.Fprintf(w, "the merge takes %.2f s\n", run.Finish)
	}
	for _, c := range costs {
		run.Shards = append(run.Shards, c.Seconds*several/alone)
	}
	simulated := run.Prism()
	trace, err := Pipeline(ctx, shards, Tables(dir, leaves, shards), finish)
	if err != nil {
		return err
	}
	compared(w, fmt.Sprintf("the shards are done, in %d bundles, after", len(trace.Bundles)), simulated-run.Finish, trace.Shards)
	if merge {
		compared(w, "they are merged after", simulated, trace.Seconds)
	}
	spent := several + float64(shards)*run.Shard
	compared(w, "processor time of the shards:", spent, trace.Used)
	return nil
}

func compared(w io.Writer, what string, simulated, got float64) {
	fmt.Fprintf(w, "%s %.2f s; simulated %.2f s, %+.1f %%\n", what, got, simulated, 100*(simulated/got-1))
}

// engine is how long pipelines take that do nothing: what they begin with, and the processor time of one more shard. Both are medians.
func engine(ctx context.Context) (start, shard float64, err error) {
	const few, many = 100, 10_000
	nothing := func(context.Context, int) (int64, error) { return 0, nil }
	var starts, each []float64
	for range 5 {
		a, err := Pipeline(ctx, few, nothing, nil)
		if err != nil {
			return 0, 0, err
		}
		b, err := Pipeline(ctx, many, nothing, nil)
		if err != nil {
			return 0, 0, err
		}
		starts = append(starts, a.Shards)
		each = append(each, (b.Used-a.Used)/(many-few))
	}
	return median(starts), median(each), nil
}

func median(all []float64) float64 { return slices.Sorted(slices.Values(all))[len(all)/2] }
