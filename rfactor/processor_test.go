//go:build unix

package rfactor

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/internal/pace"
	"github.com/rfactor-go/rfactor/ir"
)

var processorUpdates = flag.Int("processor", 0, "how many random and mutated updates TestProcessorTime matches")

// greatestTime bounds the processor time of a match at the default effort, on the machine on which effort was fixed, and
// greatestMemory the bytes that it allocates.
const (
	greatestTime   = 250 * time.Millisecond
	greatestMemory = 100 << 20
)

// timed returns the processor time of a match and of its text, of two matches of a slow update the lesser, in a process that is so many
// times slower than the machine on which effort was fixed, and the bytes that were allocated.
func timed(t *testing.T, u *ir.Update, allowed ir.Assume, slower float64) (least time.Duration, bytes uint64) {
	var before, after runtime.MemStats
	for range 2 {
		forgetLaws()
		runtime.ReadMemStats(&before)
		start := pace.ProcessorTime()
		a, err := Match(context.Background(), u, Options{Allowed: allowed})
		if err != nil {
			t.Fatalf("%s: %v", boundedText(u), err)
		}
		a.NoOperator()
		took := time.Duration(float64(pace.ProcessorTime()-start) / slower)
		runtime.ReadMemStats(&after)
		bytes = after.TotalAlloc - before.TotalAlloc
		if least == 0 || took < least {
			least = took
		}
		if least <= greatestTime/4 {
			break
		}
	}
	return least, bytes
}

// TestProcessorTime bounds the processor time of matches of random and mutated updates, the collection of garbage included, and of
// updates that were slow once. bench processor prints percentiles.
func TestProcessorTime(t *testing.T) {
	if *processorUpdates == 0 {
		t.Skip("without -processor")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	within := func(name string, u *ir.Update, allowed ir.Assume, slower float64) {
		if took, bytes := timed(t, u, allowed, slower); took > greatestTime || bytes > greatestMemory {
			t.Errorf("%s takes %v and %d MB: %s", name, took, bytes>>20, boundedText(u))
		}
	}
	slower := pace.Slower()
	for i, l := range heavyUpdates {
		for _, allowed := range boundAllowed {
			within(fmt.Sprintf("heavy %d", i), parse(t, l.types, l.exprs), allowed, slower)
		}
	}
	lines := boundedLines(t)
	for n := range *processorUpdates {
		if n%200 == 0 {
			slower = pace.Slower()
		}
		i := *boundFirst + n
		within(fmt.Sprint(i), boundedUpdate(t, lines, i), assumeOfUpdate(i), slower)
	}
}
