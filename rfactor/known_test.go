package rfactor

import (
	"fmt"
	"testing"
)

// Operators and laws of lifts with other constants are remembered up to a bound.
func TestKnownIsBounded(t *testing.T) {
	defer func(facts, laws int) { knownBound.Most, provenLaws.Most = facts, laws }(knownBound.Most, provenLaws.Most)
	for _, c := range []struct {
		most   *int
		weight func() int
		status Status
		types  string
		update string // with a constant
	}{
		{&knownBound.Most, knownBound.Weight, Associative, "x0:i32,y0:i32", "(x0 + y0) %% %d"},
		{&provenLaws.Most, provenLaws.Weight, Lifted, "x0:i32,y0:i32", "(x0*3 + y0) %% %d"},
	} {
		forgetLaws()
		*c.most = 400
		for k := range 50 {
			if a := match(t, c.types, fmt.Sprintf(c.update, 1_234_567+k), "nsw", 0); a.Status != c.status {
				t.Fatalf("%s, %d: %s", c.update, k, a.Reason)
			}
			if w := c.weight(); w == 0 || w > *c.most {
				t.Fatalf("%s: facts of weight %d are remembered after %d, and %d may be", c.update, w, k+1, *c.most)
			}
		}
	}
}

// forgetLaws makes the next match prove again what earlier ones proved and what it is charged for. What is proven once for
// a table, and charged to no match, stays known.
func forgetLaws() {
	provenLaws.Forget()
	knownBound.Forget()
}
