// Package overflow tells which operations of expressions may overflow, and whether one expression adds
// such operations to what another computes.
//
//	x + y  →  select(c, x + y, 0)   adds none
//	select(c, x + y, 0)  →  x + y   adds x + y, which is computed only where c holds
package overflow

import (
	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
)

// Flags are the assumptions that take integers as unbounded; without them they wrap.
const Flags = ir.NSW | ir.NUW

// AddsNoOverflow reports whether after overflows only where before does: before always computes each operation of after that may
// overflow, on the same words. An equation that holds where integers wrap then holds of unbounded integers as well, for all
// values at which before does not overflow. Package verify checks the same condition.
func AddsNoOverflow(before, after []ir.Expr, unbounded ir.Assume) bool {
	return !adds(before, after, unbounded, ir.Op.MayOverflow)
}

// adds reports whether after computes an operation of certain operators that before does not always
// compute.
func adds(before, after []ir.Expr, unbounded ir.Assume, counts func(ir.Op) bool) bool {
	if !MayOverflow(after, unbounded) {
		return false
	}
	promised := map[wordOperation]bool{}
	always(before, func(e ir.Expr) {
		if overflows(e, unbounded) {
			promised[tidied(e)] = true
		}
	})
	found := false
	ir.Walk(after, func(e ir.Expr) {
		found = found || overflows(e, unbounded) && counts(e.Op()) && !promised[tidied(e)]
	})
	return found
}

// always calls f for the terms that are computed whatever is chosen: of a select and of
// connectives only the first operand is.
func always(es []ir.Expr, f func(ir.Expr)) {
	computed := map[ir.Expr]bool{}
	var visit func(e ir.Expr)
	visit = func(e ir.Expr) {
		if computed[e] {
			return
		}
		computed[e] = true
		f(e)
		n, op := e.NumArgs(), e.Op()
		if op == ir.Select || op == ir.Or || op == ir.And {
			n = 1
		}
		for i := range n {
			visit(e.Arg(i))
		}
	}
	for _, e := range es {
		visit(e)
	}
}

// wordOperation is an operator that may overflow, on operands that are spelled in one way.
type wordOperation struct {
	op   ir.Op
	a, b ir.Expr
}

// MayOverflow reports whether an operation of expressions may overflow.
func MayOverflow(es []ir.Expr, unbounded ir.Assume) (found bool) {
	ir.Walk(es, func(e ir.Expr) { found = found || overflows(e, unbounded) })
	return found
}

// StateMayOverflow reports whether an operation of expressions on the state may overflow. Where only operations on inputs
// do, promises about them tell a search nothing of the state.
func StateMayOverflow(es []ir.Expr, unbounded ir.Assume) (found bool) {
	ir.Walk(es, func(e ir.Expr) { found = found || e.States() != 0 && overflows(e, unbounded) })
	return found
}

// StateIsInRing reports whether the state is computed by sums, differences, bitwise operations and choices alone.
// Integers that wrap are a ring as unbounded ones are, so that promises about overflow make no more equal.
func StateIsInRing(es []ir.Expr) bool {
	ring := true
	ir.Walk(es, func(e ir.Expr) {
		switch e.Op() {
		case ir.Var, ir.Select, ir.Add, ir.Sub, ir.Neg, ir.And, ir.Or, ir.Not, ir.BitAnd, ir.BitOr, ir.BitXor:
		default:
			ring = ring && (e.NumArgs() == 0 || e.States() == 0)
		}
	})
	return ring
}

func overflows(e ir.Expr, unbounded ir.Assume) bool {
	return e.Op().MayOverflow() && unbounded.Unbounded(e.Arg(0).Type())
}

func tidied(e ir.Expr) wordOperation {
	o := wordOperation{op: e.Op(), a: word(e.Arg(0))}
	if e.NumArgs() > 1 {
		o.b = word(e.Arg(1))
	}
	if o.op.Commutes() && o.b.ID() < o.a.ID() {
		o.a, o.b = o.b, o.a
	}
	return o
}

// word returns the spelling of a term that stands for all those which the checker takes for the same
// word: simplified, where nothing in it is decided, else its operator on the spellings of its operands.
//
//	y + 3 - 3        →  y
//	abs(y + 3 - 3)   →  abs(y)
//	abs(y) + 3 - 3   stays: package verify compares sums, and this is one only once the sign of y is decided
func word(e ir.Expr) ir.Expr {
	decides := false
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) { decides = decides || isDecided(e) })
	if !decides {
		return canon.Greedy(e, 0)
	}
	if e.NumArgs() == 0 {
		return e
	}
	args := make([]ir.Expr, e.NumArgs())
	for i := range args {
		args[i] = word(e.Arg(i))
	}
	if e.Op().Commutes() && args[1].ID() < args[0].ID() {
		args[0], args[1] = args[1], args[0]
	}
	return ir.Rebuild(e, args)
}

// isDecided reports whether a proof by cases asks a condition to evaluate the operator of e.
func isDecided(e ir.Expr) bool {
	switch e.Op() {
	case ir.Const:
		return false
	case ir.Select, ir.Abs, ir.Min, ir.Max, ir.SatAdd, ir.SatSub:
		return true
	}
	return e.Type() == ir.Bool
}

// BelowZero reports whether a difference of unsigned numbers is among what is computed that the
// update does not always compute: under nuw the operands of ⊕ are natural numbers, and y − 5 may
// be none.
func BelowZero(computed, update []ir.Expr) bool {
	return adds(update, computed, ir.NUW, func(op ir.Op) bool { return op == ir.Sub || op == ir.Neg })
}
