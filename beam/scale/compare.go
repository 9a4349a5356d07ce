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
// does the same shards and the merge as a pipeline, and prints what the simulation says of that. The run is not measured from, not
// even for the bundles that prism makes.
func Compare(ctx context.Context, w io.Writer, shards, leaves, cores int) error {
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
	fmt.Fprintf(w, "%d shards of %d leaves, all types, on %d cores\n", shards, leaves, cores)
	fmt.Fprintf(w, "processor time: %.2f s one by one, %.2f s %d at a time\n", alone, several, cores)
	run := Run{Cores: cores}
	if run.Start, run.Shard, err = engine(ctx); err != nil {
		return err
	}
	begun := time.Now()
	merge := func(ctx context.Context) error { return Merge(ctx, dir, leaves, shards) }
	if err := merge(ctx); err != nil {
		return err
	}
	finish := time.Since(begun).Seconds()
	fmt.Fprintf(w, "the engine takes %.3f s to start, and %.2f ms of processor time a shard; the merge takes %.2f s\n", run.Start, 1000*run.Shard, finish)
	for _, c := range costs {
		run.Shards = append(run.Shards, c.Seconds*several/alone)
	}
	simulated := run.Prism()
	trace, err := Pipeline(ctx, shards, Tables(dir, leaves, shards), merge)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "the shards are done after %.2f s, in %d bundles; simulated %.2f s, %+.1f %%\n", trace.Shards, len(trace.Bundles), simulated, off(simulated, trace.Shards))
	fmt.Fprintf(w, "and merged after %.2f s; simulated %.2f s, %+.1f %%\n", trace.Seconds, simulated+finish, off(simulated+finish, trace.Seconds))
	spent := several + float64(shards)*run.Shard
	fmt.Fprintf(w, "processor time of the shards: %.2f s; by measure %.2f s, %+.1f %%\n", trace.Used, spent, off(spent, trace.Used))
	return nil
}

// off is by how many percent a prediction differs from what happened.
func off(predicted, got float64) float64 { return 100 * (predicted/got - 1) }

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
