package program

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// One line alone is a program: what it reads and what type that has is inferred.
func TestOneLine(t *testing.T) {
	for _, c := range []struct{ in, types, out string }{
		{"f() = select(P(r), f() + 1, f())", "[i32]", "select(P(r), x0 + 1, x0)"},
		{"f() = f() + select(P(r), 1, 0);", "[i32]", "x0 + select(P(r), 1, 0)"},
		{"f() += in(r)", "[i32]", "x0 + in(r)"},
		{"f() = f() && P(r)", "[bool]", "x0 && P(r)"},
		{"f() = f() + 0.5f*in(r)", "[f32]", "x0 + 0.5*in(r)"},
		{"f() = {f()[0] + in(r), f()[1] * in(r)}", "[i32 i32]", "x0 + in(r); x1*in(r)"},
		{"f() = {min(f()[0], in(r.x, r.y)), select(f()[0] < in(r.x, r.y), f()[1], r.x), select(f()[0] < in(r.x, r.y), f()[2], r.y)}",
			"[i32 i32 i32]", "min(x0, in(r.x, r.y)); select(x0 < in(r.x, r.y), x1, r.x); select(x0 < in(r.x, r.y), x2, r.y)"},
		{"f() = {f()[0]*in(r)[0] + f()[1]*in(r)[2], f()[0]*in(r)[1] + f()[1]*in(r)[3], f()[2]*in(r)[0] + f()[3]*in(r)[2], f()[2]*in(r)[1] + f()[3]*in(r)[3]}",
			"[i32 i32 i32 i32]", "x0*in(r)[0] + x1*in(r)[2]; x0*in(r)[1] + x1*in(r)[3]; x2*in(r)[0] + x3*in(r)[2]; x2*in(r)[1] + x3*in(r)[3]"},
		{"f(in(r) % 2) = f(in(r) % 2) + pow(in(r), 2)", "[i32]", "x0 + in(r)*in(r)"},
		{"f(x) = f(x) + in(x, r)", "[i32]", "x0 + in(x, r)"},
		{"f() = f() + in(r) + k*f()*in(r)", "[i32]", "x0 + in(r) + k*x0*in(r)"},
		{"f(r) = f(r) + f(r + 1)", "[i32]", "x0 + f(r + 1)"},
		{"hist(clamp(cast<int>(in(r.x, r.y)), 0, 255)) = hist(clamp(cast<int>(in(r.x, r.y)), 0, 255)) + 1", "[i32]", "x0 + 1"},
		{"f() = max(f(), cast<uint8_t>(in(r)))", "[u8]", "max(x0, u8(in(r)))"},
		{"f() = is_nan(in(r)) ? f() : f() + in(r)", "[f32]", "select(is_nan(in(r)), x0, x0 + in(r))"},
		{"sum() = sum() + in(r)/in.width()", "[i32]", "x0 + in(r)/in.width()"},
		{"f() = 0; f() = f() + in(r)", "[i32]", "x0 + in(r)"},
		{"f() = 0.0f; f() = f() + in(r)", "[f32]", "x0 + in(r)"},
	} {
		pr, err := ParseProgram(ir.NewPool(), "line", c.in, ir.Invalid)
		if err != nil {
			t.Errorf("%s:\n%v", c.in, err)
			continue
		}
		u := pr.Funcs[0].Updates[0].Update()
		if got := typeList(u.Types); got != c.types {
			t.Errorf("%s has types %s, want %s", c.in, got, c.types)
		}
		if got := ir.Strings(u.Values); got != c.out {
			t.Errorf("%s\ngives %s\nwant  %s", c.in, got, c.out)
		}
	}
}

func typeList(ts []ir.Type) string {
	s := "["
	for i, t := range ts {
		if i > 0 {
			s += " "
		}
		s += t.String()
	}
	return s + "]"
}

// Every listing of the paper's drafts, and the algorithms of its benchmarks, are programs.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("../../testdata/programs/*.rf")
	if err != nil || len(files) < 20 {
		t.Fatal(len(files), err)
	}
	var got strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		pr, err := ParseProgram(ir.NewPool(), name, string(text), ir.Invalid)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		fmt.Fprintf(&got, "== %s\n%s", name, describe(pr))
	}
	golden(t, "programs.golden", got.String())
}

// describe is what a program says, for golden files.
func describe(pr *Program) string {
	var b strings.Builder
	for _, in := range pr.Inputs {
		fmt.Fprintf(&b, "input %s%s of %d coordinates\n", in.Name, typeList(in.Types), in.Dims)
	}
	for _, k := range pr.Params {
		fmt.Fprintf(&b, "param %s %s\n", k.Name, k.Var.Type())
	}
	for _, d := range pr.Domains {
		fmt.Fprintf(&b, "domain %s:", d.Name)
		for _, dim := range d.Dims {
			fmt.Fprintf(&b, " %s from %s, %s steps;", dim.Var, dim.Min, dim.Extent)
		}
		fmt.Fprintf(&b, " where %s\n", ir.Strings(d.Where))
	}
	for _, f := range pr.Funcs {
		fmt.Fprintf(&b, "func %s%s\n", f.Name, typeList(f.Types))
		if f.Init != nil {
			fmt.Fprintf(&b, "  initially (%s) = %s\n", ir.Strings(f.Args), ir.Strings(f.Init))
		}
		for _, d := range f.Updates {
			domain := "no domain"
			if d.Domain != nil {
				domain = d.Domain.Name
			}
			fmt.Fprintf(&b, "  %s over %s: (%s) = %s\n", d, domain, ir.Strings(d.Args), ir.Strings(d.Update().Values))
			for _, s := range d.Self {
				if line, col := pr.Source.LineCol(s.Pos); !s.Same {
					fmt.Fprintf(&b, "    %d:%d reads %s\n", line, col, s.Call)
				}
			}
		}
	}
	for _, d := range pr.Schedule {
		fmt.Fprintf(&b, "%s stage %d: %s", d.Func, d.Stage, d.Name)
		for _, a := range d.Args {
			switch {
			case a.Value.IsValid():
				fmt.Fprintf(&b, " %s", a.Value)
			case a.Pairs != nil:
				fmt.Fprintf(&b, " %v", a.Pairs)
			default:
				fmt.Fprintf(&b, " %s", a.Name)
			}
		}
		if d.Result != "" {
			fmt.Fprintf(&b, " makes %s", d.Result)
		}
		b.WriteString("\n")
	}
	return b.String()
}

var rewrite = flag.Bool("golden", false, "rewrite the golden files")

// golden compares text with a file of testdata.
func golden(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) == text {
		return
	}
	w, g := strings.Split(string(want), "\n"), strings.Split(text, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			t.Fatalf("%s:%d:\n got %s\nwant %s\n(rewrite with go test ./ir/program -golden)", file, i+1, g[i], w[i])
		}
	}
	t.Fatalf("%s has %d lines, got %d", file, len(w), len(g))
}

// Operands of mixed types meet as in Halide, and the result is narrowed to the function's type.
func TestPromotion(t *testing.T) {
	declare := "ImageParam u8s(UInt(8), 1), s8s(Int(8), 1), u16s(UInt(16), 1), u32s(UInt(32), 1), f32s(Float(32), 1), i64s(Int(64), 1);" +
		"RDom r(0, 10); Param<int> k; Func f;"
	for _, c := range []struct{ init, value, want string }{
		{"0", "f() + u8s(r)", "x0 + i32(u8s(r))"},
		{"0", "f() + f32s(r)", "i32(f32(x0) + f32s(r))"},
		{"0.0f", "f() + k", "x0 + f32(k)"},
		{"0.0f", "f() + 1", "x0 + 1.0"},
		{"0.0f", "f() + 0.5", "x0 + 0.5"},
		{"0.0f", "f() + select(k > 0, 1, 0)", "x0 + select(k > 0, 1.0, 0.0)"},
		{"0", "f() + 0.5f", "i32(f32(x0) + 0.5)"},
		{"cast<uint8_t>(0)", "f() + 1", "x0 + 1"},
		{"cast<uint8_t>(0)", "f() + u16s(r)", "u8(u16(x0) + u16s(r))"},
		{"cast<uint8_t>(0)", "min(f() + select(k > 0, 1, 0), 255)", "u8(min(i32(x0) + select(k > 0, 1, 0), 255))"},
		{"cast<uint8_t>(0)", "f() + s8s(r)", "u8(i8(x0) + s8s(r))"},
		{"cast<uint32_t>(0)", "f() + k", "u32(i32(x0) + k)"},
		{"cast<int64_t>(0)", "f() + u32s(r)", "x0 + i64(u32s(r))"},
		{"0", "f() + (u8s(r) > 3)", "x0 + i32(u8s(r) > 3)"},
		{"0", "f() + cast<int>(u8s(r) > k)", "x0 + i32(i32(u8s(r)) > k)"},
		{"0", "select(u8s(r) == 3, f(), u8s(r))", "select(u8s(r) == 3, x0, i32(u8s(r)))"},
		{"cast<int8_t>(0)", "f() >> u32s(r)", "i8(i32(x0) >> i32(u32s(r)))"},
		{"cast<uint8_t>(0)", "f() << k", "u8(u32(x0) << u32(k))"},
		{"cast<uint16_t>(0)", "f() + widening_mul(u8s(r), u8s(r + 1))", "x0 + u16(u8s(r))*u16(u8s(r + 1))"},
		{"cast<int16_t>(0)", "f() + widening_sub(u8s(r), u8s(r + 1))", "x0 + (i16(u8s(r)) - i16(u8s(r + 1)))"},
		{"0.0f", "f() + sqrt(k)", "x0 + sqrt(f32(k))"},
		{"0.0f", "f() + pow(k, k)", "x0 + pow(f32(k), f32(k))"},
		{"0.0f", "f() + pow(f32s(r), 2)", "x0 + pow(f32s(r), 2.0)"},
		{"0", "f() + pow(u8s(r), 3)", "x0 + i32(u8s(r)*u8s(r)*u8s(r))"},
		{"0", "f() + clamp(u8s(r), 1, 9)", "x0 + i32(max(min(u8s(r), 9), 1))"},
		{"0", "f() + u8s(u8s(r))", "x0 + i32(u8s(i32(u8s(r))))"},
		{"0", "f() + -1", "x0 + (-1)"},
		{"0", "f() + int(0x80000000)", "x0 + tmin"},
		{"0", "f() ^ 0xffffffff", "x0 ^ (-1)"},
	} {
		text := declare + "f() = " + c.init + "; f() = " + c.value + ";"
		pr, err := ParseProgram(ir.NewPool(), "p.rf", text, ir.Invalid)
		if err != nil {
			t.Errorf("%s: %v", c.value, err)
			continue
		}
		if got := pr.Func("f").Updates[0].Update().Values[0].String(); got != c.want {
			t.Errorf("%s on %s is %s, want %s", c.value, c.init, got, c.want)
		}
	}
}

// What an update of a program knows beside its values.
func TestUpdateOfDefinition(t *testing.T) {
	pr, err := ParseProgram(ir.NewPool(), "p.rf", `
		ImageParam in(Int(32), 2);
		Var x;
		Func f;
		RDom r(0, 8, -3, 8);
		f(x) = 0;
		Expr before = f(r.x + 1);
		f(r.x) = f(r.x) + before + in(r.x, r.y);
		f(r.x) += in(x, r.y);
		f(x) *= 2;
	`, ir.Invalid)
	if err != nil {
		t.Fatal(err)
	}
	f := pr.Func("f")
	if len(f.Updates) != 3 || f.Updates[0].Domain != pr.Domains[0] || f.Updates[2].Domain != nil {
		t.Fatalf("%d updates", len(f.Updates))
	}
	d := f.Updates[0]
	if d.Text() != "f(r.x) = f(r.x) + before + in(r.x, r.y)" || d.String() != "f.update(0)" {
		t.Errorf("%s is %q", d, d.Text())
	}
	u := d.Update()
	if got := ir.Strings(u.Values); got != "x0 + f(r.x + 1) + in(r.x, r.y)" {
		t.Error(got)
	}
	if got := ir.Strings(u.NonNeg); got != "r.x" {
		t.Errorf("never negative: %s", got)
	}
	var self []string
	for _, s := range u.Self {
		line, col := u.Source.LineCol(s.Pos)
		self = append(self, fmt.Sprintf("%d:%d %s %v", line, col, s.Call, s.Same))
	}
	if got := strings.Join(self, ", "); got != "8:12 f(r.x) true, 7:17 f(r.x + 1) false" {
		t.Error(got)
	}
	if got := ir.Strings(f.Updates[2].Update().Values); got != "x0*2" {
		t.Error(got)
	}
}

// A function that starts with += starts from 0, as in Halide; with *=, from 1.
func TestImplicitInitial(t *testing.T) {
	for _, c := range [][2]string{
		{"f() += in(r)", "0"},
		{"f() *= in(r)", "1"},
		{"f() += {in(r), 1.5f}", "0; 0.0"},
		{"hist(in(r)) += 1", "0"},
		{"f() = f() + in(r)", ""},
	} {
		pr, err := ParseProgram(ir.NewPool(), "p.rf", c[0], ir.Invalid)
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		if got := ir.Strings(pr.Funcs[0].Init); got != c[1] || len(pr.Funcs[0].Updates) != 1 {
			t.Errorf("%s starts from %q, want %q", c[0], got, c[1])
		}
	}
}
