package prove_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Bitwise operators on literals give their value, and nothing else is accepted.
func TestBitsOfLiterals(t *testing.T) {
	pool := ir.NewPool()
	for _, typ := range []ir.Type{ir.I8, ir.U16, ir.I32} {
		for _, a := range []int64{0, 1, 2, 3, 5, 7, 8, 15, -1, -2, -8} {
			for _, b := range []int64{0, 1, 3, 4, 7, 15, -1, -4} {
				for _, op := range []ir.Op{ir.BitAnd, ir.BitOr, ir.BitXor} {
					x, y := pool.Int(typ, a), pool.Int(typ, b)
					p := proof.Problem{Left: ir.Make(op, x, y), Right: pool.Const(typ, ir.Apply2(op, typ, x.Value(), y.Value()))}
					if got := prove.Prove(context.Background(), []proof.Problem{p}, prove.Options{Allowed: 0}); got.Status != prove.Proved || provetest.Check(t, p, 0, got.Proof()) != nil {
						t.Errorf("%s at %s: %s is not proven", p.Left, typ, p.Right)
					}
					p.Right = pool.Const(typ, p.Right.Value()^1)
					if equation.Check(p, 0, &proof.Tree{Kind: proof.Equal}) == nil {
						t.Errorf("%s at %s: %s is accepted", p.Left, typ, p.Right)
					}
				}
			}
		}
	}
}

// Words that are sums or literals are found again in the sums that they became part of.
func TestHiddenWords(t *testing.T) {
	for _, c := range [][2]string{
		{"(x - y) ^ y ^ y", "x - y"},
		{"x ^ 5 ^ 5", "x"},
		{"~((x - y) ^ y) ^ y", "~(x - y)"},
		{"(((x - y) ^ y) & ~y) | (~((x - y) ^ y) & y)", "x - y"},
		{"-x ^ y ^ y", "-x"},
		{"((x + y) | 3) - ((x + y) & 3)", "(x + y) ^ 3"},
		{"select((x ^ y) == 0, x, y)", "y"},
		{"select(x - y != 0, y, x)", "y"},
		{"x << y", "x*(u8(1) << y)"},
		{"(x + 1) << y", "(x << y) + (u8(1) << y)"},
		{"x + 0/y + 0 % y", "x"},
	} {
		pool := ir.NewPool()
		p := provetest.Problem(t, pool, ir.U8, "x:u8, y:u8", c[0], c[1], "")
		a := prove.Prove(context.Background(), []proof.Problem{p}, prove.Options{Allowed: 0})
		if a.Status != prove.Proved {
			t.Errorf("%s = %s: %s", c[0], c[1], a.Status)
		} else if err := provetest.Check(t, p, 0, a.Proof()); err != nil {
			t.Errorf("%s = %s: %v", c[0], c[1], err)
		}
	}
}

// The normal form of a term of words and sums has the same values everywhere, the checker
// says so too, and it accepts no neighbour of it.
func TestWordsEverywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	pool := ir.NewPool()
	x, y := pool.Y(0, ir.U8), pool.Y(1, ir.U8)
	var draw func(depth int) ir.Expr
	draw = func(depth int) ir.Expr {
		if depth == 0 {
			return []ir.Expr{x, y, pool.Int(ir.U8, int64(rng.IntN(9)-1)), ir.AddOf(x, y), ir.SubOf(x, y)}[rng.IntN(5)]
		}
		ops := []ir.Op{ir.BitAnd, ir.BitOr, ir.BitXor, ir.BitXor, ir.Add, ir.Sub, ir.BitNot}
		if op := ops[rng.IntN(len(ops))]; op != ir.BitNot {
			return ir.Make(op, draw(rng.IntN(depth)), draw(depth-1))
		}
		return ir.Make(ir.BitNot, draw(depth-1))
	}
	n, agreed := 400, 0
	for range n {
		e := draw(1 + rng.IntN(4))
		p := proof.Problem{Left: e, Right: poly.Normal(e, 0)}
		if differ(p, x, y) {
			t.Fatalf("%s is not its normal form %s", p.Left, p.Right)
		}
		if equation.Check(p, 0, &proof.Tree{Kind: proof.Equal}) == nil {
			agreed++
		}
		p.Right = draw(1 + rng.IntN(3))
		if equation.Check(p, 0, &proof.Tree{Kind: proof.Equal}) == nil && differ(p, x, y) {
			t.Fatalf("%s = %s is accepted", p.Left, p.Right)
		}
	}
	if agreed < n*8/10 { // sums that stand beside conjunctions of themselves are not looked for
		t.Errorf("the checker agrees with %d of %d normal forms", agreed, n)
	}
}

// differ reports whether the sides differ at some values of x and y.
func differ(p proof.Problem, x, y ir.Expr) bool {
	code := tape.New(p.Left, p.Right)
	for first := 0; first < 1<<16; first += tape.Lanes {
		in := make([][tape.Lanes]uint64, len(code.Inputs))
		for i, v := range code.Inputs {
			for lane := range in[i] {
				in[i][lane] = uint64(first+lane) & 255
				if v == y {
					in[i][lane] = uint64(first+lane) >> 8
				}
			}
		}
		rows := make([]*[tape.Lanes]uint64, len(in))
		for i := range in {
			rows[i] = &in[i]
		}
		if out := code.Run(rows); *out[0] != *out[1] {
			return true
		}
	}
	return false
}

// Floats that are negated are ordered where the floats themselves are: what the search proves of them the checker
// accepts.
func TestNegatedFloats(t *testing.T) {
	for _, c := range [][2]string{
		{"-min(y, x)", "-min(x, y)"},
		{"-max(x, 0.0)", "-max(0.0, x)"},
		{"-min(sqrt(y), min(-1.0, min(x, x)))", "-min(sqrt(y), min(x, -1.0))"},
	} {
		for _, assume := range []ir.Assume{0, ir.NNaN, ir.NSZ, ir.DefaultAssumptions} {
			p := provetest.Problem(t, ir.NewPool(), ir.F64, "x:f64, y:f64", c[0], c[1], "")
			a := prove.Prove(context.Background(), []proof.Problem{p}, prove.Options{Allowed: assume, Exactly: true})
			if a.Status != prove.Proved {
				t.Errorf("%s = %s under %s: %s", c[0], c[1], assume, a.Status)
			} else if err := provetest.Check(t, p, assume, a.Proof()); err != nil {
				t.Errorf("%s = %s under %s: %v", c[0], c[1], assume, err)
			}
		}
	}
}
