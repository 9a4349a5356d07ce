package canon

import (
	"slices"

	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
)

// Facts say what is known of a class: they are the datum of the e-graph's analysis.
//
//	bit 0      some term of the class mentions no state: the class has a leaf
//	bit 1      some term is invariant: neither state nor leaf variable nor coordinate
//	bit 2      the value is never negative (for signed integers)
//	bits 4-7   the type
//	bits 32-   symbol of the literal that the class is equal to, plus 1
type Facts uint64

const (
	leafFact      Facts = 1
	invariantFact Facts = 2
	nonNegFact    Facts = 4
	typeShift           = 4
	literalShift        = 32
)

// IsLeaf reports whether the class has a term that does not mention the state.
func (f Facts) IsLeaf() bool { return f&leafFact != 0 }

// IsInvariant reports whether the class has a term that may stand for a constant k.
func (f Facts) IsInvariant() bool { return f&invariantFact != 0 }

// Type returns the type of the class's terms.
func (f Facts) Type() ir.Type { return ir.Type(f >> typeShift & 15) }

// IsNonNeg reports whether the value is known to be never negative.
func (f Facts) IsNonNeg() bool { return f&nonNegFact != 0 }

func (f Facts) isLiteral() bool { return f>>literalShift != 0 }

func literalFacts(t ir.Type, v uint64, s egraph.Op) Facts {
	f := leafFact | invariantFact | Facts(t)<<typeShift | Facts(s+1)<<literalShift
	if t.IsInt() && int64(v) >= 0 {
		f |= nonNegFact
	}
	return f
}

// joinFacts: what holds of some term holds of the class. Two literals are equal terms
// only if they are one.
func joinFacts(a, b uint64) uint64 {
	const low = 1<<literalShift - 1
	return (a|b)&low | max(a&^low, b&^low)
}

// nodeFacts returns the facts of a node: it is the analysis' Make.
func (s *Session) nodeFacts(g *egraph.Graph, op egraph.Op, kids []egraph.Class) uint64 {
	all, some := leafFact|invariantFact|nonNegFact, Facts(0)
	for _, k := range kids {
		f := Facts(g.Data(k))
		all &= f
		some |= f
	}
	switch {
	case op >= firstSession:
		return uint64(s.headFacts(op, all&^nonNegFact))
	case op >= firstLiteral:
		t, v := literal(op)
		return uint64(literalFacts(t, v, op))
	case op >= firstCast:
		return uint64(all&^nonNegFact | Facts(op-firstCast)&15<<typeShift)
	}
	o, t := ir.Op(op>>4), ir.Type(op&15)
	return uint64(all&^nonNegFact | nonNegOf(o, all, some, kids, g) | Facts(resultType(o, t))<<typeShift)
}

// nonNegOf returns nonNegFact where the operator cannot give a negative value, wrapping or not.
func nonNegOf(op ir.Op, all, some Facts, kids []egraph.Class, g *egraph.Graph) Facts {
	switch op {
	case ir.Mod:
		return nonNegFact
	case ir.Min, ir.Div, ir.Shr:
		return all & nonNegFact
	case ir.Max, ir.BitAnd:
		return some & nonNegFact
	case ir.Select:
		return Facts(g.Data(kids[1])&g.Data(kids[2])) & nonNegFact
	}
	return 0
}

// headFacts returns those of a variable, call or literal of the session.
func (s *Session) headFacts(op egraph.Op, kids Facts) Facts {
	h := s.heads[op-firstSession]
	f := Facts(h.Type()) << typeShift
	switch h.Op() {
	case ir.Const:
		return literalFacts(h.Type(), h.Value(), op)
	case ir.Call:
		return kids | f
	}
	if h.IsLeaf() {
		f |= leafFact
	}
	if h.IsInvariant() {
		f |= invariantFact
	}
	if slices.Contains(s.nonNeg, h) {
		f |= nonNegFact
	}
	return f
}
