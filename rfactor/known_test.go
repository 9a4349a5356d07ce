package rfactor

import (
	"fmt"
	"testing"
)

// Operators with other constants than those that are remembered are proven again each time.
func TestKnownIsBounded(t *testing.T) {
	defer func(n int64) { maxBound = n }(maxBound)
	maxBound = boundFacts.Load() + 3
	count := func() (n int) {
		known.Range(func(_, _ any) bool { n++; return true })
		return n
	}
	answer := func(k int) {
		a := match(t, "x0:i32,y0:i32", fmt.Sprintf("(x0 + y0) %% %d", k), "nsw", 0)
		if a.Status != Associative {
			t.Fatalf("%d: %s", k, a.Reason)
		}
	}
	before := count()
	answer(1_000_003)
	if count() == before {
		t.Fatal("an operator is not remembered at all")
	}
	before = count()
	for k := range 20 {
		answer(1_000_004 + k)
	}
	if n := count() - before; n > 2 {
		t.Errorf("%d operators more are remembered, want at most 2", n)
	}
}
