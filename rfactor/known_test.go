package rfactor

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// Operators and provenLaws of lifts with other constants than those that are remembered are proven
// again each time.
func TestKnownIsBounded(t *testing.T) {
	defer func(n int64) { maxBound = n }(maxBound)
	for _, c := range []struct {
		facts  *sync.Map
		kept   *atomic.Int64
		status Status
		types  string
		update string // with a constant
	}{
		{&known, &boundFacts, Associative, "x0:i32,y0:i32", "(x0 + y0) %% %d"},
		{&provenLaws, &keptLaws, Lifted, "x0:i32,y0:i32", "(x0*3 + y0) %% %d"},
	} {
		maxBound = c.kept.Load() + 3
		count := func() (n int) {
			c.facts.Range(func(_, _ any) bool { n++; return true })
			return n
		}
		answer := func(k int) {
			if a := match(t, c.types, fmt.Sprintf(c.update, k), "nsw", 0); a.Status != c.status {
				t.Fatalf("%s, %d: %s", c.update, k, a.Reason)
			}
		}
		before := count()
		answer(1_234_567)
		if count() == before {
			t.Fatalf("%s: no fact about it is remembered at all", c.update)
		}
		before = count()
		for k := range 20 {
			answer(1_234_568 + k)
		}
		if n := count() - before; n > 2 {
			t.Errorf("%s: %d facts more are remembered, want at most 2", c.update, n)
		}
	}
}
