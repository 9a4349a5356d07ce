package provetest

import (
	"math"
	"math/rand/v2"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Generator makes random expressions over all operators and types, mostly of one type.
type Generator struct {
	*rand.Rand
	Pool *ir.Pool
	Main ir.Type
	real bool // no NaN, no infinity
}

// NewGenerator returns a generator of expressions whose literals are finite where an assumption
// says so.
func NewGenerator(seed uint64, assume ir.Assume) *Generator {
	g := &Generator{Rand: rand.New(rand.NewPCG(seed, 1)), Pool: ir.NewPool(), real: assume&(ir.Reassoc|ir.NNaN|ir.NInf) != 0}
	g.Main = []ir.Type{ir.I8, ir.U8, ir.I8, ir.U8, ir.I32, ir.U32, ir.I64, ir.U64, ir.I16, ir.U16, ir.F32, ir.F64, ir.F32}[g.IntN(13)]
	return g
}

func (g *Generator) pick(ops ...ir.Op) ir.Op { return ops[g.IntN(len(ops))] }

// Expr returns an expression of type t with about size nodes.
func (g *Generator) Expr(t ir.Type, size int) ir.Expr {
	if t == ir.Bool {
		return g.truth(size)
	}
	if size <= 1 {
		return g.leaf(t)
	}
	half := 1 + g.IntN(size)
	sub := func(n int) ir.Expr { return g.Expr(t, n) }
	if g.IntN(5) == 0 {
		return ir.SelectOf(g.truth(size/3), sub(size/3), sub(size/3))
	}
	switch n := g.IntN(24); {
	case n == 0 && t.IsInt():
		return ir.Make(ir.BitNot, sub(size-1))
	case n == 1:
		return ir.Make(ir.Abs, sub(size-1))
	case n <= 3:
		return ir.NegOf(sub(size - 1))
	case n == 4:
		from := g.anyType()
		return ir.CastTo(t, g.Expr(from, size-1))
	case n == 5:
		return g.Pool.Call(t, "f", g.IntN(2), sub(size-1))
	case n == 6 && t.IsFloat():
		return ir.Make(g.pick(ir.Sqrt, ir.Exp, ir.Log, ir.Log1p, ir.Sin, ir.Tanh, ir.Floor, ir.Round), sub(size-1))
	case n == 6:
		return ir.Make(g.pick(ir.PopCount, ir.Clz, ir.Ctz, ir.BitReverse), sub(size-1))
	case n <= 12:
		return ir.Make(g.pick(ir.Min, ir.Max), sub(half), sub(size-half))
	case n <= 18:
		return ir.Make(g.pick(ir.Add, ir.Add, ir.Sub, ir.Mul), sub(half), sub(size-half))
	}
	if t.IsFloat() {
		return ir.Make(g.pick(ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Min, ir.Max, ir.Pow), sub(half), sub(size-half))
	}
	op := g.pick(ir.BitAnd, ir.BitOr, ir.BitXor, ir.Shl, ir.Shr, ir.SatAdd, ir.SatSub, ir.Div, ir.Mod, ir.Gcd)
	b := sub(size - half)
	if g.IntN(2) == 0 { // literals are what rules know most of
		b = g.literal(t)
	}
	return ir.Make(op, sub(half), b)
}

func (g *Generator) anyType() ir.Type {
	if g.IntN(8) == 0 {
		return ir.Bool + ir.Type(g.IntN(ir.NumTypes-1))
	}
	return ir.I8 + ir.Type(g.IntN(int(ir.U64-ir.I8)+1))
}

// leaf returns a literal or a variable. Each type has variables of its own names: certificates name
// variables, and in an update a name has one type.
func (g *Generator) leaf(t ir.Type) ir.Expr {
	switch g.IntN(5) {
	case 0:
		return g.literal(t)
	case 1:
		return g.Pool.Y(int(t), t)
	case 2:
		return g.Pool.K(int(t), t)
	}
	return g.Pool.X(int(t), t)
}

func (g *Generator) literal(t ir.Type) ir.Expr {
	if t.IsFloat() {
		vs := []float64{0, 1, -1, 2, 0.5, 3, -2, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1e30}
		if g.real {
			vs = vs[:8]
		}
		return g.Pool.Float(t, vs[g.IntN(len(vs))])
	}
	switch g.IntN(4) {
	case 0:
		return g.Pool.Const(t, []uint64{t.Min(), t.Max(), t.Max() - 1, t.Max()/2 + 1}[g.IntN(4)])
	case 1:
		return g.Pool.Int(t, int64(g.IntN(40)-10))
	}
	return g.Pool.Int(t, int64(g.IntN(6)-2))
}

func (g *Generator) truth(size int) ir.Expr {
	if size <= 1 {
		switch g.IntN(6) {
		case 0:
			return g.Pool.Bool(g.IntN(2) == 0)
		case 1:
			return g.Pool.Call(ir.Bool, "P", 0, g.leaf(g.Main))
		case 2:
			return g.Pool.Y(0, ir.Bool)
		}
		return g.Pool.X(0, ir.Bool)
	}
	half := 1 + g.IntN(size)
	switch n := g.IntN(12); {
	case n == 0:
		return ir.NotOf(g.truth(size - 1))
	case n == 1:
		return ir.Make(g.pick(ir.And, ir.Or, ir.Eq, ir.Ne), g.truth(half), g.truth(size-half))
	case n == 2:
		return ir.SelectOf(g.truth(size/3), g.truth(size/3), g.truth(size/3))
	case n == 3:
		return ir.CastTo(ir.Bool, g.Expr(g.Main, size-1))
	case n == 4:
		return ir.Make(ir.IsNaN, g.Expr(g.Main, size-1))
	}
	t := g.Main
	if g.IntN(8) == 0 {
		t = g.anyType()
	}
	if t == ir.Bool {
		t = ir.U8
	}
	op := g.pick(ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne)
	return ir.Make(op, g.Expr(t, half), g.Expr(t, size-half))
}

// Vary rewrites e at random places by equations of which some hold always, some under
// assumptions, and some never.
func (g *Generator) Vary(e ir.Expr, times int) ir.Expr {
	for range times {
		target := g.IntN(min(e.Size(), 30))
		n := 0
		e = g.Pool.Map([]ir.Expr{e}, func(s ir.Expr) ir.Expr {
			if n++; n-1 != target {
				return ir.Expr{}
			}
			return g.variant(s)
		})[0]
	}
	return e
}

func (g *Generator) variant(e ir.Expr) ir.Expr {
	t := e.Type()
	p := g.Pool
	arg := e.Arg
	switch g.IntN(3) {
	case 0: // by the operator at the root
		switch op := e.Op(); op {
		case ir.Add, ir.Mul, ir.Min, ir.Max, ir.BitAnd, ir.BitOr, ir.BitXor, ir.SatAdd, ir.Gcd:
			if arg(0).Op() == op {
				return ir.Make(op, arg(0).Arg(0), ir.Make(op, arg(0).Arg(1), arg(1)))
			}
			return ir.Make(op, arg(1), arg(0))
		case ir.Sub:
			return ir.AddOf(arg(0), ir.NegOf(arg(1)))
		case ir.Select:
			return ir.SelectOf(ir.NotOf(arg(0)), arg(2), arg(1))
		case ir.Abs:
			return ir.SelectOf(ir.LtOf(arg(0), p.Int(t, 0)), ir.NegOf(arg(0)), arg(0))
		case ir.Lt, ir.Le, ir.Gt, ir.Ge:
			swap := map[ir.Op]ir.Op{ir.Lt: ir.Gt, ir.Le: ir.Ge, ir.Gt: ir.Lt, ir.Ge: ir.Le}[op]
			return ir.Make(swap, arg(1), arg(0))
		case ir.Eq:
			return ir.NotOf(ir.Make(ir.Ne, arg(0), arg(1)))
		case ir.Shl:
			return ir.MulOf(arg(0), ir.Make(ir.Shl, p.Int(t, 1), arg(1)))
		case ir.Mod:
			return ir.SubOf(arg(0), ir.MulOf(ir.DivOf(arg(0), arg(1)), arg(1)))
		case ir.Not:
			return ir.Make(ir.Ne, arg(0), p.Bool(true))
		case ir.Neg:
			return ir.SubOf(p.Int(t, 0), arg(0))
		case ir.BitNot:
			return ir.SubOf(p.Int(t, -1), arg(0))
		}
	case 1: // choices as conditions and back
		switch e.Op() {
		case ir.Min:
			return ir.SelectOf(ir.LtOf(arg(0), arg(1)), arg(0), arg(1))
		case ir.Max:
			return ir.SelectOf(ir.LeOf(arg(0), arg(1)), arg(1), arg(0))
		case ir.SatAdd:
			return ir.AddOf(arg(0), ir.MinOf(arg(1), ir.SubOf(p.Const(t, t.Max()), arg(0))))
		case ir.SatSub:
			return ir.SubOf(ir.MaxOf(arg(0), arg(1)), arg(1))
		case ir.BitOr:
			return ir.AddOf(arg(0), ir.Make(ir.BitAnd, arg(1), ir.Make(ir.BitNot, arg(0))))
		case ir.BitXor:
			return ir.SubOf(ir.Make(ir.BitOr, arg(0), arg(1)), ir.Make(ir.BitAnd, arg(0), arg(1)))
		case ir.Lt:
			return ir.NotOf(ir.LeOf(arg(1), arg(0)))
		case ir.Mul:
			if arg(0).Op() == ir.Add {
				return ir.AddOf(ir.MulOf(arg(0).Arg(0), arg(1)), ir.MulOf(arg(0).Arg(1), arg(1)))
			}
		}
	}
	switch n := g.IntN(9); {
	case t == ir.Bool:
		return ir.NotOf(ir.NotOf(e))
	case n == 0:
		return ir.SelectOf(g.truth(2), e, e)
	case n == 1:
		return ir.AddOf(e, p.Int(t, 0))
	case n == 2:
		return ir.NegOf(ir.NegOf(e))
	case n == 3:
		return ir.MaxOf(e, e)
	case n == 4:
		return ir.MinOf(ir.MaxOf(e, g.leaf(t)), e)
	case n == 5:
		k := g.leaf(t)
		return ir.SubOf(ir.AddOf(e, k), k)
	case n == 6:
		return ir.AddOf(e, p.Int(t, 1))
	case n == 7 && t.IsInt() && t.Wider() != ir.Invalid:
		return ir.CastTo(t, ir.CastTo(t.Wider(), e))
	case t.IsInt():
		return ir.Make(ir.BitNot, ir.Make(ir.BitNot, e))
	}
	return ir.NegOf(ir.NegOf(e))
}

// Problem returns a random equation: a side and a variation of it, or two sides.
func (g *Generator) Problem() proof.Problem {
	t := g.Main
	if g.IntN(8) == 0 {
		t = ir.Bool
	}
	p := proof.Problem{Left: g.Expr(t, 1+g.IntN(9))}
	switch g.IntN(6) {
	case 0:
		p.Right = g.Expr(t, 1+g.IntN(6))
	default:
		p.Right = g.Vary(p.Left, 1+g.IntN(4))
	}
	if g.IntN(5) == 0 {
		p.Given = append(p.Given, g.truth(1+g.IntN(4)))
	}
	return p
}

// Narrow returns an expression over x0 and y0 of the main type, in which no operator is opaque
// to the prover.
func (g *Generator) Narrow(size int) ir.Expr {
	t := g.Main
	if size <= 1 {
		switch g.IntN(8) {
		case 0, 1:
			return g.literal(t)
		case 2, 3, 4:
			return g.Pool.Y(0, t)
		}
		return g.Pool.X(0, t)
	}
	half := 1 + g.IntN(size-1)
	a := g.Narrow(half)
	switch n := g.IntN(16); {
	case n == 0:
		return ir.Make(g.pick(ir.BitNot, ir.Neg, ir.Abs), a)
	case n == 1:
		w := t.Wider()
		b := ir.CastTo(w, g.Narrow(size-half))
		return ir.CastTo(t, ir.Make(g.pick(ir.Add, ir.Sub, ir.Min, ir.Max), ir.CastTo(w, a), b))
	case n <= 4 && size > 2:
		c := ir.Make(g.pick(ir.Lt, ir.Le, ir.Eq, ir.Ne), a, g.Narrow(1+g.IntN(2)))
		return ir.SelectOf(c, g.Narrow(size-half), g.Narrow(1+g.IntN(2)))
	case n <= 6:
		return ir.Make(g.pick(ir.Shl, ir.Shr, ir.Div, ir.Mod), a, g.Pool.Int(t, 1+int64(g.IntN(4))))
	}
	op := g.pick(ir.Add, ir.Sub, ir.Min, ir.Max, ir.Add, ir.Sub, ir.Min, ir.Max, ir.Mul, ir.BitAnd, ir.BitOr, ir.BitXor, ir.SatAdd, ir.SatSub)
	return ir.Make(op, a, g.Narrow(size-half))
}
