package ir_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	. "github.com/rfactor-go/rfactor/ir"
)

// Misuse panics with a text that begins with the package's name and says what was wrong.
func TestMisuse(t *testing.T) {
	p := NewPool()
	x, y, c := p.X(0, I32), p.Y(0, I32), p.Call(I32, "in", 0)
	other := NewPool().X(0, I32)
	many := make([]Expr, MaxArgs+1)
	for i := range many {
		many[i] = x
	}
	for _, m := range []struct {
		want string
		do   func()
	}{
		{"ir: the pool is nil", func() { (*Pool)(nil).X(0, I32) }},
		{"ir: the pool is nil", func() { (*Pool)(nil).Bool(true) }},
		{"ir: the pool is nil", func() { (*Pool)(nil).Call(I32, "in", 0) }},
		{"ir: the pool is nil", func() { (*Pool)(nil).MarkTuple("in") }},
		{"ir: the pool is nil", func() { (*Pool)(nil).Reset() }},
		{"ir: the pool is nil", func() { (*Pool)(nil).Len() }},
		{"ir: the pool is nil", func() { (*Pool)(nil).At(0) }},
		{"ir: the pool is nil", func() { (*Pool)(nil).Import(x) }},
		{"ir: the pool is nil", func() { Read(nil, nil, I32, "1") }},
		{"ir: a list of -1 expressions", func() { p.List(-1) }},
		{"ir: At(-1) of a pool of 3 expressions", func() { p.At(-1) }},
		{"ir: At(3) of a pool of 3 expressions", func() { p.At(3) }},

		{"ir: no expression has the type invalid", func() { p.X(0, Invalid) }},
		{"ir: no expression has the type Type(99)", func() { p.Int(Type(99), 1) }},
		{"ir: no expression has the type invalid", func() { p.Call(Invalid, "in", 0) }},
		{"ir: no expression has the type Type(99)", func() { CastTo(Type(99), x) }},
		{"ir: i32 is not a floating-point type", func() { p.Float(I32, 1.5) }},
		{"ir: bool is not a floating-point type", func() { FloatBits(Bool, 1) }},
		{"ir: variable x64 has the number 64; components have 0 to 63", func() { p.X(MaxState, I32) }},
		{"ir: variable x-1 has the number -1; components have 0 to 63", func() { p.X(-1, I32) }},
		{"ir: variable y-1 has the number -1; components have 0 to 63", func() { p.Y(-1, I32) }},
		{"ir: there is no role VarKind(9)", func() { p.Var(VarKind(9), "a", 0, I32) }},
		{"ir: component 64 of a call of in with 0 arguments", func() { p.Call(I32, "in", MaxState) }},
		{"ir: component -1 of a call of in with 0 arguments", func() { p.Call(I32, "in", -1) }},
		{"ir: component 0 of a call of in with 65536 arguments", func() { p.Call(I32, "in", 0, many...) }},

		{"ir: operand 0 of + is the zero Expr", func() { AddOf(Expr{}, Expr{}) }},
		{"ir: operand 1 of + is the zero Expr", func() { AddOf(x, Expr{}) }},
		{"ir: the zero Expr is no expression", func() { p.Call(I32, "in", 0, Expr{}) }},
		{"ir: the zero Expr is no expression", func() { CastTo(I64, Expr{}) }},
		{"ir: the zero Expr is no expression", func() { Rebuild(Expr{}, nil) }},
		{"ir: the zero Expr is no expression", func() { Subst(Expr{}, nil, nil) }},
		{"ir: the zero Expr is no expression", func() { Eval(Expr{}, nil) }},
		{"ir: the zero Expr is no expression", func() { Vars(Expr{}) }},
		{"ir: the zero Expr is no expression", func() { Vars(x, Expr{}) }},
		{"ir: the zero Expr is no expression", func() { Walk([]Expr{{}}, func(Expr) {}) }},
		{"ir: the zero Expr is no expression", func() { p.Import(Expr{}) }},
		{"ir: the zero Expr is no expression", func() { TypesIn([]Expr{{}}) }},
		{"ir: the zero Expr is no expression", func() { _ = Expr{}.Type() }},
		{"ir: the zero Expr is no expression", func() { _ = Expr{}.Name() }},
		{"ir: the zero Expr is no expression", func() { _ = Expr{}.Arg(0) }},
		{"ir: expressions of different pools in one expression; use Pool.Import", func() { AddOf(x, other) }},
		{"ir: expressions of different pools in one expression; use Pool.Import", func() { Vars(x, other) }},
		{"ir: + of i32 and u8: cast one of them", func() { AddOf(x, p.Y(0, U8)) }},
		{"ir: + takes 2 operands, not 0", func() { Make(Add) }},
		{"ir: + takes 2 operands, not 4", func() { Make(Add, x, x, x, x) }},
		{"ir: cast is not an operator whose operands give its type", func() { Make(Cast, x) }},
		{"ir: Op(99) is not an operator whose operands give its type", func() { Make(Op(99), x) }},
		{"ir: Rebuild of + with 1 operands, not 2", func() { Rebuild(AddOf(x, y), []Expr{x}) }},
		{"ir: Rebuild of call with 1 operands, not 0", func() { Rebuild(c, []Expr{x}) }},
		{"ir: Rebuild of +: operand 1 is u8, not i32", func() { Rebuild(AddOf(x, y), []Expr{x, p.Y(0, U8)}) }},
		{"ir: Subst of 1 expressions by 0", func() { Subst(x, []Expr{x}, nil) }},

		{"ir: operand 1 of -, which has 1", func() { NegOf(x).Arg(1) }},
		{"ir: operand 0 of call, which has 0", func() { c.Arg(0) }},
		{"ir: operand -1 of +, which has 2", func() { AddOf(x, y).Arg(-1) }},
		{"ir: Name of +, which is neither a variable nor a call", func() { _ = AddOf(x, y).Name() }},

		{"ir: Env.Var is nil, and there is a variable x0", func() { Eval(x, nil) }},
		{"ir: Env.Var is nil, and there is a variable x0", func() { Eval(x, &Env{}) }},
		{"ir: Env.Call is nil, and there is a call of in", func() { Eval(c, &Env{}) }},
		{"ir: there is no unary + of i32", func() { Apply1(Add, I32, I32, 1) }},
		{"ir: there is no unary Op(99) of f32", func() { Apply1(Op(99), F32, F32, 1) }},
		{"ir: there is no binary ! of i32", func() { Apply2(Not, I32, 1, 1) }},
		{"ir: there is no binary saturating_add of floats", func() { Apply2(SatAdd, F64, 1, 1) }},
	} {
		p.Reset()
		x, y, c = p.X(0, I32), p.Y(0, I32), p.Call(I32, "in", 0)
		if got := panicOf(m.do); got != m.want {
			t.Errorf("panics with %v, want %s", got, m.want)
		}
	}
}

// panicOf is what f panics with; nil where it does not.
func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// A name that the notation cannot read back is refused when the variable or the call is made.
func TestNames(t *testing.T) {
	p := NewPool()
	for name, want := range map[string]string{
		"":       `ir: "" is no name of a variable`,
		"a b":    `ir: "a b" is no name of a variable`,
		"in(r)":  `ir: "in(r)" is no name of a variable`,
		"é":      `ir: "é" is no name of a variable`,
		"3":      `ir: "3" is no name of a variable`,
		"tmin":   `ir: "tmin" is no name of a variable`,
		"true":   `ir: "true" is no name of a variable`,
		"i32":    `ir: "i32" is no name of a variable`,
		"select": `ir: "select" is no name of a variable`,
		"x0":     "ir: x0 is what component 0 of the state is called",
		"x12":    "ir: x12 is what component 12 of the state is called",
	} {
		for _, kind := range []VarKind{Leaf, Param, Coord} {
			if got := panicOf(func() { p.Var(kind, name, 0, I32) }); got != want {
				t.Errorf("Var(%d, %q) panics with %v, want %s", kind, name, got, want)
			}
		}
		if got := panicOf(func() { p.R(name, I32) }); got != want {
			t.Errorf("R(%q) panics with %v, want %s", name, got, want)
		}
	}
	if got, want := panicOf(func() { p.Var(State, "x1", 0, I32) }), "ir: x1 is what component 1 of the state is called"; got != want {
		t.Errorf("panics with %v, want %s", got, want)
	}
	if got, want := panicOf(func() { p.Call(I32, "min", 0) }), `ir: "min" is no name of a call`; got != want {
		t.Errorf("panics with %v, want %s", got, want)
	}
	if p.Len() != 0 {
		t.Errorf("the pool has %d expressions", p.Len())
	}
	for _, name := range []string{"r", "r.x", "k", "x", "x_0", "x01", "in.width"} {
		p.R(name, I32)
		p.Call(I32, name, 0)
	}
	if v := p.Placeholder(Leaf, "in(r)", 1, I32); fmt.Sprint(AddOf(v, v)) != "in(r) + in(r)" {
		t.Errorf("a placeholder prints as %s", v)
	}
}

// The zero Pool, a nil Source, unknown types and operators do what their comments say.
func TestZeroValues(t *testing.T) {
	var p Pool
	if e := AddOf(p.X(0, I32), p.Int(I32, 1)); e != AddOf(p.X(0, I32), p.Int(I32, 1)) || p.Len() != 3 {
		t.Errorf("the zero Pool has %d expressions", p.Len())
	}
	if e := (Expr{}); e.IsValid() || e.Pool() != nil || e.ID() != 0 || e.String() != "<no expression>" {
		t.Errorf("the zero Expr is %v", e)
	}
	if got := fmt.Sprint(Invalid, Type(12), Type(99).Bits(), Op(NumOps), Op(99).Arity(), Op(99).Prec()); got != "invalid Type(12) 0 Op(47) 0 0" {
		t.Error(got)
	}
	var s *Source
	if err := s.Errorf(3, "wrong"); err.Error() != ":1:1: wrong" {
		t.Error(err)
	}
	if line, col := s.LineCol(3); line != 1 || col != 1 {
		t.Error(line, col)
	}
	if _, err := Read(&p, nil, I32, "y0"); err == nil || !strings.HasPrefix(err.Error(), `expression:1:1: "y0" is not declared`) {
		t.Error(err)
	}
}

// Every error of a list is found by errors.As.
func TestErrorList(t *testing.T) {
	first := (&Source{Name: "a", Text: "text"}).Errorf(2, "wrong")
	err := fmt.Errorf("reading: %w", ErrorList{first, first})
	var found *Error
	if !errors.As(err, &found) || found != first {
		t.Errorf("found %v", found)
	}
	if errors.As(fmt.Errorf("reading: %w", ErrorList{}), &found) {
		t.Error("an empty list has an error")
	}
}
