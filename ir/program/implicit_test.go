package program

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Names of coordinates are those that a regular expression names: package regexp itself is large for a page.
func TestIsCoordName(t *testing.T) {
	want := regexp.MustCompile(`^r([0-9]+|[xyzw])?$|\.[xyzw]$`)
	const letters = "rx.w19a"
	names := []string{""}
	for range 4 {
		for _, n := range names[:] {
			for _, c := range letters {
				names = append(names, n+string(c))
			}
		}
		if len(names) > 50_000 {
			break
		}
	}
	for _, n := range names {
		if got := isCoordName(n); got != want.MatchString(n) {
			t.Fatalf("%q: %v", n, got)
		}
	}
}

// With -type f32, coordinates and extents decide no other type, unless a component is set to one.
func TestTypeBeforeCoordinates(t *testing.T) {
	for _, c := range []struct{ text, types string }{
		{"f() = f() + in(r)/r", "f32"},
		{"f() = f() + r*in(r)", "f32"},
		{"f() = f() + (in(r) - f())/(r + 1)", "f32"},
		{"f() = max(f(), in(r)*r)", "f32"},
		{"f() = min(f(), in(r) + 2*r)", "f32"},
		{"f() = f() + abs(in(r) - r)", "f32"},
		{"f() = f()*(r + 1) + in(r)", "f32"},
		{"f() = f() + select(in(r) > r, in(r), 0)", "f32"},
		{"f() = f() + sqrt(in(r))*r", "f32"},
		{"f() = f() + in(r)*w(r)/(r*r + 1)", "f32"},
		{"f() = max(f(), r*0.5f)", "f32"},
		{"f() = f() + in(r)/in.width()", "f32"},
		{"f() = f() + pow(in(r), 2)*(r % 3)", "f32"},
		{"f() = select(in(r) > f(), in(r), f() - r)", "f32"},
		{"f() = {f()[0] + in(r), f()[1] + in(r)*r}", "f32 f32"},
		{"f() = f() + r", "f32"},
		{"f() = {max(f()[0], in(r)), select(in(r) > f()[0], r, f()[1])}", "f32 i32"},
		{"f() = {max(f()[0], in(r.x, r.y)), select(in(r.x, r.y) > f()[0], r.x, f()[1]), select(in(r.x, r.y) > f()[0], r.y + 1, f()[2])}", "f32 i32 i32"},
		{"f() = select(in(r) > 0, r, f())", "i32"},
		{"f() = r", "i32"},
		{"f() = f() + select(in(r) > 0, r, in(r))", "f32"},
	} {
		p, err := ParseProgram(ir.NewPool(), "line", c.text, ir.F32)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := strings.Trim(fmt.Sprint(p.Funcs[0].Types), "[]"); got != c.types {
			t.Errorf("%s is of %s, want %s", c.text, got, c.types)
		}
		for _, in := range p.Inputs {
			if in.Types[0] != ir.F32 {
				t.Errorf("%s: %s is of %s", c.text, in.Name, in.Types[0])
			}
		}
	}
}

// Floats that an integer accumulator takes name the line that makes it one.
func TestNarrow(t *testing.T) {
	const in = "ImageParam in(Float(32), 1);\nFunc f;\nRDom r(0, in.width());\n"
	for _, c := range []struct{ text, want string }{
		{in + "f() = 0;\nf() = f() + in(r);", "f is i32 by line 4: write 0.0f"},
		{in + "f() = {0.0f, 7};\nf() = {f()[0], max(f()[1], in(r))};", "f()[1] is i32 by line 4: write 7.0f"},
		{"f() = 1; f() = f()*f64(in(r));", "f is i32 by line 1: write f64(1)"},
		{in + "f() = 0.0f;\nf() = f() + in(r);", ""},
		{in + "f() = 0;\nf() = f() + i32(in(r));", ""},
		{"f() = f() + in(r)", ""},
	} {
		p, err := ParseProgram(ir.NewPool(), "line", c.text, ir.Invalid)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Funcs[0].Updates[0].Update().Narrow; got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
