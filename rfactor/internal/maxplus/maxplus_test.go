package maxplus

import (
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		types, left, right, assume string
		want                       bool
	}{
		{"x0:i32,y0:i32,y1:i32", "max(x0 + y0, x0 + y1)", "max(y1, y0) + x0", "nsw", true},
		{"x0:i32,y0:i32,y1:i32", "max(x0 + y0, x0 + y1)", "max(y1, y0) + x0", "none", false}, // sums wrap
		{"x0:u32,y0:u32,y1:u32", "max(x0 + y0, x0 + y1)", "max(y1, y0) + x0", "nsw", false},
		{"x0:u32,y0:u32,y1:u32", "max(x0 + y0, x0 + y1)", "max(y1, y0) + x0", "nuw", true},
		{"x0:f32,y0:f32,y1:f32", "-min(x0 - y0, 0.5)", "max(-0.5, y0 - x0)", "reassoc,nnan,nsz", true},
		{"x0:f32,y0:f32,y1:f32", "-min(x0 - y0, 0.5)", "max(-0.5, y0 - x0)", "reassoc,nsz", false},
		{"x0:i32,y0:i32,y1:i32", "max(max(x0, y0), y1)", "max(y0, max(y1, max(x0, y0)))", "none", true},
		{"x0:i32,y0:i32,y1:bool", "select(y1, x0 + 1, max(x0, y0))", "select(!y1, max(y0, x0), 1 + x0)", "nsw", true},
		{"x0:i32,y0:i32,y1:bool", "select(y1, x0, max(x0, y0))", "max(x0, select(y1, x0, y0))", "none", true},
		{"x0:i32,y0:i32,y1:bool", "select(y1, x0, max(x0, y0))", "max(x0, select(y1, y0, x0))", "none", false},
		{"x0:i32,y0:i32,y1:bool", "select(y1, x0, y0)", "max(x0, y0)", "none", false},
		{"x0:i32,y0:i32", "max(x0, y0)", "min(x0, y0)", "none", false},
		{"x0:i32,y0:i32", "x0 + y0 - x0 + y0 + 3", "3 + y0 + y0", "nsw", true},
		{"x0:bool,y0:bool,y1:bool", "select(y0, x0, y1) != y1", "y0 && (x0 != y1)", "none", true},
		{"x0:bool,y0:bool,y1:bool", "select(y0, x0, y1)", "(x0 && y0) || y1", "none", false},
	} {
		u, err := program.ParseUpdate(ir.NewPool(), test.types, test.left)
		if err != nil {
			t.Fatal(err)
		}
		v, err := program.ParseUpdate(u.Pool, test.types, test.right)
		if err != nil {
			t.Fatal(err)
		}
		assume, err := ir.ParseAssume(test.assume)
		if err != nil {
			t.Fatal(err)
		}
		if Equal(u.Values[0], v.Values[0], assume, nil) != test.want {
			t.Errorf("%s = %s under %s: confirmed is not %t", test.left, test.right, test.assume, test.want)
		}
	}
}

// Random terms that are confirmed to be equal have equal values, and many that are made equal are
// confirmed.
func TestEqualIsTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := ir.NewPool()
	var numbers, flags []ir.Expr
	for i := range 2 {
		numbers = append(numbers, p.X(i, ir.I64), p.Int(ir.I64, int64(i)))
		flags = append(flags, p.Y(i, ir.Bool))
	}
	var number, flag func(depth int) ir.Expr
	flag = func(depth int) ir.Expr {
		if depth == 0 {
			return flags[rng.IntN(len(flags))]
		}
		switch rng.IntN(5) {
		case 0:
			return ir.NotOf(flag(depth - 1))
		case 1:
			return ir.AndOf(flag(depth-1), flag(depth-1))
		case 2:
			return ir.OrOf(flag(depth-1), flag(depth-1))
		case 3:
			return ir.Make(ir.Ne, flag(depth-1), flag(depth-1))
		}
		return ir.LtOf(number(depth-1), number(depth-1))
	}
	number = func(depth int) ir.Expr {
		if depth == 0 {
			return numbers[rng.IntN(len(numbers))]
		}
		switch a, b := number(depth-1), number(depth-1); rng.IntN(6) {
		case 0:
			return ir.AddOf(a, b)
		case 1:
			return ir.SubOf(a, b)
		case 2:
			return ir.MinOf(a, b)
		case 3:
			return ir.NegOf(a)
		case 4:
			return ir.SelectOf(flag(depth-1), a, b)
		default:
			return ir.MaxOf(a, b)
		}
	}
	confirmed := 0
	for range 20000 {
		a, b := number(rng.IntN(3)), number(rng.IntN(3))
		if rng.IntN(2) == 0 {
			a, b = flag(rng.IntN(3)), flag(rng.IntN(3))
		}
		if a == b || !Equal(a, b, ir.NSW, nil) {
			continue
		}
		confirmed++
		for x := range int64(5 * 5) {
			for y := range uint64(4) {
				env := &ir.Env{Var: func(v ir.Expr) uint64 {
					switch {
					case v.Type() == ir.Bool:
						return y >> v.Index() & 1
					case v.Index() == 0:
						return uint64(x%5 - 2)
					}
					return uint64(x/5 - 2)
				}}
				if ir.Eval(a, env) != ir.Eval(b, env) {
					t.Fatalf("%s = %s is confirmed, and false", a, b)
				}
			}
		}
	}
	if confirmed < 200 {
		t.Errorf("only %d equations were confirmed", confirmed)
	}
}

// What is too large is not confirmed, and takes no long time.
func TestBounds(t *testing.T) {
	p := ir.NewPool()
	e := p.X(0, ir.I32)
	for i := range 24 {
		e = ir.MaxOf(ir.AddOf(e, p.Y(2*i, ir.I32)), ir.AddOf(e, p.Y(2*i+1, ir.I32)))
	}
	if Equal(e, ir.AddOf(e, p.Int(ir.I32, 0)), ir.NSW, nil) {
		t.Error("2^24 sums were compared")
	}
}
