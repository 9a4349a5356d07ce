package program

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// internalWords are no words for a user.
var internalWords = regexp.MustCompile(`(?i)\b(token|node|syntax tree|nil|internal|panic|elaborat\w*|synonym|pool|unexpected EOF|invalid type|runtime)\b|%!|\bsyn[A-Z]`)

// One mistake gives one error, which has a place in the text and says what to write.
func TestMalformed(t *testing.T) {
	var got strings.Builder
	one := func(text string, err error) {
		var list ir.ErrorList
		if !errors.As(err, &list) {
			t.Errorf("%q: %v is no list of errors", text, err)
			return
		}
		fmt.Fprintf(&got, "== %q\n%v\n", text, err)
		if len(list) != 1 {
			t.Errorf("%q: %d errors:\n%v", text, len(list), err)
		}
		for _, e := range list {
			if lines := strings.Split(text, "\n"); e.Line < 1 || e.Line > len(lines) || e.Col < 1 || e.Col > len(lines[e.Line-1])+1 {
				t.Errorf("%q: %d:%d is outside", text, e.Line, e.Col)
			}
			if w := internalWords.FindString(e.Msg); w != "" || len(e.Msg) < 8 {
				t.Errorf("%q: %q has the word %q", text, e.Msg, w)
			}
		}
	}
	for _, text := range malformedUpdates {
		_, err := ParseUpdate(ir.NewPool(), "x0:i32,x1:i32,y0:i32,k0:i32,b:bool", text)
		one(text, err)
	}
	for _, text := range malformedTypes {
		_, err := ParseUpdate(ir.NewPool(), text, "x0")
		one(text, err)
	}
	for _, text := range malformedFront {
		_, err := ParseUpdate(ir.NewPool(), "", text)
		one(text, err)
	}
	for _, text := range malformedPrograms {
		_, err := ParseProgram(ir.NewPool(), "program", text, ir.I32)
		one(text, err)
	}
	golden(t, "malformed.golden", got.String())
}

var malformedUpdates = []string{
	"mx(x0, y0); x1", "mim(x0, y0); x1", "MAX(x0, y0); x1", "selct(b, x0, y0); x1", "x0; slect(b, x1, y0)", "x0 and y0; x1", "x0 or y0; x1",
	"b && not b; x1", "not b; x1", "x0; x1 mod y0", "x0 div y0; x1", "x0 xor y0; x1", "x0 is y0; x1", "if x0 > y0 then x0 else y0; x1",
	"if (x0 > y0) x0 else y0; x1", "if(x0 > y0, x0, y0); x1", "x0 if x0 > y0 else y0; x1", "if; x1", "x0 then; x1", "x0 ** 2; x1", "a[i] + x0; x1",
	"x0 + y[r]; x1", "y[0] + x0; x1", "x[0]; x1", "x0[0]; x1", "y0[r]; x1", "x0 &&& y0; x1", "x0 ||| y0; x1", "select(x0 =< y0, x0, y0); x1",
	"select(x0 => y0, x0, y0); x1", "x0 <> y0; x1", "x0 === y0; x1", "x0 !== y0; x1", "x0 ~= y0; x1", "x0 ^^ y0; x1", "x0 >>> y0; x1", "x0 ≤ y0; x1",
	"x0 − y0; x1", "x0 × y0; x1", "x0 + y0\nx1", "x0 + y0 x1", "x0 + y0, x1", "{x0 + y0, x1}", "(x0 + y0, x1)", "[x0, x1]", "; x0; x1", "x0 + y0;; x1",
	"x0 += y0; x1", "x0 = x0 + y0; x1", "x0 := x0 + y0; x1", "x0++; x1", "--x0; x1", "max x0 y0; x1", "std::max(x0, y0); x1", "Math.max(x0, y0); x1",
	"max(x0 y0); x1", "max(x0; y0); x1", "max(x0, y0; x1", "max(x0, y0)); x1", "((x0 + y0); x1", "x0 + ; x1", "x0; x1 +", "x0 * * y0; x1", "x0 || | y0; x1",
	"x0 + y7*y7 + y7; x1", "x0 + 1.5; x1", "x0; x1 + 1.5", "x0; x1; y0", "x0", "x0 < y0; x1", "x0; x1 && y0", "select(x0, y0, 1); x1", "sqrt(x0); x1",
	"x0 ? y0; x1", "x0 > y0 ? x0; x1", "x0 < y0 < k0; x1", "True && b; x1", "x0 + INT_MAX; x1", "INFINITY; x1", "inf; x1", "return x0 + y0; x1", "\"x0\"; x1",
	"'x0'; x1", "x0 + $y; x1", "x0 @ y0; x1", "x0 # y0; x1", "x0 -> y0; x1", "x0 ! y0; x1", "f(x0); x1", "f() + y0; x1", "f() = f() + 1", "x0 + y0.z; x1",
	"x0 + r.q; x1", "let t = x0; t; x1", "let t x0 in t; x1", "let t = x0 in y0; x1", "let in x0; x1", "t := x0; x1", "x0 := ; x1", ":= 3; x1", "x0 + 0x; x1",
	"x0 + 1e; x1", "x0 + 12abc; x1", "x0 + 1_000; x1", "x0 + 1,000; x1", "x0 + 99999999999; x1", "-; x1", "!x0; x1", "~b; x1", "x0 << ; x1", "x0 + i32; x1",
	"i32 x0; x1", "u8(x0); x1", "cast<u8>x0; x1", "cast<u9>(x0); x1", "Int(7).max(); x1", "Int(32).mid(); x1", "Int(32); x1", "pow(x0); x1", "pow(x0, y0); x1",
	"table(x0); x1", "clamp(x0, 1); x1", "min(); x1", "select(); x1", "abs(x0, y0); x1", "gcd(x0); x1", "is_nan(b); x1", "widening_add(x0, y0); x1",
	"fmax(x0, y0); x1", "== x0; x1", "x0 == ; x1", "x0 in y0; x1", "/* x0; x1", "x0 + y0) + (x1; x1", "int x0 = 3; x1", "x0.max(y0); x1", "x0 + x0:i32; x1",
	"x0 + é; x1", "x0 + \x00; x1", "",
}

var malformedTypes = []string{
	"x0:i32,", "x0", "x0=i32", "x0:i33", "x0:I32", "x0:i32 y0", "x0 :", "x0:,y0:i32", "x0:i32,y0 i32", ":i32", "x0:i32:y0:i32", "i32 x0", "int x0, int y0",
	"x0:[i32]", "x0:i32,x0:i32", "x0:i32,max:i32", "x1:i32", "y0:i32", "0x:i32", "x64:i32", "x0:\"i32\"",
}

var malformedFront = []string{
	"x0:i32, y0:i33\nx0 + y0", "x0:i32, y0:i32,\nx0 + y0", "x0:i32\ny0:i32\nx0 + y1", "x0:i32, y0:i32: x0 + y0", "x0:i32, y0 x0 + y0", "x0:i32, y0:i32\nx0 + y0; y0",
	"x0:i32, y0:i32", "x0:i32, y0:i32\n", "x0:f32, y0:f32\n\nx0 +\n  sqr(y0)", "x0:i32, y0:i32\nx0 + y0 /* end", "x0 + ", "x0 + selct(y0, 1, 2)", "x + y", "y0 + 1",
	"x0 + (y0 && 1)", "t := x0; y0 + x0", "x0 + y0", "f() = f() + 1", "x0 += y0", "x0 = x0 + y0",
}

var malformedPrograms = []string{
	"f() = f() + in[r]", "f() = f() + in[0]", "sum += in[i]", "f += in(r)", "f = f + in(r)", "f() = f() and P(r)", "f() = if(P(r), f(), 1)",
	"f() = if P(r) then f() else 1", "f() = P(r) ? f()", "f() = f() ** 2", "f() = f() &&& P(r)", "f() = select(f() =< in(r), f(), in(r))", "f() = 0 f() = f() + in(r)",
	"f() = 0\nf() = f() + in(r)", "f() == f() + 1", "f() := f() + 1", "f() = f() + ", "f() = (f() + in(r)", "f() = f() + in(r))", "f() = max(f(), in(r)",
	"f() = max(f() in(r))", "f() = max f() in(r)", "f() = {f()[0] + in(r), f()[1] +}", "f() = {f()[0] + in(r), f()[1]", "f() = {f()[0] + in(r), f()[1] + f()[2]}",
	"f() = f()[0] + in(r), f()[1] + 1", "f() = (f()[0] + 1, f()[1] + 2)", "f() = [f()[0] + 1, f()[1] + 2]", "f() = f() + in(r) if P(r) else f()",
	"f() = std::max(f(), in(r))", "f() = Math.max(f(), in(r))", "f() = fmax(f(), in(r))", "f() = maxx(f(), in(r))", "f() = mx(f(), in(r))", "f() = MAX(f(), in(r))",
	"f() = not P(r)", "f() = not(f())", "f() = and(f(), P(r))", "f() = f() && True", "f() = f() + sqrtt(in(r)*0.5)", "f() = f() + slect(in(r) > 3, 1, 0)",
	"f() = selct(P(r), f() + 1, f())", "f() = f() + selct(P(r), 1, 0)", "f() = f() + in(r) where P(r)", "f(x = f(x) + 1", "f() = ; ", "f() = f() +* in(r)", "f()", "f",
	"", ";", "// nothing", "Func f", "Func f f() = 0", "ImageParam in(UInt(8), 1) ; f() = in(r)", "Imageparam in(UInt(8), 1); Func f;",
	"Func f; RDom r(0, 10; f() = r; f() += 1", "Func f; f() = 0; f() += selct(f() > 0, 1, 2)", "Func f; f() = 0; f() += Max(f(), 2)",
	"Func f; f() = 0; f() += if(f() > 0, 1, 2)", "Func f; f() = 0; f() += q + q + q", "Func f; f() = True", "f() = f() + in(r.a)", "f() = f() + in(r).x",
	"f() = let t = in(r); t + f()", "f() = f() + in(r) # c", "def f(): return 1", "x0 + y0", "x0:i32, y0:i32\nx0 + y0", "f() = x0 + y0", "f() = f() + 1e",
	"f() = f() + 0b1", "f() = f() + 1'000", "f() = f() + \"a\"", "f(r) = f(r-1) + 1; g(", "f() = f()() + 1", "f() = f() + in(r); f.update(0).paralel(r)",
	"f() = f() + in(r); f.update(0).parallel(r", "f() += ++in(r)", "f()++", "f() = f() % ", "f() = f() <> 3", "f() = in(r) < f() < 3", "f() = min(f())",
	"f() = clamp(f(), 1)", "f() = f() ? 1 : 2", "f() = in(r) + in(r.x, r.y)", "f() = f() + in(r)\n+ g(r) h(r)", "sum(in(r))", "max(f(), in(r))", "int s = 0; s = s + 1", "while x: y",
	"return f() + 1", "f() = return f() + 1", "f() = {}", "f() = Tuple()", "f() = f() + in{r}", "f() = f() + in<r>", "f() -> f() + 1", "f(): f() + 1", "f() = 010",
	"f() = cast<foo>(in(r))", "f() = u8 in(r)", "f() = a.b.c", "f() = -", "= f() + 1", "()", "f() {", "function f() { return 1; }", "f() = f(1) + f()", "f() = \xff",
	"f() = f() ≤ in(r)",
}

// A guess of types is one that the text can be read with.
func TestGuessedTypes(t *testing.T) {
	for _, c := range [][2]string{
		{"x0 + y0", "x0:i32,y0:i32"},
		{"max(x0, r)", "x0:i32"},
		{"x0 + r.x*y0", "x0:i32,y0:i32"},
		{"x0 + 1.5", "x0:f32"},
		{"x0 + exp(y0)", "x0:f32,y0:f32"},
		{"x0 + i32(exp(y0))", "x0:i32,y0:f32"},
		{"select(y0, x0 + 1, 0)", "x0:i32,y0:bool"},
		{"select(x1, x0 + 1, 0); x1 && y0", "x0:i32,x1:bool,y0:bool"},
		{"x0 || y0 < k0", "x0:bool,y0:i32,k0:i32"},
		{"x0 + f64(y0)", "x0:f64,y0:i32"},
		{"x0 + u8(y0 > 3)", "x0:u8,y0:i32"},
		{"x0 + widening_mul(y0, y1)", "x0:i64,y0:i32,y1:i32"},
		{"x0 && is_nan(y0)", "x0:bool,y0:f32"},
		{"popcount(x0 ^ y0)", "x0:i32,y0:i32"},
		{"t := x0 + y0; x0 := max(t, 0.0); x1 := x1 || y1", "x0:f32,x1:bool,y0:f32,y1:bool"},
		{"y0; x0", "x0:i32,x1:i32,y0:i32"},
		{"x0 + pow(y0, 0.5)", "x0:f32,y0:f32"},
		{"table(y0, 1.0, 2.0) + x0", "x0:f32,y0:i32"},
		{"/* sum */ x0 + y0", "x0:i32,y0:i32"},
		{"x0 + (y0 && 1)", ""},
	} {
		if got := guessed(t, c[0]); got != c[1] {
			t.Errorf("%s: guessed %q, want %q", c[0], got, c[1])
		}
	}
	_, err := ParseOperator(ir.NewPool(), "", "select(x < y, x, max(y, k))")
	if err == nil || !strings.Contains(err.Error(), "-types x:i32,y:i32,k:i32, or") {
		t.Error(err)
	}
	_, err = ParseOperator(ir.NewPool(), "", "x0 + y0; x1 && y1")
	if err == nil || !strings.Contains(err.Error(), "-types x0:i32,x1:bool,y0:i32,y1:bool, or") {
		t.Error(err)
	}
	lines, none := corpus(t), 0
	for _, l := range lines {
		if guessed(t, l.Exprs) == "" {
			none++
		}
	}
	if none*50 > len(lines) {
		t.Errorf("no guess for %d of %d updates", none, len(lines))
	}
	t.Logf("no guess for %d of %d updates of the corpus", none, len(lines))
}

// guessed is what the error for missing types says, which is tried; "" where it says none.
func guessed(t *testing.T, text string) string {
	t.Helper()
	_, err := ParseUpdate(ir.NewPool(), "", text)
	if err == nil {
		t.Errorf("%s: no error", text)
		return ""
	}
	m := regexp.MustCompile(`-types (\S+), or`).FindStringSubmatch(err.Error())
	if m == nil || strings.Contains(m[1], "TYPE") || strings.Contains(m[1], "…") {
		return ""
	}
	if _, err := ParseUpdate(ir.NewPool(), m[1], text); err != nil {
		t.Errorf("%s: -types %s: %v", text, m[1], err)
	}
	if _, err := ParseUpdate(ir.NewPool(), "", m[1]+"\n"+text); err != nil {
		t.Errorf("%s in front of %s: %v", m[1], text, err)
	}
	return m[1]
}

// Types in front mean what they mean apart, on a line of their own or on that of the update.
func TestTypesInFront(t *testing.T) {
	for _, l := range corpus(t) {
		apart, err := ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
		if err != nil {
			t.Fatal(err)
		}
		for _, between := range []string{"\n", " ", "; ", ";\n\n// an update\n"} {
			text := l.Types + between + l.Exprs
			if !IsAbstract(text) {
				t.Errorf("%s is not abstract", text)
			}
			front, err := ParseUpdate(ir.NewPool(), "", text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if a, b := fmt.Sprint(ir.Strings(apart.Values), apart.Types, apart.Vars, apart.NonNeg), fmt.Sprint(ir.Strings(front.Values), front.Types, front.Vars, front.NonNeg); a != b {
				t.Errorf("%s: %s apart, %s in front", text, a, b)
			}
			if types, update := CutTypes(text); update != l.Exprs || !strings.HasPrefix(types, l.Types) {
				t.Errorf("%s is cut into %q and %q", text, types, update)
			}
		}
		if types, update := CutTypes(l.Exprs); types != "" || update != l.Exprs {
			t.Errorf("%s is cut into %q and %q", l.Exprs, types, update)
		}
	}
}

// No program of the tree, and no function that people call so, is taken for a misspelling or for an abstract update.
func TestNoFalseAlarm(t *testing.T) {
	var files []string
	for _, dir := range []string{"../../testdata", "../../docs", "../../playground", "../../cmd"} {
		err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			if filepath.Ext(path) == ".rf" {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 100 {
		t.Errorf("only %d programs", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseProgram(ir.NewPool(), file, string(text), ir.I32); err != nil || IsAbstract(string(text)) {
			t.Errorf("%s: %v, abstract: %v", file, err, IsAbstract(string(text)))
		}
	}
	for name := range strings.FieldsSeq(`P Q T in is on inn input image img a b c g h next step steps delta trans move go map mix hash bin
		index idx key keys weight w cost dist mask pred filter cond test score rank link left right parent child prev min_of max_so_far best count total
		sum mean avg var scale shift gain sqr square cube sigmoid relu softplus erf gamma bessel clip wrap mod_p mulmod addmod powmod combine merge join
		fold apply eval call feed data val vals value values vec row col pix pixel tap taps kernel blend blond over under tone curve gamma_lut lut lut8
		table2 tables log2 log10 exp10 exp3 select2 min3 max3 abs2 sin2 atan atan2 tan asin sinh cosh round5 crc crc8 step8 f1 f2 g2`) {
		for _, text := range []string{"f() = f() + %s(r)", "f() = %s(f(), other(r))", "f() = max(f(), %s(in(r)))", "f() = f() + %s(r.x, r.y)", "f() = f() + %s(in(r) + 1)"} {
			if _, err := ParseProgram(ir.NewPool(), "p", fmt.Sprintf(text, name), ir.I32); err != nil {
				t.Errorf("%v", err)
			}
		}
	}
}
