package exhaustive_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/verify/exhaustive"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// TestAssociative: operators of at most 8 bits are decided, and the values that refute one do.
func TestAssociative(t *testing.T) {
	for _, test := range []struct{ types, exprs, want string }{
		{"x:u8,y:u8", "x + y", ""},
		{"x:u8,y:u8", "popcount(x ^ y) % 2", ""},
		{"x:u8,y:u8", "saturating_add(x, y)", ""},
		{"x:i8,y:i8", "saturating_add(x, y)", "differ"},
		{"x:i8,y:i8", "max(gcd(x, y), 0)", "differ"},
		{"x:i8,y:i8", "i8(i16(x)*i16(y) >> 2)", "differ"},
		{"x:u8,y:u8", "u8(f32(x) + f32(y))", ""}, // a cast of a float saturates
		{"x:u8,y:u8", "u8(min(u16(x) + u16(y), 255))", ""},
		{"x:bool,y:bool", "x != y", ""},
		{"x:bool,y:bool", "x && !y", "differ"},
		{"x0:bool,x1:bool,y0:bool,y1:bool", "x0 && y0; (x0 && y1) || x1", ""},
		{"x0:bool,x1:bool,y0:bool,y1:bool", "x0 && y0; x1 && !y1", "differ"},
		{"x:u16,y:u16", "x + y", "16 bits"},
		{"x0:bool,x1:u8,y0:bool,y1:u8", "x0 && y0; x1 + y1", ""},
		{"x0:bool,x1:u8,y0:bool,y1:u8", "x0 && y0; select(y0, x1, y1)", "9 bits"},
		{"x:u8,y:u8,k:u8", "max(min(x, k), y)", "constant"},
		{"x:u8,y:u8", "u8(exp(f32(x & y)))", "rounds as the machine does"},
	} {
		u, err := program.ParseOperator(ir.NewPool(), test.types, test.exprs)
		if err != nil {
			t.Fatal(err)
		}
		op := proof.Operator{Types: u.Types, Exprs: u.Values}
		fuel := 1 << 25
		err = associative(&fuel, op)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.exprs, err, test.want)
		}
		var d *exhaustive.Difference
		if errors.As(err, &d) && !differs(op.Associativity(), d) {
			t.Errorf("%s: %v does not refute it", test.exprs, d)
		}
		if fuel = 1000; err == nil && associative(&fuel, op) == nil {
			t.Errorf("%s: confirmed in 1000 steps", test.exprs)
		}
	}
}

// associative asks about all components.
func associative(fuel *int, op proof.Operator) error {
	for i := range op.Types {
		if err := exhaustive.Associative(fuel, op, i); err != nil {
			return err
		}
	}
	return nil
}

func differs(ps []proof.Problem, d *exhaustive.Difference) (differ bool) {
	env := &ir.Env{Var: func(v ir.Expr) uint64 {
		for i, e := range d.Vars {
			if e == v {
				return d.Values[i]
			}
		}
		return 0
	}}
	for _, p := range ps {
		differ = differ || ir.Eval(p.Left, env) != ir.Eval(p.Right, env)
	}
	return differ
}

// TestEqual: equations of at most 16 bits, with what is given.
func TestEqual(t *testing.T) {
	pool := ir.NewPool()
	scope := program.Scope{Var: func(name string) (ir.Expr, bool) {
		v, ok := map[string]ir.Expr{"x0": pool.X(0, ir.I8), "y0": pool.Y(0, ir.I8), "z0": pool.Y(1, ir.I8)}[name]
		return v, ok
	}}
	for _, test := range []struct{ left, right, given, want string }{
		{"popcount(x0)", "8 - popcount(~x0)", "true", ""},
		{"gcd(x0, y0)", "gcd(y0, x0)", "true", ""},
		{"max(gcd(x0, y0), 0)", "gcd(x0, y0)", "true", "differ"},
		{"max(gcd(x0, y0), 0)", "gcd(x0, y0)", "x0 > -128 && y0 > -128", ""},
		{"x0 + y0", "x0 - y0", "true", "differ"},
		{"x0 + z0", "z0 + x0", "y0 == 0", "24 bits"},
	} {
		es, err := program.ParseExprs(pool, scope, "test", []ir.Type{ir.I8, ir.I8, ir.Bool}, test.left+";"+test.right+";"+test.given)
		if err != nil {
			t.Fatal(err)
		}
		fuel := 1 << 25
		err = exhaustive.Equal(&fuel, proof.Problem{Left: es[0], Right: es[1], Given: es[2:]})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s = %s given %s: %v, want %q", test.left, test.right, test.given, err, test.want)
		}
	}
}
