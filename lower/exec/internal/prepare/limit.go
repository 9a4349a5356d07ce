package prepare

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// relaxed lets pure loops with a ragged end run to their literal bound under a condition. Then the
// loop that their end depends on may run inside them.
//
//	for v in 0..min(8, n - r*8)   →   for v in 0..8 where v < n - r*8
func relaxed(s *plan.Stage) *plan.Stage {
	out := *s
	out.Loops = slices.Clone(s.Loops)
	for i, l := range s.Loops {
		e := l.Span.Extent
		if !l.Pure || e.Op() != ir.Min || !mentionsSerial(e, s.Loops[:i]) {
			continue
		}
		bound, end := e.Arg(0), e.Arg(1)
		if bound.Op() != ir.Const {
			bound, end = end, bound
		}
		if bound.Op() != ir.Const {
			continue
		}
		out.Loops[i].Span.Extent = bound
		steps := access.Add(l.Var, access.Mul(l.Span.Min, access.MinusOne(l.Span.Min)))
		out.Where = append([]ir.Expr{ir.LtOf(steps, end)}, out.Where...)
		out.Tails++
	}
	return &out
}

func mentionsSerial(e ir.Expr, loops []plan.Loop) bool {
	return slices.ContainsFunc(loops, func(l plan.Loop) bool { return !l.Pure && slices.Contains(ir.Vars(e), l.Var) })
}

// Comparison is a condition less < more between affine forms of the innermost variable. It
// limits a row rather than masking its points.
type Comparison struct {
	Less, More access.Coordinate
	OrEqual    bool
}

// comparisonOf reports whether a condition is one, with literal coefficients.
func comparisonOf(e, v ir.Expr) (c Comparison, ok bool) {
	if e.NumArgs() != 2 || e.Arg(0).Type() != ir.I32 {
		return c, false
	}
	l, m := access.Coordinates(access.Operands(e), []ir.Expr{v})[0], access.Coordinates(access.Operands(e), []ir.Expr{v})[1]
	switch e.Op() {
	case ir.Lt, ir.Le:
		c = Comparison{l, m, e.Op() == ir.Le}
	case ir.Gt, ir.Ge:
		c = Comparison{m, l, e.Op() == ir.Ge}
	default:
		return c, false
	}
	return c, l.Affine && m.Affine && IsLiteral([]access.Coordinate{l, m})
}

// Points is the range of the n points of a row, from start on, at which the condition holds, where less and more are what the sides are at 0. It is not
// known where one side wraps.
func (c Comparison) Points(less, more, start, n int) (lo, hi int, known bool) {
	byLess, byMore := c.Less.Coef[0].Int(), c.More.Coef[0].Int()
	atLess, atMore := int64(less)+byLess*int64(start), int64(more)+byMore*int64(start)
	for _, side := range [][2]int64{{atLess, byLess}, {atMore, byMore}} {
		for _, v := range []int64{side[0], side[0] + side[1]*int64(n-1)} {
			if v < math.MinInt32 || v > math.MaxInt32 {
				return 0, 0, false
			}
		}
	}
	room := atMore - atLess // must be positive at k: room + by·k > 0
	if c.OrEqual {
		room++
	}
	by := byMore - byLess
	switch {
	case by > 0:
		return int(max(0, min(access.CeilQuotient(1-room, by), int64(n)))), n, true
	case by < 0:
		return 0, int(max(0, min(access.CeilQuotient(room, -by), int64(n)))), true
	case room > 0:
		return 0, n, true
	}
	return 0, 0, true
}
