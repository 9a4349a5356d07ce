package ir_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	. "github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/internal/irtest"
	"github.com/rfactor-go/rfactor/ir/program"
)

func clampTo(t Type, v *big.Int) uint64 {
	lo, hi := irtest.Exact(t, t.Min()), irtest.Exact(t, t.Max())
	switch {
	case v.Cmp(lo) < 0:
		v = lo
	case v.Cmp(hi) > 0:
		v = hi
	}
	return irtest.Reduce(t, v)
}

// model is op on integers of type t.
func model(op Op, t Type, a, b uint64) uint64 {
	x, y, z := irtest.Exact(t, a), irtest.Exact(t, b), new(big.Int)
	switch op {
	case Add:
		z.Add(x, y)
	case Sub:
		z.Sub(x, y)
	case Mul:
		z.Mul(x, y)
	case Div, Mod:
		if y.Sign() == 0 {
			return 0
		}
		q, r := new(big.Int).DivMod(x, y, new(big.Int)) // Euclidean
		z = r
		if op == Div {
			z = q
		}
	case Min, Max:
		z = x
		if (x.Cmp(y) > 0) == (op == Min) {
			z = y
		}
	case BitAnd:
		z.And(x, y)
	case BitOr:
		z.Or(x, y)
	case BitXor:
		z.Xor(x, y)
	case Shl, Shr:
		n := irtest.Exact(t.Unsigned(), t.Unsigned().Wrap(b)).Uint64()
		n = min(n, uint64(t.Bits()))
		if op == Shl {
			z.Lsh(x, uint(n))
		} else {
			z.Rsh(x, uint(n)) // toward −∞
		}
	case Gcd:
		z.GCD(nil, nil, x.Abs(x), y.Abs(y))
	case SatAdd:
		return clampTo(t, z.Add(x, y))
	case SatSub:
		return clampTo(t, z.Sub(x, y))
	default:
		c := x.Cmp(y)
		return bit(map[Op]bool{Lt: c < 0, Le: c <= 0, Gt: c > 0, Ge: c >= 0, Eq: c == 0, Ne: c != 0}[op])
	}
	return irtest.Reduce(t, z)
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

var intBinary = []Op{Add, Sub, Mul, Div, Mod, Min, Max, BitAnd, BitOr, BitXor, Shl, Shr, SatAdd, SatSub, Gcd, Lt, Le, Gt, Ge, Eq, Ne}

// On 8 bits every pair of operands is tried.
func TestIntegersExhaustively(t *testing.T) {
	for _, typ := range []Type{I8, U8} {
		for _, op := range intBinary {
			for a := range uint64(256) {
				for b := range uint64(256) {
					x, y := typ.Wrap(a), typ.Wrap(b)
					if got, want := Apply2(op, typ, x, y), model(op, typ, x, y); got != want {
						t.Fatalf("%s of %d and %d in %s: %d, want %d", op, int64(x), int64(y), typ, int64(got), int64(want))
					}
				}
			}
		}
	}
}

// On all widths, operands are drawn from the edges and at random.
func TestIntegersAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(typ Type) uint64 {
		switch r.IntN(4) {
		case 0:
			return typ.Wrap(r.Uint64() >> r.IntN(64))
		case 1:
			return typ.Wrap(typ.Min() + uint64(r.IntN(3)))
		case 2:
			return typ.Wrap(typ.Max() - uint64(r.IntN(3)))
		}
		return typ.Wrap(uint64(r.IntN(140) - 70))
	}
	for typ := I8; typ <= U64; typ++ {
		for _, op := range intBinary {
			for range 3000 {
				a, b := draw(typ), draw(typ)
				if got, want := Apply2(op, typ, a, b), model(op, typ, a, b); got != want {
					t.Fatalf("%s of %d and %d in %s: %d, want %d", op, int64(a), int64(b), typ, int64(got), int64(want))
				}
			}
		}
		for range 3000 {
			a := draw(typ)
			neg := irtest.Reduce(typ, new(big.Int).Neg(irtest.Exact(typ, a)))
			abs := irtest.Reduce(typ, new(big.Int).Abs(irtest.Exact(typ, a)))
			not := irtest.Reduce(typ, new(big.Int).Not(irtest.Exact(typ, a)))
			if Apply1(Neg, typ, typ, a) != neg || Apply1(Abs, typ, typ, a) != abs || Apply1(BitNot, typ, typ, a) != not {
				t.Fatalf("-, abs or ~ of %d in %s", int64(a), typ)
			}
			checkBits(t, typ, a)
			for to := I8; to <= U64; to++ {
				if got, want := Apply1(Cast, typ, to, a), irtest.Reduce(to, irtest.Exact(typ, a)); got != want {
					t.Fatalf("%s of the %s %d: %d, want %d", to, typ, int64(a), int64(got), int64(want))
				}
			}
			for _, to := range []Type{F32, F64} {
				mode := new(big.Float).SetPrec(200).SetInt(irtest.Exact(typ, a))
				want, _ := mode.Float64()
				if to == F32 {
					f, _ := mode.Float32()
					want = float64(f)
				}
				if got := Float(to, Apply1(Cast, typ, to, a)); got != want {
					t.Fatalf("%s of the %s %d: %v, want %v", to, typ, int64(a), got, want)
				}
			}
			if Apply1(Cast, typ, Bool, a) != bit(a != 0) {
				t.Fatalf("bool of the %s %d", typ, int64(a))
			}
		}
	}
}

// checkBits compares the operators on bits with the digits of a number in base 2.
func checkBits(t *testing.T, typ Type, a uint64) {
	t.Helper()
	digits := fmt.Sprintf("%0*b", typ.Bits(), irtest.Exact(typ.Unsigned(), typ.Unsigned().Wrap(a)))
	reversed := []byte(digits)
	slices.Reverse(reversed)
	backward, _ := new(big.Int).SetString(string(reversed), 2)
	for op, want := range map[Op]uint64{
		PopCount: uint64(strings.Count(digits, "1")), Clz: uint64(len(digits) - len(strings.TrimLeft(digits, "0"))),
		Ctz: uint64(len(digits) - len(strings.TrimRight(digits, "0"))), BitReverse: irtest.Reduce(typ, backward),
	} {
		if got := Apply1(op, typ, typ, a); got != want {
			t.Fatalf("%s of the %s %d: %d, want %d", op, typ, int64(a), int64(got), int64(want))
		}
	}
}

var noNames = program.Scope{Var: func(string) (Expr, bool) { return Expr{}, false }}

// What happens at the edges, in the words of the table of semantics.
func TestSemantics(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"i32(7)/2", "3"},
		{"i32(-7)/2", "-4"},
		{"i32(7)/(-2)", "-3"},
		{"i32(-7)/(-2)", "4"},
		{"i32(-7) % 2", "1"},
		{"i32(-7) % (-2)", "1"},
		{"i32(7)/0", "0"},
		{"i32(7) % 0", "0"},
		{"i32(tmin)/(-1)", "tmin"},
		{"i32(tmin) % (-1)", "0"},
		{"i32(tmax) + 1", "tmin"},
		{"abs(i32(tmin))", "tmin"},
		{"i32(1) << 32", "0"},
		{"i32(1) << (-1)", "0"},
		{"i32(-5) >> 40", "-1"},
		{"i32(5) >> (-1)", "0"},
		{"u32(tmax) >> 32", "0"},
		{"u8(300)", "44"},
		{"i8(i32(200))", "-56"},
		{"i32(f32(2.9))", "2"},
		{"i32(f32(-2.9))", "-2"},
		{"i32(f32(1e20))", "tmax"},
		{"i32(f32(-inf))", "tmin"},
		{"u8(f32(-1.0))", "0"},
		{"u8(f64(255.9))", "255"},
		{"u64(f64(1e30))", "tmax"},
		{"i64(f64(9223372036854775807.0))", "tmax"},
		{"i32(f32(nan))", "0"},
		{"bool(f32(nan))", "true"},
		{"bool(f32(-0.0))", "false"},
		{"i32(true)", "1"},
		{"f64(f32(0.1))", "0.10000000149011612"},
		{"f32(f64(1e300))", "inf"},
		{"f32(i32(16777217))", "1.6777216e+07"},
		{"f32(i64(1152921573326323713))", "1.1529216e+18"}, // rounded once, not by way of f64
		{"f32(16777216.0) + 1.0", "1.6777216e+07"},
		{"min(f32(0.0), -0.0)", "-0.0"},
		{"max(f32(-0.0), 0.0)", "0.0"},
		{"min(f32(nan), 1.0)", "nan"},
		{"max(f32(1.0), nan)", "nan"},
		{"select(f32(nan) > 1.0, f32(nan), 1.0)", "1.0"},
		{"f32(nan) == nan", "false"},
		{"f32(nan) != nan", "true"},
		{"f32(-0.0) == 0.0", "true"},
		{"is_nan(f32(inf) - inf)", "true"},
		{"f32(-0.0) + -0.0", "-0.0"},
		{"f32(-0.0) + 0.0", "0.0"},
		{"-f32(0.0) ", "-0.0"},
		{"f32(1.0)/0.0", "inf"},
		{"f32(1.0)/(-0.0)", "-inf"},
		{"abs(f32(-0.0))", "0.0"},
		{"sqrt(f32(-1.0))", "nan"},
		{"sqrt(f64(2.0))", "1.4142135623730951"},
		{"pow(f32(2.0), 0.5)", "1.4142135"},
		{"exp(f64(0.0)) + log(f64(1.0))", "1.0"},
		{"saturating_add(u8(200), 100)", "255"},
		{"saturating_sub(i8(-100), 100)", "-128"},
		{"true != false", "true"},
		{"!true || true && false", "false"},
	} {
		p := NewPool()
		e, err := program.ParseExpr(p, noNames, Invalid, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := p.Const(e.Type(), Eval(e, nil)).String(); got != c.want {
			t.Errorf("%s = %s, want %s", c.text, got, c.want)
		}
	}
}

// The result of an operation is carried as its type demands, and a NaN is the one NaN.
func TestResultsAreCanonical(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		p := NewPool()
		e := irtest.Expr(r, p, irtest.Types[r.IntN(len(irtest.Types))], 1+r.IntN(20))
		env := &Env{
			Var:  func(v Expr) uint64 { return irtest.Value(r, v.Type()) },
			Call: func(c Expr, args []uint64) uint64 { return irtest.Value(r, c.Type()) },
		}
		v := Eval(e, env)
		if got := p.Const(e.Type(), v); got.Value() != v {
			t.Fatalf("%s = %#x, which is not how %s is carried", e, v, e.Type())
		}
	}
}

// Shared subterms are evaluated once: a doubling a thousand deep takes no time.
func TestEvalShares(t *testing.T) {
	p := NewPool()
	e := p.X(0, U64)
	for range 1000 {
		e = AddOf(e, e)
	}
	calls := 0
	v := Eval(e, &Env{Var: func(Expr) uint64 { calls++; return 3 }})
	if v != 0 || calls != 1 {
		t.Errorf("%d after %d reads", v, calls)
	}
}

func TestFloatLimits(t *testing.T) {
	if Float(F32, F32.Min()) != math.Inf(-1) || Float(F64, F64.Max()) != math.Inf(1) {
		t.Error("the limits of floats are infinite")
	}
}
