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
	costs := make([]float64, 12)
	for i := range costs {
		costs[i] = 0.25
	}
	costs[7] = 1
	sleep := func(_ context.Context, i int) (int64, error) {
		time.Sleep(time.Duration(costs[i] * float64(time.Second)))
		return 0, nil
	}
	nothing, err := Pipeline(t.Context(), len(costs), func(context.Context, int) (int64, error) { return 0, nil })
	if err != nil {
		t.Fatal(err)
	}
	trace, err := Pipeline(t.Context(), len(costs), sleep)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	run := Run{Slots: 8, Start: nothing.Seconds}
	for _, b := range trace.Bundles {
		var bundle []float64
		for _, i := range b {
			if seen[i] {
				t.Errorf("shard %d was done twice", i)
			}
			seen[i] = true
			bundle = append(bundle, costs[i])
		}
		run.Bundles = append(run.Bundles, bundle)
	}
	if len(seen) != len(costs) {
		t.Errorf("%d of %d shards were done", len(seen), len(costs))
	}
	t.Logf("%.2f s, simulated %.2f s, bundles %v", trace.Seconds, run.Simulate(), trace.Bundles)
	if off := math.Abs(run.Simulate()/trace.Seconds - 1); off > 0.5 { // bundles that are split off begin later
		t.Errorf("%.2f s, simulated %.2f s", trace.Seconds, run.Simulate())
	}
}
