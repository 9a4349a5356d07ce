package rfactor

import (
	"strings"
	"testing"
)

// Updates that no operator on their state equals, and the family of their steps.
func TestLift(t *testing.T) {
	for _, test := range []struct{ types, exprs, assume, via, compose string }{
		{"x0:i32,y0:i32,k0:i32", "x0*k0 + y0", "none", "lift:affine", "x0*y0; x1*y0 + y1"},
		{"x0:f64,y0:f64,k0:f64", "x0*k0 + y0*(1 - k0)", "reassoc", "lift:affine", "x0*y0; x1*y0 + y1"},
		{"x0:i32,x1:i32,y0:i32", "x0 + y0; x1 + x0 + y0", "none", "lift:affine", "x0 + y0; x1 + y1; x2 + (x0*y1 + y2)"},
		{"x0:bool,y0:bool", "!(x0 && y0)", "none", "lift:table", "select(x0, y1, y0); select(x1, y1, y0)"},
		{"x0:i32,y0:i32", "max(x0 + y0, 0)", "nsw", "lift:clamp", "x0 + y0; max(x1 + y0, y1)"},
		{"x0:i32,y0:i32,k0:i32,k1:i32", "max(min(x0 + y0, k1), k0)", "nsw", "lift:clamp", "x0 + y0; min(x1 + y0, y1); max(min(x2 + y0, y1), y2)"},
		{"x0:i32,x1:i32,y0:i32", "max(x0, x1 + y0); max(0, x1 + y0)", "nsw", "lift:max-plus", ""},
		{"x0:i32,x1:i32,y0:bool", "select(y0, x0 + 1, 0); max(x1, select(y0, x0 + 1, 0))", "nsw", "lift:max-plus", ""},
		{"x0:i32,x1:i32,y0:i32", "y0; x1 + abs(y0 - x0)", "none", "lift:last element and affine", "x0; y1; x2 + abs(y0 - x1) + y2"},
		{"x0:i32,x1:bool,y0:i32", "x0 + select(x1 && (y0 > 0), 1, 0); x1 || (y0 == 0)", "none", "lift:table of affine", ""},
	} {
		a := match(t, test.types, test.exprs, test.assume, 0)
		if a.Status != Lifted || a.Via() != test.via {
			t.Errorf("%s: %s %s %s", test.exprs, a.Status, a.Via(), a.Reason)
			continue
		}
		if got := strings.Join(texts(a.Operator.Exprs), "; "); test.compose != "" && got != test.compose {
			t.Errorf("%s: composes by %s, want %s", test.exprs, got, test.compose)
		}
		line, err := a.JSON(true)
		if err != nil {
			t.Fatal(err)
		}
		if err := Verify(line); err != nil {
			t.Errorf("%s: %v", test.exprs, err)
		}
	}
}

// Steps whose composition leaves every family, or holds only of unbounded integers.
func TestNotLifted(t *testing.T) {
	for _, test := range []struct{ types, exprs, assume string }{
		{"x0:i32,y0:i32", "x0*x0 + y0", "all"},
		{"x0:i32,y0:i32", "max(x0 + y0, 0)", "none"},
		{"x0:i32,y0:i32", "abs(x0 - y0)", "all"},
		{"x0:f64,y0:f64,k0:f64", "x0*k0 + y0", "nnan,nsz"},
		{"x0:i32,y0:i32", "select(x0 < y0, x0 + 1, x0)", "all"},
	} {
		if a := match(t, test.types, test.exprs, test.assume, 0); a.Status == Lifted {
			t.Errorf("%s under %s: lifted by %s", test.exprs, test.assume, a.Via())
		}
	}
}

// A certificate does not serve another apply, composition, inject or identity.
func TestVerifyLiftRejects(t *testing.T) {
	a := match(t, "x0:i32,y0:i32,k0:i32", "x0*k0 + y0", "none", 0)
	line, err := a.JSON(true)
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range [][2]string{
		{`"apply":["x0*p0 + p1"]`, `"apply":["x0*p0 - p1"]`},
		{`"exprs":["x0*y0","x1*y0 + y1"]`, `"exprs":["x0*y0","x1*y1 + y0"]`},
		{`"inject":["k0","y0"]`, `"inject":["y0","k0"]`},
		{`"identity":["1","0"]`, `"identity":["0","0"]`},
		{`"identity_side":"two"`, `"identity_side":"left"`},
		{`"commutative":false`, `"commutative":true`},
		{`"apply":["x0*p0 + p1"]`, `"apply":["x0*p0 + y0"]`},
	} {
		changed := strings.Replace(string(line), edit[0], edit[1], 1)
		if changed == string(line) {
			t.Fatalf("%s is not in %s", edit[0], line)
		}
		if Verify([]byte(changed)) == nil {
			t.Errorf("accepted with %s", edit[1])
		}
	}
}
