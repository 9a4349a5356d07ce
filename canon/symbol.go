package canon

import (
	"sync"
	"sync/atomic"

	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
)

// Symbols: how the operators, types and literals of ir become operators of the e-graph.
// Everything that rules and table patterns can mention has a fixed number, so that both
// are compiled once for all sessions; variables, calls and other literals are numbered by
// the session.
//
//	op<<4 | operand type          operators; for select the type of its branches
//	firstCast + from<<4 | to      casts
//	firstLiteral + 72*type + i    small integers, the type's limits, −0.0
//	firstPattern + i              literals of patterns of a user's own
//	firstSession + i              the session's own
const (
	firstCast     = 64 << 4
	firstLiteral  = firstCast + 256
	literalsEach  = 72
	smallLiterals = 64 // −32 … 31, modulo 2^width
	literalTmin   = 64
	literalTmax   = 65
	literalMinus0 = 66
	firstPattern  = firstLiteral + 16*literalsEach
	firstSession  = firstPattern + patternLiterals

	patternLiterals = 1 << 20
)

func opSymbol(op ir.Op, operand ir.Type) egraph.Op { return egraph.Op(op)<<4 | egraph.Op(operand) }

func castSymbol(from, to ir.Type) egraph.Op {
	return firstCast + egraph.Op(from)<<4 + egraph.Op(to)
}

// exprSymbol returns the symbol of an operator application.
func exprSymbol(e ir.Expr) egraph.Op {
	switch e.Op() {
	case ir.Cast:
		return castSymbol(e.Arg(0).Type(), e.Type())
	case ir.Select:
		return opSymbol(ir.Select, e.Type())
	}
	return opSymbol(e.Op(), e.Arg(0).Type())
}

// Operators returns the set of the operator of e, which is no variable, literal or call.
func Operators(e ir.Expr) egraph.Operators { return egraph.OperatorsOf(exprSymbol(e), e.NumArgs()) }

// ofPatterns has the literals of patterns beyond those with a fixed symbol. Of the embedded rules and tables
// there are none.
var ofPatterns struct {
	sync.RWMutex
	symbol map[patternLiteral]egraph.Op
	list   []patternLiteral
	some   atomic.Bool // whether there are any: then alone a look costs more than this
}

type patternLiteral struct {
	typ   ir.Type
	value uint64
}

// patternSymbol returns the symbol of a literal of a pattern, and gives it one where it has none.
func patternSymbol(t ir.Type, v uint64) egraph.Op {
	if s, ok := literalSymbol(t, v); ok {
		return s
	}
	p := &ofPatterns
	p.Lock()
	defer p.Unlock()
	l := patternLiteral{t, v}
	s, ok := p.symbol[l]
	if !ok {
		if len(p.list) == patternLiterals {
			panic("canon: there are more than a million different literals in rules and tables")
		}
		if p.symbol == nil {
			p.symbol = map[patternLiteral]egraph.Op{}
		}
		s = egraph.Op(firstPattern + len(p.list))
		p.symbol[l], p.list = s, append(p.list, l)
		p.some.Store(true)
	}
	return s
}

// literalSymbol returns the symbol that a literal has in all sessions, if it has one.
func literalSymbol(t ir.Type, v uint64) (egraph.Op, bool) {
	base := egraph.Op(firstLiteral + literalsEach*int(t))
	if t.IsFloat() {
		f := ir.Float(t, v)
		for n := -32; n < 32; n++ {
			if ir.FloatBits(t, float64(n)) == v {
				return base + egraph.Op(n+32), true
			}
		}
		if v == ir.FloatBits(t, 0)|1<<(t.Bits()-1) && f == 0 {
			return base + literalMinus0, true
		}
	} else if n := t.Wrap(v + 32); n < smallLiterals {
		return base + egraph.Op(n), true
	}
	switch v {
	case t.Min():
		return base + literalTmin, true
	case t.Max():
		return base + literalTmax, true
	}
	if p := &ofPatterns; p.some.Load() {
		p.RLock()
		defer p.RUnlock()
		s, ok := p.symbol[patternLiteral{t, v}]
		return s, ok
	}
	return 0, false
}

// literal returns the type and value of a literal with a symbol that all sessions share.
func literal(s egraph.Op) (ir.Type, uint64) {
	if s >= firstPattern {
		ofPatterns.RLock()
		defer ofPatterns.RUnlock()
		l := ofPatterns.list[s-firstPattern]
		return l.typ, l.value
	}
	t := ir.Type((s - firstLiteral) / literalsEach)
	switch i := int(s-firstLiteral) % literalsEach; i {
	case literalTmin:
		return t, t.Min()
	case literalTmax:
		return t, t.Max()
	case literalMinus0:
		return t, ir.FloatBits(t, 0) | 1<<(t.Bits()-1)
	default:
		if t.IsFloat() {
			return t, ir.FloatBits(t, float64(i-smallLiterals/2))
		}
		return t, t.Wrap(uint64(int64(i - smallLiterals/2)))
	}
}

// Label names a symbol of the session's e-graph by its operator, its function, or the type that a cast gives. It asks leaf
// for the names of variables and literals.
func (s *Session) Label(op egraph.Op, leaf func(ir.Expr) string) string {
	switch {
	case op >= firstSession:
		if h := s.heads[op-firstSession]; h.Op() == ir.Call {
			return h.Name()
		}
		return leaf(s.atom(op))
	case op >= firstLiteral:
		return leaf(s.atom(op))
	case op >= firstCast:
		return ir.Type(op & 15).String()
	}
	return ir.Op(op >> 4).String()
}

// resultType returns the type that op gives on operands of type t.
func resultType(op ir.Op, t ir.Type) ir.Type {
	switch {
	case op.IsComparison(), op == ir.IsNaN:
		return ir.Bool
	}
	return t
}

// Patterns makes e-graph patterns of expressions, those of one term once. Number numbers their variables.
type Patterns struct {
	Number func(v ir.Expr) int
	known  map[ir.Expr]egraph.Pattern
	kids   []egraph.Pattern // memory for those to come
}

// forget is for a Number that numbers variables otherwise.
func (p *Patterns) forget() { clear(p.known) }

// take returns memory for n patterns.
func (p *Patterns) take(n int) []egraph.Pattern {
	if len(p.kids) < n {
		p.kids = make([]egraph.Pattern, max(n, 256))
	}
	out := p.kids[:n:n]
	p.kids = p.kids[n:]
	return out
}

// Of returns the pattern of e. It panics on calls.
func (p *Patterns) Of(e ir.Expr) egraph.Pattern {
	switch e.Op() {
	case ir.Var:
		return egraph.PVar(p.Number(e))
	case ir.Const:
		return egraph.PNode(patternSymbol(e.Type(), e.Value()))
	case ir.Call:
		panic("canon: internal: call in a pattern")
	}
	if known, ok := p.known[e]; ok {
		return known
	}
	kids := p.take(e.NumArgs())
	for i := range kids {
		kids[i] = p.Of(e.Arg(i))
	}
	if p.known == nil {
		p.known = map[ir.Expr]egraph.Pattern{}
	}
	out := egraph.PNode(exprSymbol(e), kids...)
	p.known[e] = out
	return out
}
