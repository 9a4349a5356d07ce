package rfactor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// TestStaged wants updates that no answer in one pass serves answered in stages: which components each has, what it reads
// and when, how it was found, and in how many passes.
func TestStaged(t *testing.T) {
	for _, test := range []struct{ what, types, exprs, assume, want, assumes string }{
		{"values after the step where the update has them", "x0:i32,x1:i32,y0:i32", "x0 + y0; select(x0 + y0 > 9, 3*x1, x1 + 1)", "none",
			"[0]  egraph:sum; [1] after[0] lift:affine; 2", "none"},
		{"values before the step elsewhere", "x0:i32,x1:i32,y0:i32", "x0 + y0; select(x0 > 9, 3*x1*x0, x1 + 1)", "none",
			"[0]  egraph:sum; [1] before[0] lift:affine; 2", "none"},
		{"both", "x0:i32,x1:i32,y0:i32", "x0 + y0; (x1 ^ (x0 + y0))*x0", "none", "refused", ""},
		{"the order of components does not matter", "x0:i32,x1:i32,y0:i32", "select(x1 + y0 > 9, 3*x0, x0 + 1); x1 + y0", "none",
			"[1]  egraph:sum; [0] after[1] lift:affine; 2", "none"},
		{"several components in one stage", "x0:i32,x1:i32,x2:bool,y0:i32,y1:i32", "x0 + y0; x1 + y1; x2 && x0 + y0 >= 0 && x1 + y1 >= 0", "none",
			"[0 1]  egraph:sum; [2] after[0] after[1] egraph:and; 2", "none"},
		{"a chain", "x0:i32,x1:i32,x2:bool,y0:i32,k0:i32", "x0 + y0; max(x1, x0 + y0); x2 && max(x1, x0 + y0) - (x0 + y0) <= k0", "none",
			"[0]  egraph:sum; [1] after[0] egraph:max; [2] after[1] after[0] egraph:and; 3", "none"},
		{"a component that steps replace", "x0:i32,x1:i32,y0:i32", "y0; x1 ^ (x0*x0*y0)", "none", "lifted", ""},
		{"a lift below", "x0:u32,x1:u32,y0:u32", "x0*33 + y0; x1 ^ (x0 >> (x0 & 7))", "none",
			"[0]  lift:affine; [1] before[0] egraph:bit_xor; 2", "none"},
		{"a stage that assumes something beside one that does not", "x0:i32,x1:i32,y0:i32", "max(x0 + y0, 0); x1 ^ (x0*x0)", "nsw",
			"[0]  lift:clamp; [1] before[0] egraph:bit_xor; 2", "nsw"},
		{"a component that only a serial loop computes", "x0:i32,x1:i32,y0:i32", "x0*x0 + y0; x1 + x0", "none", "refused", ""},
		{"one below", "x0:i32,x1:i32,y0:i32", "x0 + y0; x1*x1 + x0", "none", "refused", ""},
		{"components that depend on one another", "x0:i32,x1:i32,y0:i32", "x0*x1 + y0; x1*x0 - y0", "none", "refused", ""},
		{"an operator in one pass", "x0:i32,x1:i32,y0:i32", "x0 + y0; max(x1, x0 + y0)", "nsw", "associative", ""},
		{"a lift in one pass", "x0:i32,x1:i32,y0:i32", "x0 + y0; x1 + x0", "none", "lifted", ""},
		{"a sum that compensates for rounding", "x0:f64,x1:f64,y0:f64", "x0 + y0; x1*x1*(x0 - ((x0 + y0) - y0))", "default", "refused", ""},
	} {
		a := match(t, test.types, test.exprs, test.assume, AllMatchers)
		if got := stagesText(a); got != test.want {
			t.Errorf("%s: %s: %s, want %s %s", test.what, test.exprs, got, test.want, a.Reason)
			continue
		}
		if a.Status != Staged {
			continue
		}
		judge(t, a)
		if a.Assumes.String() != test.assumes {
			t.Errorf("%s: %s assumes %s, want %s", test.what, test.exprs, a.Assumes, test.assumes)
		}
		if a.Operator != nil || a.Lift != nil || a.Inject != nil || a.Groups != nil {
			t.Errorf("%s: %s has an operator", test.what, test.exprs)
		}
		if _, err := a.Certificate(); err == nil || !strings.Contains(err.Error(), "for each stage") {
			t.Errorf("%s: %v", test.what, err)
		}
	}
}

// stagesText writes what a staged answer says of its stages; of others their status.
func stagesText(a *Answer) string {
	if a.Status != Staged {
		return string(a.Status)
	}
	var parts []string
	for _, s := range a.Stages {
		var reads []string
		for _, r := range s.Reads {
			reads = append(reads, r.text())
		}
		parts = append(parts, fmt.Sprint(s.Components, " ", strings.Join(reads, " "), " ", s.Answer.Via()))
	}
	return strings.Join(parts, "; ") + fmt.Sprint("; ", a.Passes())
}

// TestStagedGiven wants what is given of the state to be used in each stage: of components below it before the step.
func TestStagedGiven(t *testing.T) {
	u := parse(t, "x0:i32,x1:i32,x2:i32,y0:i32", "x0 + y0; max(abs(x1), (x0 + y0) & 7); x2 ^ (x1*x0)")
	u.Given = []ir.Expr{ir.LeOf(u.Pool.Int(ir.I32, 0), u.Pool.X(1, ir.I32))}
	a, err := Match(t.Context(), u, Options{Name: "f", Allowed: ir.DefaultAssumptions})
	if err != nil {
		t.Fatal(err)
	}
	if a.Status != Staged || ir.Strings(a.Given) != "0 <= x1" {
		t.Fatalf("%s, given %v: %s", a.Status, a.Given, a.Reason)
	}
	judge(t, a)
	line, err := a.JSON(true)
	if err != nil {
		t.Fatal(err)
	}
	without := strings.Replace(string(line), `"assumes":[],"given":["0 <= x1"],"via":"staged`, `"assumes":[],"given":[],"via":"staged`, 1)
	rejected(t, "without what is given", []byte(without), "0 <= x1 is not given")
}
