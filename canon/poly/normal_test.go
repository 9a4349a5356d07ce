package poly_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ir/tape"
)

func parseUpdate(t *testing.T, p *ir.Pool, types, text string) ir.Expr {
	t.Helper()
	u, err := program.ParseUpdate(p, types, text)
	if err != nil {
		t.Fatal(err)
	}
	return u.Values[0]
}

func TestNormal(t *testing.T) {
	for _, c := range []struct{ types, in, want string }{
		{"x0:i32,y0:i32", "x0 - (-y0)", "x0 + y0"},
		{"x0:i32,y0:i32", "~(~x0 - y0)", "x0 + y0"},
		{"x0:i32,y0:i32", "(x0 ^ y0) + ((x0 & y0) << 1)", "x0 + y0"},
		{"x0:i32,y0:i32", "x0 + (y0 & ~x0)", "x0 | y0"},
		{"x0:i32,y0:i32", "(x0 ^ y0) ^ (x0 & y0)", "x0 | y0"},
		{"x0:i32,y0:i32", "x0 ^ (y0 & ~x0)", "x0 | y0"},
		{"x0:i32,y0:i32", "~(x0 ^ y0)", "x0 ^ ~y0"},
		{"x0:i32,y0:i32", "(x0 - 1)*(y0 - 1) + 1", "x0*(y0 - 1) + (2 - y0)"},
		{"x0:i32,y0:i32,k0:i32", "x0 + (y0 + x0*(y0*k0))", "x0*(y0*k0 + 1) + y0"},
		{"x0:i32,y0:i32,y1:i32,r:i32", "x0*(y0 + y1) + r*x0", "x0*(y0 + r + y1)"},
		{"x0:f64,y0:f64,k0:f64", "x0 - y0/(-k0)", "x0 + y0/k0"},
		{"x0:i32,y0:i32", "x0*2 - x0 - x0", "0"},
		{"x0:i32,y0:i32", "y0 - x0", "-x0 + y0"},
	} {
		p := ir.NewPool()
		got := Normal(parseUpdate(t, p, c.types, c.in), ir.DefaultAssumptions)
		if got.String() != c.want {
			t.Errorf("Normal(%s) = %s, want %s", c.in, got, c.want)
		}
		if again := Normal(got, ir.DefaultAssumptions); again != got {
			t.Errorf("Normal(%s) = %s is not its own normal form but %s", c.in, got, again)
		}
	}
}

// TestNormalEvaluates: the normal form of random ring terms has the same value everywhere.
func TestNormalEvaluates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, typ := range []ir.Type{ir.I8, ir.I32, ir.U8, ir.U64, ir.I64} {
		for range 3000 {
			p := ir.NewPool()
			leaves := []ir.Expr{p.X(0, typ), p.Y(0, typ), p.K(0, typ), p.Int(typ, int64(rng.IntN(7)-3)), p.X(0, typ)}
			e := randomRing(rng, leaves, 6)
			n := Normal(e, 0)
			for range 20 {
				values := map[string]uint64{}
				for _, v := range []string{"x0", "y0", "k0"} {
					values[v] = typ.Wrap(rng.Uint64() >> rng.IntN(64))
				}
				env := &ir.Env{Var: func(v ir.Expr) uint64 { return values[v.Name()] }}
				if a, b := ir.Eval(e, env), ir.Eval(n, env); a != b {
					t.Fatalf("%s: Normal(%s) = %s differs: %d and %d", typ, e, n, int64(a), int64(b))
				}
			}
		}
	}
}

func randomRing(rng *rand.Rand, leaves []ir.Expr, size int) ir.Expr {
	if size <= 1 {
		return leaves[rng.IntN(len(leaves))]
	}
	ops := []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.BitAnd, ir.BitOr, ir.BitXor, ir.Neg, ir.BitNot}
	op := ops[rng.IntN(len(ops))]
	if op.Arity() == 1 {
		return ir.Make(op, randomRing(rng, leaves, size-1))
	}
	left := 1 + rng.IntN(size-1)
	return ir.Make(op, randomRing(rng, leaves, left), randomRing(rng, leaves, size-left))
}

// A term whose subterms occur often in each other has a normal form in time that grows with their
// number, not with the size of the tree: 2^40 here.
func TestNormalOfSharedTerms(t *testing.T) {
	pool := ir.NewPool()
	x, y, z := pool.X(0, ir.I32), pool.Y(0, ir.I32), pool.Y(1, ir.I32)
	e := x
	for range 40 {
		e = ir.Make(ir.BitAnd, ir.AddOf(e, y), ir.MulOf(e, z))
	}
	normal := Normal(e, 0)
	rows := make([]*[tape.Lanes]uint64, 3)
	for i := range rows {
		rows[i] = new([tape.Lanes]uint64)
		for lane := range rows[i] {
			rows[i][lane] = ir.I32.Wrap(uint64(lane*lane*(i+1)) - 7)
		}
	}
	code := tape.New(pool.Map([]ir.Expr{e, normal}, nil)...)
	in := make([]*[tape.Lanes]uint64, len(code.Inputs))
	for i, v := range code.Inputs {
		in[i] = rows[slices.Index([]ir.Expr{x, y, z}, v)]
	}
	if out := code.Run(in); *out[0] != *out[1] {
		t.Error("the normal form has other values")
	}
}
