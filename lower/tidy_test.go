package lower

import (
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Operands that change nothing are left out, and nothing else is.
func TestTidied(t *testing.T) {
	p := ir.NewPool()
	for _, typ := range []ir.Type{ir.U8, ir.U64, ir.I16, ir.I64, ir.F32} {
		x, y := p.X(0, typ), p.Y(0, typ)
		for _, op := range []ir.Op{ir.Add, ir.Mul, ir.Min, ir.Max} {
			none := ir.Make(op, x, p.Const(typ, neutralValue(op, typ)))
			want := x
			if typ.IsFloat() { // −0 + NaN and the like
				want = none
			}
			if got := tidied([]ir.Expr{ir.Make(op, none, y)})[0]; got != ir.Make(op, want, y) {
				t.Errorf("%s: %s", none, got)
			}
			if other := ir.Make(op, x, p.Const(typ, 7)); tidied([]ir.Expr{other})[0] != other {
				t.Errorf("%s changes", other)
			}
		}
	}
}

// A component of the second operand that is 0 leaves no trace in emitted code.
func TestEmittedTidy(t *testing.T) {
	p, err := sourcePlan("second.rf", "ImageParam in(UInt(16), 1); Func f; f() = {cast<uint16_t>(0), cast<uint16_t>(0)}; RDom r(0, in.width());\n"+
		"f() = {max(f()[0], in(r)), max(f()[1], min(f()[0], in(r)))};\nRVar ro, ri; Var u; f.update(0).split(r, ro, ri, 100).rfactor(ro, u);")
	if err != nil {
		t.Fatal(err)
	}
	files, err := Source(p, SourceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(files["kernel.go"]); !strings.Contains(text, "= max(x0, y), max(x1, min(x0, y))") {
		t.Error(text)
	}
}
