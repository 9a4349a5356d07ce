package program

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Errors as the author sees them: one block per mistake, with what it prints.
func TestErrors(t *testing.T) {
	var got strings.Builder
	show := func(what string, err error) {
		fmt.Fprintf(&got, "== %s\n", what)
		if err == nil {
			fmt.Fprintf(&got, "no error\n")
			return
		}
		fmt.Fprintf(&got, "%v\n", err)
	}
	for _, c := range [][2]string{
		{"x0:i32,y0:i32", "x0 + y1"},
		{"x0:i32,y0:i32", "x0 +"},
		{"x0:i32,y0:i32", "x0 + * y0"},
		{"x0:i32,y0:i32", "(x0 + y0"},
		{"x0:i32,y0:i32", "x0 + y0)"},
		{"x0:i32,y0:i32", "x0 y0"},
		{"x0:i32,y0:f32", "x0 + y0"},
		{"x0:i32,y0:f32", "y0"},
		{"x0:i32,y0:f32", "\tx0 +\ty0"},
		{"x0:i32,y0:i32", "x0 < y0"},
		{"x0:i32,y0:i32", "x0 && y0"},
		{"x0:i32,y0:i32", "select(x0, y0, 1)"},
		{"x0:i32,y0:i32", "select(x0 < y0, 1)"},
		{"x0:i32,y0:i32", "mim(x0, y0)"},
		{"x0:i32,y0:i32", "min(x0)"},
		{"x0:i32,y0:i32", "x0 + 1.5"},
		{"x0:i32,y0:i32", "x0 + 99999999999999999999"},
		{"x0:i32,y0:i32", "x0 + 12abc"},
		{"x0:i32,y0:i32", "x0 + inf"},
		{"x0:i32,y0:i32", "x0 + y0; x0"},
		{"x0:i32,x1:i32,y0:i32", "x0 + y0"},
		{"x0:i32,x1:i32,y0:i32", "x0 + ; x1 * * y0"},
		{"x0:i32,y0:i32", ""},
		{"x0:i32,y0:i32", "x0 ⊕ y0"},
		{"x0:i32,y0:i32", "x0 + \x00"},
		{"x0:i32,y0:i32", "x0 + \xff"},
		{"x0:i32,y0:i32", "x0 + \"y0\""},
		{"x0:i32,y0:i32", "x0 + /* y0"},
		{"x0:i32,y0:i32", "--x0"},
		{"x0:i32,y0:i32", "pow(x0, y0)"},
		{"x0:i32,y0:i32", "pow(x0, 65)"},
		{"x0:i32,y0:i32", "sqrt(x0)"},
		{"x0:i32,y0:i32", "x0 = y0"},
		{"x0:i32,y0:i32", "x0[1]"},
		{"x0:i32", "min(\n  x0,\n  y0)"},
		{"x0:i32", strings.Repeat("x0 + ", 40) + "y0" + strings.Repeat(" + x0", 40)},
		{"x0:i32,y0:i32", "let t = x0 + y0"},
		{"x0:i32,y0:i32", "let t == x0 in t"},
		{"x0:i32,y0:i32", "let min = x0 in min"},
		{"x0:i32,y0:i32", "let t = x0 in y0"},
		{"x0:i32,y0:i32", "let t = x0 + z0 in t + t"},
		{"x0:i32,y0:u8", "let t = y0 in\n  x0 + t"},
		{"x0:i32,y0:i32", "t := x0; y0"},
		{"x0:i32,y0:i32", "t := x0"},
		{"x0:i32,x1:i32,y0:i32", "x0 := x0 + y0; max(x1, x0)"},
		{"x0:i32,y0:i32", "x0 + (t := y0)"},
		{"x0:i32,y0:i32", "qou(x0, y0)"},
		{"x0:i32,y0:f32", "x0 + i32(quo(y0, 2))"},
		{"x0:i32,y0:u8", "quo(x0, y0)"},
		{"x0:u8,y0:u8", "rotl(x0)"},
		{"x0:u8,y0:u8", "table(y0)"},
		{"x0:u8,y0:f32", "table(y0, 1, 2)"},
		{"x0:u8,y0:u8", "table(y0, 1, y0)"},
		{"x0:u8,y0:u8", "table(y0, 1, u16(2))"},
		{"x0:i128", "x0"},
		{"x0:i32,x0:i32", "x0"},
		{"x1:i32", "x1"},
		{"y0:i32", "y0"},
		{"x0 i32", "x0"},
		{"x0:i32,min:i32", "x0"},
		{"x64:i32", "x64"},
	} {
		_, err := ParseUpdate(ir.NewPool(), c[0], c[1])
		show(fmt.Sprintf("%s %q", c[0], c[1]), err)
	}
	const head = "ImageParam in(UInt(8), 2); Func f; Var x; RDom r(0, 10, 0, 20); f(x) = 0;\n"
	for _, c := range []string{
		"",
		"f",
		"f()",
		"f() + 1",
		"f() == 1",
		"min(a) = 3",
		"f() = {f()[0] + in(r)",
		"f() = in(r) + in(r.x, r.y)",
		"f() = f() + r + r.y",
		"f() = {f()[0], f()[1]}; f() = 3",
		"f() = f()[1]",
		"Func f; f() = 0; f() = f() + inn(3)",
		"Func f; f() = 0; RDom r(10); f() += r",
		"Func f; f() = 0; RDom r(0, 10, 0, 10); f() += r",
		"Func f; f() = 0; RDom r(0, 10, 0, 10); f() += r.z",
		"Func f; f() = 0; RDom r(0, 10), s(0, 10); f() += r + s",
		"Func f; f() += k",
		"Func f; Func f; f() = 1",
		"Func f;",
		"f() = f() + 010",
		"Func min;",
		"Func f; Var x0; f(x0) = 1;",
		"f() = f() + x1", "f() = select", "f(min) = i32",
		"Func f; RDom r(0, 9); f() = 0; f() += 0.5f*(1/2) + r",
		"Func f; f() = {1, 2}; f() = f() + 1",
		"Tuple t = {1, 2}; Func f; f() = t + 1",
		"Func f; RVar ro; f() = ro",
		"ImageParam in(UInt(64), 1); RDom r(0, 9); Func f; f() += widening_add(in(r), 1)",
		"Param<i99> k;",
		"ImageParam in;",
		"ImageParam in(UInt(7), 2);",
		head + "f(r.x) += in(r.x)",
		head + "f(r.x) += imm(r.x, r.y)",
		head + "f(r.x) += {1, 2}",
		head + "f(r.x, r.y) += 1",
		head + "f(r.x) += in(r.x, r.y) + 300",
		head + "f(r.x) += in.widht()",
		head + "f(r.x) += f",
		head + "f(r.x) += in",
		head + "f(r.x) += later; Expr later = 3;",
		head + "f(r.x) += in(r.x, r.y) ? 1 : 2",
		head + "f(r.x) += 1; r.where(r.x < 3);",
		head + "r.where(r.x);",
		head + "f.update(0).parallel(x);",
		head + "f(r.x) += 1; f.update(1).parallel(x);",
		head + "f(r.x) += 1; f.update(0).paralel(x);",
		head + "f(r.x) += 1; f.update(0).parallel(y);",
		head + "f(r.x) += 1; f.update(0).split(r.x, x);",
		head + "f(r.x) += 1; g.update(0).parallel(x);",
		head + "f(r.x) += 1; f.update(0).rfactor({r.x, x});",
		head + "f(r.x) += 1; Func g = f.update(0).parallel(x);",
		head + "f(r.x) += ; f(r.x) += * 2; f(r.x) += )",
		head + "f(r.x) += a; f(r.x) += b;\n\tf(r.x) += c;",
		"f() = {t := f()[0]; u := 1; t, t}",
		"f() = {t := f()[0] t, t}; f() = 0",
		"f() = {t := ; t, t}; g() = )",
		head + "f(r.x) += quo(in(r.x, r.y), 300)",
		head + "f(r.x) += table(in(r.x, r.y), 1, 300, 70000, 99999999999)",
		"while (1) { }",
		"f() = f() + g(r).x",
	} {
		_, err := ParseProgram(ir.NewPool(), "p.rf", c, ir.Invalid)
		show(fmt.Sprintf("program %q", c), err)
	}
	golden(t, "errors.golden", got.String())
}
