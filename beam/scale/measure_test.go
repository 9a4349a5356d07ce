package scale

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

func TestCosts(t *testing.T) {
	var b strings.Builder
	want := []Cost{{0.25, 100}, {1.5, 0}}
	if err := Write(&b, want); err != nil {
		t.Fatal(err)
	}
	got, err := Read(b.String())
	if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Error(got, err)
	}
	if _, err := Read("head\n1\t2\t3\n"); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Error(err)
	}
}

// A run of shards that sleep takes no core, so that it is what the simulation says at any load. Every shard is done once.
func TestPipeline(t *testing.T) {
	costs := make([]float64, 24)
	for i := range costs {
		costs[i] = 0.05 + 0.3*float64(i%5/4)
	}
	costs[19] = 1.2
	sleep := func(_ context.Context, i int) (int64, error) {
		time.Sleep(time.Duration(costs[i] * float64(time.Second)))
		return 0, nil
	}
	nothing, err := Pipeline(t.Context(), len(costs), func(context.Context, int) (int64, error) { return 0, nil }, nil)
	if err != nil {
		t.Fatal(err)
	}
	finished := false
	trace, err := Pipeline(t.Context(), len(costs), sleep, func(context.Context) error { finished = true; return nil })
	if err != nil || !finished {
		t.Fatal(finished, err)
	}
	seen := map[int]bool{}
	for _, b := range trace.Bundles {
		for _, i := range b {
			if seen[i] {
				t.Errorf("shard %d was done twice", i)
			}
			seen[i] = true
		}
	}
	if len(seen) != len(costs) {
		t.Errorf("%d of %d shards were done", len(seen), len(costs))
	}
	simulated := Run{Shards: costs, Start: nothing.Shards}.Prism()
	t.Logf("%.2f s, simulated %.2f s, one by one %.2f s, bundles %v", trace.Shards, simulated, sum(costs), trace.Bundles)
	if math.Abs(simulated/trace.Shards-1) > 0.25 {
		t.Errorf("%.2f s, simulated %.2f s", trace.Shards, simulated)
	}
}
