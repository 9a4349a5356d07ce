package laws

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// maxSpelled bounds the size of an equation over the integers.
const maxSpelled = 20000

// overIntegers restates an equation of narrow integers over the integers. It holds for machine
// integers that wrap if what it returns holds of unbounded ones. Terms that are not spelled out
// stand for any value of their type.
func overIntegers(p proof.Problem) (q proof.Problem, ok bool) {
	s := &spelling{pool: p.Left.Pool(), spans: map[ir.Expr]span{}, truths: map[ir.Expr]ir.Expr{}}
	for _, g := range p.Given {
		s.given = append(s.given, s.truth(g))
	}
	if p.Left.Type() == ir.Bool {
		q.Left, q.Right = s.truth(p.Left), s.truth(p.Right)
	} else if p.Left.Type().IsInt() {
		q.Left, q.Right = s.number(p.Left).e, s.number(p.Right).e
	} else {
		return q, false
	}
	q.Given = s.given
	return q, q.Left.Size()+q.Right.Size() <= maxSpelled
}

// spelling restates terms over the integers, which are written as i64 and never overflow.
type spelling struct {
	pool   *ir.Pool
	given  []ir.Expr
	spans  map[ir.Expr]span
	truths map[ir.Expr]ir.Expr
}

// span is an integer and what it lies between. The zero span is none.
type span struct {
	e      ir.Expr
	lo, hi *big.Int
}

func (s *spelling) literal(v int64) span {
	return span{s.pool.Int(ir.I64, v), big.NewInt(v), big.NewInt(v)}
}

// rangeOf is the range of a type; narrow is whether it has at most 32 bits.
func rangeOf(t ir.Type) (lo, hi *big.Int, narrow bool) {
	lo, hi = big.NewInt(int64(t.Min())), new(big.Int).SetUint64(t.Max())
	return lo, hi, t.Bits() <= 32
}

func (s *spelling) number(e ir.Expr) span {
	out, ok := s.spans[e]
	if !ok {
		if out = s.read(e); !out.e.IsValid() {
			out = s.any(e)
		}
		s.spans[e] = out
	}
	return out
}

// any is a variable for a term that is not looked into.
func (s *spelling) any(e ir.Expr) span {
	v := s.pool.Var(ir.Leaf, fmt.Sprintf("n%d", len(s.spans)), 1<<21+len(s.spans), ir.I64)
	lo, hi, narrow := rangeOf(e.Type())
	if narrow {
		s.given = append(s.given, ir.LeOf(s.literal(lo.Int64()).e, v), ir.LeOf(v, s.literal(hi.Int64()).e))
	}
	return span{v, lo, hi}
}

// read spells a term out; the zero span where it does not.
func (s *spelling) read(e ir.Expr) (none span) {
	t, op := e.Type(), e.Op()
	var a, b span
	switch op {
	case ir.Const:
		if t == ir.U64 && e.Value() > math.MaxInt64 {
			return none
		}
		return s.literal(e.Int())
	case ir.Neg:
		a, b = s.literal(0), s.number(e.Arg(0))
	case ir.BitNot:
		a, b = s.literal(-1), s.number(e.Arg(0))
	case ir.Cast:
		if e.Arg(0).Type() == ir.Bool {
			return choiceOf(s.truth(e.Arg(0)), s.literal(1), s.literal(0))
		} else if !e.Arg(0).Type().IsInt() {
			return none
		}
		return s.wrap(t, s.number(e.Arg(0)))
	case ir.Select:
		c := s.truth(e.Arg(0))
		a, b = s.number(e.Arg(1)), s.number(e.Arg(2))
		return choiceOf(c, a, b)
	case ir.Add, ir.Sub, ir.Mul, ir.Mod, ir.Min, ir.Max, ir.SatAdd, ir.SatSub:
		a, b = s.number(e.Arg(0)), s.number(e.Arg(1))
	default:
		return none
	}
	switch op {
	case ir.Mod:
		if b.lo.Sign() < 0 {
			return none
		}
		return span{ir.ModOf(a.e, b.e), big.NewInt(0), b.hi}
	case ir.Min:
		return a.min(b)
	case ir.Max:
		return a.max(b)
	case ir.Mul:
		return s.wrap(t, a.times(b))
	case ir.Add:
		return s.wrap(t, a.plus(b))
	case ir.SatAdd:
		return s.saturate(t, a.plus(b))
	case ir.SatSub:
		return s.saturate(t, a.minus(b))
	}
	return s.wrap(t, a.minus(b))
}

func lower(a, b *big.Int) *big.Int {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

func upper(a, b *big.Int) *big.Int {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

func choiceOf(c ir.Expr, a, b span) span {
	return span{ir.SelectOf(c, a.e, b.e), lower(a.lo, b.lo), upper(a.hi, b.hi)}
}

func (a span) min(b span) span {
	return span{ir.MinOf(a.e, b.e), lower(a.lo, b.lo), lower(a.hi, b.hi)}
}

func (a span) max(b span) span {
	return span{ir.MaxOf(a.e, b.e), upper(a.lo, b.lo), upper(a.hi, b.hi)}
}

func (a span) plus(b span) span {
	return span{ir.AddOf(a.e, b.e), new(big.Int).Add(a.lo, b.lo), new(big.Int).Add(a.hi, b.hi)}
}

func (a span) minus(b span) span {
	return span{ir.SubOf(a.e, b.e), new(big.Int).Sub(a.lo, b.hi), new(big.Int).Sub(a.hi, b.lo)}
}

func (a span) times(b span) span {
	out := span{e: ir.MulOf(a.e, b.e), lo: new(big.Int).Mul(a.lo, b.lo)}
	out.hi = out.lo
	for _, ends := range [][2]*big.Int{{a.lo, b.hi}, {a.hi, b.lo}, {a.hi, b.hi}} {
		v := new(big.Int).Mul(ends[0], ends[1])
		out.lo, out.hi = lower(out.lo, v), upper(out.hi, v)
	}
	return out
}

// wrap is an integer as a value of a type: it is off by few multiples of 2^width, each a choice.
func (s *spelling) wrap(t ir.Type, n span) (none span) {
	lo, hi, narrow := rangeOf(t)
	if n.lo.Cmp(lo) >= 0 && n.hi.Cmp(hi) <= 0 {
		return n
	}
	if !narrow || max(n.lo.BitLen(), n.hi.BitLen()) > 62 {
		return none
	}
	least, size := lo.Int64(), int64(1)<<t.Bits()
	low, high := (n.lo.Int64()-least)>>t.Bits(), (n.hi.Int64()-least)>>t.Bits()
	if high-low > 2 {
		return none
	}
	moved := func(k int64) ir.Expr { return ir.AddOf(n.e, s.literal(-k*size).e) }
	out := moved(high)
	for k := high - 1; k >= low; k-- {
		out = ir.SelectOf(ir.LtOf(n.e, s.literal(least+(k+1)*size).e), moved(k), out)
	}
	return span{out, lo, hi}
}

// saturate is an integer, or the limit of the type that it exceeds.
func (s *spelling) saturate(t ir.Type, n span) (none span) {
	lo, hi, narrow := rangeOf(t)
	if !narrow {
		return none
	}
	return n.min(s.literal(hi.Int64())).max(s.literal(lo.Int64()))
}

func (s *spelling) truth(e ir.Expr) ir.Expr {
	out, ok := s.truths[e]
	if !ok {
		if out = s.readTruth(e); !out.IsValid() {
			out = s.pool.Var(ir.Leaf, fmt.Sprintf("b%d", len(s.truths)), 1<<22+len(s.truths), ir.Bool)
		}
		s.truths[e] = out
	}
	return out
}

func (s *spelling) readTruth(e ir.Expr) (none ir.Expr) {
	op := e.Op()
	switch {
	case op == ir.Const:
		return e
	case op == ir.Not:
		return ir.NotOf(s.truth(e.Arg(0)))
	case op == ir.And || op == ir.Or || op.IsComparison() && e.Arg(0).Type() == ir.Bool:
		return ir.Make(op, s.truth(e.Arg(0)), s.truth(e.Arg(1)))
	case op == ir.Select:
		return ir.SelectOf(s.truth(e.Arg(0)), s.truth(e.Arg(1)), s.truth(e.Arg(2)))
	case op.IsComparison() && e.Arg(0).Type().IsInt():
		return ir.Make(op, s.number(e.Arg(0)).e, s.number(e.Arg(1)).e)
	}
	return none
}

// saturates reports whether integers are cast or saturate, which the prover does not compare well.
func saturates(ps []proof.Problem) (found bool) {
	for _, p := range ps {
		ir.Walk([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) {
			switch e.Op() {
			case ir.SatAdd, ir.SatSub:
				found = true
			case ir.Cast:
				found = found || e.Type().IsInt() && e.States() != 0 && e.Arg(0).Type().IsInt()
			}
		})
	}
	return found
}

// proveIntegers proves an equation of narrow integers over the integers; nil where it cannot.
func proveIntegers(ctx context.Context, w *prove.Prover, p proof.Problem, o prove.Options) *proof.Tree {
	q, ok := overIntegers(p)
	if !ok {
		return nil
	}
	o.Allowed, o.ProveFirst = ir.NSW, true
	if a := w.Prove(ctx, []proof.Problem{q}, o); a.Status == prove.Proved {
		return &proof.Tree{Kind: proof.Integers, Then: a.Proof()}
	}
	return nil
}
