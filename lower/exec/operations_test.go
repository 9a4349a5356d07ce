package exec

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// operands are values of a type at which operations turn.
func operands(t ir.Type) (out []uint64) {
	if t.IsFloat() {
		for _, f := range []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -2.5, 3.5, 127.6, -129, 255.5, 65535.9, -32769, 2147483647, -2147483649, 4294967296, 9.3e18, -9.3e18, 2e19, 1e-40, 3e38, -3e38, math.Inf(1), math.Inf(-1), math.NaN()} {
			out = append(out, ir.FloatBits(t, f))
		}
		return out
	}
	seen := map[uint64]bool{}
	for _, k := range []int64{0, 1, 2, 3, 5, 7, 8, 31, 32, 33, 63, 64, 65, 100, 127, 128, 255, 256, 32767, 65535, math.MaxInt32, math.MaxInt64} {
		for _, v := range []int64{k, -k, k - 1, -k - 1} {
			if w := t.Wrap(uint64(v)); !seen[w] {
				seen[w] = true
				out = append(out, w)
			}
		}
	}
	return out
}

// apply runs a step that computes a value of two inputs, compiled, on all pairs of some operands.
func apply(t *testing.T, value string, a, b ir.Type, to ir.Type, x, y []uint64) []uint64 {
	t.Helper()
	text := fmt.Sprintf("ImageParam a(%s, 1), b(%s, 1); Func f; Var x; RDom r(0, a.width()); f(x) = {cast<%s>(0)}; f(r) = {%s};", a, b, to, value)
	prog := lowertest.Parse(t, "operation.rf", text)
	planned, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	p, err := Compile(planned, Options{Compile: 1, Block: 50})
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]*ndarray.Array{}
	for name, list := range map[string][]uint64{"a": x, "b": y} {
		typ := map[string]ir.Type{"a": a, "b": b}[name]
		in[name] = ndarray.New([]ir.Type{typ}, ndarray.Range{Extent: len(list)})
		for i, v := range list {
			in[name].Elements(0).Set(i, v)
		}
	}
	out, err := p.Run(context.Background(), &plan.Inputs{Arrays: in})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var got []uint64
	for i := range x {
		got = append(got, out["f"].Elements(0).At(i))
	}
	return got
}

func same(t ir.Type, a, b uint64) bool {
	return a == b || t.IsFloat() && math.IsNaN(ir.Float(t, a)) && math.IsNaN(ir.Float(t, b))
}

// Every operation of every type is compiled to what the evaluator computes, of any operands and of literals.
func TestOperations(t *testing.T) {
	pool := ir.NewPool()
	r := pool.R("r", ir.I32)
	for typ := ir.Bool; typ <= ir.F64; typ++ {
		a, b := pool.Call(typ, "a", 0, r), pool.Call(typ, "b", 0, r)
		var x, y []uint64
		for _, v := range operands(typ) {
			for _, w := range operands(typ) {
				x, y = append(x, v), append(y, w)
			}
		}
		one := operands(typ)
		check := func(e ir.Expr, x, y []uint64) {
			t.Helper()
			got := apply(t, e.String(), typ, typ, e.Type(), x, y)
			for i := range x {
				want := ir.Eval(e, &ir.Env{Var: func(ir.Expr) uint64 { return 0 }, Call: func(c ir.Expr, _ []uint64) uint64 {
					return map[string]uint64{"a": x[i], "b": y[i]}[c.Name()]
				}})
				if !same(e.Type(), got[i], want) {
					t.Errorf("%s of %s: %#x and %#x give %#x, not %#x", e, typ, x[i], y[i], got[i], want)
					return
				}
			}
		}
		for op := ir.Neg; op < ir.Select; op++ {
			e, ok := made(op, a, b)
			if !ok || op.ByMachine() || op == ir.Cast {
				continue
			}
			if check(e, x, y); typ.IsInt() && (op == ir.Mul || op == ir.Div || op == ir.Mod || op == ir.Shl || op == ir.Shr) {
				for _, w := range operands(typ) {
					if e, ok := made(op, a, pool.Const(typ, w)); ok {
						check(e, one, one)
					}
				}
			}
		}
		for to := ir.Bool; to <= ir.F64; to++ {
			check(ir.CastTo(to, a), one, one)
		}
	}
}

// made is an operation on two operands; not ok where it has none of their type.
func made(op ir.Op, a, b ir.Expr) (e ir.Expr, ok bool) {
	defer func() {
		if p := recover(); p != nil {
			if !strings.Contains(fmt.Sprint(p), "ir:") {
				panic(p)
			}
			ok = false
		}
	}()
	if op.Arity() == 1 {
		return ir.Make(op, a), true
	}
	return ir.Make(op, a, b), true
}
