package ir

import (
	"testing"
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
			"[i32 i32 i32 i32]", "x0*in(r) + x1*in(r)[2]; x0*in(r)[1] + x1*in(r)[3]; x2*in(r) + x3*in(r)[2]; x2*in(r)[1] + x3*in(r)[3]"},
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
		pr, err := ParseProgram(NewPool(), "line", c.in, Invalid)
		if err != nil {
			t.Errorf("%s:\n%v", c.in, err)
			continue
		}
		u := pr.Funcs[0].Updates[0].Update()
		if got := typeList(u.Types); got != c.types {
			t.Errorf("%s has types %s, want %s", c.in, got, c.types)
		}
		if got := Strings(u.Values); got != c.out {
			t.Errorf("%s\ngives %s\nwant  %s", c.in, got, c.out)
		}
	}
}

func typeList(ts []Type) string {
	s := "["
	for i, t := range ts {
		if i > 0 {
			s += " "
		}
		s += t.String()
	}
	return s + "]"
}
