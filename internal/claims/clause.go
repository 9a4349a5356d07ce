package claims

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// clause is one thing that a claim says: left = right, component by component, wherever the
// conditions hold. Left is what the serial loop computes.
type clause struct {
	name        string
	wraps       bool // holds where integers wrap, whatever else overflows
	ofLoop      bool // is about values of the loop, not about partial results
	given       []ir.Expr
	left, right []ir.Expr
	natural     []ir.Expr // where left is defined, these unsigned values are not below zero
}

// exprs are all expressions of the clause.
func (l *clause) exprs() []ir.Expr { return slices.Concat(l.left, l.right, l.given, l.natural) }

// clauses lists everything that the claim says.
func (c *Claim) clauses() []clause {
	x, y := c.operandVars('x', c.Types), c.operandVars('y', c.Operands)
	var all []clause
	switch c.Status {
	case "staged":
		all = c.stageClauses()
	case "lifted":
		all = c.liftClauses(x)
	default:
		all = c.operatorClauses(x, y)
	}
	return append(all, c.startClauses()...)
}

// operatorClauses are about the update and the operator on its state.
func (c *Claim) operatorClauses(x, y []ir.Expr) []clause {
	z := c.operandVars('z', c.Operands)
	apply := func(a, b []ir.Expr) []ir.Expr { return c.substitute(c.Operator, a, b) }
	all := []clause{
		{name: "update = x ⊕ inject", ofLoop: true, given: c.promised(), left: c.Update, right: apply(x, c.Inject), natural: c.Inject},
		{name: "associativity", given: c.holds(x, y, z), left: apply(apply(x, y), z), right: apply(x, apply(y, z))},
	}
	if c.Commutative {
		all = append(all, clause{name: "commutativity", given: c.holds(x, y), left: apply(x, y), right: apply(y, x)})
	}
	if c.Idempotent {
		all = append(all, clause{name: "idempotence", given: c.holds(x), left: apply(x, x), right: x})
	}
	if e := c.Identity; e != nil {
		if c.Side == "left" || c.Side == "two" {
			all = append(all, clause{name: "left identity", wraps: true, given: c.holds(y), left: y, right: apply(e, y)})
		}
		if c.Side == "right" || c.Side == "two" {
			all = append(all, clause{name: "right identity", wraps: true, given: c.holds(x), left: x, right: apply(x, e)})
		}
		if c.Side == "middle" {
			all = append(all, clause{name: "middle identity", wraps: true, given: c.holds(x, y), left: apply(x, y), right: apply(apply(x, e), y)})
		}
		all = append(all, c.invariant("the identity has what is given", e, nil, true))
	}
	if len(c.states()) > 0 {
		inject := c.invariant("inject has what is given", c.Inject, c.inputs(), false)
		inject.ofLoop = true
		all = append(all, inject, c.invariant("⊕ keeps what is given", apply(x, y), c.holds(x, y), false))
	}
	return slices.DeleteFunc(all, func(l clause) bool { return len(l.left) == 0 })
}

// liftClauses are about steps and their composition.
func (c *Claim) liftClauses(x []ir.Expr) []clause {
	p, q := c.operandVars('p', c.Operands), c.operandVars('q', c.Operands)
	all := []clause{
		{name: "update = apply(x, inject)", ofLoop: true, given: c.promised(), left: c.Update, right: c.act(x, c.Inject), natural: c.Inject},
		{name: "apply(apply(x, p), q) = apply(x, p ∘ q)", left: c.act(c.act(x, p), q), right: c.act(x, c.substitute(c.Operator, p, q))},
	}
	if c.Identity != nil {
		all = append(all, clause{name: "apply(x, identity) = x", wraps: true, left: x, right: c.act(x, c.Identity)})
		if c.Assumes&(ir.NSW|ir.NUW) != 0 {
			all = append(all, clause{name: "apply(x, identity) = x, unbounded", left: x, right: c.act(x, c.Identity)})
		}
		if l, ok := c.wideIdentity(); ok {
			all = append(all, l)
		}
	}
	if len(c.Initial) > 0 && len(c.states()) > 0 { // an invariant is claimed, not promised
		step := c.invariant("a step keeps what is given", c.Update, c.promised(), false)
		step.ofLoop = true
		all = append(all, step)
	}
	return all
}

// startClauses are about the initial value.
func (c *Claim) startClauses() []clause {
	if len(c.Initial) == 0 || len(c.states()) == 0 {
		return nil
	}
	init := c.operandVars('x', c.Types)
	for i := range init {
		if i < len(c.Initial) && c.Initial[i].IsValid() {
			init[i] = c.Initial[i]
		} else { // nothing is said of this component: it may be anything
			init[i] = c.Pool.X(i, c.Types[i])
		}
	}
	return []clause{c.invariant("the initial value has what is given", init, nil, true)}
}

// states are the conditions on the state and constants.
func (c *Claim) states() (out []ir.Expr) {
	for _, g := range c.Given {
		if !onInput(g) {
			out = append(out, g)
		}
	}
	return out
}

// inputs are the conditions on inputs and constants, and that coordinates are not negative.
func (c *Claim) inputs() []ir.Expr {
	out := c.nonNegative()
	for _, g := range c.Given {
		if g.States() == 0 {
			out = append(out, g)
		}
	}
	return out
}

// promised is what holds before each step of the loop.
func (c *Claim) promised() []ir.Expr { return append(c.nonNegative(), c.Given...) }

func (c *Claim) nonNegative() (out []ir.Expr) {
	for _, l := range c.Leaves {
		if l.NonNeg && l.Var.Type().IsNumeric() {
			out = append(out, ir.LeOf(c.Pool.Int(l.Var.Type(), 0), l.Var))
		}
	}
	return out
}

func onInput(e ir.Expr) bool {
	return slices.ContainsFunc(ir.Vars(e), func(v ir.Expr) bool { return v.Kind() == ir.Leaf || v.Kind() == ir.Coord })
}

// holds is what is given of operands.
func (c *Claim) holds(tuples ...[]ir.Expr) (out []ir.Expr) {
	for _, t := range tuples {
		out = append(out, c.substitute(c.states(), t, nil)...)
	}
	return out
}

// invariant says that a tuple has what is given of states. What is said of constants alone is
// granted.
func (c *Claim) invariant(name string, tuple, given []ir.Expr, wraps bool) clause {
	l := clause{name: name, wraps: wraps, given: slices.Clone(given)}
	for _, g := range c.states() {
		if g.States() == 0 {
			l.given = append(l.given, g)
			continue
		}
		l.left = append(l.left, c.Pool.Bool(true))
		l.right = append(l.right, c.substitute([]ir.Expr{g}, tuple, nil)...)
	}
	return l
}

// wideIdentity says that the identity is one where states and parameters are computed in the
// wide types; false where these are the operator's, or apply cannot be read in them.
func (c *Claim) wideIdentity() (l clause, ok bool) {
	if slices.Equal(c.Wide, c.Operands) {
		return l, false
	}
	w := &Claim{Pool: c.Pool, Leaves: c.Leaves, Operands: c.Wide}
	for _, t := range c.Types {
		w.Types = append(w.Types, wider(t))
	}
	e, err := w.parse(c.identity, c.Wide, c.constantScope())
	if err != nil {
		return l, false
	}
	if w.Apply, ok = c.widen(c.Apply); !ok {
		return l, false
	}
	x := w.operandVars('x', w.Types)
	return clause{name: fmt.Sprint("apply(x, identity) = x in ", c.Wide), wraps: true, left: x, right: w.act(x, e)}, true
}

func wider(t ir.Type) ir.Type {
	if t.IsSigned() {
		return ir.I64
	}
	return t
}

// widen reads expressions in wider types; false where an operator sees the width.
func (c *Claim) widen(es []ir.Expr) (_ []ir.Expr, ok bool) {
	wide := map[ir.Expr]ir.Expr{}
	ok = true
	ir.Walk(es, func(e ir.Expr) {
		var args []ir.Expr
		for i := range e.NumArgs() {
			args = append(args, wide[e.Arg(i)])
		}
		switch t := wider(e.Type()); e.Op() {
		case ir.Const:
			wide[e] = c.Pool.Const(t, e.Value())
		case ir.Var:
			wide[e] = c.Pool.Var(e.Kind(), e.Name(), e.Index(), t)
			if e.Kind() == ir.Param {
				wide[e] = ir.CastTo(t, e)
			}
		case ir.Cast:
			wide[e] = ir.CastTo(t, args[0])
			ok = ok && e.Type().IsSigned() && e.Arg(0).Type().IsSigned()
		case ir.BitAnd, ir.BitOr, ir.BitXor, ir.BitNot, ir.Shl, ir.Shr, ir.SatAdd, ir.SatSub,
			ir.PopCount, ir.Clz, ir.Ctz, ir.BitReverse:
			if ok = ok && !e.Type().IsSigned(); ok {
				wide[e] = ir.Rebuild(e, args)
			} else {
				wide[e] = c.Pool.Const(t, 0)
			}
		default:
			wide[e] = ir.Make(e.Op(), args...)
		}
	})
	var out []ir.Expr
	for _, e := range es {
		out = append(out, wide[e])
	}
	return out, ok
}
