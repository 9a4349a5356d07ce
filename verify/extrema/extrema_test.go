package extrema

import (
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// sides parses two terms over variables that are declared as in "x0:u8,b:bool".
func sides(t testing.TB, types, left, right string) (a, b ir.Expr) {
	t.Helper()
	pool, vars := ir.NewPool(), map[string]ir.Expr{}
	for i, declared := range strings.Split(types, ",") {
		name, typ, _ := strings.Cut(declared, ":")
		vars[name] = pool.Placeholder(ir.Leaf, name, i, ir.ParseType(typ))
	}
	scope := program.Scope{Var: func(name string) (ir.Expr, bool) { e, ok := vars[name]; return e, ok }}
	var err error
	if a, err = program.ParseExpr(pool, scope, ir.Invalid, left); err == nil {
		b, err = program.ParseExpr(pool, scope, a.Type(), right)
	}
	if err != nil {
		t.Fatalf("%s = %s: %v", left, right, err)
	}
	return a, b
}

func assumed(t testing.TB, names string) ir.Assume {
	t.Helper()
	a, err := ir.ParseAssume(names)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const real = "reassoc,nnan,nsz"

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		types, left, right, assume string
		want                       bool
	}{
		{"x:i32,y:i32,z:i32", "max(x + y, x + z)", "max(z, y) + x", "nsw", true},
		{"x:i32,y:i32,z:i32", "max(x + y, x + z)", "max(z, y) + x", "nuw", false}, // sums wrap
		{"x:u32,y:u32,z:u32", "max(x + y, x + z)", "max(z, y) + x", "nsw", false},
		{"x:u32,y:u32,z:u32", "max(x + y, x + z)", "max(z, y) + x", "nuw", true},
		{"x:u32,y:u32,z:u32", "max(x, z) - y", "max(x - y, z - y)", "nuw", false}, // a difference that does not exist
		{"x:u32,y:u32,z:u32", "max(x - y, z)", "max(z, x - y)", "nuw", true},
		{"x:u32,y:u32", "x - y + y", "x", "nuw", false},
		{"x:f32,y:f32", "-min(x - y, 0.5)", "max(-0.5, y - x)", real, true},
		{"x:f32,y:f32", "-min(x - y, 0.5)", "max(-0.5, y - x)", "reassoc,nsz", false},
		{"x:f32,y:f32", "max(x, y)", "max(y, x)", "nnan,nsz", true},
		{"x:f32", "max(x, 0.0)", "max(x, -0.0)", "nnan,nsz", true},
		{"x:f32,y:bool", "select(y, x, 0.0)", "select(y, x, -0.0)", "none", false},
		{"x:f64", "max(x + 0.1 + 0.2, 0.3)", "max(x + 0.3, 0.3)", real, false}, // literals are exact
		{"x:f64", "max(x + 0.5 + 0.25, 1.0)", "max(x + 0.75, 1.0)", real, true},
		{"x:i32,y:i32,z:i32", "max(max(x, y), z)", "max(y, max(z, max(x, y)))", "none", true},
		{"x:i32,y:i32,z:bool", "select(z, x + 1, max(x, y))", "select(!z, max(y, x), 1 + x)", "nsw", true},
		{"x:i32,y:i32,z:bool", "select(z, x, max(x, y))", "max(x, select(z, x, y))", "none", true},
		{"x:i32,y:i32,z:bool", "select(z, x, max(x, y))", "max(x, select(z, y, x))", "none", false},
		{"x:i32,y:i32,z:bool", "select(z, select(!z, y, x), y)", "select(z, x, y)", "none", true},
		{"x:i32,y:i32,z:bool", "select(z, x, y)", "max(x, y)", "none", false},
		{"x:i32,y:i32", "max(x, y)", "min(x, y)", "none", false},
		{"x:i32,y:i32,z:i32", "max(min(x, y), z)", "max(z, min(x, y))", "none", false}, // mixed
		{"x:i32,y:i32", "x + y - x + y + 3", "3 + y + y", "nsw", true},
		{"x:bool,y:bool,z:bool", "select(y, x, z) != z", "y && (x != z)", "none", true},
		{"x:bool,y:bool,z:bool", "select(y, x, z)", "(x && y) || z", "none", false},
		// Literals at the limits of their types are numbers, and their sums do not wrap.
		{"x:i64", "max(x, -(-9223372036854775808))", "max(x, -9223372036854775808)", "nsw", false},
		{"x:i64", "max(x + -9223372036854775808 + -9223372036854775808, 0)", "max(x, 0)", "nsw", false},
		{"x:i64", "max(x, -9223372036854775808)", "x", "nsw", false},
		{"x:u64", "max(x + 18446744073709551615 + 1, 5)", "max(x, 5)", "nuw", false},
		{"x:u64", "max(x + 18446744073709551615 + 1, 5)", "max(x + 9223372036854775808 + 9223372036854775808, 5)", "nuw", true},
	} {
		a, b := sides(t, test.types, test.left, test.right)
		if err := equal(a, b, assumed(t, test.assume)); (err == nil) != test.want {
			t.Errorf("%s = %s under %s: %v", test.left, test.right, test.assume, err)
		}
	}
}

// A factor of 2^64 is not 0.
func TestFactors(t *testing.T) {
	p := ir.NewPool()
	x, zero := p.Y(0, ir.I64), p.Int(ir.I64, 0)
	e := x
	for range 64 {
		e = ir.AddOf(e, e)
	}
	if equal(ir.MaxOf(e, zero), zero, ir.NSW) == nil {
		t.Error("2^64·x is taken for 0")
	}
}

// Equations that certificates of kind extrema have proven are confirmed.
func TestRecorded(t *testing.T) {
	data, err := os.ReadFile("testdata/equations.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		a, b := sides(t, f[0], f[3], f[4])
		if err := equal(a, b, assumed(t, f[1])); err != nil {
			t.Errorf("%s = %s: %v", a, b, err)
		}
	}
}

// semantics are types of numbers with what is assumed of them.
var semantics = []struct {
	number ir.Type
	assume ir.Assume
}{
	{ir.I8, 0}, {ir.U8, 0}, {ir.I8, ir.NSW}, {ir.I8, ir.NSW}, {ir.U8, ir.NUW}, {ir.U8, ir.NSW},
	{ir.F64, ir.Reassoc | ir.NNaN | ir.NSZ}, {ir.F64, ir.NNaN | ir.NSZ}, {ir.F64, 0},
}

var operators = []ir.Op{
	ir.Add, ir.Add, ir.Sub, ir.Neg, ir.Min, ir.Max, ir.Max, ir.Select, ir.Select,
	ir.And, ir.Or, ir.Not, ir.Eq, ir.Ne, ir.Lt, ir.Mul,
}

// accepted checks one equation: what is confirmed holds at random points that break no assumption.
func accepted(t *testing.T, choose func(int) int) bool {
	s := semantics[choose(len(semantics))]
	d := &drawn.Drawer{Pool: ir.NewPool(), Types: []ir.Type{s.number, s.number, ir.Bool}, Ops: operators, Choose: choose}
	a := d.Term(d.Type(), 4)
	b := d.Respelled(d.Respelled(a))
	if a == b || equal(a, b, s.assume) != nil {
		return false
	}
	var terms []ir.Expr
	ir.Walk([]ir.Expr{a, b}, func(e ir.Expr) { terms = append(terms, e) })
	rng := rand.New(rand.NewPCG(uint64(a.Size()), uint64(b.Size())))
	for range 60 {
		values := map[ir.Expr]uint64{}
		env := &ir.Env{Var: func(v ir.Expr) uint64 {
			if _, ok := values[v]; !ok {
				values[v] = point(v.Type(), rng)
			}
			return values[v]
		}}
		x, y := ir.Eval(a, env), ir.Eval(b, env)
		f, g := ir.Float(ir.F64, x), ir.Float(ir.F64, y)
		same := x == y || a.Type() == ir.F64 && f == g && s.assume.Has(ir.NSZ)
		if !same && stands(terms, env, s.assume) {
			t.Fatalf("%s = %s is confirmed under %s, but is %v and %v at %v", a, b, s.assume, x, y, values)
		}
	}
	return true
}

func point(t ir.Type, rng *rand.Rand) uint64 {
	if t == ir.F64 {
		return ir.FloatBits(t, [...]float64{math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, -2, 5}[rng.IntN(7)])
	}
	return [...]uint64{t.Min(), t.Max(), t.Wrap(rng.Uint64()), t.Wrap(rng.Uint64() % 8)}[rng.IntN(4)]
}

// stands reports whether no term breaks an assumption: none is NaN, and none of 8 bits overflows.
func stands(terms []ir.Expr, env *ir.Env, assume ir.Assume) bool {
	values := ir.EvalAll(terms, env)
	at := map[ir.Expr]int64{}
	for i, e := range terms {
		at[e] = int64(values[i])
		if t := e.Type(); t.IsFloat() && assume.Has(ir.NNaN) && math.IsNaN(ir.Float(t, values[i])) {
			return false
		} else if !assume.Unbounded(t) {
			continue
		}
		exact := at[e]
		switch e.Op() {
		case ir.Add:
			exact = at[e.Arg(0)] + at[e.Arg(1)]
		case ir.Sub:
			exact = at[e.Arg(0)] - at[e.Arg(1)]
		case ir.Mul:
			exact = at[e.Arg(0)] * at[e.Arg(1)]
		case ir.Neg:
			exact = -at[e.Arg(0)]
		}
		if exact != at[e] {
			return false
		}
	}
	return true
}

func TestEqualIsTrue(t *testing.T) {
	rng, confirmed := rand.New(rand.NewPCG(3, 4)), 0
	for range 20000 {
		if accepted(t, rng.IntN) {
			confirmed++
		}
	}
	if t.Logf("%d equations are confirmed", confirmed); confirmed < 1000 {
		t.Errorf("%d equations are confirmed: they test little", confirmed)
	}
}

// TestBounds gives terms that are too large, which are refused.
func TestBounds(t *testing.T) {
	p := ir.NewPool()
	e, flags, sum := p.X(0, ir.I32), p.Bool(false), p.X(0, ir.I32)
	for i := range 500 {
		e = ir.MaxOf(ir.AddOf(e, p.Y(2*i, ir.I32)), ir.AddOf(e, p.Y(2*i+1, ir.I32)))
		flags = ir.Make(ir.Ne, flags, ir.AndOf(p.Y(i, ir.Bool), p.Y((i*37+11)%500, ir.Bool)))
		sum = ir.AddOf(sum, ir.SelectOf(p.Y(i, ir.Bool), p.Y(i, ir.I32), sum))
	}
	for _, large := range []ir.Expr{e, sum, ir.SelectOf(flags, e, sum), ir.SelectOf(flags, p.X(0, ir.I32), p.X(1, ir.I32))} {
		if equal(large, ir.NegOf(large), ir.NSW) == nil {
			t.Error("a large equation is confirmed")
		}
	}
}

func FuzzEqual(f *testing.F) {
	for _, seed := range drawn.Seeds(20, 80) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) { accepted(t, drawn.FromBytes(data)) })
}

// equal is Equal with as many steps as one equation may take.
func equal(a, b ir.Expr, assume ir.Assume) error {
	fuel := maxSteps
	return Equal(a, b, assume, &fuel)
}
