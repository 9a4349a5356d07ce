package loopnest

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// MentionsAny reports whether some expression has one of the variables in it.
func MentionsAny(es []ir.Expr, vars ...ir.Expr) bool {
	return slices.ContainsFunc(es, func(e ir.Expr) bool { return access.Mentions(e, vars...) })
}

// SpansOf lists where loops begin and how far they run.
func SpansOf(loops []plan.Loop) (es []ir.Expr) {
	for _, l := range loops {
		es = append(es, l.Span.Min, l.Span.Extent)
	}
	return es
}

// PlusExpr is a + b, of literals a literal.
func PlusExpr(a, b ir.Expr) ir.Expr {
	if a.Op() == ir.Const && b.Op() == ir.Const {
		return a.Pool().Int(a.Type(), a.Int()+b.Int())
	}
	return ir.AddOf(a, b)
}

// Smallest is the literal among the alternatives of an extent, where there is one.
func Smallest(e ir.Expr) ir.Expr {
	for _, a := range Alternatives(e) {
		if a.Op() == ir.Const {
			return a
		}
	}
	return e
}

// FoldSum drops the zeros that a substitution left in a sum.
func FoldSum(e ir.Expr) ir.Expr {
	if e.Op() != ir.Add && e.Op() != ir.Sub {
		return e
	}
	a, b := FoldSum(e.Arg(0)), FoldSum(e.Arg(1))
	switch {
	case b.IsConst(0):
		return a
	case a.IsConst(0) && e.Op() == ir.Add:
		return b
	case a.Op() == ir.Const && b.Op() == ir.Const:
		return e.Pool().Const(e.Type(), ir.Eval(ir.Make(e.Op(), a, b), &ir.Env{}))
	}
	return ir.Make(e.Op(), a, b)
}

// Unclamped drops min and max that the range of their operand makes idle.
func Unclamped(e ir.Expr) ir.Expr {
	if e.Op() == ir.Min || e.Op() == ir.Max {
		a, k := Unclamped(e.Arg(0)), e.Arg(1)
		lo, hi := ValueRange(a)
		if k.Op() == ir.Const && (e.Op() == ir.Min && hi <= k.Int() || e.Op() == ir.Max && lo >= k.Int()) {
			return a
		}
	}
	return e
}

// Alternatives are expressions of which e is the least.
func Alternatives(e ir.Expr) []ir.Expr {
	if e.Op() == ir.Min {
		return append(Alternatives(e.Arg(0)), Alternatives(e.Arg(1))...)
	}
	return []ir.Expr{e}
}

// CeilDiv takes (n - 1)/k + 1 apart, for k > 0.
func CeilDiv(e ir.Expr) (n, k ir.Expr, ok bool) {
	if e.Op() != ir.Add || !e.Arg(1).IsConst(1) || e.Arg(0).Op() != ir.Div {
		return n, k, false
	}
	d := e.Arg(0)
	if d.Arg(1).Op() != ir.Const || d.Arg(1).Int() <= 0 || d.Arg(0).Op() != ir.Sub || !d.Arg(0).Arg(1).IsConst(1) {
		return n, k, false
	}
	return d.Arg(0).Arg(0), d.Arg(1), true
}
