package rfactor

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// Sums that compensate for rounding are no plain sums, unless that is asked for.
func TestCompensation(t *testing.T) {
	for _, test := range []struct {
		types, update string
		compensates   bool
	}{
		{"x0:f32,x1:f32,y0:f32", "x0 + (y0 - x1); ((x0 + (y0 - x1)) - x0) - (y0 - x1)", true},
		{"x0:f64,x1:f64,y0:f64", "x0 + (y0 + x1); (y0 + x1) - ((x0 + (y0 + x1)) - x0)", true},
		{"x0:f32,x1:f32,y0:f32", "x0 + y0; select(abs(x0) >= abs(y0), x1 + ((x0 - (x0 + y0)) + y0), x1 + ((y0 - (x0 + y0)) + x0))", true},
		{"x0:f64,x1:f64,y0:f64", "x0 + y0; x1 + ((x0 - ((x0 + y0) - ((x0 + y0) - x0))) + (y0 - ((x0 + y0) - x0)))", true},
		{"x0:f32,y0:f32", "x0 + y0*y0", false},
		{"x0:f32,y0:f32", "x0 + x0 - max(x0, x0)", false},
		{"x0:f32,x1:f32,y0:f32", "x0 + y0; x1 + (y0 - y0)", false},
		{"x0:f64,x1:f64,y0:f64", "x0 + 1.0; x1 + (y0 - x1)/(x0 + 1.0)", false},
	} {
		match := func(allowed, named ir.Assume) *Answer {
			a, err := Match(context.Background(), parse(t, test.types, test.update), Options{Allowed: allowed, Named: named})
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		for _, allowed := range []ir.Assume{ir.DefaultAssumptions, ir.AllAssumptions} {
			a := match(allowed, 0)
			if refused := a.Code == LosesCompensation; refused != test.compensates || !refused && a.Operator == nil {
				t.Errorf("%s under %s: %s %s", test.update, allowed, a.Status, a.Reason)
			}
			if test.compensates && (a.Hint.Assume != allowed || !strings.Contains(a.Reason, "reassoc)")) {
				t.Errorf("%s: hint %s, %s", test.update, a.Hint.Assume, a.Reason)
			}
			a = match(allowed, ir.Reassoc)
			remarked := slices.ContainsFunc(a.Remarks, func(s string) bool { return strings.HasSuffix(s, "its compensation for rounding is lost") })
			if a.Operator == nil || remarked != test.compensates {
				t.Errorf("%s where it is asked for: %s, remarks %q", test.update, a.Status, a.Remarks)
			}
		}
		if a := match(0, 0); test.compensates && !strings.Contains(a.Reason, "compensates for rounding") {
			t.Errorf("%s exactly: %s", test.update, a.Reason)
		}
	}
}

// Remarks name functions that are not known, and steps that do nothing.
func TestRemarks(t *testing.T) {
	for _, test := range []struct{ program, want string }{
		{"f() = mix(f(), in(r));", "mix is taken as opaque; did you mean max?"},
		{"f() = combine(f(), in(r));", "combine is taken as opaque"},
		{"f() = f() + abss(in(r));", "abss is taken as opaque; did you mean abs?"},
		{"f() = f() + blend(in(r), 2) + blond(in(r), 3);", ""},
		{"f() = f() + in(index(r));", ""},
		{"f() = f() + in(r);", ""},
		{"f() = select(in(r) & 1 == 0, f() + 1, f());", "no step changes the state: the update is read as select(in(r) && 1 == 0, x0 + 1, x0)"},
		{"f() = {f()[0] + in(r), f()[1]*1};", "no step changes component 1"},
		{"f() = {f()[0] + in(r), f()[1]};", ""},
	} {
		p, err := program.ParseProgram(ir.NewPool(), "test", test.program, ir.I32)
		if err != nil {
			t.Fatal(err)
		}
		a, err := Match(context.Background(), p.Definitions()[0].Update(), Options{Allowed: ir.DefaultAssumptions})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(a.Remarks, "; "); got != test.want {
			t.Errorf("%s: remarks %q, want %q", test.program, got, test.want)
		}
		line, err := a.JSON(true)
		if err == nil && a.Operator != nil {
			err = verified(line)
		}
		if err != nil || strings.Contains(string(line), `"remarks"`) != (test.want != "") {
			t.Errorf("%s: %v: %s", test.program, err, line)
		}
	}
}
