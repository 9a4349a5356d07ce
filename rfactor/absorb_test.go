package rfactor

import (
	"context"
	"testing"
)

// Components that depend on others only in terms that are absorbed: an answer takes a fraction of the effort.
func TestAbsorbedTerms(t *testing.T) {
	for _, exprs := range []string{
		"min(x0 - x1, y1) + min(x1, y1); min(max(min(x0, y0), x1), min(x1, y1))",
		"max(min(max(min(x0, x1), y0), k0), x0); min(max(x0 - y0, y1), min(y1, x1))",
		"max(x0, max(min(x0, x1), y0)); max(x1, min(max(y1, x0), y1))",
		"min(max(x0, min(y0, max(x0, y1))), max(x0, y0)); max(min(x1, max(y1, x1)), y1)",
	} {
		u := parse(t, "x0:i32,x1:i32,y0:i32,y1:i32,k0:i32", exprs)
		a, err := Match(context.Background(), u, Options{Allowed: 0, Effort: 20})
		if err != nil {
			t.Fatal(err)
		}
		if a.Status == Refused {
			t.Errorf("%s: %s", exprs, a.Reason)
		}
	}
}
