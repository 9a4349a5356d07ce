package pole_test

import (
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/verify/pole"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// TestIdentity: candidates that are identities of the operator as a rational function, and what is said
// of the points at which a term of x ⊕ e may have no value.
func TestIdentity(t *testing.T) {
	for _, test := range []struct {
		types, exprs, identity string
		side                   proof.Side
		want                   string // how the error begins; empty for none
	}{
		{"x:f64,y:f64", "x + y", "0.0", proof.Right, ""},
		{"x:f64,y:f64", "x*y", "1.0", proof.Right, ""},
		{"x:f64,y:f64", "max(x, y)", "-inf", proof.Right, ""},
		{"x:f64,y:f64", "x + y + x/y*0.0", "0.0", proof.Right, "x0/0.0"},
		{"x:f64,y:f64", "x + y + x/y*0.0", "0.0", proof.Left, "0.0/y0 may be NaN"},
		{"x:f64,y:f64", "x + y + y/(x - 7.0)*0.0", "0.0", proof.Right, "0.0/(x0 - 7.0) may be NaN"},
		{"x:f64,y:f64", "x + y + y/(x*x + 7.0)*0.0", "0.0", proof.Right, ""},
		{"x:f64,y:f64", "x + y + y/(exp(x) + 1.0)*0.0", "0.0", proof.Right, ""},
		{"x:f64,y:f64", "(x + y)/(x*y + 1.0)", "0.0", proof.Right, ""},
		{"x:f64,y:f64", "1.0/(1.0/x + 1.0/y)", "inf", proof.Right, ""},
		{"x:f64,y:f64", "x*y/(x + y)", "inf", proof.Right, "x0*inf"},
		{"x:f64,y:f64", "x*y/(x + y - x*y)", "1.0", proof.Right, ""},
		{"x:f64,y:f64", "x*y/(x + y - x*y)", "1.0", proof.Left, ""},
		{"x:f64,y:f64", "x + y/(x - (x + x - x))", "0.0", proof.Right, "0.0/(x0 - (x0 + x0 - x0)) may be NaN"},
		{"x:f64,y:f64", "x + y/(x - x + x)", "0.0", proof.Right, "0.0/(x0 - x0 + x0) may be NaN"},
		{"x:f64,y:f64", "sqrt(x*x + y*y)", "0.0", proof.Middle, ""},
		{"x:f64,y:f64", "sqrt(x + y)", "0.0", proof.Middle, "sqrt(x0 + 0.0) may be NaN"},
		{"x:f64,y:f64", "log(exp(x) + exp(y))", "-inf", proof.Right, ""},
		{"x:f64,y:f64", "log(x + y)", "0.0", proof.Right, "log(x0 + 0.0) may be NaN"},
		{"x:f64,y:f64", "x/select(y == 0.0, 1.0, y)", "0.0", proof.Right, ""},
		{"x:f64,y:f64", "select(x == 0.0, x, x + y/x)", "0.0", proof.Right, ""},
		{"x:f64,y:f64", "select(x < 0.0 || 0.0 < x, x + y/x, x)", "0.0", proof.Right, ""},
		{"x:f64,y:f64", "select(!(0.0 <= x), x + y/x, x)", "0.0", proof.Right, ""},
		{"x:f64,y:f64", "select(x >= 0.0, x + y/x, x)", "0.0", proof.Right, "0.0/x0 may be NaN"},
		{"x0:f64,x1:f64,y0:f64,y1:f64", "x0 + y0; (x0*x1 + y0*y1)/(x0 + y0)", "0.0; 0.0", proof.Right, "(x0*x1 + 0.0*0.0)/(x0 + 0.0) may be NaN"},
		{"x0:i32,x1:f64,y0:i32,y1:f64", "x0 + y0; select(y0 == 0, x1, select(x0 == 0, y1, (f64(x0)*x1 + f64(y0)*y1)/f64(x0 + y0)))", "0; 0.0", proof.Right, ""},
		{"x0:f64,x1:f64,y0:f64,y1:f64", "max(x0, y0); x1*exp(x0 - max(x0, y0)) + y1*exp(y0 - max(x0, y0))", "-inf; 0.0", proof.Right, "-inf - max(-inf, -inf) may be NaN"},
		{"x0:bool,x1:f64,y0:bool,y1:f64", "x0 || y0; select(y0, y1/x1, x1)", "false; 0.0", proof.Right, ""},
		{"x:i32,y:i32", "x/y", "0", proof.Right, ""}, // of integers every operation has a value
	} {
		u, err := program.ParseOperator(ir.NewPool(), test.types, test.exprs)
		if err != nil {
			t.Fatal(err)
		}
		e, err := program.ParseExprs(u.Pool, program.Scope{Var: func(string) (ir.Expr, bool) { return ir.Expr{}, false }}, "identity", u.Types, test.identity)
		if err != nil {
			t.Fatal(err)
		}
		fuel := 1 << 20
		err = pole.Identity(&fuel, proof.Operator{Types: u.Types, Exprs: u.Values}, test.side, e, ir.Reassoc|ir.NNaN|ir.AFN)
		switch {
		case err == nil && test.want != "":
			t.Errorf("%s with %s %s: no error, want %s", test.exprs, test.side, test.identity, test.want)
		case err != nil && (test.want == "" || !strings.HasPrefix(err.Error(), test.want)):
			t.Errorf("%s with %s %s: %v, want %q", test.exprs, test.side, test.identity, err, test.want)
		}
		if pole.Identity(&fuel, proof.Operator{Types: u.Types, Exprs: u.Values}, test.side, e, ir.NSZ) != nil {
			t.Errorf("%s: a law that makes no promise is checked at poles", test.exprs)
		}
	}
}

// TestFuel: a law that takes more steps than there are is not confirmed.
func TestFuel(t *testing.T) {
	p := ir.NewPool()
	x := p.X(0, ir.F64)
	fuel := 3
	err := pole.Free(&fuel, []proof.Problem{{Left: ir.Make(ir.Div, x, ir.Make(ir.Exp, x)), Right: x}}, ir.Reassoc)
	if err == nil || !strings.Contains(err.Error(), "takes too long") {
		t.Errorf("with 3 steps: %v", err)
	}
}
