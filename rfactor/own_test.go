package rfactor_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify"
)

// readOwn reads a folder with one table.
func readOwn(file, text string) (*pattern.Own, error) {
	return pattern.ReadOwn(context.Background(), fstest.MapFS{file: {Data: []byte(text)}}, "mine")
}

// An operator of one's own is found, by its name in its namespace, and the certificate holds without the table.
func TestOwnTable(t *testing.T) {
	const types, text = "x0:i32,x1:i32,x2:i32,y0:i32,y1:i32", "x0*y0; x1*y0 + x0*y1; (x1 + x2)*y0 - x1*(y0 - y1) + x0*y1*y0"
	own, err := readOwn("i32-i32-i32.txt", "# power series up to the second power\nseries : x0*y0; x0*y1 + x1*y0; x0*y2 + x1*y1 + x2*y0\n")
	if err != nil {
		t.Fatal(err)
	}
	u, err := program.ParseUpdate(ir.NewPool(), types, text)
	if err != nil {
		t.Fatal(err)
	}
	a, err := rfactor.Match(t.Context(), u, rfactor.Options{Table: own, Matchers: rfactor.EGraph | rfactor.Probe})
	if err != nil {
		t.Fatal(err)
	}
	if a.Status != rfactor.Associative || !strings.Contains(a.Via(), ":mine/series") {
		t.Fatalf("%s via %s: %s", a.Status, a.Via(), a.Reason)
	}
	line, err := a.JSON(true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := verify.Check(line); err != nil {
		t.Error(err)
	}
}

// Operators and rules of one's own may have any literal, also those that no embedded one mentions.
func TestOwnLiterals(t *testing.T) {
	own, err := readOwn("i32.txt", "far : ((x0 ^ 987654) + (y0 ^ 987654)) ^ 987654\n")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := rfactor.ReadRules(t.Context(), "mask [int] : (a & 100) & 36 => a & 36\n", "mine")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, via string }{
		{"987654 ^ ((y0 ^ 987654) + (987654 ^ x0))", "egraph:mine/far"},
		{"987655 ^ ((y0 ^ 987655) + (987655 ^ x0))", ""}, // another literal
		{"max(x0 + ((x0 & 100) & 36) - (x0 & 36), y0)", "egraph:max"},
	} {
		u, err := program.ParseUpdate(ir.NewPool(), "x0:i32,y0:i32", c.text)
		if err != nil {
			t.Fatal(err)
		}
		a, err := rfactor.Match(t.Context(), u, rfactor.Options{Table: own, Rules: rules, Matchers: rfactor.EGraph})
		if err != nil {
			t.Fatal(err)
		}
		if a.Via() != c.via {
			t.Errorf("%s: %s via %s", c.text, a.Status, a.Via())
		}
	}
}

// Wrong operators are refused when they are read, by a counterexample, each of them.
func TestOwnTableWrong(t *testing.T) {
	refused := 0
	for file, exprs := range map[string][]string{
		"i32.txt": {"x0 - y0", "x0*y0 + x0", "x0 + y0*y0", "abs(x0 - y0)", "x0 & ~y0", "(x0 + y0)/2", "x0/y0", "x0 % y0", "max(x0, y0) + 1", "x0 ^ (y0 << 1)",
			"min(x0 + y0, 100)", "max(x0 + y0, 0)", "select(x0 < 0, y0, x0 + y0)", "x0*3 + y0", "x0 + y0 + x0*x0*2", "-x0 - y0", "~(x0 & y0)", "max(x0, -y0)", "x0 << y0", "x0*x0 + y0*y0",
			"select(y0 > x0 + 1, y0, x0)", "saturating_add(x0, y0)", "x0 + abs(y0)", "min(max(x0, y0), x0 + y0)", "popcount(x0) + y0", "x0 | (y0 >> 1)", "k0 - x0 - y0", "max(min(k0 - x0, y0), x0 + 1)"},
		"u8.txt":      {"x0 - y0", "min(x0*2, y0)", "x0/2 + y0/2", "x0 + y0 - (y0 & 1)*2", "u8(u16(x0)*u16(y0)/255)", "max(x0, y0)*2", "x0 ^ y0 ^ (x0*y0)", "rotl(x0, 1) ^ y0"},
		"f32.txt":     {"x0 - y0", "x0*y0 + 1.0", "sqrt(abs(x0)) + y0", "x0/y0", "(x0 + y0)*0.5", "select(x0 > y0, x0, y0 + 1.0)", "exp(x0)*y0"},
		"bool.txt":    {"x0 && !y0", "!(x0 || y0)", "!x0 || y0", "!(x0 && y0)"},
		"i32-i32.txt": {"x0 + y0; max(x1, y0)", "x1; x0", "x0*y1 + x1; x1*y1", "select(x0 < y0, x0, y0); x1 + y0", "min(x0, y0); select(x0 < y0, y1, x1)"},
	} {
		for _, e := range exprs {
			_, err := readOwn(file, "wrong : "+e+"\n")
			var not *pattern.NotAnOperator
			switch {
			case !errors.As(err, &not):
				t.Errorf("%s: %s: %v", file, e, err)
			case not.Counter == nil:
				t.Logf("%s: %v", file, err)
				refused++
			default:
				refused++
			}
		}
	}
	if refused < 50 {
		t.Errorf("%d wrong operators, want 50", refused)
	}
}

func TestOwnTableErrors(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"i32.txt", "sum x0 + y0", "i32.txt:1: expected a name, a colon"},
		{"i32.txt", "sum : x0 + y0\n\nsum : x0 + y0", "i32.txt:3: sum is there twice"},
		{"i32.txt", "sum : x0 +", "expected an expression"},
		{"i32.txt", "sum : x0 + y0; x1", "2 expressions for 1 components"},
		{"mine.txt", "sum : x0 + y0", "mine.txt: not the name of a table"},
		{"readme.md", "sum : x0 + y0", "there is no table"},
	} {
		if _, err := readOwn(c.file, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v, want %s", c.file, c.text, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := pattern.ReadOwn(ctx, fstest.MapFS{"i32.txt": {Data: []byte("sum : x0 + y0")}}, "mine"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
