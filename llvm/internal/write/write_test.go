package write

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/exec"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// function prints a function of x and y that computes an expression.
func function(t *testing.T, e ir.Expr) (*syntax.Func, string) {
	t.Helper()
	p := &Printer{Name: func(v ir.Expr) string { return "%" + v.Name() }}
	operands, err := p.Operands([]ir.Expr{e})
	if err != nil {
		t.Fatalf("%s: %v", e, err)
	}
	ret, _ := Type(e.Type())
	params := []string{}
	for _, v := range ir.Vars(e) {
		typ, _ := Type(v.Type())
		params = append(params, typ+" %"+v.Name())
	}
	text := fmt.Sprintf("define %s @f(%s) {\nentry:\n%s  ret %s %s\n}\n%s", ret, strings.Join(params, ", "), p.Body.String(), ret, operands[0], p.Declarations())
	m, err := syntax.Parse("f.ll", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m.Funcs[0], text
}

// TestOperations executes every operation that is printed on all bytes, and on some wider numbers.
func TestOperations(t *testing.T) {
	pool := ir.NewPool()
	binary := []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max, ir.BitAnd, ir.BitOr, ir.BitXor, ir.Shl, ir.Shr, ir.SatAdd, ir.SatSub, ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne}
	unary := []ir.Op{ir.Neg, ir.BitNot, ir.Abs, ir.PopCount, ir.Clz, ir.Ctz, ir.BitReverse}
	for _, typ := range []ir.Type{ir.I8, ir.U8, ir.I16, ir.U32, ir.I64, ir.U64} {
		x, y := pool.X(0, typ), pool.Y(0, typ)
		var es []ir.Expr
		for _, op := range binary {
			es = append(es, ir.Make(op, x, y))
		}
		for _, op := range unary {
			es = append(es, ir.Make(op, x))
		}
		for _, to := range []ir.Type{ir.I8, ir.U8, ir.I16, ir.U32, ir.I64, ir.U64, ir.Bool} {
			es = append(es, ir.CastTo(to, x))
		}
		for _, n := range []int64{1, 3, 7, 100} {
			k := pool.Int(typ, n)
			es = append(es, ir.Make(ir.Div, x, k), ir.Make(ir.Mod, x, k), ir.Make(ir.Shl, x, k), ir.Make(ir.Shr, x, k))
		}
		if typ.IsUnsigned() {
			es = append(es, ir.Make(ir.Div, x, y), ir.Make(ir.Mod, x, y))
		}
		less := ir.LtOf(x, y)
		es = append(es, ir.SelectOf(less, x, y), ir.CastTo(typ, ir.NotOf(less)), ir.Make(ir.Ne, less, ir.EqOf(x, y)), ir.AndOf(less, ir.LtOf(pool.Int(typ, 2), x)), ir.OrOf(less, ir.LtOf(pool.Int(typ, 2), x)))
		for _, e := range es {
			agree(t, e, typ)
		}
	}
}

func agree(t *testing.T, e ir.Expr, typ ir.Type) {
	t.Helper()
	f, text := function(t, e)
	values := []uint64{0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 100, 127, 128, 255, 256, 1<<31 - 1, 1 << 31, 1 << 63, 1<<63 - 1, ^uint64(0), ^uint64(1)}
	all := values
	if typ.Bits() == 8 {
		all = nil
		for v := range uint64(256) {
			all = append(all, v)
		}
	}
	for _, a := range all {
		for _, b := range values {
			var args []exec.Value
			for _, v := range ir.Vars(e) {
				args = append(args, exec.Value{Bits: map[bool]uint64{true: a, false: b}[v.Kind() == ir.State] & (^uint64(0) >> (64 - typ.Bits()))})
			}
			got, err := exec.Run(f, args, nil, nil)
			want := ir.Eval(e, &ir.Env{Var: func(v ir.Expr) uint64 {
				if v.Kind() == ir.State {
					return typ.Wrap(a)
				}
				return typ.Wrap(b)
			}})
			bits := 64
			if e.Type() != ir.Bool {
				bits = e.Type().Bits()
			}
			if mask := ^uint64(0) >> (64 - bits); err != nil || got.Poison || got.Bits != want&mask {
				t.Fatalf("%s of %d and %d is %d, but %v %v as\n%s", e, typ.Wrap(a), typ.Wrap(b), want&mask, got, err, text)
			}
		}
	}
}

// TestUnwritten has expressions that are not printed.
func TestUnwritten(t *testing.T) {
	pool := ir.NewPool()
	x, f := pool.X(0, ir.I32), pool.X(0, ir.F32)
	for _, e := range []ir.Expr{ir.AddOf(f, f), ir.Make(ir.Div, x, pool.Y(0, ir.I32)), ir.Make(ir.Mod, x, pool.Int(ir.I32, -3)), ir.CastTo(ir.I32, f), ir.Make(ir.Gcd, x, x)} {
		p := &Printer{Name: func(v ir.Expr) string { return "%" + v.Name() }}
		if operands, err := p.Operands([]ir.Expr{e}); err == nil {
			t.Errorf("%s is written as %s\n%s", e, operands, p.Body.String())
		}
	}
	p := &Printer{Name: func(v ir.Expr) string { return "%" + v.Name() }}
	sum := x
	for i := range maxInstructions + 1 {
		sum = ir.Make(ir.BitXor, ir.AddOf(sum, pool.Int(ir.I32, int64(i+1))), x)
	}
	if _, err := p.Operands([]ir.Expr{sum}); err == nil {
		t.Error("there is no bound")
	}
}
