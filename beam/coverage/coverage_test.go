package coverage

import (
	"context"
	"fmt"
	"maps"
	"os"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/rfactor-go/rfactor/beam/combine"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

var results struct {
	sync.Mutex
	counts map[int]uint64
	sums   []uint64
}

func init() {
	register.Function2x0(keepCount)
	register.Function1x0(keepSum)
}

func keepCount(status int, t combine.Tuple) {
	results.Lock()
	results.counts[status] = t.Values[0]
	results.Unlock()
}

func keepSum(t combine.Tuple) {
	results.Lock()
	results.sums = append(results.sums, t.Values[0])
	results.Unlock()
}

// 1,000 updates: the corpus in its own spelling, and scrambled. The pipeline sums up what a serial loop sums up.
func TestCoverage(t *testing.T) {
	f, err := os.Open("../../testdata/corpus/updates.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := program.ReadCorpus(f)
	if err != nil {
		t.Fatal(err)
	}
	j := Job{Lines: lines, Updates: 1000, Chunk: 50, Seed: 1, Allowed: ir.DefaultAssumptions}
	results.counts = map[int]uint64{}
	p, s := beam.NewPipelineWithRoot()
	counts, checksum, err := Build(t.Context(), s, j)
	if err != nil {
		t.Fatal(err)
	}
	beam.ParDo0(s, keepCount, counts)
	beam.ParDo0(s, keepSum, checksum)
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
	wantCounts, wantSum := map[int]uint64{}, uint64(0)
	for i := range j.Updates {
		o, err := j.Match(context.Background(), i)
		if err != nil {
			t.Fatal(err)
		}
		wantCounts[o.Status]++
		wantSum += o.Checksum
	}
	if !maps.Equal(results.counts, wantCounts) {
		t.Errorf("counts %v, of the serial loop %v", results.counts, wantCounts)
	}
	if fmt.Sprint(results.sums) != fmt.Sprint([]uint64{wantSum}) {
		t.Errorf("checksum %v, of the serial loop %d", results.sums, wantSum)
	}
	for status, n := range wantCounts {
		t.Log(StatusName(status), n)
	}
}
