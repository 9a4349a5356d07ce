package program

import (
	"math"
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/interval"
)

// This file has functions that stand for terms of other operators. Nothing behind the parser knows them:
// their terms are proven, evaluated and emitted as if the source spelled them out. No operation in a term
// overflows unless the function's exact result leaves the type, so that nsw and nuw promise
// no more than they say.

// derived makes the term of a function of operands of one type t.
type derived struct {
	takes func(t ir.Type) bool
	term  func(t ir.Type, args []ir.Expr) ir.Expr
}

var derivedFuncs = map[string]derived{
	"quo":   {ir.Type.IsInt, quo},
	"rem":   {ir.Type.IsInt, rem},
	"lcm":   {ir.Type.IsInt, lcm},
	"rotl":  {ir.Type.IsInt, rotl},
	"mulhi": {ir.Type.IsInt, mulhi},
	"exp2":  {ir.Type.IsFloat, exp2},
}

// Derive returns the term that a derived function of the notation stands for: quo, rem, lcm, rotl, mulhi or
// exp2, of operands that it takes. It panics for any other name.
func Derive(name string, args ...ir.Expr) ir.Expr {
	return derivedFuncs[name].term(args[0].Type(), args)
}

// derive is a function of derivedFuncs.
func derive(name string, arity int) builtin {
	return builtin{arity, arity, func(p *parser, pos int, a []int32) int32 { return p.listed(synDerived, pos, name, a) }}
}

// listed is a node with a name and any number of operands.
func (p *parser) listed(kind synKind, pos int, name string, args []int32) int32 {
	first := int32(len(p.args))
	p.args = append(p.args, args...)
	return p.node(syn{kind: kind, pos: int32(pos), a: p.intern(name), b: first, c: int32(len(args))}, args...)
}

// guessDerived is the type in which the operands meet; that of the first of rotl.
func (l *elaborator) guessDerived(n int32) guess {
	kids := l.kids(n)
	g := l.guesses[kids[0]]
	switch l.name(n) {
	case "exp2":
		return l.floating(g)
	case "rotl":
		return l.function(g)
	}
	return l.function(l.joinOf(kids[0], kids[1]))
}

func (l *elaborator) derived(n int32, want ir.Type) ir.Expr {
	s := &l.nodes[n]
	t, f, name := l.guesses[n].orDefault(want), derivedFuncs[l.name(n)], l.name(n)
	var args []ir.Expr
	for _, k := range l.kids(n) {
		e := l.operand(k, t)
		switch {
		case !e.IsValid():
			return e
		case !f.takes(e.Type()):
			l.errorf(ir.Pos(s.pos), "%s does not take %s", name, e.Type())
			return ir.Expr{}
		case e.Type() != t:
			l.errorf(ir.Pos(s.pos), "%s of %s and %s: cast one of them", name, t, e.Type())
			return ir.Expr{}
		}
		args = append(args, e)
	}
	return f.term(t, args)
}

// toZero is what is added to a dividend so that the Euclidean quotient by the literal b rounds toward zero:
// |b| − 1 where a < 0. Neither this nor the sum overflows.
func toZero(t ir.Type, a, b ir.Expr) ir.Expr {
	most, zero := b.Int()-1, a.Pool().Int(t, 0)
	if b.Int() < 0 {
		most = ^b.Int()
	}
	return ir.SelectOf(ir.LtOf(a, zero), a.Pool().Int(t, most), zero)
}

// quo rounds toward zero, where / rounds so that the remainder is not negative.
func quo(t ir.Type, args []ir.Expr) ir.Expr {
	a, b := args[0], args[1]
	p := a.Pool()
	switch {
	case t.IsUnsigned() || b.IsConst(1) || b.Op() == ir.Const && b.Int() == -1:
		return ir.DivOf(a, b)
	case b.IsConst(0):
		return b
	case b.Op() == ir.Const:
		return ir.DivOf(ir.AddOf(a, toZero(t, a, b)), b)
	}
	zero := p.Int(t, 0)
	rounds := ir.AndOf(ir.LtOf(a, zero), ir.Make(ir.Ne, ir.ModOf(a, b), zero))
	return ir.AddOf(ir.DivOf(a, b), ir.SelectOf(rounds, ir.SelectOf(ir.LtOf(zero, b), p.Int(t, 1), p.Int(t, -1)), zero))
}

// rem has the sign of a, where % is not negative.
func rem(t ir.Type, args []ir.Expr) ir.Expr {
	a, b := args[0], args[1]
	switch {
	case t.IsUnsigned() || b.IsConst(0):
		return ir.ModOf(a, b)
	case b.Op() == ir.Const:
		add := toZero(t, a, b)
		return ir.SubOf(ir.ModOf(ir.AddOf(a, add), b), add)
	}
	r, zero := ir.ModOf(a, b), a.Pool().Int(t, 0)
	below := ir.SelectOf(ir.LtOf(zero, b), ir.NegOf(b), b) // −|b|
	return ir.AddOf(r, ir.SelectOf(ir.AndOf(ir.LtOf(a, zero), ir.Make(ir.Ne, r, zero)), below, zero))
}

// lcm divides first, so that nothing overflows but the result.
func lcm(_ ir.Type, args []ir.Expr) ir.Expr {
	a, b := args[0], args[1]
	return ir.Make(ir.Abs, ir.MulOf(ir.DivOf(a, ir.Make(ir.Gcd, a, b)), b))
}

// rotl masks the bits that a shift to the left would lose.
func rotl(t ir.Type, args []ir.Expr) ir.Expr {
	p, u, width := args[0].Pool(), t.Unsigned(), int64(t.Bits())
	a, n, all := ir.CastTo(u, args[0]), ir.CastTo(u, args[1]), p.Const(u, u.Max())
	if n.Op() == ir.Cast && n.Arg(0).Op() == ir.Const {
		n = p.Const(u, n.Arg(0).Value())
	}
	least, mask, back := n, all, n
	if n.Op() == ir.Const {
		m := n.Int() & (width - 1)
		if m == 0 {
			return args[0]
		}
		least, mask, back = p.Int(u, m), p.Const(u, u.Max()>>m), p.Int(u, width-m)
	} else {
		low := p.Int(u, width-1)
		least = ir.Make(ir.BitAnd, n, low)
		mask, back = ir.Make(ir.Shr, all, least), ir.Make(ir.BitAnd, ir.SubOf(p.Int(u, width), least), low)
	}
	up := ir.Make(ir.Shl, ir.Make(ir.BitAnd, a, mask), least)
	return ir.CastTo(t, ir.Make(ir.BitOr, up, ir.Make(ir.Shr, a, back)))
}

// mulhi multiplies in the next wider type. Where there is none, it multiplies halves, of which
// the upper ones have the sign.
func mulhi(t ir.Type, args []ir.Expr) ir.Expr {
	p, a, b := args[0].Pool(), args[0], args[1]
	if w := t.Wider(); w != ir.Invalid {
		return ir.CastTo(t, ir.Make(ir.Shr, ir.MulOf(ir.CastTo(w, a), ir.CastTo(w, b)), p.Int(w, int64(t.Bits()))))
	}
	low := func(e ir.Expr) ir.Expr { return ir.Make(ir.BitAnd, e, p.Int(e.Type(), math.MaxUint32)) }
	high := func(e ir.Expr) ir.Expr { return ir.Make(ir.Shr, e, p.Int(e.Type(), 32)) }
	carry := high(ir.MulOf(low(ir.CastTo(ir.U64, a)), low(ir.CastTo(ir.U64, b))))
	middle := ir.AddOf(ir.MulOf(high(a), low(b)), ir.CastTo(t, carry))
	other := ir.AddOf(low(middle), ir.MulOf(low(a), high(b)))
	return ir.AddOf(ir.AddOf(ir.MulOf(high(a), high(b)), high(middle)), high(other))
}

func exp2(t ir.Type, args []ir.Expr) ir.Expr {
	return ir.Make(ir.Pow, args[0].Pool().Float(t, 2), args[0])
}

// table reads table(i, c0, c1, …): a binary search for i among its entries, so that what is below them
// is the first one and what is above them the last. Entries that no index reaches are left out.
func (l *elaborator) table(n int32, want ir.Type) ir.Expr {
	kids := l.kids(n)
	t := l.guesses[n].orDefault(want)
	at := l.expr(kids[0], ir.I32)
	if !at.IsValid() {
		return at
	}
	if !at.Type().IsInt() {
		l.errorf(l.start(kids[0]), "the index of a table is an integer, not %s", at.Type())
		return ir.Expr{}
	}
	var entries []ir.Expr
	for _, k := range kids[1:] {
		e := l.operand(k, t)
		switch {
		case !e.IsValid():
			return e
		case !e.IsClosed():
			l.errorf(l.start(k), "an entry of a table is a literal")
			return ir.Expr{}
		case e.Type() != t:
			l.errorf(l.start(k), "this is %s where %s is wanted: cast it", e.Type(), t)
			return ir.Expr{}
		}
		entries = append(entries, l.pool.Const(t, ir.Eval(e, nil)))
	}
	bounds := interval.Of(at, nil)
	least := min(max(bounds.Lo, 0), int64(len(entries))-1)
	if most := max(bounds.Hi, least); most < int64(len(entries)) {
		if e, ok := linear(at, entries[:most+1]); ok && bounds.Lo >= 0 {
			return e
		}
		entries = entries[:most+1]
	}
	return searched(at, int(least), entries[least:])
}

// linear returns the sum over GF(2) of entries by the bits of an index that is one of theirs, as tables of
// cyclic codes are; false where the entries are no such sums, or so few that a choice is shorter.
func linear(at ir.Expr, entries []ir.Expr) (ir.Expr, bool) {
	t, p := entries[0].Type(), at.Pool()
	if !t.IsInt() || len(entries) < 4 {
		return ir.Expr{}, false
	}
	if used := int64(1)<<bits.Len(uint(len(entries)-1)) - 1; at.Op() == ir.BitAnd && at.Arg(1).Op() == ir.Const && at.Arg(1).Int()&used == used {
		at = at.Arg(0) // it has the same low bits
	}
	sum := entries[0]
	for j := 0; 1<<j < len(entries); j++ {
		step := entries[1<<j].Value() ^ entries[0].Value()
		for i := range min(1<<j, len(entries)-1<<j) {
			if entries[1<<j|i].Value() != entries[i].Value()^step {
				return ir.Expr{}, false
			}
		}
		bit := at
		if j > 0 {
			bit = ir.Make(ir.Shr, at, p.Int(at.Type(), int64(j)))
		}
		part := ir.MulOf(ir.CastTo(t, ir.Make(ir.BitAnd, bit, p.Int(at.Type(), 1))), p.Const(t, step))
		switch {
		case step == 0:
		case sum.IsConst(0):
			sum = part
		default:
			sum = ir.Make(ir.BitXor, sum, part)
		}
	}
	return sum, true
}

// searched chooses among entries, of which the first has the number first.
func searched(at ir.Expr, first int, entries []ir.Expr) ir.Expr {
	m := len(entries) / 2
	if m == 0 {
		return entries[0]
	}
	a, b := searched(at, first, entries[:m]), searched(at, first+m, entries[m:])
	if a == b {
		return a
	}
	return ir.SelectOf(ir.LtOf(at, at.Pool().Int(at.Type(), int64(first+m))), a, b)
}

// guessTable guesses the type of a table: the common type of its entries.
func (l *elaborator) guessTable(n int32) guess {
	g := unknown
	for _, k := range l.kids(n)[1:] {
		g = join(g, l.guesses[k], l.mixed)
	}
	return l.function(g)
}
