package program

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// parseTest reads expressions over a fixed set of declared variables.
const parseTypes = "x0:i32,x1:u8,x2:f32,x3:bool,x4:i64,x5:f64,y0:i32,y1:u8,y2:f32,y3:bool,k0:i32,r:u31,r.x:i32,in:i32"

func testScope(p *ir.Pool) Scope {
	u := &ir.Update{Pool: p}
	q := newParser(newTree(&ir.Source{Name: "types", Text: parseTypes}))
	d := &variableTypes{q.reporter, q.variables()}
	if declareVars(u, d, classify); len(d.errs) > 0 {
		panic(d.reporter.list())
	}
	return Scope{
		Var: func(name string) (ir.Expr, bool) {
			for _, v := range u.Vars {
				if v.Name() == name {
					return v, true
				}
			}
			return ir.Expr{}, false
		},
		Call: func(name string, index int) (ir.Type, bool) {
			return map[string]ir.Type{"f": ir.I32, "g": ir.U8, "P": ir.Bool}[name], strings.Contains("fgP", name)
		},
	}
}

func TestParseAndPrint(t *testing.T) {
	for _, c := range []struct {
		want    ir.Type
		in, out string
	}{
		{ir.I32, "x0+y0", "x0 + y0"},
		{ir.I32, "(x0 - y0) - k0", "x0 - y0 - k0"},
		{ir.I32, "x0 - (y0 - k0)", "x0 - (y0 - k0)"},
		{ir.I32, "x0 * y0 / k0 % 3", "x0*y0/k0 % 3"},
		{ir.I32, "x0 & y0 + 1", "x0 & (y0 + 1)"},
		{ir.I32, "(x0 & y0) + 1", "(x0 & y0) + 1"},
		{ir.I32, "x0 | y0 ^ k0 & 7", "x0 | (y0 ^ (k0 & 7))"},
		{ir.I32, "x0 & y0 & k0", "x0 & y0 & k0"},
		{ir.I32, "x0 << 1 << 2", "x0 << 1 << 2"},
		{ir.I32, "x0 * 2 << 1", "(x0*2) << 1"},
		{ir.Bool, "x0 < y0 == x3", "(x0 < y0) == x3"},
		{ir.Bool, "x3 || y3 && x0 == 1", "x3 || (y3 && x0 == 1)"},
		{ir.Bool, "(x0 & 1) != 0", "(x0 & 1) != 0"},
		{ir.Bool, "!(x3 && !y3)", "!(x3 && !y3)"},
		{ir.Bool, "x3 & y3 | (x3 ^ y3)", "(x3 && y3) || x3 != y3"},
		{ir.I32, "-(-x0)", "-(-x0)"},
		{ir.I32, "~~x0", "~~x0"},
		{ir.I32, "-5", "-5"},
		{ir.I32, "-(5)", "-(5)"},
		{ir.I32, "- 5*x0", "(-5)*x0"},
		{ir.I32, "x0 - -5", "x0 - (-5)"},
		{ir.I32, "-x0*y0", "(-x0)*y0"},
		{ir.I32, "-2147483648", "tmin"},
		{ir.I32, "2147483647", "tmax"},
		{ir.I32, "0xffffffff", "-1"},
		{ir.I32, "i32(4294967295)", "-1"},
		{ir.U8, "u8(300)", "44"},
		{ir.I32, "-tmax", "-(tmax)"},
		{ir.I32, "-(tmin)", "-(tmin)"},
		{ir.U8, "tmax - x1", "255 - x1"},
		{ir.U8, "0xff", "255"},
		{ir.U8, "u8(3 + 4)", "3 + 4"},
		{ir.I64, "x4 + 3000000000", "x4 + 3000000000"},
		{ir.I64, "i64(3)*i64(x0)", "3*i64(x0)"},
		{ir.U8, "u8(i32(300))", "u8(i32(300))"},
		{ir.U8, "u8(x0 + 1)", "u8(x0 + 1)"},
		{ir.Bool, "u8(1) < u8(2)", "u8(1) < u8(2)"},
		{ir.Bool, "1 < 2", "1 < 2"},
		{ir.Bool, "x3 == 0", "x3 == false"},
		{ir.F32, "x2 + 1", "x2 + 1.0"},
		{ir.F32, "x2*1.5e-9f", "x2*1.5e-09"},
		{ir.F32, "-inf", "-inf"},
		{ir.F32, "-(inf)", "-(inf)"},
		{ir.F32, "tmin", "-inf"},
		{ir.F32, "-0.0", "-0.0"},
		{ir.F32, "nan", "nan"},
		{ir.F32, "pow(x2, 2)", "pow(x2, 2.0)"},
		{ir.I32, "pow(x0, 3)", "x0*x0*x0"},
		{ir.I32, "pow(x0, 0)", "1"},
		{ir.F64, "sqrt(x5) + exp(log(2))", "sqrt(x5) + exp(log(2.0))"},
		{ir.Bool, "is_nan(x2)", "is_nan(x2)"},
		{ir.Bool, "is_nan(f32(1))", "is_nan(f32(1.0))"},
		{ir.I32, "x3 ? x0 : y3 ? 1 : 2", "select(x3, x0, select(y3, 1, 2))"},
		{ir.I32, "select(x3, 1, y3, 2, 3)", "select(x3, 1, select(y3, 2, 3))"},
		{ir.I32, "min(x0, y0, k0)", "min(x0, min(y0, k0))"},
		{ir.I32, "clamp(x0, 0, 255)", "max(min(x0, 255), 0)"},
		{ir.U8, "saturating_add(x1, 5)", "saturating_add(x1, 5)"},
		{ir.I32, "abs(-5)", "abs(-5)"},
		{ir.I32, "cast<int>(x1) + int32_t(y1) + cast(Int(32), y1)", "i32(x1) + i32(y1) + i32(y1)"},
		{ir.I32, "r + r.x + in", "r + r.x + in"},
		{ir.I32, "f(r, 1)[2] + f(r, 1)[0]", "f(r, 1)[2] + f(r, 1)"},
		{ir.I32, "select(P(r), f(r.x + 1), i32(g()))", "select(P(r), f(r.x + 1), i32(g()))"},
		{ir.I32, "f(u8(3))", "f(u8(3))"},
		{ir.Bool, "x3 == (x0 < 1)", "x3 == (x0 < 1)"},
		{ir.F32, "cast<float>(x0)/2", "f32(x0)/2.0"},
		{ir.I32, "x0 /* a comment */ + y0 // another", "x0 + y0"},
		{ir.I32, "Int(32).max()", "tmax"},
		{ir.I32, "i32(select(x3, f32(1), f32(2)))", "i32(f32(select(x3, 1.0, 2.0)))"},
		{ir.U8, "select(x3, 1, 0) + x1", "select(x3, 1, 0) + x1"},
	} {
		p := ir.NewPool()
		e, err := ParseExpr(p, testScope(p), c.want, c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if e.String() != c.out {
			t.Errorf("%s prints as %s, want %s", c.in, e, c.out)
		}
		if back, err := ParseExpr(p, testScope(p), c.want, e.String()); err != nil || back != e {
			t.Errorf("%s prints as %s, which reads back as %s, %v", c.in, e, back, err)
		}
	}
}

// TestDeclarations checks the type, name and sign that a declaration gives its variable.
func TestDeclarations(t *testing.T) {
	u, err := ParseUpdate(ir.NewPool(), "x1:u8, x0:i32, y0:u31, k2:i32, p0:bool, r:i32, r.y:i32, r1:u31, z0:f32, in:i64", "x0; x1")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range u.Vars {
		got = append(got, fmt.Sprint(v, ":", []string{"state", "leaf", "param", "coord"}[v.Kind()], ":", v.Type()))
	}
	want := "x1:state:u8 x0:state:i32 y0:leaf:i32 k2:param:i32 p0:leaf:bool r:coord:i32 r.y:coord:i32 r1:coord:i32 z0:leaf:f32 in:leaf:i64"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("%s, want %s", s, want)
	}
	if s := ir.Strings(u.NonNeg); s != "y0; r; r.y; r1" {
		t.Errorf("never negative: %s", s)
	}
	if typeList(u.Types) != "[i32 u8]" {
		t.Error(typeList(u.Types))
	}
	p := u.Pool
	for i, e := range []ir.Expr{p.X(1, ir.U8), p.X(0, ir.I32), p.Y(0, ir.I32), p.K(2, ir.I32), p.Var(ir.Leaf, "p0", 0, ir.Bool), p.R("r", ir.I32)} {
		if u.Vars[i] != e {
			t.Errorf("%s is not what the constructor makes", u.Vars[i])
		}
	}
}
