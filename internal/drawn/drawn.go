// Package drawn draws terms, and other spellings of them, for tests.
package drawn

import (
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Drawer draws terms over two variables of each of its types.
type Drawer struct {
	Pool   *ir.Pool
	Types  []ir.Type
	Ops    []ir.Op         // nil: all but exp, log and pow
	Choose func(n int) int // a number from 0 to n − 1
}

// FromBytes chooses by the bytes of a fuzzer's input, and 0 once they are used up.
func FromBytes(data []byte) func(n int) int {
	return func(n int) int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b) % n
	}
}

// Seeds returns n inputs of size bytes for a fuzz target that chooses by FromBytes, always the same.
func Seeds(n, size int) [][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	seeds := make([][]byte, n)
	for i := range seeds {
		seeds[i] = make([]byte, size)
		for j := range seeds[i] {
			seeds[i][j] = byte(rng.Uint32())
		}
	}
	return seeds
}

// Type draws one of the types.
func (d *Drawer) Type() ir.Type { return d.Types[d.Choose(len(d.Types))] }

// Term draws a term of type t, at most depth operators deep.
func (d *Drawer) Term(t ir.Type, depth int) ir.Expr {
	if depth <= 0 || d.Choose(8) == 7 {
		return d.leaf(t)
	}
	for range 50 {
		op := ir.Op(d.Choose(ir.NumOps))
		if d.Ops != nil {
			op = d.Ops[d.Choose(len(d.Ops))]
		}
		if op.Arity() == 0 || op == ir.Exp || op == ir.Log || op == ir.Pow {
			continue
		}
		if op == ir.Cast {
			return ir.CastTo(t, d.Term(d.Type(), depth-1))
		}
		from := t
		if t == ir.Bool && (op.IsComparison() || op == ir.IsNaN) {
			from = d.Type()
		}
		args := slices.Repeat([]ir.Type{from}, op.Arity())
		if op == ir.Select {
			args[0] = ir.Bool
		}
		if result, err := ir.CheckTypes(op, args...); err != nil || result != t {
			continue
		}
		var es []ir.Expr
		for _, a := range args {
			es = append(es, d.Term(a, depth-1))
		}
		if (op == ir.Shl || op == ir.Shr) && d.Choose(3) != 0 { // a count that is bounded
			es[1] = ir.Make(ir.BitAnd, es[1], d.Pool.Int(t, int64(t.Bits()-1)))
		}
		return ir.Make(op, es...)
	}
	return d.leaf(t)
}

func (d *Drawer) leaf(t ir.Type) ir.Expr {
	switch d.Choose(8) {
	case 0:
		return d.Pool.Int(t, int64(d.Choose(256)))
	case 1:
		return d.Pool.Const(t, t.Max())
	case 2:
		return d.Pool.Const(t, t.Min())
	}
	return d.Pool.Y(int(t)*2+d.Choose(2), t)
}

// Respelled is another spelling of a term: equal to it in the semantics of some laws, or nearly so.
func (d *Drawer) Respelled(e ir.Expr) ir.Expr {
	if e.NumArgs() == 0 {
		if d.Choose(16) == 15 {
			return d.leaf(e.Type())
		}
		return e
	}
	args := make([]ir.Expr, e.NumArgs())
	for i := range args {
		args[i] = d.Respelled(e.Arg(i))
	}
	if len(args) == 2 && (e.Op().Commutes() || d.Choose(40) == 39) && args[0].Type() == args[1].Type() && d.Choose(2) == 0 {
		args[0], args[1] = args[1], args[0]
	}
	out := ir.Rebuild(e, args)
	if d.Choose(2) == 0 {
		return out
	}
	return d.law(out)
}

// law rewrites the root by a law that holds of words, of extrema of numbers, or of numbers.
func (d *Drawer) law(e ir.Expr) ir.Expr {
	t, arg := e.Type(), func(i int) ir.Expr { return e.Arg(i) }
	switch op := e.Op(); op {
	case ir.Select:
		return ir.SelectOf(ir.NotOf(arg(0)), arg(2), arg(1))
	case ir.Sub:
		return ir.AddOf(arg(0), ir.NegOf(arg(1)))
	case ir.BitNot:
		return ir.SubOf(ir.NegOf(arg(0)), d.Pool.Int(t, 1))
	case ir.Neg:
		if m := arg(0).Op(); m == ir.Max || m == ir.Min {
			return ir.Make(ir.Min+ir.Max-m, ir.NegOf(arg(0).Arg(0)), ir.NegOf(arg(0).Arg(1)))
		}
	case ir.BitXor:
		return ir.Make(ir.BitOr, ir.Make(ir.BitAnd, arg(0), ir.Make(ir.BitNot, arg(1))), ir.Make(ir.BitAnd, ir.Make(ir.BitNot, arg(0)), arg(1)))
	case ir.And, ir.Or:
		return ir.NotOf(ir.Make(ir.And+ir.Or-op, ir.NotOf(arg(0)), ir.NotOf(arg(1))))
	case ir.Shl:
		if n := arg(1); n.Op() == ir.Const && n.Value() < uint64(t.Bits()) {
			return ir.MulOf(arg(0), d.Pool.Const(t, 1<<n.Value()))
		}
	case ir.Add, ir.Max, ir.Min, ir.Gcd:
		switch a := arg(0); {
		case a.Op() == op:
			return ir.Make(op, a.Arg(0), ir.Make(op, a.Arg(1), arg(1)))
		case a.Op() == ir.Select:
			return ir.SelectOf(a.Arg(0), ir.Make(op, a.Arg(1), arg(1)), ir.Make(op, a.Arg(2), arg(1)))
		case op == ir.Add && (a.Op() == ir.Max || a.Op() == ir.Min):
			return ir.Make(a.Op(), ir.AddOf(a.Arg(0), arg(1)), ir.AddOf(a.Arg(1), arg(1)))
		case op != ir.Add:
			return ir.Make(op, arg(1), e)
		}
	}
	return e
}
