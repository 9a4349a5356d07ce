package threshold_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/verify/proof"
	. "github.com/rfactor-go/rfactor/verify/threshold"
)

// problem parses an equation over variables that are declared as in "x:u8,b:bool", and what is given.
func problem(t testing.TB, types, left, right, given string) (p proof.Problem) {
	t.Helper()
	pool, vars := ir.NewPool(), map[string]ir.Expr{}
	for i, declared := range strings.Split(types, ",") {
		name, typ, _ := strings.Cut(declared, ":")
		vars[name] = pool.Placeholder(ir.Leaf, name, i, ir.ParseType(typ))
	}
	scope := program.Scope{Var: func(name string) (ir.Expr, bool) { e, ok := vars[name]; return e, ok }}
	read := func(want ir.Type, text string) ir.Expr {
		e, err := program.ParseExpr(pool, scope, want, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return e
	}
	p.Left = read(ir.Invalid, left)
	p.Right = read(p.Left.Type(), right)
	if given != "" {
		p.Given = []ir.Expr{read(ir.Bool, given)}
	}
	return p
}

func equal(p proof.Problem, assume ir.Assume) error {
	fuel := 1 << 20
	return Equal(&fuel, p, assume)
}

func TestEqual(t *testing.T) {
	const ordered = ir.NNaN | ir.NSZ
	for name, test := range map[string]struct {
		types, left, right, given string
		assume                    ir.Assume
		want                      bool
	}{
		"distributes":                 {"x:i32,y:i32,z:i32", "max(x, min(y, z))", "min(max(x, y), max(x, z))", "", 0, true},
		"absorbs":                     {"x:u8,y:u8", "max(x, min(x, y))", "x", "", 0, true},
		"choices are extrema":         {"x:i32,y:i32", "select(x < y, y, x)", "max(y, select(!(y <= x), x, x))", "", 0, true},
		"choices of others":           {"x:i32,y:i32,z:i32", "select(x < y, z, x)", "max(x, z)", "", 0, false},
		"a flag":                      {"x:i32,y:i32,b:bool", "select(b, x, max(x, y))", "max(x, select(b, x, y))", "", 0, true},
		"flags are not both":          {"x:i32,y:i32,b:bool", "select(b, x, y)", "max(x, y)", "", 0, false},
		"formulas of flags":           {"x:i32,y:i32,b:bool,c:bool", "select(b && !c, x, y)", "select(c, y, select(b, x, y))", "", 0, true},
		"an unknown condition":        {"x:i32,y:i32", "select(x + y == 3, x, y)", "select(!(x + y == 3), y, x)", "", 0, true},
		"atoms of sums":               {"x:i32,y:i32,z:i32", "min(x + y, max(x + y, z))", "x + y", "", 0, true},
		"literals":                    {"x:i32", "max(min(x, 3), 5)", "5", "", 0, true},
		"literals out of order":       {"x:i32", "max(min(x, 5), 3)", "5", "", 0, false},
		"signed literals":             {"x:i32", "max(min(x, -3), 5)", "5", "", 0, true},
		"unsigned literals":           {"x:u32", "max(min(x, 4294967290), 5)", "max(5, min(4294967290, x))", "", 0, true},
		"the least value":             {"x:i32", "max(x, -2147483648)", "x", "", 0, true},
		"is no least where unbounded": {"x:i32", "max(x, -2147483648)", "x", "", ir.NSW, false},
		"natural numbers have one":    {"x:u32", "max(x, 0)", "x", "", ir.NUW, true},
		"the greatest value":          {"x:u8", "min(x, 255)", "x", "", 0, true},
		"and no greatest":             {"x:u8", "min(x, 255)", "x", "", ir.NUW, false},
		"order that is given":         {"x:i32,y:i32,z:i32", "max(x, y, z)", "max(y, z)", "x <= y", 0, true},
		"strict order":                {"x:i32,y:i32", "min(x, y)", "x", "x < y && y < 10", 0, true},
		"the other order":             {"x:i32,y:i32", "min(x, y)", "y", "!(x < y)", 0, true},
		"order of extrema":            {"x:i32,y:i32,z:i32", "max(x, z)", "z", "max(x, y) <= min(z, y)", 0, true},
		"order of a literal":          {"x:i32", "min(x, 7)", "x", "x <= 5", 0, true},
		"order that is not given":     {"x:i32,y:i32", "max(x, y)", "y", "y <= x", 0, false},
		"floats":                      {"x:f32,y:f32,z:f32", "max(x, min(y, z))", "min(max(x, y), max(x, z))", "", ordered, true},
		"an order of floats":          {"x:f32,y:f32,z:f32", "max(x, min(y, max(x, z)))", "max(min(max(z, x), y), x)", "", 0, true},
		"absorbed NaN":                {"x:f32,y:f32", "max(x, min(x, y))", "x", "", ir.NSZ, false},
		"absorbed floats":             {"x:f32,y:f32", "max(x, min(x, y))", "x", "", ir.NNaN, true},
		"choices of floats":           {"x:f32,y:f32", "select(x < y, y, x)", "max(x, y)", "", ordered, true},
		"choices of zeros":            {"x:f32,y:f32", "select(x < y, y, x)", "max(x, y)", "", ir.NNaN, false},
		"choices of NaN":              {"x:f32,y:f32,b:bool", "max(select(b, x, y), x)", "select(b, x, max(y, x))", "", ir.NSZ, false},
		"flags of floats":             {"x:f32,y:f32,b:bool", "max(select(b, x, y), x)", "select(b, x, max(y, x))", "", ir.NNaN, true},
		"zeros are two":               {"x:f64", "max(x, 0.0)", "max(-0.0, x)", "", ir.NNaN, false},
		"in one order":                {"x:f64", "max(min(x, -0.0), 0.0)", "max(0.0, min(-0.0, x))", "", 0, true},
		"a literal NaN":               {"x:f64", "max(x, f64(nan))", "f64(nan)", "", ir.NNaN, false},
		"zeros are one":               {"x:f64", "max(x, 0.0)", "max(-0.0, x)", "", ordered, true},
		"infinities":                  {"x:f64", "min(max(x, -1.0/0.0), 1.0/0.0)", "x", "", ordered, false}, // quotients are atoms
		"a NaN is no order":           {"x:f64,y:f64", "max(x, y)", "x", "!(x < y)", ordered, false},
		"a float that is less":        {"x:f64,y:f64", "max(x, y)", "y", "x < y", ordered, true},
		"sums":                        {"x:i32,y:i32,z:i32", "max(x + y, x + z)", "x + max(y, z)", "", ir.NSW, false}, // for package extrema
		"twenty atoms": {"a:u8,b:u8,c:u8,d:u8,e:u8,f:u8,g:u8,h:u8,i:u8,j:u8,k:u8,l:u8,m:u8,n:u8,o:u8,p:u8,q:u8,r:u8,s:u8,t:u8",
			"max(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)", "max(t, s, r, q, p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a)", "", 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := problem(t, test.types, test.left, test.right, test.given)
			if err := equal(p, test.assume); (err == nil) != test.want {
				t.Errorf("%v = %v: %v", p.Left, p.Right, err)
			}
		})
	}
}

// All sides of two operations deep over three bytes and a flag: what is confirmed holds for all values of three bits, and what
// holds for all of them is confirmed, where there are no conditions but flags.
func TestEqualDecides(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	confirmed := 0
	for range 1000 {
		pool := ir.NewPool()
		d := &drawn.Drawer{Pool: pool, Types: []ir.Type{ir.U8, ir.U8, ir.U8, ir.Bool}, Ops: []ir.Op{ir.Min, ir.Max, ir.Min, ir.Max, ir.Select, ir.And, ir.Not}, Choose: rng.IntN}
		p := proof.Problem{Left: d.Term(ir.U8, 4), Right: d.Term(ir.U8, 4)}
		if rng.IntN(2) == 0 {
			p.Right = d.Respelled(p.Left)
		}
		vars := ir.Vars(p.Left, p.Right)
		err := equal(p, 0)
		at := difference(p, vars, [...]uint64{0, 1, 2, 3, 254, 255})
		if (err == nil) != (at == nil) {
			t.Fatalf("%s = %s: %v, and they differ at %v", p.Left, p.Right, err, at)
		}
		if err == nil {
			confirmed++
		}
	}
	if confirmed < 150 {
		t.Errorf("only %d equations were confirmed", confirmed)
	}
}

// difference returns values of variables, out of some, at which both sides differ; nil where there are none.
func difference(p proof.Problem, vars []ir.Expr, some [6]uint64) []uint64 {
	at := make([]uint64, len(vars))
	env := &ir.Env{Var: func(v ir.Expr) uint64 {
		for i, w := range vars {
			if v == w {
				return at[i]
			}
		}
		panic("no variable")
	}}
	all := 1
	for range vars {
		all *= len(some)
	}
	for n := range all {
		for i, v := range vars {
			at[i] = v.Type().Wrap(some[n%len(some)])
			if v.Type() == ir.Bool {
				at[i] = some[n%len(some)] & 1
			}
			n /= len(some)
		}
		if ir.Eval(p.Left, env) != ir.Eval(p.Right, env) {
			return at
		}
	}
	return nil
}

// Under what is given, and of floats: what is confirmed holds at random points.
func TestEqualIsTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	confirmed := 0
	for range 6000 {
		number, assume := ir.I8, ir.Assume(0)
		if rng.IntN(2) == 0 {
			number, assume = ir.F64, [...]ir.Assume{0, ir.NNaN, ir.NSZ, ir.NNaN | ir.NSZ}[rng.IntN(4)]
		}
		d := &drawn.Drawer{Pool: ir.NewPool(), Types: []ir.Type{number, number, number, ir.Bool}, Ops: []ir.Op{ir.Min, ir.Max, ir.Select, ir.Lt, ir.Le, ir.And, ir.Not, ir.Add}, Choose: rng.IntN}
		p := proof.Problem{Left: d.Term(number, 3), Given: []ir.Expr{d.Term(ir.Bool, 3)}}
		if p.Right = d.Term(number, 2); rng.IntN(2) == 0 {
			p.Right = d.Respelled(p.Left)
		}
		if p.Left == p.Right || equal(p, assume) != nil {
			continue
		}
		confirmed++
		for range 40 {
			values, nan := map[ir.Expr]uint64{}, false
			env := &ir.Env{Var: func(v ir.Expr) uint64 {
				if _, ok := values[v]; !ok {
					values[v] = point(v.Type(), rng)
				}
				return values[v]
			}}
			ir.Walk([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) {
				nan = nan || e.Type().IsFloat() && math.IsNaN(ir.Float(e.Type(), ir.Eval(e, env)))
			})
			x, y := ir.Eval(p.Left, env), ir.Eval(p.Right, env)
			same := x == y || assume.Has(ir.NSZ) && ir.Float(number, x) == ir.Float(number, y)
			if !(nan && assume.Has(ir.NNaN)) && !same && ir.Eval(p.Given[0], env) != 0 {
				t.Fatalf("%s = %s given %s is confirmed, but is %x and %x at %v", p.Left, p.Right, p.Given[0], x, y, values)
			}
		}
	}
	if confirmed < 300 {
		t.Errorf("only %d equations were confirmed", confirmed)
	}
}

// point draws a value of which ties are common.
func point(t ir.Type, rng *rand.Rand) uint64 {
	if t.IsFloat() {
		return ir.FloatBits(t, [...]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, 2, -1}[rng.IntN(8)])
	}
	return [...]uint64{t.Min(), t.Max(), t.Wrap(rng.Uint64()), t.Wrap(rng.Uint64() % 4)}[rng.IntN(4)]
}
