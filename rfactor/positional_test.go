package rfactor

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
)

// Numbers in pieces: clocks, sums of several words, checksums that fold the carry back, sums modulo a literal.
func TestDigits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ types, update, given, operator, inject string }{
		{"x0:u32,x1:u32", "select(x0 == 59, 0, x0 + 1); select(x0 == 59, x1 + 1, x1)", "x0 < 60",
			"x0 + y0 - select(60 <= x0 + y0, 60, 0); x1 + y1 + select(60 <= x0 + y0, 1, 0)", "1; 0"},
		{"x0:i32,x1:i32,y0:i32", "(x0 + y0) % 60; x1 + (x0 + y0)/60", "0 <= x0 && x0 < 60 && 0 <= y0 && y0 < 60",
			"x0 + y0 - select(60 <= x0 + y0, 60, 0); x1 + y1 + select(60 <= x0 + y0, 1, 0)", ""},
		{"x0:bool,x1:bool,x2:u8,y0:bool", "x0 != y0; x1 != (x0 && y0); x2 + select(x0 && x1 && y0, 1, 0)", "",
			"x0 != y0; (x1 != y1) != (x0 && y0); x2 + y2 + select(select(x0 && y0, x1 || y1, x1 && y1), 1, 0)", "y0; false; 0"},
		{"x0:u32,x1:u32,y0:bool", "select(y0, select(x0 == 3999999999, 0, x0 + 1), x0); select(y0 && x0 == 3999999999, x1 + 1, x1)", "x0 < 4000000000",
			"select(4000000000 - y0 <= x0, x0 - (4000000000 - y0), x0 + y0); x1 + y1 + select(4000000000 - y0 <= x0, 1, 0)", "select(y0, 1, 0); 0"},
		{"x0:u32,y0:u32", "((x0 + y0) & 65535) + ((x0 + y0) >> 16)", "x0 <= 65535 && y0 <= 65535", "((x0 + y0) & 65535) + ((x0 + y0) >> 16)", "y0"},
		{"x0:u32,y0:u32", "(x0 + y0) % 31", "x0 <= 30 && y0 <= 30", "(x0 + y0) % 31", "y0"},
		{"x0:u64,x1:u64,y0:u64,y1:u64", "(x0 + y0) % 1000; x1 + y1 + (x0 + y0)/1000", "x0 < 1000 && y0 < 1000", "", "y0; y1"},
	} {
		a := matchGiven(t, c.types, c.update, c.given, 0)
		if a.Status != Associative {
			t.Errorf("%s is %s: %s", c.update, a.Status, a.Reason)
			continue
		}
		judge(t, a)
		if got := ir.Strings(a.Operator.Exprs); c.operator != "" && got != c.operator {
			t.Errorf("%s has the operator %s, want %s", c.update, got, c.operator)
		}
		if got := ir.Strings(a.Inject); c.inject != "" && got != c.inject {
			t.Errorf("%s has the inject %s, want %s", c.update, got, c.inject)
		}
	}
	for _, c := range [][3]string{ // a carry at another digit, a range that is too large, a sum that wraps
		{"x0:u32,x1:u32", "select(x0 == 59, 0, x0 + 1); select(x0 == 58, x1 + 1, x1)", "x0 < 60"},
		{"x0:u32,y0:u32", "((x0 + y0) & 65535) + ((x0 + y0) >> 16)", "x0 <= 65536 && y0 <= 65536"},
		{"x0:u8,y0:u8", "(x0 + y0) % 200", "x0 < 200 && y0 < 200"},
	} {
		if a := matchGiven(t, c[0], c[1], c[2], 0); a.Status == Associative {
			t.Errorf("%s given %s has the operator %s", c[1], c[2], ir.Strings(a.Operator.Exprs))
		}
	}
}

// TestOdometers judges answers to random counters of two or three digits, some of which carry where they should not.
func TestOdometers(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(34, 1))
	n, positional := suite.More(12, 30), 0
	if testing.Short() {
		n = 12
	}
	for range n {
		types, update, given := odometer(r)
		a := matchGiven(t, types, update, given, 0)
		if strings.Contains(a.Via(), "positional") {
			positional++
		}
		if judge(t, a); t.Failed() {
			t.Fatalf("%s; %s given %s", types, update, given)
		}
	}
	if t.Logf("%d of %d are digits", positional, n); positional < n/3 {
		t.Errorf("%d of %d are digits: they test little", positional, n)
	}
}

// odometer draws a counter: each digit goes round and carries into the next.
func odometer(r *rand.Rand) (types, update, given string) {
	digits, kind := 1+r.IntN(2), []string{"u8", "i16", "u32", "i64"}[r.IntN(4)]
	step := []string{"1", "select(y0, 1, 0)", "select(y0, 2, 1)"}[r.IntN(3)]
	carry, carries := step, "true"
	var components, conditions []string
	for i := range digits {
		x, base := fmt.Sprintf("x%d", i), []int{2, 7, 10, 60}[r.IntN(4)]
		round := base
		if r.IntN(12) == 0 {
			round += r.IntN(3) - 1
		}
		components = append(components, fmt.Sprintf("select(%s + %s >= %d, %s + %s - %d, %s + %s)", x, carry, round, x, carry, base, x, carry))
		conditions = append(conditions, fmt.Sprintf("0 <= %s && %s < %d", x, x, base))
		carries += fmt.Sprintf(" && %s + %s >= %d", x, carry, round)
		carry = "select(" + carries + ", 1, 0)"
		types += x + ":" + kind + ","
	}
	last := fmt.Sprintf("x%d", digits)
	return types + last + ":" + kind + ",y0:bool", strings.Join(append(components, last+" + "+carry), "; "), strings.Join(conditions, " && ")
}
