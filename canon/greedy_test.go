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
