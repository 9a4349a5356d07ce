package scale

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/rfactor-go/rfactor/beam/coverage"
	"github.com/rfactor-go/rfactor/tablegen"
)

// Work does one shard, and returns how many bytes it leaves for those that come after it.
type Work func(ctx context.Context, shard int) (int64, error)

// Cost is what a shard took.
type Cost struct {
	Seconds float64 // of processor time
	Bytes   int64
}

// Tables enumerates shards of tablegen: all types, so many leaves.
func Tables(dir string, leaves, shards int) Work {
	spaces := &tablegen.Spaces{}
	return func(ctx context.Context, shard int) (int64, error) {
		out := filepath.Join(dir, fmt.Sprint("shard-", shard))
		o := tablegen.Options{Leaves: leaves, Out: out, Workers: 1, Spaces: spaces, Shard: tablegen.Shard{Part: shard + 1, Of: shards}}
		if err := tablegen.Generate(ctx, o); err != nil {
			return 0, err
		}
		return sizeOf(out)
	}
}

// Merge makes the tables of shards that [Tables] enumerated, on one core.
func Merge(ctx context.Context, dir string, leaves, shards int) error {
	var parts []string
	for i := range shards {
		parts = append(parts, filepath.Join(dir, fmt.Sprint("shard-", i)))
	}
	return tablegen.Merge(ctx, tablegen.Options{Leaves: leaves, Out: filepath.Join(dir, "out"), Workers: 1}, parts)
}

// Updates matches chunks of a job of coverage.
func Updates(j coverage.Job) Work {
	return func(ctx context.Context, shard int) (bytes int64, err error) {
		for i := shard * j.Chunk; i < (shard+1)*j.Chunk; i++ {
			line, err := j.Line(i)
			if err != nil {
				return 0, err
			}
			answer, err := j.Match(ctx, line)
			if err != nil {
				return 0, err
			}
			bytes += int64(len(answer)+len(line.Exprs)) + 1
		}
		return bytes, nil
	}
}

func sizeOf(dir string) (n int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	return n, err
}

// Measure does shards one after the other, each after a collection of garbage, whose own time counts for none.
func Measure(ctx context.Context, shards int, work Work) (costs []Cost, err error) {
	for i := range shards {
		runtime.GC()
		before := used()
		bytes, err := work(ctx, i)
		if err != nil {
			return nil, err
		}
		costs = append(costs, Cost{(used() - before).Seconds(), bytes})
	}
	return costs, nil
}

// Write writes costs, a line each.
func Write(w io.Writer, costs []Cost) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "shard\tseconds\tbytes")
	for i, c := range costs {
		fmt.Fprintf(b, "%d\t%.4f\t%d\n", i, c.Seconds, c.Bytes)
	}
	return b.Flush()
}

// Read reads what Write wrote.
func Read(text string) (costs []Cost, err error) {
	for n, line := range slices.Collect(strings.Lines(text))[1:] {
		var c Cost
		shard := 0
		if _, err := fmt.Sscanf(line, "%d\t%g\t%d", &shard, &c.Seconds, &c.Bytes); err != nil || shard != n {
			return nil, fmt.Errorf("scale: line %d: %q is no shard", n+2, line)
		}
		costs = append(costs, c)
	}
	return costs, nil
}

// Trace is a run of a pipeline in this process.
type Trace struct {
	Seconds float64 // elapsed
	Used    float64 // of processor time
	Bundles [][]int // the shards of each bundle, in the order in which they began
}

// traced is the run that is under way.
var traced struct {
	sync.Mutex
	work    Work
	bundles [][]int
}

func init() { register.DoFn2x1[context.Context, int, error](&tracedFn{}) }

type tracedFn struct{ bundle int }

// StartBundle numbers the bundle.
func (f *tracedFn) StartBundle(context.Context) {
	traced.Lock()
	defer traced.Unlock()
	f.bundle = len(traced.bundles)
	traced.bundles = append(traced.bundles, nil)
}

// ProcessElement does a shard.
func (f *tracedFn) ProcessElement(ctx context.Context, shard int) error {
	traced.Lock()
	traced.bundles[f.bundle] = append(traced.bundles[f.bundle], shard)
	work := traced.work
	traced.Unlock()
	_, err := work(ctx, shard)
	return err
}

// Pipeline does shards as a pipeline, on prism in this process.
func Pipeline(ctx context.Context, shards int, work Work) (*Trace, error) {
	traced.work, traced.bundles = work, nil
	p, s := beam.NewPipelineWithRoot()
	var all []int
	for i := range shards {
		all = append(all, i)
	}
	beam.ParDo0(s, &tracedFn{}, beam.Reshuffle(s, beam.CreateList(s, all)))
	runtime.GC()
	before, start := used(), time.Now()
	if err := beamx.Run(ctx, p); err != nil {
		return nil, err
	}
	return &Trace{time.Since(start).Seconds(), (used() - before).Seconds(), traced.bundles}, nil
}

// Compare measures shards one by one, runs them as a pipeline on two cores, and prints what the simulation says of that.
func Compare(ctx context.Context, w io.Writer, shards, leaves int) error {
	dir, err := os.MkdirTemp("", "rfactor-scale")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	runtime.GOMAXPROCS(2)
	work := Tables(dir, leaves, shards)
	costs, err := Measure(ctx, shards, work)
	if err != nil {
		return err
	}
	start, err := Pipeline(ctx, shards, func(context.Context, int) (int64, error) { return 0, nil })
	if err != nil {
		return err
	}
	before := used()
	if err := Merge(ctx, dir, leaves, shards); err != nil {
		return err
	}
	merge := (used() - before).Seconds()
	trace, err := Pipeline(ctx, shards, work)
	if err != nil {
		return err
	}
	run := Run{Slots: 8, Cores: 2, Start: start.Seconds}
	sum := 0.0
	for _, b := range trace.Bundles {
		var bundle []float64
		for _, i := range b {
			bundle = append(bundle, costs[i].Seconds)
			sum += costs[i].Seconds
		}
		run.Bundles = append(run.Bundles, bundle)
	}
	bundled := run.Simulate()
	run.Bundles, run.Slots = Each(secondsOf(costs)), 2
	fmt.Fprintf(w, "%d shards of %d leaves, all types: %.1f s of processor time one by one; the merge %.1f s more\n", shards, leaves, sum, merge)
	fmt.Fprintf(w, "a pipeline that does nothing in %d shards: %.2f s\n", shards, start.Seconds)
	fmt.Fprintf(w, "the pipeline on two cores: %.1f s elapsed in %d bundles, of %.1f s of processor time: %.2f cores on average\n", trace.Seconds, len(trace.Bundles), trace.Used, trace.Used/trace.Seconds)
	fmt.Fprintf(w, "simulated: %.1f s, %.1f %% off; with a queue of shards in place of bundles %.1f s\n", bundled, 100*(bundled/trace.Seconds-1), run.Simulate())
	return nil
}

func secondsOf(costs []Cost) (out []float64) {
	for _, c := range costs {
		out = append(out, c.Seconds)
	}
	return out
}
