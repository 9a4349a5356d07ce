package rfactor

import (
	"context"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// Promises that empty an update give no answer, and are not hinted at.
func TestVacuous(t *testing.T) {
	for _, test := range []struct{ types, given, update, assume string }{
		{"x0:i32,y0:i32,r:u31", "", "select(x0 < 0 && y0 == 7, r, x0)", "default"},
		{"x0:i32,y0:i32,r:u31", "0 <= x0", "select(x0 < 0 && y0 == 7, r, x0)", "default"},
		{"x0:i64,y0:bool,k0:i64", "", "select(y0 && x0 < 0, k0, x0)", "default"},
		{"x0:u32,x1:u32,y0:u32", "", "x0 + y0; x1 + u32(x0 + y0 < x0)", "default"},
		{"x0:u32,x1:u32,y0:u32", "", "x0 + y0; x1 + u32(x0 + y0 < x0)", "nuw"},
		{"x0:u32,x1:u32,y0:u32", "", "x0 + y0; x1 + u32(x0 + y0 < x0)", "all"},
		{"x0:u8,x1:u32,y0:u8", "", "x0 + y0; x1 + u32(x0 + y0 < x0)", "all"},
		{"x0:u8,x1:u32,y0:u8", "", "x0 + y0; select(x0 + y0 < y0, x1 + 1, x1)", "all"},
		{"x0:i32,y0:i32", "", "select(x0 + 1 < x0, y0, x0)", "all"},
	} {
		allowed, err := ir.ParseAssume(test.assume)
		if err != nil {
			t.Fatal(err)
		}
		a := matchGiven(t, test.types, test.update, test.given, allowed)
		if a.Operator != nil && (a.Assumes&(ir.NSW|ir.NUW) != 0 || len(a.Given) > 0) {
			t.Errorf("%s given %q under %s: %s by %s", test.update, test.given, test.assume, ir.Strings(a.Operator.Exprs), a.Assumes)
		}
		if len(a.Hint.Given) > 0 || a.Code == NeedsAssumption {
			t.Errorf("%s: %s", test.update, a.Reason)
		}
	}
}

// What is promised and true of an update that stays one is used.
func TestNotVacuous(t *testing.T) {
	for _, test := range []struct{ types, given, update, assume string }{
		{"x0:i32,y0:i32", "", "max(x0 + y0, 0)", "nsw"},
		{"x0:i32,y0:i32,k0:i32", "k0 == 0", "x0 + k0*y0*y0", "default"},
		{"x0:i32,x1:i32,y0:i32", "x1 <= x0", "max(x0, y0); min(max(x1, y0), x0)", "default"},
	} {
		allowed, err := ir.ParseAssume(test.assume)
		if err != nil {
			t.Fatal(err)
		}
		if a := matchGiven(t, test.types, test.update, test.given, allowed); a.Operator == nil {
			t.Errorf("%s given %q under %s: %s", test.update, test.given, test.assume, a.Reason)
		}
	}
}

// A condition that the initial value of a program violates is an error, and one that no value has.
func TestInitialViolatesGiven(t *testing.T) {
	for _, test := range []struct{ program, given, want string }{
		{"f() = -1; f() = select(f() < 0 && in(r) == 7, r, f());", "0 <= x0", "what is given, 0 <= x0, does not hold of the initial value x0 = -1"},
		{"f() = {0, 0}; f() = {min(f()[0], in(r)), max(f()[1], in(r))};", "x0 < x1", "what is given, x0 < x1, does not hold of the initial value x0 = 0, x1 = 0"},
		{"f() = k; f() = f()*f() - in(r);", "x0 < 0 && 3 < x0", "what is given never holds: x0 < 0 && 3 < x0"},
		{"f() = 0; f() = f() + in(r);", "0 <= x0", ""},
		{"f() = k; f() = f() + in(r);", "0 <= x0", ""},
	} {
		p, err := program.ParseProgram(ir.NewPool(), "test", test.program, ir.I32)
		if err != nil {
			t.Fatal(err)
		}
		u := p.Definitions()[0].Update()
		if u.Given, err = program.ParseGiven(u, test.given); err != nil {
			t.Fatal(err)
		}
		switch _, err = Match(context.Background(), u, Options{}); {
		case test.want == "" && err != nil:
			t.Errorf("%s given %s: %v", test.program, test.given, err)
		case test.want != "" && (err == nil || !strings.HasSuffix(err.Error(), test.want)):
			t.Errorf("%s given %s: error %v, want %q", test.program, test.given, err, test.want)
		}
	}
}
