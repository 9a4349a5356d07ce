package canon

import (
	"context"
	"math"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
)

// The steps of saturation that are computed rather than listed as rules.

// The values of Step.Rule that name no rule.
const (
	ReasonRing = "ring" // the normal form of sums of products, and of bits as numbers
	ReasonFold = "fold" // an operator applied to literals
)

// reasons lists them by the number that the e-graph keeps for each.
var reasons = [...]string{ReasonRing, ReasonFold}

const (
	byRing uint32 = iota
	byFold
)

// theorySteps makes every term with a ring operator on top equal to its normal form, but
// for leaves that were given, and every operator over literals equal to its value. It
// reports whether the graph changed. It stops early, with fewer steps, when ctx is done or the Meter is used up.
func (s *Session) theorySteps(ctx context.Context) bool {
	before := s.g.Changes()
	s.todo = s.todo[:0]
	for c, n := range s.g.All() {
		f, op := s.Facts(c), s.g.Op(n)
		if op >= firstCast {
			continue
		}
		if o := ir.Op(op >> 4); f.IsLeaf() && (o == ir.Neg || o == ir.BitNot) {
			// A pattern's −y must match where only its negation occurs.
			s.todo = append(s.todo, theoryTask{ir.Make(o, s.termOf(n)), byRing})
		}
		if isRingOp(ir.Op(op>>4)) && (!f.IsLeaf() || c >= s.given || s.purpose != matching) && poly.DomainOf(f.Type(), s.allowed) != 0 {
			s.todo = append(s.todo, theoryTask{s.termOf(n), byRing})
		} else if !f.isLiteral() && s.literalKids(n) {
			s.todo = append(s.todo, theoryTask{s.termOf(n), byFold})
		}
	}
	s.Meter.Spend(effort.Saturation, len(s.todo)+s.g.NodeCount())
	for _, t := range s.todo {
		if ctx.Err() != nil || s.Meter.Done() {
			break
		}
		s.perform(t)
	}
	if s.g.Changes() == before {
		return false
	}
	s.g.Rebuild()
	return true
}

// theoryTask is a term to be made equal to its normal form.
type theoryTask struct {
	term ir.Expr
	by   uint32
}

func (s *Session) perform(t theoryTask) {
	if s.done[t.term] {
		return
	}
	s.done[t.term] = true
	size := 10 * t.term.Size()
	s.Meter.Spend(effort.Terms, size)
	var normal ir.Expr
	if t.by == byFold && !t.term.IsClosed() { // exp(1.0) is another literal on another machine
		return
	} else if t.by == byFold {
		normal = fold(t.term)
	} else {
		var summed int
		normal, summed = poly.NormalWithin(min(effort.Terms.Items(s.Meter.Left()), math.MaxInt/poly.SummedOfTerm)*poly.SummedOfTerm, t.term, s.allowed)
		s.Meter.Spend(effort.Terms, max(0, summed/poly.SummedOfTerm-size))
		s.done[normal] = true
	}
	if normal != t.term {
		s.g.UnionNodes(s.node(t.term), s.node(normal), t.by)
	}
}

func (s *Session) literalKids(n egraph.Node) bool {
	s.kids = s.g.Kids(n, s.kids[:0])
	for _, k := range s.kids {
		if !s.Facts(k).isLiteral() {
			return false
		}
	}
	return len(s.kids) > 0
}

// termOf returns a node's operator over the cheapest terms of the classes.
func (s *Session) termOf(n egraph.Node) ir.Expr {
	ch := s.cheapest(AnyTerm)
	s.kids = s.g.Kids(n, s.kids[:0])
	return s.exprOf(s.g.Op(n), s.kids, func(k egraph.Class) ir.Expr { return s.build(ch, k) })
}

func isRingOp(op ir.Op) bool {
	switch op {
	case ir.Add, ir.Sub, ir.Mul, ir.Neg, ir.Div, ir.BitNot, ir.Shl, ir.BitAnd, ir.BitOr, ir.BitXor:
		return true
	}
	return false
}

// fold returns the value of an operator over literals.
func fold(e ir.Expr) ir.Expr {
	return e.Pool().Const(e.Type(), ir.Eval(e, &ir.Env{}))
}
