package rfactor

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// brokenContext panics when it is asked for its error for the n-th time, as a broken invariant would there.
type brokenContext struct {
	context.Context
	n int
}

func (c *brokenContext) Err() error {
	if c.n--; c.n == 0 {
		panic("something is broken")
	}
	return nil
}

// TestInternalError breaks matches at many places: each is an error that says so, and a match after it gives what
// it gave before.
func TestInternalError(t *testing.T) {
	u := parse(t, "x0:i32,x1:i32,y0:i32", "max(x0 + y0, 3); select(y0 < x1, y0, x1)")
	opts := Options{Allowed: ir.AllAssumptions, Describe: true}
	want, err := Match(context.Background(), u, opts)
	if err != nil {
		t.Fatal(err)
	}
	broke := 0
	for n := 1; ; n = n*5/4 + 1 {
		_, err := Match(&brokenContext{context.Background(), n}, u, opts)
		if err == nil {
			break
		}
		broke++
		if internal := (*InternalError)(nil); !errors.As(err, &internal) || internal.Value != "something is broken" ||
			!strings.HasPrefix(err.Error(), "rfactor: internal: something is broken, at ") {
			t.Fatalf("broken at %d: %v", n, err)
		}
		got, err := Match(context.Background(), u, opts)
		if err != nil || got.Status != want.Status || ir.Strings(got.Operator.Exprs) != ir.Strings(want.Operator.Exprs) || got.Assumes != want.Assumes {
			t.Fatalf("after a match that broke at %d: %v %v, not %v", n, got, err, want)
		}
	}
	if broke < 10 {
		t.Errorf("the match broke at %d places", broke)
	}
	want.Status, want.Lift, want.Groups = Associative, nil, []Group{{Components: []int{0}}} // which no match gives
	if _, err := want.Certificate(); err == nil || !strings.Contains(err.Error(), "internal") {
		t.Errorf("the certificate of nonsense: %v", err)
	}
	if _, err := want.JSON(true); err == nil || !strings.Contains(err.Error(), "internal") {
		t.Errorf("nonsense as JSON: %v", err)
	}
}
