package ir_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/internal/irtest"
)

// Equal expressions are one expression, and different ones are not.
func TestHashConsing(t *testing.T) {
	p := NewPool()
	x, y := p.X(0, I32), p.Y(0, I32)
	if sum, again := AddOf(x, y), AddOf(x, y); sum != again || sum == AddOf(y, x) {
		t.Error("x + y")
	}
	distinct := []Expr{
		x, y, p.X(1, I32), p.X(0, I64), p.Y(1, I32), p.K(0, I32), p.R("r", I32), p.R("r.x", I32),
		p.Int(I32, 1), p.Int(I64, 1), p.Int(U32, 1), p.Float(F32, 1), p.Float(F64, 1), p.Bool(true), p.Int(I32, -1),
		p.Float(F32, math.Copysign(0, -1)), p.Float(F32, 0),
		p.Call(I32, "f", 0), p.Call(I32, "f", 1), p.Call(I32, "g", 0), p.Call(U8, "f", 0), p.Call(I32, "f", 0, x), p.Call(I32, "f", 0, y), p.Call(I32, "f", 0, x, y),
		CastTo(U8, x), CastTo(I8, x), NegOf(x), SubOf(x, y), Make(Le, x, y), Make(Lt, x, y), SelectOf(LtOf(x, y), x, y),
	}
	seen := map[Expr]int{}
	for i, e := range distinct {
		if j, ok := seen[e]; ok {
			t.Errorf("%d and %d are both %s", i, j, e)
		}
		seen[e] = i
	}
	if p.Const(F64, math.Float64bits(math.NaN())) != p.Const(F64, 0xfff8000000000001) {
		t.Error("there is more than one NaN")
	}
	if p.Const(U8, 300) != p.Int(U8, 44) {
		t.Error("literals wrap")
	}
}

// A pool that grew, or was reset, still knows what it has.
func TestPoolGrows(t *testing.T) {
	p := NewPool()
	for range 2 {
		var es []Expr
		for i := range 5000 {
			es = append(es, AddOf(p.X(0, I64), p.Int(I64, int64(i))))
		}
		n := p.Len()
		for i, e := range es {
			if AddOf(p.X(0, I64), p.Int(I64, int64(i))) != e || p.At(e.ID()) != e {
				t.Fatal(i)
			}
		}
		if p.Len() != n {
			t.Fatalf("%d expressions, then %d", n, p.Len())
		}
		p.Reset()
	}
}

// What an expression knows of the tree below it.
func TestSummaries(t *testing.T) {
	p := NewPool()
	x, y, k, r := p.X(1, I32), p.Y(0, I32), p.K(0, I32), p.R("r", I32)
	for _, c := range []struct {
		e                       Expr
		states                  uint64
		leaf, invariant, closed bool
		call                    bool
		size                    int
	}{
		{x, 2, false, false, false, false, 1},
		{y, 0, true, false, false, false, 1},
		{k, 0, true, true, false, false, 1},
		{r, 0, true, false, false, false, 1},
		{p.Int(I32, 3), 0, true, true, true, false, 1},
		{Make(Sqrt, p.Float(F64, 2)), 0, true, true, true, false, 2},
		{Make(Exp, p.Float(F64, 2)), 0, true, true, false, false, 2}, // another value on another machine
		{CastTo(I32, Make(Pow, p.Float(F64, 2), p.Float(F64, 3))), 0, true, true, false, false, 4},
		{AddOf(k, p.Int(I32, 3)), 0, true, true, false, false, 3},
		{AddOf(x, MulOf(y, x)), 2, false, false, false, false, 5},
		{AddOf(x, p.X(0, I32)), 3, false, false, false, false, 3},
		{p.Call(I32, "in", 0, r), 0, true, false, false, true, 2},
		{p.Call(I32, "in", 0, k), 0, true, true, false, true, 2},
		{p.Call(I32, "in.width", 0), 0, true, true, false, true, 1},
		{p.Call(I32, "f", 0, x), 2, false, false, false, true, 2},
	} {
		if c.e.States() != c.states || c.e.IsLeaf() != c.leaf || c.e.IsInvariant() != c.invariant ||
			c.e.IsClosed() != c.closed || c.e.HasCall() != c.call || c.e.Size() != c.size {
			t.Errorf("%s: states %b, leaf %v, invariant %v, closed %v, call %v, size %d", c.e,
				c.e.States(), c.e.IsLeaf(), c.e.IsInvariant(), c.e.IsClosed(), c.e.HasCall(), c.e.Size())
		}
	}
}

// A constructor panics where CheckTypes gives an error, and nowhere else.
func TestTypesAreChecked(t *testing.T) {
	p := NewPool()
	for op := range Op(NumOps) {
		if op.Arity() == 0 || op == Cast {
			continue
		}
		for a := Bool; a <= F64; a++ {
			for b := Bool; b <= F64; b++ {
				types := []Type{a, b, b}[:op.Arity()]
				var args []Expr
				for i, typ := range types {
					args = append(args, p.Var(Leaf, fmt.Sprint("v", i), 0, typ))
				}
				want, err := CheckTypes(op, types...)
				got, panicked := try(func() Expr { return Make(op, args...) })
				if panicked != (err != nil) || err == nil && got.Type() != want {
					t.Errorf("%s of %v: panics %v, error %v", op, types, panicked, err)
				}
			}
		}
	}
	if _, panicked := try(func() Expr { return AddOf(p.X(0, I32), NewPool().X(0, I32)) }); !panicked {
		t.Error("expressions of different pools mix")
	}
	if _, panicked := try(func() Expr { return p.X(MaxState, I32) }); !panicked {
		t.Error("there are more components than MaxState")
	}
}

func try(f func() Expr) (e Expr, panicked bool) {
	defer func() { panicked = recover() != nil }()
	return f(), false
}

// Substitution and import keep the meaning.
func TestMapKeepsMeaning(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		p, q := NewPool(), NewPool()
		e := irtest.Expr(r, p, irtest.Types[r.IntN(len(irtest.Types))], 1+r.IntN(25))
		i := q.Import(e)[0]
		if i.String() != e.String() || p.Import(i)[0] != e {
			t.Fatalf("%s imported is %s", e, i)
		}
		for _, v := range Vars(e) {
			if v.Type() != I32 || v.Kind() != Leaf {
				continue
			}
			s := Subst(e, []Expr{v}, []Expr{p.Int(I32, 7)})
			value := func(seven bool) *Env {
				return &Env{
					Var: func(w Expr) uint64 {
						if w == v && seven {
							return 7
						}
						return w.Type().Wrap(3)
					},
					Call: func(c Expr, args []uint64) uint64 { return c.Type().Wrap(args[0]) & 1 },
				}
			}
			if Eval(s, value(false)) != Eval(e, value(true)) {
				t.Fatalf("%s with 7 for %s is %s", e, v, s)
			}
		}
	}
}

// Rebuild with the same operands is the same expression.
func TestRebuild(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 500 {
		p := NewPool()
		Walk([]Expr{irtest.Expr(r, p, I32, 20)}, func(e Expr) {
			args := make([]Expr, e.NumArgs())
			for i := range args {
				args[i] = e.Arg(i)
			}
			if Rebuild(e, args) != e {
				t.Fatalf("%s rebuilt is %s", e, Rebuild(e, args))
			}
		})
	}
}

func TestAssumptions(t *testing.T) {
	for _, c := range []struct{ in, out string }{
		{"", "none"}, {"none", "none"}, {"nsw", "nsw"}, {"nsz, nsw", "nsw,nsz"},
		{"default", "reassoc,nnan,nsz"}, {"all", "nsw,nuw,reassoc,nnan,ninf,nsz,afn"},
		{"default,nsw", "nsw,reassoc,nnan,nsz"}, {"+nsw", "nsw,reassoc,nnan,nsz"}, {"+nsw, nuw,+afn", "nsw,nuw,reassoc,nnan,nsz,afn"},
		{"none,nnan", "nnan"}, {"afn, all", "nsw,nuw,reassoc,nnan,ninf,nsz,afn"}, {"+none", "reassoc,nnan,nsz"},
	} {
		a, err := ParseAssume(c.in)
		if err != nil || a.String() != c.out {
			t.Errorf("%q is %s, %v", c.in, a, err)
		}
		if b, err := ParseAssume(a.String()); b != a || err != nil {
			t.Errorf("%s reads back as %s, %v", a, b, err)
		}
	}
	for text, word := range map[string]string{"nsw,fast": "fast", "nsw,+nuw": "+nuw", "+": "", "nsw,": ""} {
		if _, err := ParseAssume(text); err == nil || err.Error() != fmt.Sprintf("unknown assumption %q (known: all, none, default, nsw, nuw, reassoc, nnan, ninf, nsz, afn, contract)", word) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if !NSW.Unbounded(I8) || NSW.Unbounded(U8) || !NUW.Unbounded(U64) || AllAssumptions.Unbounded(F32) {
		t.Error("Unbounded")
	}
}

func TestTypeNames(t *testing.T) {
	for typ := Bool; typ <= F64; typ++ {
		if ParseType(typ.String()) != typ {
			t.Errorf("%s reads as %s", typ, ParseType(typ.String()))
		}
	}
	for _, word := range []string{"int", "u31", "invalid", ""} {
		if ParseType(word) != Invalid {
			t.Errorf("%q reads as %s", word, ParseType(word))
		}
	}
}
