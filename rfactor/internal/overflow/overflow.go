// Package overflow tells which operations of expressions may overflow, and whether one expression adds
// such operations to what another computes.
//
//	x + y  →  select(c, x + y, 0)   adds none
//	select(c, x + y, 0)  →  x + y   adds x + y where c does not hold
package overflow

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
)

// Flags are the assumptions that take integers as unbounded; without them they wrap.
const Flags = ir.NSW | ir.NUW

// AddsNoOverflow reports whether nothing overflows in after where nothing does in before: each
// operation of after that may overflow is one of before, on the same words, and computed whenever
// that of after is. Then an equation that holds where integers wrap holds of those values in the
// other arithmetic as well.
func AddsNoOverflow(before, after []ir.Expr, unbounded ir.Assume) bool {
	wanted := operations(after, unbounded, inAll)
	if len(wanted) == 0 {
		return true
	}
	fits := operations(before, unbounded, inSome)
	for o, places := range wanted {
		for _, place := range places {
			if !slices.ContainsFunc(fits[o], func(c choices) bool { return c.subset(place) }) {
				return false
			}
		}
	}
	return true
}

// wordOperation is an operator that may overflow, on operands that are spelled in one way.
type wordOperation struct {
	op   ir.Op
	a, b ir.Expr
}

// operations lists the operations of expressions that may overflow, under assumptions by which some
// types are unbounded, with the choices under which each is computed: what a select does not choose is not.
// Join says what is known of something that is computed in one place or in another.
func operations(es []ir.Expr, unbounded ir.Assume, join func(a, b []choices) []choices) map[wordOperation][]choices {
	var order []ir.Expr
	found := false
	ir.Walk(es, func(e ir.Expr) {
		order = append(order, e)
		found = found || overflows(e, unbounded)
	})
	if !found {
		return nil
	}
	under := make(map[ir.Expr][]choices, len(order))
	reach := func(e ir.Expr, c []choices) {
		if old, ok := under[e]; ok {
			c = join(old, c)
		}
		under[e] = c
	}
	for _, e := range es {
		reach(e, []choices{nil})
	}
	out := map[wordOperation][]choices{}
	for _, e := range slices.Backward(order) { // what an expression is part of comes first
		here := under[e]
		if overflows(e, unbounded) {
			o := tidied(e)
			if old, ok := out[o]; ok {
				out[o] = join(old, here)
			} else {
				out[o] = here
			}
		}
		for i := range e.NumArgs() {
			reach(e.Arg(i), choicesOf(e, i, here))
		}
	}
	return out
}

// choicesOf are those under which operand i of e is computed, where those of e are known.
func choicesOf(e ir.Expr, i int, of []choices) []choices {
	op := e.Op()
	if i == 0 || op != ir.Select && op != ir.Or && op != ir.And {
		return of
	}
	d := choice{e.Arg(0), i == 1 && op != ir.Or}
	for d.condition.Op() == ir.Not {
		d = choice{d.condition.Arg(0), !d.holds}
	}
	out := make([]choices, len(of))
	for j, c := range of {
		out[j] = c.and(d)
	}
	return out
}

// MayOverflow reports whether an operation of expressions may overflow.
func MayOverflow(es []ir.Expr, unbounded ir.Assume) (found bool) {
	ir.Walk(es, func(e ir.Expr) { found = found || overflows(e, unbounded) })
	return found
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

// choices are conditions and how they are decided, each once.
type choices []choice

type choice struct {
	condition ir.Expr
	holds     bool
}

func (c choices) and(d choice) choices {
	if slices.Contains(c, d) {
		return c
	}
	return append(slices.Clip(c), d)
}

func (c choices) subset(of choices) bool {
	return !slices.ContainsFunc(c, func(d choice) bool { return !slices.Contains(of, d) })
}

// maxWays bounds the places of one operation that are told apart.
const maxWays = 8

// inAll are the choices of a and of b, of all of which something is to be shown; or what they have in
// common.
func inAll(a, b []choices) []choices {
	out := slices.Clone(a)
	for _, c := range b {
		if !slices.ContainsFunc(out, func(d choices) bool { return d.subset(c) }) {
			out = append(out, c)
		}
	}
	if len(out) <= maxWays {
		return out
	}
	common := slices.Clone(out[0])
	for _, c := range out[1:] {
		common = slices.DeleteFunc(common, func(d choice) bool { return !slices.Contains(c, d) })
	}
	return []choices{common}
}

// inSome are the choices of a and of b, any of which suffice, and what follows from two of them that
// differ in how a condition is decided.
func inSome(a, b []choices) []choices {
	out := slices.Clone(a)
	for i := 0; i < len(b) && len(out) < maxWays; i++ {
		c := b[i]
		if slices.ContainsFunc(out, func(d choices) bool { return d.subset(c) }) {
			continue
		}
		for _, d := range out {
			if r, ok := resolved(c, d); ok {
				b = append(slices.Clip(b), r)
			}
		}
		out = append(out, c)
	}
	return out
}

// resolved is what is left of choices of which some decide a condition in both ways.
func resolved(c, d choices) (r choices, ok bool) {
	for i, x := range c {
		if j := slices.Index(d, choice{x.condition, !x.holds}); j >= 0 {
			r = append(slices.Clone(c[:i]), c[i+1:]...)
			for k, y := range d {
				if k != j {
					r = r.and(y)
				}
			}
			return r, true
		}
	}
	return nil, false
}

// BelowZero reports whether a difference of unsigned numbers is among what is computed that the
// update does not compute, under no more conditions: under nuw the operands of ⊕ are natural
// numbers, and y − 5 may be none.
func BelowZero(computed, update []ir.Expr) bool {
	promised := operations(update, ir.NUW, inSome)
	for o, places := range operations(computed, ir.NUW, inAll) {
		for _, place := range places {
			if (o.op == ir.Sub || o.op == ir.Neg) && !slices.ContainsFunc(promised[o], func(c choices) bool { return c.subset(place) }) {
				return true
			}
		}
	}
	return false
}
