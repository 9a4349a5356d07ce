package ir_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	. "github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/internal/irtest"
	"github.com/rfactor-go/rfactor/ir/program"
)

// TestReadIsTheInverseOfString reads the text of random terms back, for every operator and type.
func TestReadIsTheInverseOfString(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	seen := map[Op]TypeSet{}
	rounds := 20000
	if testing.Short() {
		rounds = 5000
	}
	for range rounds {
		p := NewPool()
		e := irtest.Plain(r, p, irtest.Types[r.IntN(len(irtest.Types))], 1+r.IntN(40))
		text := e.String()
		if strings.HasSuffix(text, "…") {
			continue
		}
		back, err := Read(p, irtest.Named(p), e.Type(), text)
		if err != nil {
			t.Fatalf("%s\ndoes not read back: %v", text, err)
		}
		if back != e {
			t.Fatalf("%s\nreads back as\n%s", text, back)
		}
		Walk([]Expr{e}, func(s Expr) { seen[s.Op()] |= 1 << s.Type() })
	}
	for op := range Op(NumOps) {
		types := SignedTypes | UnsignedTypes | FloatTypes
		switch op {
		case Call:
			continue
		case Const, Var, Cast, Select:
			types |= 1 << Bool
		case Not, And, Or, IsNaN, Lt, Le, Gt, Ge, Eq, Ne:
			types = 1 << Bool
		case BitNot, Mod, BitAnd, BitOr, BitXor, Shl, Shr, SatAdd, SatSub, PopCount, Clz, Ctz, BitReverse, Gcd:
			types = SignedTypes | UnsignedTypes
		}
		if op.FloatsOnly() {
			types = FloatTypes
		}
		if seen[op] != types {
			t.Errorf("%s was read at the types %b, want %b", op, seen[op], types)
		}
	}
}

// Texts of the canonical notation, with what they print as.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		want    Type
		in, out string
	}{
		{I32, "x_i32+y_i32", "x_i32 + y_i32"},
		{I32, " ( (x_i32) ) ", "x_i32"},
		{I32, "x_i32 - y_i32 - 1", "x_i32 - y_i32 - 1"},
		{I32, "x_i32 - (y_i32 - 1)", "x_i32 - (y_i32 - 1)"},
		{I32, "x_i32 + y_i32*2 << 1", "(x_i32 + y_i32*2) << 1"},
		{I32, "-5", "-5"},
		{I32, "- 5*x_i32", "(-5)*x_i32"},
		{I32, "-(5)", "-(5)"},
		{I32, "-(tmin)", "-(tmin)"},
		{I32, "x_i32 - -x_i32", "x_i32 - (-x_i32)"},
		{I32, "tmax - 1", "tmax - 1"},
		{U8, "u8(3 + 4)", "3 + 4"},
		{I32, "i32(x_i32)", "x_i32"},
		{Bool, "1 < 2", "1 < 2"},
		{Bool, "u8(1) < 2", "u8(1) < u8(2)"},
		{Bool, "x_bool == false", "x_bool == false"},
		{Bool, "!x_bool && !(y_bool || x_bool)", "!x_bool && !(y_bool || x_bool)"},
		{Bool, "is_nan(f32(1.0))", "is_nan(f32(1.0))"},
		{F32, "-inf", "-inf"},
		{F32, "-(inf)", "-(inf)"},
		{F32, "min(nan, 1e+20)", "min(nan, 1e+20)"},
		{F64, "exp(log(2.0)) + x_f64", "exp(log(2.0)) + x_f64"},
		{U8, "select(1 < 2, 1, 0) + x_u8", "select(1 < 2, 1, 0) + x_u8"},
		{I32, "r._i32 + k_i32", "r._i32 + k_i32"},
		{Invalid, "x_u8 + 1", "x_u8 + 1"},
	} {
		p := NewPool()
		e, err := Read(p, irtest.Named(p), c.want, c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
		} else if e.String() != c.out {
			t.Errorf("%s reads as %s, want %s", c.in, e, c.out)
		}
	}
}

// Texts that are not of the canonical notation, with where and why.
func TestReadRefuses(t *testing.T) {
	for _, c := range []struct {
		want     Type
		in, fail string
	}{
		{I32, "", "1:1: expected an operand"},
		{I32, "x_i32 +", "1:8: expected an operand"},
		{I32, "(x_i32", "1:7: expected ')'"},
		{I32, "x_i32)", "1:6: expected an operator or the end"},
		{I32, "x_i32 y_i32", "1:7: expected an operator or the end"},
		{I32, "x_i32; y_i32", "1:6: expected an operator or the end"},
		{I32, "x_i32 ⊕ y_i32", "1:7: expected an operator or the end"},
		{I32, "z", `1:1: "z" is not declared`},
		{I32, "x_u8", "1:1: this is u8 where i32 is wanted"},
		{Bool, "x_u8 == x_i32", "1:6: == of u8 and i32: cast one of them"},
		{I32, "x_i32 + 1.5", `1:9: "1.5" is not how a value of i32 is written`},
		{F32, "x_f32 + 1", `1:9: "1" is not how a value of f32 is written`},
		{F32, "1.50", `1:1: "1.50" is not how a value of f32 is written`},
		{F32, "1.5f", `1:1: "1.5f" is not how a value of f32 is written`},
		{F32, "1e999", `1:1: "1e999" is not how a value of f32 is written`},
		{F32, "tmax", `1:1: "tmax" is not how a value of f32 is written`},
		{U8, "tmax", `1:1: "tmax" is not how a value of u8 is written`},
		{U8, "300", `1:1: "300" is not how a value of u8 is written`},
		{U8, "-1", `1:1: "-1" is not how a value of u8 is written`},
		{I8, "-0", `1:1: "-0" is not how a value of i8 is written`},
		{I32, "010", `1:1: "010" is not how a value of i32 is written`},
		{I32, "0x10", `1:1: "0x10" is not how a value of i32 is written`},
		{I32, "2147483647", `1:1: "2147483647" is not how a value of i32 is written`},
		{Bool, "x_bool == 0", `1:11: "0" is not how a value of bool is written`},
		{Bool, "1.5 < 2.5", `1:1: "1.5" is not how a value of i32 is written`},
		{Bool, "is_nan(1.0)", "1:1: the operand of is_nan needs a type"},
		{Invalid, "1 + 2", "1:3: nothing gives this literal a type"},
		{Bool, "x_bool & y_bool", "1:8: & does not take bool"},
		{I32, "sqrt(x_i32)", "1:1: sqrt does not take i32"},
		{I32, "select(x_i32, 1, 2)", "1:1: the condition of select is i32, not bool"},
		{I32, "select(true, 1)", "1:15: expected ','"},
		{I32, "min(1, 2, 3)", "1:9: expected ')'"},
		{I32, "min()", "1:5: expected an operand"},
		{I32, "clamp(x_i32, 0, 1)", `1:1: there is no function "clamp"`},
		{I32, "in(x_i32)", `1:1: there is no function "in", and opaque calls are not read`},
		{I32, "cast(x_i32)", `1:1: there is no function "cast"`},
		{I32, "int(x_u8)", `1:1: there is no function "int"`},
		{I32, "x_bool ? 1 : 2", "1:8: expected an operator or the end"},
		{I32, "+x_i32", "1:1: expected an operand"},
		{I32, "x_i32 /* why */", "1:8: expected an operand"},
		{I32, "x_i32\x00", "1:6: expected an operator or the end"},
	} {
		p := NewPool()
		e, err := Read(p, irtest.Named(p), c.want, c.in)
		var at *Error
		switch {
		case err == nil:
			t.Errorf("%q reads as %s", c.in, e)
		case !errors.As(err, &at) || !strings.HasPrefix(err.Error(), "expression:"+c.fail):
			t.Errorf("%q fails with %v\nwant %s", c.in, err, c.fail)
		}
	}
}

// Long and deep texts are read up to the limits, and refused beyond them.
func TestReadLimits(t *testing.T) {
	const million = 1_000_000
	for _, c := range []struct{ what, text, fail string }{
		{"parentheses", strings.Repeat("(", MaxDepth) + "x_i32" + strings.Repeat(")", MaxDepth), ""},
		{"one more", strings.Repeat("(", MaxDepth+1) + "x_i32" + strings.Repeat(")", MaxDepth+1), "around one another"},
		{"a sum", "x_i32" + strings.Repeat(" + x_i32", MaxDepth), ""},
		{"a longer sum", "x_i32" + strings.Repeat(" + x_i32", MaxDepth+1), "around one another"},
		{"literals", "1" + strings.Repeat(" + 1", MaxDepth), ""},
		{"more literals", "1" + strings.Repeat(" + 1", MaxDepth+1), "around one another"},
		{"many parentheses", strings.Repeat("(", million), "around one another"},
		{"many signs", strings.Repeat("- ", million) + "x_i32", "around one another"},
		{"many functions", strings.Repeat("abs(", million), "around one another"},
		{"many casts", strings.Repeat("i32(u8(", million), "around one another"},
		{"a wide function", "max(" + strings.Repeat("x_i32,", million), "expected ')'"},
		{"a long name", strings.Repeat("a", 10*million), "is not declared"},
		{"a long number", strings.Repeat("9", 10*million), "is not how"},
		{"spaces", strings.Repeat(" ", 10*million), "expected an operand"},
		{"NUL", strings.Repeat("\x00", 10*million), "expected an operand"},
		{"17 MiB", strings.Repeat(" ", 17<<20), "bytes"},
		{"a wide tree", wideTree(18), ""},
	} {
		p := NewPool()
		_, err := Read(p, irtest.Named(p), I32, c.text)
		switch {
		case (err == nil) != (c.fail == ""):
			t.Errorf("%s: %v", c.what, err)
		case err != nil && (len(err.Error()) > 1000 || !strings.Contains(err.Error(), c.fail)):
			t.Errorf("%s: want %q in %.2000s", c.what, c.fail, err)
		}
	}
}

// wideTree is the text of a balanced tree of 2^n leaves.
func wideTree(n int) string {
	if n == 0 {
		return "x_i32"
	}
	half := wideTree(n - 1)
	return "max(" + half + ", " + half + ")"
}

// A text that Read and the parser of the notation both read is one expression.
func FuzzRead(f *testing.F) {
	r := rand.New(rand.NewPCG(23, 24))
	for i := range 200 {
		e := irtest.Plain(r, NewPool(), irtest.Types[i%len(irtest.Types)], 1+i/5)
		f.Add(uint8(e.Type()), e.String())
	}
	for _, text := range []string{
		"-5", "- 5", "-(5)", "--5", "-inf", "- inf.x", "-tmax", "1 < 2", "1.5 < 2", "tmin < tmax", "inf == nan",
		"x_i32 -- y_i32", "x_i32 <- y_i32", "x_u8 << -1", "select(1 < 2, 1, 2.0) < 3", "select(x_bool, 1, x_u8)", "is_nan(1.0)",
		"pow(x_f32, 2)", "pow(2.0, 3.0)", "pow(x_i32, 2)", "i32(i32(x_i32))", "bool(1)", "u8(300)", "-x_i32*y_i32", "x_i32 == y_i32 == x_bool",
		"x_bool & y_bool", "x_bool ^ (1 < 2)", "1e+20", "1e5-3", "0x1e-5", "1.", "5.x", "r . _i32", "min(1, 2, 3)", "abs(-128)", "~1 >> 2", "\x00", "…",
	} {
		for _, want := range []Type{Invalid, Bool, I8, I32, U8, F32, F64} {
			f.Add(uint8(want), text)
		}
	}
	f.Fuzz(func(t *testing.T, typ uint8, text string) {
		if len(text) > 1<<12 {
			t.Skip()
		}
		p := NewPool()
		want, vars := Type(typ%uint8(NumTypes)), irtest.Named(p)
		e, err := Read(p, vars, want, text)
		if err != nil {
			var at *Error
			if !errors.As(err, &at) || at.Line < 1 || at.Col < 1 || at.Msg == "" {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		if want != Invalid && e.Type() != want {
			t.Fatalf("%q is %s, want %s", text, e.Type(), want)
		}
		if other, err := program.ParseExpr(p, program.Scope{Var: vars}, want, text); err == nil && other != e {
			t.Fatalf("%q\nreads as  %s\nparses as %s", text, e, other)
		}
		printed := e.String()
		if strings.HasSuffix(printed, "…") {
			return
		}
		if again, err := Read(p, vars, e.Type(), printed); err != nil || again != e {
			t.Fatalf("%q prints as %s, which reads back as %s, %v", text, printed, again, err)
		}
	})
}
