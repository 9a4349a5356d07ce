package program

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
)

// Texts that no person wrote get a clear error within a second and 200 MB. (The bound below
// leaves room for a busy machine.)
func TestLimits(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes it slow, and nothing here is concurrent")
	}
	const million = 1_000_000
	for _, c := range []limitCase{
		{"parentheses", strings.Repeat("(", million) + "x0" + strings.Repeat(")", million), "parentheses"},
		{"minus signs", strings.Repeat("-", 1) + strings.Repeat(" -", million) + "x0", "around one another"},
		{"nots", strings.Repeat("!", million) + "x0", "around one another"},
		{"calls", strings.Repeat("abs(", million), "around one another"},
		{"a long sum", "x0" + strings.Repeat(" + x0", 2*million), "around one another"},
		{"a wide call", "max(" + strings.Repeat("x0,", 3*million) + "x0)", "operators, names and literals"},
		{"arguments of a call", "in(" + strings.Repeat("x0,", 1<<16) + "x0)", "more than 65535 arguments"},
		{"arguments of a definition", "Func f; f(" + strings.Repeat("1,", 1<<16) + "1) = 1", "more than 65535 arguments"},
		{"ternaries", strings.Repeat("x0 < 1 ? ", million), "around one another"},
		{"indices", "f()" + strings.Repeat("[0]", million), "around one another"},
		{"braces", strings.Repeat("{", million), "brackets"},
		{"errors", strings.Repeat("x0 + ; ", million), "and more errors"},
		{"a comment", "x0 /*" + strings.Repeat("*", 10*million), "has no end"},
		{"a long name", strings.Repeat("a", 10*million), "a name of more"},
		{"a long number", strings.Repeat("9", 10*million), "does not fit"},
		{"one long line", strings.Repeat(" ", 10*million) + "?", "expected"},
		{"17 MiB", strings.Repeat(" ", 17<<20), "bytes"},
		{"NUL", strings.Repeat("\x00", 10*million), "NUL"},
		{"dots", "a" + strings.Repeat(".a", million), "a name of more"},
		{"definitions", "Func f;" + strings.Repeat("Expr a = 1;", million), "declared names"},
		{"abbreviations", doubling(3000), "deep"},
		{"names", "Var a" + strings.Repeat(", a", million), "declared names"},
		{"unknown names", unknownNames(4000), "did you mean"},
		{"rfactors", "Func f; f() += 1;" + strings.Repeat("f.update().rfactor(u);", 4000), "not a variable"},
		{"declared inputs", "x0:i32" + manyTypes(million/2), ""},
		{"a chain", "Func f; f() += 1; f" + strings.Repeat(".update().rfactor(u)", million/4), "directives"},
		{"pairs", "Func f; f() += 1; f.update().rfactor({" + strings.Repeat("{a,b},", million), "pairs"},
		{"components", "ImageParam in({" + strings.Repeat("u8,", million), "components"},
		{"domains", "RDom r(" + strings.Repeat("{", million), "around one another"},
	} {
		for surface, parse := range map[string]func() error{
			"update":  func() error { _, err := ParseUpdate(ir.NewPool(), "x0:i32", c.text); return err },
			"program": func() error { _, err := ParseProgram(ir.NewPool(), "p.rf", "f() = "+c.text, ir.I32); return err },
			"plain":   func() error { _, err := ParseProgram(ir.NewPool(), "p.rf", c.text, ir.I32); return err },
			"types": func() error {
				_, err := ParseUpdate(ir.NewPool(), c.text, strings.Repeat("max(a7, ", 1000)+"x1")
				return err
			},
		} {
			if surface != c.surface() && suite.More(true, false) {
				continue
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := parse()
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Errorf("%s as %s: no error", c.what, surface)
				continue
			}
			message := err.Error()
			if len(message) > 16<<10 {
				t.Errorf("%s as %s: a message of %d bytes", c.what, surface, len(message))
			}
			if surface == c.surface() && !strings.Contains(message, c.want) {
				t.Errorf("%s: want %q in %s", c.what, c.want, message)
			}
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 200 {
				t.Errorf("%s as %s: %d MB", c.what, surface, mb)
			}
		}
	}
}

// manyTypes declares n inputs.
func manyTypes(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(",a" + strconv.Itoa(i) + ":i32")
	}
	return b.String()
}

// unknownNames is a program of n long names that are declared, and as many that are not.
func unknownNames(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("Var a_rather_long_name_of_a_variable" + strconv.Itoa(i) + ";\n")
	}
	b.WriteString("Func f; f() = 0")
	for i := range n {
		b.WriteString(" + abs(a_rather_lung_name_of_a_variable" + strconv.Itoa(i%1000) + ")")
		if i%1000 == 999 {
			b.WriteString("; f() = 0")
		}
	}
	return b.String()
}

// doubling is a program whose last expression has 2^n nodes, n deep.
func doubling(n int) string {
	var b strings.Builder
	b.WriteString("Expr e0 = 1;\n")
	for i := range n {
		b.WriteString("Expr e" + strconv.Itoa(i+1) + " = e" + strconv.Itoa(i) + " + e" + strconv.Itoa(i) + ";\n")
	}
	return b.String() + "Func f; f() = e" + strconv.Itoa(n) + ";"
}

// An expression that is exponentially longer than its pool prints up to the limit.
func TestPrintLimit(t *testing.T) {
	pr, err := ParseProgram(ir.NewPool(), "p.rf", doubling(1000), ir.I32)
	if err != nil {
		t.Fatal(err)
	}
	s := pr.Func("f").Init[0].String()
	if len(s) > ir.PrintLimit+len("…") || !strings.HasSuffix(s, "…") {
		t.Errorf("%d bytes, ending in %q", len(s), s[len(s)-10:])
	}
}

// limitCase is a text with what the error says of it.
type limitCase struct{ what, text, want string }

// surface is where the text belongs.
func (c limitCase) surface() string {
	for _, word := range []string{"Func", "Var", "Expr", "RDom", "ImageParam"} {
		if strings.HasPrefix(c.text, word) {
			return "plain"
		}
	}
	return "update"
}
