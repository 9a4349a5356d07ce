package scale

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

// Trace is a run of a pipeline in this process. Times are in seconds.
type Trace struct {
	Shards  float64 // elapsed until the last shard was done
	Used    float64 // of processor time, until then
	Seconds float64 // elapsed until the end
	Bundles [][]int // the shards of each bundle, in the order in which they began
}

// traced is the run that is under way.
var traced struct {
	sync.Mutex
	work    Work
	finish  func(context.Context) error
	bundles [][]int
	last    time.Time     // when a shard was done
	used    time.Duration // of processor time, then
}

func init() {
	register.DoFn2x2[context.Context, int, int, error](&shardFn{})
	register.DoFn3x2[context.Context, int, func(*int) bool, int, error](&finishFn{})
	register.Function1x2(together)
	register.Function1x0(drop)
	register.Iter1[int]()
}

// shardFn and finishFn emit numbers: while a bundle without outputs is under way, prism keeps a core busy with waiting.
type shardFn struct{ bundle int }

// StartBundle numbers the bundle.
func (f *shardFn) StartBundle(context.Context) {
	traced.Lock()
	defer traced.Unlock()
	f.bundle = len(traced.bundles)
	traced.bundles = append(traced.bundles, nil)
}

// ProcessElement does a shard.
func (f *shardFn) ProcessElement(ctx context.Context, shard int) (int, error) {
	traced.Lock()
	traced.bundles[f.bundle] = append(traced.bundles[f.bundle], shard)
	work := traced.work
	traced.Unlock()
	_, err := work(ctx, shard)
	traced.Lock()
	traced.last, traced.used = time.Now(), used()
	traced.Unlock()
	return shard, err
}

func together(shard int) (int, int) { return 0, shard }

func drop(int) {}

type finishFn struct{}

// ProcessElement comes after all shards.
func (*finishFn) ProcessElement(ctx context.Context, _ int, _ func(*int) bool) (int, error) {
	if traced.finish == nil {
		return 0, nil
	}
	return 0, traced.finish(ctx)
}

// Pipeline does shards as a pipeline, on prism in this process, and then finish, if it is not nil.
func Pipeline(ctx context.Context, shards int, work Work, finish func(context.Context) error) (*Trace, error) {
	traced.work, traced.finish, traced.bundles = work, finish, nil
	p, s := beam.NewPipelineWithRoot()
	var all []int
	for i := range shards {
		all = append(all, i)
	}
	done := beam.ParDo(s, &shardFn{}, beam.Reshuffle(s, beam.CreateList(s, all)))
	finished := beam.ParDo(s, &finishFn{}, beam.GroupByKey(s, beam.ParDo(s, together, done)))
	beam.ParDo0(s, drop, beam.Reshuffle(s, finished))
	runtime.GC()
	before, start := used(), time.Now()
	if err := beamx.Run(ctx, p); err != nil {
		return nil, err
	}
	return &Trace{
		Shards:  traced.last.Sub(start).Seconds(),
		Used:    (traced.used - before).Seconds(),
		Seconds: time.Since(start).Seconds(),
		Bundles: traced.bundles,
	}, nil
}
