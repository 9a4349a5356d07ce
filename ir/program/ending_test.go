package program

import (
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// endings are definitions and abstract updates that end early, with what they stand for.
var endings = []struct{ text, want string }{
	{"f() = f() + in(r) until in(r) < 0", "select(x1 || in(r) < 0, x0, x0 + in(r)); x1 || in(r) < 0"},
	{"f() += in(r) until f() + in(r) > k", "select(x1 || x0 + in(r) > k, x0, x0 + in(r)); x1 || x0 + in(r) > k"},
	{"f() += in(r) until after f() > k", "select(x1, x0, x0 + in(r)); x1 || x0 + in(r) > k"},
	{"f() = r + 1 until in(r) == k", "select(x1 || in(r) == k, x0, r + 1); x1 || in(r) == k"},
	{"f() = {f()[0] + in(r), max(f()[1], in(r))} until after f()[1] > f()[0]",
		"select(x2, x0, x0 + in(r)); select(x2, x1, max(x1, in(r))); x2 || max(x1, in(r)) > x0 + in(r)"},
	{"f(x) += in(x, r) until in(x, r) == 0", "select(x1 || in(x, r) == 0, x0, x0 + in(x, r)); x1 || in(x, r) == 0"},
	{"f(x) = f(x) + f(x + 1)*in(x, r) until after f(x) > f(x + 1)",
		"select(x1, x0, x0 + f(x + 1)[0]*in(x, r)); x1 || x0 + f(x + 1)[0]*in(x, r) > f(x + 1)[0]"},
	{"ImageParam in(Int(32), 1); Func f; RDom r(0, 9); f() = 0; f() += in(r) until in(r) < 0;",
		"select(x1 || in(r) < 0, x0, x0 + in(r)); x1 || in(r) < 0"},
	{"x0:i32,y0:i32; x0 + y0 | y0 < 0", "select(x1 || y0 < 0, x0, x0 + y0); x1 || y0 < 0"},
	{"x0:i32,y0:i32; x0 + y0 | after x0 > 9", "select(x1, x0, x0 + y0); x1 || x0 + y0 > 9"},
	{"x0:i32,x1:i32,y0:i32; x1; x0 + y0 | after(x0 > x1)", "select(x2, x0, x1); select(x2, x1, x0 + y0); x2 || x1 > x0 + y0"},
	{"x0:bool,after0:bool; x0 != after0 | after0", "select(x1 || after0, x0, x0 != after0); x1 || after0"},
}

func TestEndings(t *testing.T) {
	for _, test := range endings {
		u, err := ended(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
		} else if got := ir.Strings(u.Values); got != test.want {
			t.Errorf("%s:\n%s\nwanted\n%s", test.text, got, test.want)
		}
	}
}

// ended reads a program, or an abstract update with what ends its loop behind a bar.
func ended(text string) (*ir.Update, error) {
	pool := ir.NewPool()
	if update, until, ok := strings.Cut(text, " | "); ok {
		u, err := ParseUpdate(pool, "", update)
		if err == nil {
			err = ParseUntil(u, until)
		}
		return u, err
	}
	prog, err := ParseProgram(pool, "test.rf", text, ir.I32)
	if err != nil {
		return nil, err
	}
	return prog.Definitions()[0].Matched(), nil
}

// The flag of a loop that has not begun is false, whatever the function starts with.
func TestEndingStarts(t *testing.T) {
	for text, want := range map[string]string{
		"Func f; RDom r(0, 9); f() = 7; f() = f()*r until r > 5;":               "7; false",
		"Func f; RDom r(0, 9); f() *= r + 1 until r > 5;":                       "1; false",
		"Func f; RDom r(0, 9); f() = {7, 1.5f}; f() = {r, f()[1]} until r > 5;": "7; 1.5; false",
	} {
		prog, err := ParseProgram(ir.NewPool(), "test.rf", text, ir.Invalid)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := ir.Strings(prog.Funcs[0].Init); got != want {
			t.Errorf("%s starts with %s, not %s", text, got, want)
		}
	}
}

func TestEndingErrors(t *testing.T) {
	for text, want := range map[string]string{
		"f() = f() + in(r) until":                                        "expected an expression",
		"f() = f() + in(r) until after":                                  "expected an expression",
		"f() = f() + in(r) until r":                                      "the condition of until is i32, not bool",
		"f(r) = f(r - 1) + in(r) until in(r) < 0":                        "keeps its last state alone",
		"Func f; RDom r(0, 9); f() = 0; f() += r; f() += r until r > 5;": "f ends early in one update",
		"Func f; RDom r(0, 9); f() = 0; f() += r until r > 5; f() += r;": "f ends early in one update",
		"x0:i32,y0:i32; x0 + y0 | y1 > 0":                                "until:1:1: y1 is not declared",
		"x0:i32,y0:i32; x0 + y0 | after y0 > 0 +":                        "until:1:15",
		"x0:i32,y0:i32; x0 + y0 | after x1":                              "x1 is not declared",
	} {
		if _, err := ended(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, wanted %q", text, err, want)
		}
	}
}
