package rfactor

import (
	"context"
	"errors"
	"testing"
	"time"
)

// cancelTests keep some stage busy for long.
var cancelTests = []struct{ types, exprs string }{
	{i32x4, "x0*y0 + x1*y2; x0*y1 + x1*y3; x2*y0 + x3*y2; x2*y1 + x3*y3"},
	{"x0:f64,y0:f64", "max(x0, y0) + log(exp(x0 - max(x0, y0)) + exp(y0 - max(x0, y0)))"},
	{"x0:i32,x1:i32,x2:i32,x3:i32,x4:i32,x5:i32,y0:i32,y1:i32,y2:i32", "x0*x0 + y0; x1*x1 + y0*y1; x2*x2 + y1; x3*y2 + x3*x3; x4*x4 - y2; min(x5, y0)*x5"},
	{"x0:u32,x1:u32,y0:u32", "(x0 << 3) + (x0 << 1) + y0; (x1 << 3) + 2*x1"},
	{"x0:i32,x1:i32,x2:i32,y0:i32,r.x:i32,r.y:i32", "min(x0, y0); select(y0 < x0, r.x, x1); select(y0 < x0, r.y, x2)"},
	{"x0:u16,y0:u16", "u16(min(u32(x0) + u32(y0), 65535))"},
}

// A match whose context ends answers its error, whatever it is doing, and leaves a workspace in
// which the next match is right.
func TestCancel(t *testing.T) {
	times := 25
	if testing.Short() {
		times = 8
	}
	cancelled := 0
	for _, test := range cancelTests {
		u := parse(t, test.types, test.exprs)
		start := time.Now()
		want := match(t, test.types, test.exprs, "none", 0)
		whole := time.Since(start)
		for i := range times {
			ctx, cancel := context.WithTimeout(context.Background(), whole*time.Duration(i)/time.Duration(times))
			_, err := Match(ctx, u, Options{})
			cancel()
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("%s: %v", test.exprs, err)
			}
			if err != nil {
				cancelled++
			}
		}
		if got := match(t, test.types, test.exprs, "none", 0); got.Status != want.Status || got.Reason != want.Reason {
			t.Errorf("%s: %s %q after matches that were cancelled, before %s %q", test.exprs, got.Status, got.Reason, want.Status, want.Reason)
		}
	}
	if cancelled < len(cancelTests) {
		t.Errorf("only %d matches were cancelled", cancelled)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Match(ctx, parse(t, i32x1, "x0 + y0"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}
