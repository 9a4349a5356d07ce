package rfactor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
)

// heavyUpdates are updates that once took many times the time of their effort, and others of their kind.
var heavyUpdates = []struct{ types, exprs string }{
	// Proofs that the checker may not follow are completed before they count.
	{"x0:i64,y0:i64,y1:i64", "min(x0*y1, y0*y1)"},
	{"x0:i32,y0:i32", "max(1, y0*x0)"},
	{"x0:i64,x1:i64,x2:i64,y0:i64,y1:i64", "select(false, (y1 & y1), max(8, x0)); min((x1*y1), (y0*y1)); saturating_add(y1, (x0 - x2))"},
	{"x0:i32,y0:i32,k0:i32,r:i32", "max(select(y0 > k0, x0, x0), x0 + select(true, r, r) - min(x0, max(i32(tmax < k0), i32(tmax < k0) + min(select(true, r, r), i32(tmax < k0)))))"},
	{"x0:i32,x1:u8,x2:i32,y0:i32", "max(y0*x0, ~x2); select(true, gcd(x1, 127), x1); min(x2, y0)"},
	// A normal form is computed of each of many large terms.
	{"x0:i32,y0:i32", strings.Repeat("~", 1900) + "(x0 + y0)"},
	{"x0:i32,y0:i32", "x0" + repeatedTerm(1900, func(int) string { return " + y0" })},
	{"x0:i32,y0:i32", "x0" + repeatedTerm(1900, func(i int) string { return fmt.Sprintf(" + (y0 ^ %d)", i) })},
	{"x0:f64,y0:f64", fraction(20)},
	{"x0:f64,y0:f64", fraction(300)},
	// There are many bits.
	{"x0:u64", "x0 >> 9"},
	{"x0:u64,x1:u64", "x0 >> 6; x1 - 6"},
	{"x0:u64,y0:u64", "(x0 << 1) ^ y0"},
	{"x0:u64,y0:u64", "(x0 % y0) >> (x0 % y0)"},
	{"x0:u32,x1:u64,y0:u32", "x0 | (y0 << u32(max(24 - x1, 32))); x1/8"},
	{"x0:i32,y0:i32", clamps("x0", 60)},
	{"x0:i32,y0:i32", clamps("x0 + y0", 600)},
	{"x0:u64,x1:u64,y0:u64", "x0*x1*y0; x1*x1*x0 + y0"},
	// There are many components or leaves.
	{"x0:i32,x1:i32,x2:i32,x3:i32,x4:i32,x5:i32,x6:i32,x7:i32,y0:i32,r:i32", "y0*x0; y0 - (-y0); select(-x2 > y0, x2, y0); select(y0 >= x2, r, x3); select(x4 < y0, x4, y0); select(y0 <= x4, r, x5); y0*y0 + x6; select((y0 & 1) == 0, x7 + 1, x7)"},
	{"x0:i32,x1:i32,y0:i32,y1:i32", "min(x0 - x1, y1) + min(x1, y1); min(max(min(x0, y0), x1), min(x1, y1))"},
	{"x0:i32,x1:i32,y0:i32,y1:i32,k0:i32", "max(min(max(min(x0, x1), y0), k0), x0); min(max(x0 - y0, y1), min(y1, x1))"},
}

func repeatedTerm(n int, term func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(term(i))
	}
	return b.String()
}

// fraction returns a continued fraction.
func fraction(depth int) string {
	e := "x0"
	for i := depth - 1; i >= 0; i-- {
		e = fmt.Sprintf("(y0 + %d.0)/(%d.0 + %s)", i, i, e)
	}
	return e
}

// clamps returns nested clamps of a term.
func clamps(e string, depth int) string {
	for i := range depth {
		e = fmt.Sprintf("min(max(%s, %d), %d)", e, i, 2*depth-i)
	}
	return e
}

// TestHeavy matches updates that once took much longer than their effort says. Their effort is bounded like that of others; what
// an item of it takes is measured by TestProcessorTime.
func TestHeavy(t *testing.T) {
	for _, l := range heavyUpdates {
		for _, allowed := range boundAllowed[:suite.More(1, 2)] {
			a, err := Match(t.Context(), parse(t, l.types, l.exprs), Options{Allowed: allowed})
			if err != nil {
				t.Fatal(err)
			}
			if a.Effort > DefaultEffort+boundSlack {
				t.Errorf("under %s an effort of %.1f: %.100s", allowed, a.Effort, l.exprs)
			}
		}
	}
}
