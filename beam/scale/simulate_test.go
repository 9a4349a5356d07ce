package scale

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestSimulate(t *testing.T) {
	for _, c := range []struct {
		name string
		run  Run
		want float64
	}{
		{"nothing", Run{Slots: 2, Start: 3, Finish: 4}, 7},
		{"one after the other", Run{Shards: []float64{1, 2, 3}, Slots: 1, Shard: 0.5}, 7.5},
		{"a straggler at the end", Run{Shards: []float64{1, 1, 1, 1, 5}, Slots: 2}, 7},
		{"a straggler at the start", Run{Shards: []float64{5, 1, 1, 1, 1}, Slots: 2}, 5},
		{"more slots than shards", Run{Shards: []float64{5, 1}, Slots: 100}, 5},
		{"slots share a core", Run{Shards: []float64{2, 2}, Slots: 2, Cores: 1}, 4},
		{"the last has the core alone", Run{Shards: []float64{1, 3}, Slots: 2, Cores: 1}, 4},
		{"four on two cores", Run{Shards: []float64{1, 1, 1, 3}, Slots: 4, Cores: 2}, 4},
	} {
		if got := c.run.Simulate(); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Of any list schedule: no core does more than its share, nor can a run be shorter than its longest shard; and it
// is at most the mean load and a longest shard.
func TestBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n, slots := 1+rng.IntN(40), 1+rng.IntN(8)
		sum, longest := 0.0, 0.0
		shards := make([]float64, n)
		for i := range shards {
			shards[i] = rng.ExpFloat64()
			sum += shards[i]
			longest = max(longest, shards[i])
		}
		got := Run{Shards: shards, Slots: slots}.Simulate()
		if least := max(sum/float64(slots), longest); got < least-1e-9 || got > sum/float64(slots)+longest+1e-9 {
			t.Errorf("%d shards of %v, the longest %v, take %v on %d slots", n, sum, longest, got, slots)
		}
	}
}

func TestDrawn(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	got := Drawn([]float64{1, 1, 8}, 3000, 60, rng.IntN)
	sum, least, most := 0.0, math.Inf(1), 0.0
	for _, s := range got {
		sum += s
		least, most = min(least, s), max(most, s)
	}
	if math.Abs(sum-60) > 1e-6 || math.Abs(most/least-8) > 1e-9 {
		t.Errorf("sum %v, from %v to %v", sum, least, most)
	}
}

func TestFit(t *testing.T) {
	g := Fit([]float64{1, 2, 3, 4}, []float64{6, 18, 54, 162}, 6)
	if math.Abs(g.Factor-3) > 1e-9 || math.Abs(g.At-1458) > 1e-6 || math.Abs(g.Off-1) > 1e-6 {
		t.Errorf("%+v", g)
	}
	if g := Fit([]float64{1, 2, 3}, []float64{6, 20, 54}, 4); g.Off < 1.05 || g.Off > 1.5 {
		t.Errorf("%+v", g)
	}
}

// The report reads the measured costs, of at least 500 shards.
func TestReport(t *testing.T) {
	var b strings.Builder
	if err := Report(&b); err != nil {
		t.Fatal(err)
	}
	n := 0
	if _, err := fmt.Sscanf(b.String(), "%d shards", &n); err != nil || n < 500 || !strings.Contains(b.String(), "3000 updates") {
		t.Errorf("%d shards, %v:\n%s", n, err, b.String())
	}
	t.Log(b.String())
}
