package program

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Constructors of more than one operator agree with what they stand for.
func TestConstructors(t *testing.T) {
	p := ir.NewPool()
	x := p.X(0, ir.U8)
	for a := range uint64(256) {
		env := &ir.Env{Var: func(ir.Expr) uint64 { return a }}
		want := uint64(1)
		for n := range 10 {
			if got := ir.Eval(PowInt(x, n), env); got != want {
				t.Fatalf("pow(%d, %d) = %d, want %d", a, n, got, want)
			}
			want = ir.U8.Wrap(want * a)
		}
	}
}

// A type has its name of the notation, and its names in C++ and Halide.
func TestTypeNames(t *testing.T) {
	for typ := ir.Bool; typ <= ir.F64; typ++ {
		if ParseType(typ.String()) != typ {
			t.Errorf("%s reads as %s", typ, ParseType(typ.String()))
		}
	}
	for word, want := range map[string]ir.Type{"int": ir.I32, "uint8_t": ir.U8, "float": ir.F32, "double": ir.F64, "u31": ir.Invalid, "invalid": ir.Invalid, "": ir.Invalid} {
		if ParseType(word) != want {
			t.Errorf("%q reads as %s", word, ParseType(word))
		}
	}
}
