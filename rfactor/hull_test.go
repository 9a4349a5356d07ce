package rfactor

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Extrema of products of numbers of any sign, over all steps: of a prefix, and of a part.
func TestHull(t *testing.T) {
	t.Parallel()
	part := "max(max(x0*y0, x1*y0), y0); min(min(x0*y0, x1*y0), y0)"
	for _, c := range []struct {
		types, update, assume string
		parameters            int
	}{
		{"x0:i64,x1:i64,y0:i64", "x0*y0; max(x1, x0*y0)", "nsw", 3},
		{"x0:f64,x1:f64,y0:f64", "x0*y0; max(x1, x0*y0)", "reassoc,nnan,nsz", 3},
		{"x0:f32,x1:f32,y0:f32", "x0*(1.0 + y0); min(x1, x0)", "reassoc,nnan,nsz", 3},
		{"x0:i64,x1:i64,x2:i64,y0:i64", "x0*y0; max(x1, x0*y0); min(x2, x0)", "nsw", 5},
		{"x0:i32,x1:i32,y0:i32,y1:bool", "select(y1, x0*y0, x0); max(x1, select(y1, x0*y0, -x0))", "nsw", 3},
		{"x0:i64,x1:i64,x2:i64,y0:i64", part + "; max(x2, max(max(x0*y0, x1*y0), y0))", "nsw", 6},
		{"x0:f64,x1:f64,x2:f64,y0:f64", part + "; max(x2, max(max(x0*y0, x1*y0), y0))", "reassoc,nnan,nsz", 6},
		{"x0:i64,x1:i64,x2:i64,y0:i64", part + "; min(x2, min(min(x0*y0, x1*y0), y0))", "nsw", 6},
	} {
		a := match(t, c.types, c.update, c.assume, 0)
		if a.Status != Lifted || a.Via() != "lift:hull" || len(a.Operator.Types) > c.parameters {
			t.Errorf("%s is %s by %s: %s", c.update, a.Status, a.Via(), a.Reason)
			continue
		}
		judge(t, a)
	}
	for _, c := range [][2]string{ // of sums, of another number, of the wrong extreme
		{"x0:i64,x1:i64,y0:i64", "x0*y0 + 1; max(x1, x0*y0 + 1)"},
		{"x0:i64,x1:i64,y0:i64", "x0*y0; max(x1, x0*x0)"},
		{"x0:i64,x1:i64,x2:i64,y0:i64", part + "; max(x2, min(min(x0*y0, x1*y0), y0))"},
	} {
		if a := match(t, c[0], c[1], "nsw", 0); a.Via() == "lift:hull" {
			t.Errorf("%s is %s by %s", c[1], a.Status, a.Via())
		}
	}
}

// TestMirrored has intervals whose ends a negative factor exchanges, whether they are in order or not.
func TestMirrored(t *testing.T) {
	t.Parallel()
	for _, c := range [][4]string{
		{"lift:mirrored", "nsw", "x0:i64,x1:i64,y0:i64", "select(y0 < 0, max(y0, x1*y0), max(y0, x0*y0)); select(y0 < 0, min(y0, x0*y0), min(y0, x1*y0))"},
		{"lift:mirrored", "reassoc,nnan,nsz", "x0:f64,x1:f64,y0:f64", "min(y0, select(y0 < 0.0, x1*y0, x0*y0)); max(y0, select(y0 < 0.0, x0*y0, x1*y0))"},
		{"", "nsw", "x0:i64,x1:i64,y0:i64", "select(y0 < 1, max(y0, x1*y0), max(y0, x0*y0)); select(y0 < 0, min(y0, x0*y0), min(y0, x1*y0))"}, // at 0 they differ
		{"", "nsw", "x0:i64,x1:i64,y0:i64", "select(y0 < 0, max(y0, x1*y0), max(y0, x0*y0)); min(y0, x1*y0)"},
		{"", "nsw", "x0:i64,x1:i64,y0:i64", "max(max(x0*x0, x1*x0), y0); min(x0*x0, x1*x0)*y0"},
	} {
		a := match(t, c[2], c[3], c[1], 0)
		if got := a.Via(); got != c[0] && (got == "lift:mirrored" || c[0] != "") {
			t.Errorf("%s is %s by %s: %s", c[3], a.Status, got, a.Reason)
		}
		judge(t, a)
	}
}

// TestHulls judges the answers to random extrema of products, some of which have another form.
func TestHulls(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(34, 5))
	n, hulls := 30, 0
	if testing.Short() {
		n = 10
	}
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	for range n {
		kind := one("i32", "i64", "f64")
		product := one("x0*y0", "x0*y0", "select(y1, x0*y0, x0)", "-x0*y0", "x0*(y0 + k0)")
		kept := func(x string) string {
			return one("max(", "min(") + one(x, x, x, x, "x0") + ", " + one("x0", product, product, "-x0", "x0*k0", "x0*y0 + y0") + ")"
		}
		components := []string{product, kept("x1"), kept("x2")}[:2+r.IntN(2)]
		types := "x0:K,x1:K,x2:K,"[:5*len(components)] + "y0:K,y1:bool,k0:K"
		a := match(t, strings.ReplaceAll(types, "K", kind), strings.Join(components, "; "), "nsw,reassoc,nnan,nsz", 0)
		if a.Via() == "lift:hull" {
			hulls++
		}
		if judge(t, a); t.Failed() {
			t.Fatal(components)
		}
	}
	if t.Logf("%d of %d are hulls", hulls, n); hulls < n/4 {
		t.Errorf("%d of %d are hulls: they test little", hulls, n)
	}
}
