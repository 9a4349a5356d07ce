package rfactor

import (
	"context"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// Of a program, a counterexample begins at a state that the loop reaches.
func TestCounterexamplesAreReached(t *testing.T) {
	for _, test := range []struct {
		program string
		code    Code
		reached func(x []int64) bool
	}{
		{"f() = 0; f() = f()*f() + in(r);", NotAssociative, func(x []int64) bool { return true }},
		{"f() = 4; f() = f()*f()*2 + in(r)*4;", NotAssociative, func(x []int64) bool { return x[0]%4 == 0 }},
		{"f() = {0, 5}; f() = {f()[0], f()[1]*f()[1] + in(r)};", NotAssociative, func(x []int64) bool { return x[0] == 0 }},
		// From 1 on the state is 5, whatever those between would give.
		{"f() = 1; f() = select(f() == 1 || f() == 5, 5, f() + in(r)*f()*f());", Unproven, nil},
	} {
		p, err := program.ParseProgram(ir.NewPool(), "test", test.program, ir.I32)
		if err != nil {
			t.Fatal(err)
		}
		a, err := Match(context.Background(), p.Definitions()[0].Update(), Options{Allowed: ir.DefaultAssumptions})
		if err != nil {
			t.Fatal(err)
		}
		if test.reached == nil && !strings.Contains(a.Reason, "not refuted at the first 4 states from the initial one on") {
			t.Errorf("%s: %s", test.program, a.Reason)
		}
		if a.Code != test.code || (a.Counter != nil) != (test.reached != nil) {
			t.Errorf("%s: %s %s, counterexample %v", test.program, a.Code, a.Reason, a.Counter)
			continue
		}
		line, err := a.JSON(false)
		if err == nil {
			err = verified(line)
		}
		if err != nil {
			t.Errorf("%s: %v", test.program, err)
		}
		if a.Counter == nil {
			continue
		}
		x := make([]int64, len(a.Types))
		for i, v := range a.Counter.Inputs {
			if v.Kind() == ir.State {
				x[v.Index()] = int64(a.Counter.Values[i])
			}
		}
		if !test.reached(x) {
			t.Errorf("%s: the state %v is not reached", test.program, x)
		}
	}
}

// TestAssignmentsAreTried reads refusals: that no assignment of roles serves stands only where values
// refute all of them.
func TestAssignmentsAreTried(t *testing.T) {
	for _, test := range []struct {
		types, update string
		code          Code
		want          string
	}{
		{"x0:i64,y0:i64,y1:i64", "select(y0 >= x0, y1, x0)", NotItsOperator, "its 2 inputs are more than the second operand has components, 1"},
		{"x0:u32,y0:u32,k0:u32", "u32(min(u64(x0)*u64(y0), u64(k0)))", Unproven, "neither proven nor refuted"},
		{"x0:i32,x1:u8,y0:u8", "x0*x0 + i32(y0); x1 ^ y0", NotItsOperator, "values refute each of the 3"},
	} {
		a, err := Match(context.Background(), parse(t, test.types, test.update), Options{Allowed: ir.DefaultAssumptions})
		if err != nil {
			t.Fatal(err)
		}
		if a.Code != test.code || !strings.Contains(a.Reason, test.want) {
			t.Errorf("%s: %s %s, want %s %q", test.update, a.Code, a.Reason, test.code, test.want)
		}
	}
}
