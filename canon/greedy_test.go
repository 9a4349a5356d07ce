package canon

import (
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

func TestGreedy(t *testing.T) {
	for _, c := range []struct{ types, in, want string }{
		{"x0:i32,y0:i32", "y0 + x0", "x0 + y0"},
		{"x0:i32,y0:i32", "x0 - (-y0)", "x0 + y0"},
		{"x0:i32,y0:i32", "select(y0 > 0, x0 + 1, x0)", "x0 + select(0 < y0, 1, 0)"},
		{"x0:i32,y0:i32", "select(x0 >= y0, x0, y0)", "max(x0, y0)"},
		{"x0:i32,y0:i32", "max(max(min(x0, y0), x0), y0)", "max(x0, y0)"},
		{"x0:i32,y0:i32,k0:i32", "(x0 + y0) + k0", "x0 + (y0 + k0)"},
		{"x0:i32,y0:i32", "y0 - (3 - x0)", "x0 + (y0 - 3)"},
		{"x0:bool,y0:bool", "!(!x0 || !y0)", "x0 && y0"},
		{"x0:i32,y0:i32", "~min(~x0, ~y0)", "max(x0, y0)"},
		{"x0:i32,y0:i32", "x0*2 + x0*y0", "x0*(y0 + 2)"},
		{"x0:i32", "x0 + (2 + 3*4)", "x0 + 14"},
		{"x0:i32,y0:bool", "x0 + (1 - select(y0, 0, 1))", "x0 + select(y0, 1, 0)"},
		{"x0:bool,y0:bool", "x0 || select(y0, 3, 4) < 4", "x0 || y0"},
		{"x0:u8,y0:u8", "x0 + u8(min(u16(y0), 255))", "x0 + y0"},
		{"x0:i16,y0:u8", "x0 + max(i16(y0), -1)", "x0 + i16(y0)"},
		{"x0:i16,y0:i8", "x0 + i16(u16(y0))", "x0 + i16(u16(y0))"},
		{"x0:u8,y0:i16", "x0 + u8(i8(y0))", "x0 + u8(i8(y0))"},
		{"x0:i32,y0:i32", "max(x0, select(y0 < tmin, 7, y0))", "max(x0, y0)"},
		{"x0:i32,y0:i32", "max(min(x0, y0), tmax)", "tmax"},
		{"x0:i32,y0:i32", "min(x0, select(y0 < tmax || y0 == tmax, y0, 3))", "min(x0, y0)"},
	} {
		e := parse(t, c.types, c.in)[0]
		if got := Greedy(e, 0).String(); got != c.want {
			t.Errorf("Greedy(%s) = %s, want %s", c.in, got, c.want)
		}
	}
}

// TestGreedyIsSound compares random terms with what they are simplified to.
func TestGreedyIsSound(t *testing.T) {
	for _, w := range soundnessWorlds {
		for seed := range uint64(2000) {
			g := &generator{rand.New(rand.NewPCG(seed, 2)), ir.NewPool(), w.typ}
			e := g.numeric(5)
			if err := g.compare(e, []ir.Expr{e, Greedy(e, w.allowed)}, w.allowed); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
}

// TestGreedyCasts compares comparisons, extrema and casts of a narrow value that is cast with what
// they are simplified to, at all values.
func TestGreedyCasts(t *testing.T) {
	narrow := []ir.Type{ir.I8, ir.U8}
	wide := []ir.Type{ir.I8, ir.U8, ir.I16, ir.U16, ir.I32, ir.U32, ir.I64, ir.U64, ir.F32}
	pool := ir.NewPool()
	decided := 0
	for _, from := range narrow {
		v := pool.Y(0, from)
		for _, to := range wide {
			var es []ir.Expr
			a := ir.CastTo(to, v)
			for _, n := range []int64{-129, -128, -127, -1, 0, 1, 127, 128, 254, 255, 256} {
				for _, op := range []ir.Op{ir.Min, ir.Max, ir.Lt, ir.Le} {
					es = append(es, ir.Make(op, a, pool.Int(to, n)), ir.Make(op, pool.Int(to, n), a))
				}
			}
			for _, back := range narrow {
				es = append(es, ir.CastTo(back, a))
			}
			for _, e := range es {
				simple := Greedy(e, 0)
				if simple.Size() < e.Size() {
					decided++
				}
				for n := range uint64(256) {
					env := &ir.Env{Var: func(ir.Expr) uint64 { return from.Wrap(n) }}
					if got, want := ir.Eval(simple, env), ir.Eval(e, env); got != want {
						t.Fatalf("%s is simplified to %s, which is %d, not %d, where y0 = %d", e, simple, got, want, from.Wrap(n))
					}
				}
			}
		}
	}
	if decided == 0 {
		t.Error("nothing is simplified")
	}
}
