package mutants

import (
	"math"
	"math/rand/v2"

	"github.com/rfactor-go/rfactor/ir"
)

// changed is an expression with one change: an operator replaced by another, a literal by a
// neighbour, operands swapped, a variable replaced, a cast or a negation dropped or added, a
// subterm replaced by an operand. It has the type of e; vars are the variables in scope. The
// zero Expr means that no change was found.
func changed(rng *rand.Rand, e ir.Expr, vars []ir.Expr) ir.Expr {
	var subterms []ir.Expr
	ir.Walk([]ir.Expr{e}, func(s ir.Expr) { subterms = append(subterms, s) })
	for range 12 {
		at := subterms[rng.IntN(len(subterms))]
		by := changes[rng.IntN(len(changes))](rng, at, vars)
		if !by.IsValid() || by == at || by.Type() != at.Type() {
			continue
		}
		out := ir.Subst(e, []ir.Expr{at}, []ir.Expr{by})
		if rng.IntN(2) == 0 { // in one place alone
			out = replaceOne(rng, e, at, by)
		}
		if out != e {
			return out
		}
	}
	return ir.Expr{}
}

// replaceOne replaces one occurrence of a subterm, which it looks for from the root.
func replaceOne(rng *rand.Rand, e, at, by ir.Expr) ir.Expr {
	if e == at {
		return by
	}
	args := make([]ir.Expr, e.NumArgs())
	for i := range args {
		args[i] = e.Arg(i)
	}
	for _, i := range rng.Perm(len(args)) {
		if contains(args[i], at) {
			args[i] = replaceOne(rng, args[i], at, by)
			return ir.Rebuild(e, args)
		}
	}
	return e
}

func contains(e, at ir.Expr) (found bool) {
	ir.Walk([]ir.Expr{e}, func(s ir.Expr) { found = found || s == at })
	return found
}

// changes are the ways to change a subterm. Each answers an expression of any type, or the
// zero Expr; operators and literals stand twice, since most mistakes are there.
var changes = []func(*rand.Rand, ir.Expr, []ir.Expr) ir.Expr{
	otherOperator, otherOperator, otherLiteral, otherLiteral, swapped, otherVariable, otherVariable, negated, castAway, operand, asLiteral, strictness,
}

func otherOperator(rng *rand.Rand, e ir.Expr, _ []ir.Expr) ir.Expr {
	n := e.NumArgs()
	if n == 0 || e.Op() == ir.Call || e.Op() == ir.Cast {
		return ir.Expr{}
	}
	args, types := operandsOf(e)
	var ops []ir.Op
	for op := ir.Neg; int(op) < ir.NumOps; op++ {
		if op == ir.Cast || op.Arity() != n {
			continue
		}
		if t, err := ir.CheckTypes(op, types...); err == nil && t == e.Type() {
			ops = append(ops, op)
		}
	}
	return ir.Make(ops[rng.IntN(len(ops))], args...)
}

func operandsOf(e ir.Expr) (args []ir.Expr, types []ir.Type) {
	for i := range e.NumArgs() {
		args, types = append(args, e.Arg(i)), append(types, e.Arg(i).Type())
	}
	return args, types
}

func otherLiteral(rng *rand.Rand, e ir.Expr, _ []ir.Expr) ir.Expr {
	if e.Op() != ir.Const {
		return ir.Expr{}
	}
	return literalNear(rng, e.Pool(), e.Type(), e.Value())
}

// literalNear is a literal beside v, or one that is often an identity or a limit.
func literalNear(rng *rand.Rand, p *ir.Pool, t ir.Type, v uint64) ir.Expr {
	if t == ir.Bool {
		return p.Const(t, v^1)
	}
	if t.IsFloat() {
		f := ir.Float(t, v)
		return p.Float(t, []float64{f + 1, f - 1, -f, 0, 1, math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}[rng.IntN(8)])
	}
	return p.Const(t, t.Wrap([]uint64{v + 1, v - 1, -v, 0, 1, t.Min(), t.Max()}[rng.IntN(7)]))
}

// asLiteral replaces a subterm by a literal.
func asLiteral(rng *rand.Rand, e ir.Expr, _ []ir.Expr) ir.Expr {
	return literalNear(rng, e.Pool(), e.Type(), 0)
}

func swapped(rng *rand.Rand, e ir.Expr, _ []ir.Expr) ir.Expr {
	args, types := operandsOf(e)
	n := len(args)
	if n < 2 || types[n-1] != types[n-2] || e.Op() == ir.Call {
		return ir.Expr{}
	}
	args[n-1], args[n-2] = args[n-2], args[n-1]
	return ir.Rebuild(e, args)
}

func otherVariable(rng *rand.Rand, e ir.Expr, vars []ir.Expr) ir.Expr {
	if e.Op() != ir.Var || len(vars) == 0 {
		return ir.Expr{}
	}
	for range 8 {
		if v := vars[rng.IntN(len(vars))]; v != e && v.Type() == e.Type() {
			return v
		}
	}
	return ir.Expr{}
}

func negated(_ *rand.Rand, e ir.Expr, _ []ir.Expr) ir.Expr {
	switch {
	case e.Op() == ir.Neg || e.Op() == ir.Not || e.Op() == ir.BitNot || e.Op() == ir.Abs:
		return e.Arg(0)
	case e.Type() == ir.Bool:
		return ir.NotOf(e)
	}
	return ir.NegOf(e)
}

// castAway drops a cast where its operand has the right type, goes through another type, or
// casts the operand of a cast to another type first.
func castAway(rng *rand.Rand, e ir.Expr, _ []ir.Expr) ir.Expr {
	through := ir.Type(1 + rng.IntN(ir.NumTypes-1))
	if e.Op() == ir.Cast {
		return ir.CastTo(e.Type(), ir.CastTo(through, e.Arg(0)))
	}
	for i := range e.NumArgs() {
		if a := e.Arg(i); a.Op() == ir.Cast && a.Arg(0).Type() == e.Type() {
			return a.Arg(0)
		}
	}
	return ir.CastTo(e.Type(), ir.CastTo(through, e))
}

func operand(rng *rand.Rand, e ir.Expr, _ []ir.Expr) ir.Expr {
	if e.NumArgs() == 0 {
		return ir.Expr{}
	}
	return e.Arg(rng.IntN(e.NumArgs()))
}

// strictness takes < for <= and the other way around, and > for >=.
func strictness(_ *rand.Rand, e ir.Expr, _ []ir.Expr) ir.Expr {
	other, ok := map[ir.Op]ir.Op{ir.Lt: ir.Le, ir.Le: ir.Lt, ir.Gt: ir.Ge, ir.Ge: ir.Gt}[e.Op()]
	if !ok {
		return ir.Expr{}
	}
	return ir.Make(other, e.Arg(0), e.Arg(1))
}
