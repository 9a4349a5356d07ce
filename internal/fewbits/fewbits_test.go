package fewbits

import (
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// The evaluator for few bits is that of the language at 8 bits.
func TestNarrow(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 3000 {
		pool := ir.NewPool()
		typ := []ir.Type{ir.I8, ir.U8, ir.Bool}[rng.IntN(3)]
		types := []ir.Type{typ, []ir.Type{ir.I8, ir.Bool}[rng.IntN(2)]}
		if typ == ir.U8 {
			types[1] = ir.Bool
		}
		e := smallTree(rng, pool, types, typ, 1+rng.IntN(5))
		v := narrow{8, map[ir.Expr]int{}}
		env := &ir.Env{Var: func(x ir.Expr) uint64 { return x.Type().Wrap(uint64(v.env[x])) }}
		for range 20 {
			for _, x := range ir.Vars(e) {
				v.env[x] = v.wrap(x.Type(), rng.IntN(256))
			}
			if got, want := typ.Wrap(uint64(v.eval(e))), ir.Eval(e, env); got != want {
				t.Fatalf("%s = %d, want %d, where %v", e, got, want, v.env)
			}
		}
	}
}

// The search finds what is there, and nothing else.
func TestHasOperator(t *testing.T) {
	for _, c := range []struct {
		types, exprs string
		want         bool
	}{
		{"x0:i8,y0:i8", "x0 + y0", true},
		{"x0:i8,y0:i8", "max(x0, y0 & 1)", true},
		{"x0:i8,y0:i8", "x0 - y0", true},
		{"x0:i8,y0:i8", "x0*x0 + y0", false},
		{"x0:i8,y0:i8", "saturating_add(x0, y0)", false},
		{"x0:u8,y0:u8", "saturating_add(x0, y0)", true},
		{"x0:bool,y0:bool", "!(x0 && y0)", false},
		{"x0:bool,y0:bool", "x0 != y0", true},
		{"x0:i8,x1:bool,y0:i8", "select(x1, x0, y0); true", true},
	} {
		found, decided := HasOperator(parse(t, c.types, c.exprs), 2)
		if found != c.want || !decided {
			t.Errorf("%s: %v, decided %v", c.exprs, found, decided)
		}
	}
}

func parse(t *testing.T, types, exprs string) *ir.Update {
	t.Helper()
	u, err := program.ParseUpdate(ir.NewPool(), types, exprs)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
