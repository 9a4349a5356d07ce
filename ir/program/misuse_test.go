package program

import (
	"errors"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Misuse panics with a text that begins with a package's name and says what was wrong.
func TestMisuse(t *testing.T) {
	p := ir.NewPool()
	x := p.X(0, ir.I64)
	for _, c := range []struct {
		want string
		do   func()
	}{
		{"program: the pool is nil", func() { ParseUpdate(nil, "x0:i32", "x0") }},
		{"program: the pool is nil", func() { ParseOperator(nil, "x:i32,y:i32", "x + y") }},
		{"program: the pool is nil", func() { ParseExpr(nil, Scope{}, ir.I32, "1") }},
		{"program: the pool is nil", func() { ParseExprs(nil, Scope{}, "text", nil, "") }},
		{"program: the pool is nil", func() { ParseProgram(nil, "p.rf", "f() = 0", ir.I32) }},
		{"program: ParseGiven of a nil update", func() { ParseGiven(nil, "x0 > 0") }},
		{"program: the pool is nil", func() { ParseGiven(&ir.Update{}, "k0 > 0") }},
		{"program: ReadCorpus of a nil reader", func() { ReadCorpus(nil) }},
		{"program: PowInt with the negative exponent -1", func() { PowInt(x, -1) }},
		{"ir: the zero Expr is no expression", func() { PowInt(ir.Expr{}, 0) }},
		{"program: the Definition is not one of a Program that ParseProgram returned", func() { (&Definition{}).Update() }},
		{"program: the Definition is not one of a Program that ParseProgram returned", func() { (&Definition{}).Text() }},
	} {
		if got := panicOf(c.do); got != c.want {
			t.Errorf("panics with %v, want %s", got, c.want)
		}
	}
}

// panicOf is what f panics with; nil where it does not.
func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// An error of a place in a text is found by errors.As, and says where.
func TestErrorsHavePlaces(t *testing.T) {
	pool := ir.NewPool()
	for _, c := range []struct {
		want      string
		line, col int
		read      func() error
	}{
		{"y1 is not declared", 2, 3, func() error { _, err := ParseUpdate(pool, "x0:i32", "x0 +\n  y1"); return err }},
		{"there is no type \"i33\" (known: bool, i8 to i64, u8 to u64, f32, f64, u31)", 1, 8, func() error { _, err := ParseUpdate(pool, "x0:i32,y0:i33", "x0"); return err }},
		{"NUL byte", 1, 2, func() error { _, err := ParseUpdate(pool, "x0:i32", " \x00"); return err }},
		{"component 0 of this operand has two names", 1, 7, func() error { _, err := ParseOperator(pool, "x:i32,x0:i32", "x"); return err }},
		{"a is not declared", 1, 1, func() error { _, err := ParseExpr(pool, Scope{}, ir.I32, "a"); return err }},
		{"g is not declared: Param<int> g; declares a parameter", 1, 19, func() error {
			_, err := ParseProgram(pool, "p.rf", "Func f; f() = 1 + g;", ir.I32)
			return err
		}},
		{"k1 is not declared", 1, 6, func() error { _, err := ParseGiven(&ir.Update{Pool: pool}, "1 == k1"); return err }},
		{"2 columns, and at least 4 are needed: name, source, types, exprs", 3, 1, func() error {
			_, err := ReadCorpus(strings.NewReader("# a comment\n\nsum\twhere\n"))
			return err
		}},
	} {
		err := c.read()
		var e *ir.Error
		if !errors.As(err, &e) || e.Msg != c.want || e.Line != c.line || e.Col != c.col {
			t.Errorf("%v: want %q at %d:%d", err, c.want, c.line, c.col)
		}
	}
}

// The zero Scope knows no name.
func TestZeroScope(t *testing.T) {
	if e, err := ParseExpr(ir.NewPool(), Scope{}, ir.I32, "1 + 2"); err != nil || e.String() != "1 + 2" {
		t.Error(e, err)
	}
}
