package scaled_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/verify/proof"
	. "github.com/rfactor-go/rfactor/verify/scaled"
)

func problem(t *testing.T, types, left, right string) proof.Problem {
	t.Helper()
	pool, vars := ir.NewPool(), map[string]ir.Expr{}
	for i, declared := range strings.Split(types, ",") {
		name, typ, _ := strings.Cut(declared, ":")
		vars[name] = pool.Placeholder(ir.Leaf, name, i, ir.ParseType(typ))
	}
	scope := program.Scope{Var: func(name string) (ir.Expr, bool) { e, ok := vars[name]; return e, ok }}
	parse := func(want ir.Type, text string) ir.Expr {
		e, err := program.ParseExpr(pool, scope, want, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return e
	}
	p := proof.Problem{Left: parse(ir.Invalid, left)}
	p.Right = parse(p.Left.Type(), right)
	return p
}

func TestEqual(t *testing.T) {
	const numbers, floats = "a:i32,b:i32,x:i32,y:i32,c:bool", "a:f64,b:f64,x:f64,y:f64"
	field := ir.Reassoc | ir.NNaN | ir.NSZ
	for _, test := range []struct {
		types, left, right string
		assume             ir.Assume
		err                string // part of it; none where the equation holds
	}{
		{numbers, "max(a*x, a*y)", "select(0 <= a, a*max(x, y), a*min(x, y))", ir.NSW, ""},
		{numbers, "max(a*x, a*y)", "select(a < 0, a*min(x, y), a*max(x, y))", ir.NSW, ""},
		{numbers, "max(a*x, a*y)", "select(0 >= a, a*min(x, y), a*max(x, y))", ir.NSW, "differ"}, // it holds, but 0 >= a is not read
		{numbers, "-max(x, y)", "min(-x, -y)", ir.NSW, ""},
		{numbers, "max(a*max(x, y), a*min(x, y)) - b", "max(a*x - b, a*y - b)", ir.NSW, ""},
		{numbers, "select(c, a, b)*max(x, y)", "select(c, a*max(x, y), b*max(x, y))", ir.NSW, ""},
		{numbers, "a*b*max(x, y)", "select(0 <= a, a*max(b*x, b*y), a*min(b*x, b*y))", ir.NSW, "differ"}, // b may be negative
		{numbers, "a*max(x, y)", "max(a*x, a*y)", ir.NSW, "differ"},
		{numbers, "max(a, 0)*max(x, y)", "max(x*max(a, 0), y*max(a, 0))", ir.NSW, ""},
		{numbers, "max(a, 1)*max(x, y)", "max(x*max(a, 1), y*max(a, 1))", ir.NSW, "multiplied"},
		{numbers, "max(2*x, 2*y)", "2*max(x, y)", ir.NSW, ""},
		{numbers, "max(-2*x, -2*y)", "-2*max(x, y)", ir.NSW, "differ"},
		{numbers, "max(a*x, a*y)", "max(a*y, a*x)", 0, "keep the order"},
		{numbers, "max(a, b)*max(x, y)", "max(x, y)*max(a, b)", ir.NSW, "multiplied"},
		{numbers, "(a + b)*max(x, y)", "max(x, y)*(a + b)", ir.NSW, "by a sum"},
		{numbers, "max(a, b) + max(x, y)", "max(x, y) + max(a, b)", ir.NSW, "added"},
		{"a:u32,x:u32,y:u32", "a*max(x, y)", "max(a*x, a*y)", ir.NUW, ""},
		{floats, "max(max(a*x, a*y), 0.0*b)", "max(max(a*max(x, y), 0.0*b), a*min(x, y))", field, ""},
		{floats, "max(a*x, a*y)", "max(a*max(x, y), a*min(x, y))", field &^ ir.NSZ, "keep the order"},
		{floats, "max(x, y) + a", "max(x + a, y + a)", field | ir.NInf, ""},
		{floats, "max(x, y) + a", "max(x + a, y + a)", field, "differ"}, // ∞ − ∞
	} {
		p, fuel := problem(t, test.types, test.left, test.right), 1<<18
		err := Equal(&fuel, p, test.assume)
		if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s = %s under %s: %v", test.left, test.right, test.assume, err)
		}
	}
	p, fuel := problem(t, numbers, "max(a*x, a*y)", "max(a*max(x, y), a*min(x, y))"), 9
	if err := Equal(&fuel, p, ir.NSW); err == nil || fuel < -100 {
		t.Errorf("%v, with %d steps left of 9", err, fuel)
	}
}

// TestEqualIsTrue evaluates random equations that are accepted, at small numbers.
func TestEqualIsTrue(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 34))
	accepted := 0
	for range 20000 {
		pool := ir.NewPool()
		var term func(depth int) ir.Expr
		term = func(depth int) ir.Expr {
			if depth == 0 {
				return []ir.Expr{pool.X(0, ir.I64), pool.X(1, ir.I64), pool.Y(0, ir.I64), pool.Int(ir.I64, 0), pool.Int(ir.I64, int64(r.IntN(5)-2))}[r.IntN(5)]
			}
			a, b := term(depth-1), term(r.IntN(depth))
			switch r.IntN(8) {
			case 0:
				return ir.SelectOf(ir.LeOf(pool.Int(ir.I64, 0), a), term(depth-1), b)
			case 1:
				return ir.SelectOf(ir.LtOf(a, b), term(depth-1), b)
			case 2:
				return ir.NegOf(a)
			}
			return ir.Make([]ir.Op{ir.Min, ir.Max, ir.Mul, ir.Mul, ir.Add, ir.Sub}[r.IntN(6)], a, b)
		}
		a, b := term(2), term(2)
		by := term(0)
		p := proof.Problem{Left: ir.MulOf(by, ir.MaxOf(a, b)), Right: ir.Make([]ir.Op{ir.Min, ir.Max}[r.IntN(2)], ir.MulOf(a, by), ir.MulOf(by, b))}
		fuel := 1 << 16
		if Equal(&fuel, p, ir.NSW) != nil {
			continue
		}
		accepted++
		for range 30 {
			values := map[ir.Expr]uint64{}
			at := &ir.Env{Var: func(v ir.Expr) uint64 {
				if _, ok := values[v]; !ok {
					values[v] = uint64(int64(r.IntN(9) - 4))
				}
				return values[v]
			}}
			if ir.Eval(p.Left, at) != ir.Eval(p.Right, at) {
				t.Fatalf("%s = %s is accepted, but not at %v", p.Left, p.Right, values)
			}
		}
	}
	if t.Logf("%d are accepted", accepted); accepted < 1000 {
		t.Errorf("%d are accepted: they test little", accepted)
	}
}
