package program

import (
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// A definition at counted places writes where a function says, which begins with 0 and is an i32.
func TestPlaces(t *testing.T) {
	for _, text := range []string{
		"ImageParam in(Float(32), 1); RDom r(0, in.width()); Func out, pos; out(pos++) = in(r);",
		"ImageParam in(Float(32), 1); RDom r(0, in.width()); Func pos, out; Var x; out(x) = 0.0f; pos() = 0; out( pos ++ ) = in(r);",
		"out(pos++) = in(r)",
	} {
		prog, err := ParseProgram(ir.NewPool(), "test.rf", text, ir.F32)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		out, pos := prog.Func("out"), prog.Func("pos")
		d := out.Updates[0]
		if d.Place != pos || pos.Counts != d || ir.Strings(d.Args) != "pos()" || out.Types[0] != ir.F32 || pos.Types[0] != ir.I32 || ir.Strings(pos.Init) != "0" {
			t.Errorf("%s: it writes at %s, and %s counts", text, ir.Strings(d.Args), pos.Name)
		}
		if got := ir.Strings(d.Matched().Values); got != "x0 + 1" {
			t.Errorf("%s: its state is %s", text, got)
		}
	}
}

func TestPlaceErrors(t *testing.T) {
	for text, want := range map[string]string{
		"out(pos++) += r;":                                  "12: a place is written once: out(pos++) = …",
		"out(pos++, r) = r;":                                "10: expected \")\" after the place pos++",
		"out(out++) = r;":                                   "5: out cannot count its own places",
		"out(k++) = r;":                                     "5: k is no function",
		"out(what++) = r;":                                  "5: what is not declared",
		"out(pos++) = r + pos();":                           "1: a step of out.update(0) reads pos",
		"out(pos++) = r + out(0);":                          "1: a step of out.update(0) reads out",
		"out(pos++) = 3;":                                   "1: out.update(0) keeps what the steps over a domain give",
		"out(pos++) = r until r > 3;":                       "16: what is kept at counted places is kept up to the end",
		"out(pos++) = r; out(pos++) = r;":                   "21: pos counts the places of out.update(0)",
		"out(pos++) = r; pos() = 4;":                        "17: pos counts the places of out.update(0)",
		"pos() = 3; pos() += r; out(pos++) = r;":            "28: pos counts places",
		"pos(x) = 3; out(pos++) = r;":                       "17: pos counts places",
		"pos() = 3.0f; out(pos++) = r;":                     "19: pos counts places",
		"pos() = 3; out(x) = pos(); out(pos++) = r;":        "28: the initial value of out reads pos",
		"out(pos++) = other(); other() = 3;":                "14: other is read before it is defined",
		"other() = 0; out(pos++) = r; other() += out(r)*0;": "",
	} {
		const head = "Func out, pos, other; Param<int> k; Var x; RDom r(0, 9);"
		_, err := ParseProgram(ir.NewPool(), "test.rf", head+"\n"+text, ir.Invalid)
		if got := errorText(err); !strings.HasPrefix(got, prefixed(want)) || (want == "") != (err == nil) {
			t.Errorf("%s:\n%s\nwanted\n%s", text, got, want)
		}
	}
}

func prefixed(want string) string {
	if want == "" {
		return ""
	}
	return "test.rf:2:" + want
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A function is computed before those that read it, in whatever order they are declared.
func TestArranged(t *testing.T) {
	for text, want := range map[string]string{
		"Func a, b; RDom r(0, 9); b() = 0; b() += r; a() = b();":                                                "b a",
		"Func a, b; RDom r(0, 9); a() = 0; b() = a() + 1;":                                                      "a b",
		"Func c, b, a; RDom r(0, 9); a() = 1; b() = 0; b() += r*a(); c() = a() + b();":                          "a b c",
		"Func last, pos, out; RDom r(0, 9); out(pos++) = r; last() = pos();":                                    "out pos last",
		"Func out, pos, end; RDom r(0, 9), q(0, 9); out(pos++) = r; end() = pos(); out(end++) = q;":             "out pos end",
		"Func f, n; ImageParam in(Int(32), 1); RDom r(0, 9); r.where(in(r) > n()); n() = 3; f() = 0; f() += r;": "",
	} {
		prog, err := ParseProgram(ir.NewPool(), "test.rf", text, ir.Invalid)
		if want == "" {
			if err == nil {
				t.Errorf("%s: no error", text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []string
		for _, f := range prog.Funcs {
			got = append(got, f.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, wanted %s", text, got, want)
		}
	}
	const round = "Func a, b; RDom r(0, 9); b() = 0; a() = b(); b() += r + a();"
	if _, err := ParseProgram(ir.NewPool(), "test.rf", round, ir.Invalid); err == nil || !strings.Contains(err.Error(), "a reads what is computed from it") {
		t.Errorf("%s: %v", round, err)
	}
}
