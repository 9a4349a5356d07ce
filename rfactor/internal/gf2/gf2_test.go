package gf2

import (
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

func sides(t testing.TB, types, left, right string) (a, b ir.Expr) {
	t.Helper()
	u, err := program.ParseUpdate(ir.NewPool(), types, left+";"+right)
	if err != nil {
		t.Fatal(err)
	}
	return u.Values[0], u.Values[1]
}

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		types, left, right string
		want               bool
	}{
		{"x0:u32,x1:u32,y0:bool", "(x0 << 1) | u32(y0)", "x0*2 + select(y0, 1, 0)", true},
		{"x0:u32,x1:u32,y0:u8", "(x0 << 8) ^ u32(y0)", "x0*256 + u32(y0)", true},
		{"x0:u32,x1:u32,y0:u8", "(x0 << 7) ^ u32(y0)", "x0*128 + u32(y0)", false},
		{"x0:u32,x1:u32,y0:u32", "(x0 ^ y0) >> 2", "(x0 >> 2) ^ (y0 >> 2)", true},
		{"x0:i32,x1:i32,y0:i32", "(x0 ^ y0) >> 2", "(x0 >> 2) ^ (y0 >> 2)", true},
		{"x0:i16,x1:i16", "i16(u16(x0) >> 3)", "x0 >> 3", false},
		{"x0:i16,x1:i16", "i16(i32(x0) >> 3)", "x0 >> 3", true},
		{"x0:u8,x1:u8,y0:u8", "select((x0 & (1 << 3)) == 0, x0 + (1 << 3), x0)", "x0 | 8", true},
		{"x0:u8,x1:u8", "x0 - (x0 & 240)", "x0 & 15", true},
		{"x0:u8,x1:u8", "-x0", "~x0 + 1", true},
		{"x0:u8,x1:u8,y0:u8,y1:u8", "((x0 << (y0 & 7)) | (x0 >> ((0 - y0) & 7))) ^ y1", "((x0 << (y0 & 7)) ^ y1) + (((x0 >> ((0 - y0) & 7)) & (~(255 << (y0 & 7))))) ", false},
		{"x0:u8,x1:u8,y0:u8,y1:u8", "(x0 ^ y1) << (y0 & 7)", "(x0 << (y0 & 7)) ^ (y1 << (y0 & 7))", true},
		{"x0:u8,x1:u8,y0:u8,y1:u8", "(x0 << (y0 & 7)) << (y1 & 7)", "x0 << ((y0 & 7) + (y1 & 7))", false}, // no mask: not read
		{"x0:u8,x1:u8,y0:u8,y1:u8", "(x0 << (y0 & 7)) ^ y0", "y0 ^ (x0 << (y0 & 7))", false},              // y0 occurs elsewhere
		{"x0:u8,x1:u8,y0:u8,y1:u8", "(x0 << (y0 & 7)) << (y1 & 7)", "(x0 << (y1 & 7)) << (y0 & 7)", true},
		{"x0:u8,x1:u8,y0:u8,y1:u8", "(x0 << (y0 & 3)) << (y1 & 3)", "(x0 << (y0 & 3)) << y1", false},
		{"x0:u8,x1:u8,y0:u8,y1:u8", "(x0 << (select(y0 == 3, y1, 1) & 3)) * 4", "(x0 << 2) << (select(y0 == 3, y1, 1) & 3)", true},
		{"x0:i8,x1:i8", "x0 % 16 + 16 * (x0 / 16)", "x0", true},
		{"x0:i8,x1:i8", "x0 - (x0 / 2) * 2", "x0 & 1", true},
		{"x0:i8,x1:i8", "x0 / i8(128)", "0", false}, // it is −1 of what is negative
		{"x0:f32,x1:f32", "x0", "x0", false},
	} {
		a, b := sides(t, test.types, test.left, test.right)
		if got := Equal(a, b, nil); got != test.want {
			t.Errorf("%s = %s: %v", test.left, test.right, got)
		}
	}
}

// What evaluation refutes is never confirmed.
func TestEqualIsSound(t *testing.T) {
	confirmed := 0
	for seed := range 250 {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		p := ir.NewPool()
		a, b := draw(p, rng, 2), draw(p, rng, 2)
		if rng.IntN(2) == 0 { // near each other
			b = ir.Make(ir.BitXor, a, ir.Make(ir.BitAnd, b, p.Int(ir.U8, int64(rng.IntN(2)))))
		}
		if !Equal(a, b, nil) {
			continue
		}
		confirmed++
		for range 50 {
			values := map[ir.Expr]uint64{}
			env := &ir.Env{Var: func(v ir.Expr) uint64 {
				if _, ok := values[v]; !ok {
					values[v] = v.Type().Wrap(rng.Uint64())
				}
				return values[v]
			}}
			if x, y := ir.Eval(a, env), ir.Eval(b, env); x != y {
				t.Fatalf("%s = %s: %d and %d", a, b, x, y)
			}
		}
	}
	if confirmed < 25 {
		t.Errorf("%d equations are confirmed: they test little", confirmed)
	}
}

// draw is a random word of depth n at most.
func draw(p *ir.Pool, rng *rand.Rand, n int) ir.Expr {
	if n == 0 || rng.IntN(5) == 0 {
		if rng.IntN(3) == 0 {
			return p.Int(ir.U8, int64(rng.IntN(256)))
		}
		return p.Y(rng.IntN(3), ir.U8)
	}
	a, b := draw(p, rng, n-1), draw(p, rng, n-1)
	switch rng.IntN(9) {
	case 0:
		return ir.Make(ir.Shl, a, ir.Make(ir.BitAnd, p.Y(5, ir.U8), p.Int(ir.U8, 7)))
	case 1:
		return ir.Make(ir.Shr, a, p.Int(ir.U8, int64(rng.IntN(9))))
	case 2:
		return ir.SelectOf(ir.Make(ir.Eq, a, b), a, b)
	case 3:
		return ir.CastTo(ir.U8, ir.Make(ir.Shr, ir.CastTo(ir.I8, a), p.Int(ir.I8, int64(rng.IntN(9)))))
	case 4:
		return ir.MulOf(a, p.Int(ir.U8, int64(rng.IntN(5))))
	}
	return ir.Make([]ir.Op{ir.Add, ir.Sub, ir.BitAnd, ir.BitOr, ir.BitXor}[rng.IntN(5)], a, b)
}
