package program

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Names for parts of expressions mean what they stand for, in parentheses.
func TestLocals(t *testing.T) {
	for _, c := range []struct{ types, text, want string }{
		{"x0:i32,y0:i32", "let t = x0 + y0 in max(t, 0)", "max(x0 + y0, 0)"},
		{"x0:i32,y0:i32", "(let t = x0 + y0 in t*t) - let t = y0 in t", ""},
		{"x0:i32,y0:i32", "(let t = x0 + y0 in t*t) - (let t = y0 in t)", "(x0 + y0)*(x0 + y0) - y0"},
		{"x0:i32,y0:i32", "let a = x0 in let b = a + y0 in let a = b in a*b", "(x0 + y0)*(x0 + y0)"},
		{"x0:i32,y0:i32", "max(0, let t = x0 in t + y0)", "max(0, x0 + y0)"},
		{"x0:i32,y0:u8", "let n = 1 in x0 + i32(y0 + n)", "x0 + i32(y0 + 1)"},
		{"x0:i32,in:i32", "let t = in in x0 + t", "x0 + in"},
		{"x0:i32,y0:i32", "let n = 3 in pow(x0, n)", "x0*x0*x0"},
		{"x0:i32,x1:i32,y0:i32", "t := x0 + y0; max(t, 0); min(t, x1)", "max(x0 + y0, 0); min(x0 + y0, x1)"},
		{"x0:i32,x1:i32,y0:i32", "t := y0; t := t + 1; x0 + t; x1", "x0 + (y0 + 1); x1"},
		{"x0:i32,x1:i32,y0:i32", "x0 := x0 + y0; x1 := max(x1, x0)", "x0 + y0; max(x1, x0 + y0)"},
		{"x0:i32,x1:i32,y0:i32", "x1 := x1 + x0", "x0; x1 + x0"},
		{"x0:i32,x1:i32,y0:i32", "x1 := x1 + 1; x0 := x0 + x1; x1 := x0*x1", "x0 + (x1 + 1); (x0 + (x1 + 1))*(x1 + 1)"},
		{"x0:i32,x1:i32,y0:i32", "x0 := x0 + y0; x0; max(x1, x0)", "x0 + y0; max(x1, x0 + y0)"},
	} {
		u, err := ParseUpdate(ir.NewPool(), c.types, c.text)
		switch {
		case c.want == "":
			if err == nil || !strings.Contains(err.Error(), "let begins an expression") {
				t.Errorf("%s: %v", c.text, err)
			}
		case err != nil:
			t.Errorf("%v", err)
		case ir.Strings(u.Values) != c.want:
			t.Errorf("%s\nmeans %s\nnot   %s", c.text, ir.Strings(u.Values), c.want)
		}
	}
	for text, want := range map[string]string{
		"f() = let t = in(r) in f() + t*t":                               "x0 + in(r)*in(r)",
		"f() = {t := f()[0] + in(r); t, max(f()[1], t)}":                 "x0 + in(r); max(x1, x0 + in(r))",
		"f() = {t := in(r); u := t + 1; f()[0] + t, max(f()[1], u)}":     "x0 + in(r); max(x1, in(r) + 1)",
		"f() = {s := f(); s[0] + in(r), s[1]}; g() = {t := in(r); t, t}": "x0 + in(r); x1",
	} {
		p, err := ParseProgram(ir.NewPool(), "p.rf", text, ir.I32)
		if err != nil {
			t.Errorf("%v", err)
		} else if got := ir.Strings(p.Definitions()[0].Update().Values); got != want {
			t.Errorf("%s\nmeans %s\nnot   %s", text, got, want)
		}
	}
}

// A name is typed once for each type that is wanted of it, however often it is used.
func TestLocalsShare(t *testing.T) {
	var text strings.Builder
	text.WriteString("t0 := x0 + y0; ")
	for i := range 500 {
		fmt.Fprintf(&text, "t%d := t%d*t%d + 1; ", i+1, i, i)
	}
	p := ir.NewPool()
	u, err := ParseUpdate(p, "x0:i32,y0:i32", text.String()+"t500")
	if err != nil {
		t.Fatal(err)
	}
	if p.Len() > 1010 || len(u.Values[0].String()) > ir.PrintLimit+10 {
		t.Errorf("%d expressions", p.Len())
	}
}
