package claims

import (
	"math"
	"math/big"

	"github.com/rfactor-go/rfactor/ir"
)

// This file evaluates terms under assumptions. Integers that are assumed not to overflow make a
// point worthless where they do; floats are rational numbers under reassoc and IEEE otherwise.

// val is a value: of a float under reassoc a rational number or ±∞, else its bits.
type val struct {
	bits uint64
	rat  *big.Rat
	inf  int
}

// arithmetic is what evaluation assumes.
type arithmetic struct {
	assume ir.Assume
	// approx evaluates floats in double precision and compares them with a tolerance:
	// for exp, log and sqrt over the reals.
	approx bool
}

func (a arithmetic) real(t ir.Type) bool { return t.IsFloat() && a.assume.Has(ir.Reassoc) && !a.approx }

// code is a list of expressions compiled for evaluation at many points.
type code struct {
	arithmetic
	nodes []ir.Expr
	args  [][]int
	roots []int
	regs  []val
	bad   bool // the last point lies outside what is assumed
}

func compileCode(a arithmetic, es []ir.Expr) *code {
	c := &code{arithmetic: a}
	at := map[ir.Expr]int{}
	var visit func(e ir.Expr) int
	visit = func(e ir.Expr) int {
		if i, ok := at[e]; ok {
			return i
		}
		var args []int
		for i := range e.NumArgs() {
			args = append(args, visit(e.Arg(i)))
		}
		c.nodes, c.args = append(c.nodes, e), append(c.args, args)
		at[e] = len(c.nodes) - 1
		return at[e]
	}
	for _, e := range es {
		c.roots = append(c.roots, visit(e))
	}
	c.regs = make([]val, len(c.nodes))
	return c
}

// run evaluates at one point; false if the point breaks an assumption.
func (c *code) run(env func(ir.Expr) val) ([]val, bool) {
	c.bad = false
	for i, e := range c.nodes {
		c.regs[i] = c.step(e, c.args[i], env)
		if c.assume.Has(ir.NNaN) && e.Type().IsFloat() && c.regs[i].rat == nil && c.regs[i].inf == 0 {
			f := ir.Float(e.Type(), c.regs[i].bits)
			c.bad = c.bad || f != f
		}
	}
	out := make([]val, len(c.roots))
	for i, r := range c.roots {
		out[i] = c.regs[r]
	}
	return out, !c.bad
}

func (c *code) step(e ir.Expr, args []int, env func(ir.Expr) val) val {
	switch e.Op() {
	case ir.Const:
		return c.fromBits(e.Type(), e.Value())
	case ir.Var, ir.Call:
		return env(e)
	case ir.Select:
		if c.regs[args[0]].bits != 0 {
			return c.regs[args[1]]
		}
		return c.regs[args[2]]
	}
	a, t := c.regs[args[0]], e.Arg(0).Type()
	if c.real(t) || c.real(e.Type()) {
		var b val
		if len(args) > 1 {
			b = c.regs[args[1]]
		}
		return c.stepReal(e, t, a, b)
	}
	if len(args) == 1 {
		if c.assume.Unbounded(t) && (e.Op() == ir.Neg || e.Op() == ir.Abs) {
			c.leaves(t, e.Op(), a.bits, 0)
		}
		return val{bits: ir.Apply1(e.Op(), t, e.Type(), a.bits)}
	}
	b := c.regs[args[1]]
	if c.assume.Unbounded(t) {
		c.leaves(t, e.Op(), a.bits, b.bits)
	}
	if c.assume.Has(ir.NSZ) && e.Op() == ir.Div && t.IsFloat() && ir.Float(t, b.bits) == 0 {
		c.bad = true // the sign of the quotient is that of the zero
	}
	return val{bits: ir.Apply2(e.Op(), t, a.bits, b.bits)}
}

// leaves marks the point as bad where the exact result leaves the type.
func (c *code) leaves(t ir.Type, op ir.Op, a, b uint64) {
	x, y, z := exactInt(t, a), exactInt(t, b), new(big.Int)
	switch op {
	case ir.Add:
		z.Add(x, y)
	case ir.Sub:
		z.Sub(x, y)
	case ir.Mul:
		z.Mul(x, y)
	case ir.Shl:
		z.Lsh(x, uint(min(b, 64))) // all of what is not 0 is lost, and more is no different
	case ir.Neg:
		z.Neg(x)
	case ir.Abs:
		z.Abs(x)
	case ir.Div:
		if y.Sign() != 0 {
			z.Div(x, y)
		}
	default:
		return
	}
	if z.Cmp(exactInt(t, t.Min())) < 0 || z.Cmp(exactInt(t, t.Max())) > 0 {
		c.bad = true
	}
}

func exactInt(t ir.Type, v uint64) *big.Int {
	if t.IsSigned() {
		return big.NewInt(int64(v))
	}
	return new(big.Int).SetUint64(v)
}

func (a arithmetic) fromBits(t ir.Type, v uint64) val {
	if !a.real(t) {
		return val{bits: v}
	}
	f := ir.Float(t, v)
	switch {
	case math.IsInf(f, 0):
		return val{inf: int(math.Copysign(1, f))}
	case f != f:
		return val{bits: 1} // no number; comparisons with it are never reached
	}
	return val{rat: new(big.Rat).SetFloat64(f)}
}

// stepReal is an operation that takes or gives real numbers.
func (c *code) stepReal(e ir.Expr, t ir.Type, a, b val) val {
	if !t.IsFloat() { // a cast from an integer
		n := exactInt(t, a.bits)
		if n.BitLen() > 24 {
			c.bad = true
		}
		return val{rat: new(big.Rat).SetInt(n)}
	}
	isBinary := e.NumArgs() == 2
	if a.rat == nil && a.inf == 0 || isBinary && b.rat == nil && b.inf == 0 {
		c.bad = true
		return val{rat: new(big.Rat)}
	}
	switch e.Op() {
	case ir.Neg:
		return negReal(a)
	case ir.Abs:
		if a.inf < 0 || a.inf == 0 && a.rat.Sign() < 0 {
			return negReal(a)
		}
		return a
	case ir.IsNaN:
		return val{}
	case ir.Cast:
		return c.castReal(e.Type(), t, a)
	case ir.Add, ir.Sub:
		if e.Op() == ir.Sub {
			b = negReal(b)
		}
		return c.addReal(a, b)
	case ir.Mul:
		return c.mulReal(a, b)
	case ir.Div:
		switch {
		case b.inf != 0 && a.inf != 0 || b.inf == 0 && b.rat.Sign() == 0:
			c.bad = true
			return val{rat: new(big.Rat)}
		case b.inf != 0:
			return val{rat: new(big.Rat)}
		}
		return c.mulReal(a, val{rat: new(big.Rat).Inv(b.rat)})
	}
	return compareReal(e.Op(), a, b)
}

func compareReal(op ir.Op, a, b val) val {
	order := a.inf - b.inf
	if a.inf == 0 && b.inf == 0 {
		order = a.rat.Cmp(b.rat)
	}
	holds := false
	switch op {
	case ir.Min, ir.Max:
		if (order <= 0) == (op == ir.Min) {
			return a
		}
		return b
	case ir.Lt:
		holds = order < 0
	case ir.Le:
		holds = order <= 0
	case ir.Gt:
		holds = order > 0
	case ir.Ge:
		holds = order >= 0
	case ir.Eq:
		holds = order == 0
	case ir.Ne:
		holds = order != 0
	default:
		panic("unexpected " + op.String())
	}
	if holds {
		return val{bits: 1}
	}
	return val{}
}

func negReal(a val) val {
	if a.inf != 0 {
		return val{inf: -a.inf}
	}
	return val{rat: new(big.Rat).Neg(a.rat)}
}

func (c *code) addReal(a, b val) val {
	switch {
	case a.inf*b.inf < 0:
		c.bad = true
		return val{rat: new(big.Rat)}
	case a.inf != 0:
		return a
	case b.inf != 0:
		return b
	}
	return val{rat: new(big.Rat).Add(a.rat, b.rat)}
}

func (c *code) mulReal(a, b val) val {
	if a.inf == 0 && b.inf == 0 {
		return val{rat: new(big.Rat).Mul(a.rat, b.rat)}
	}
	sign := func(v val) int {
		if v.inf != 0 {
			return v.inf
		}
		return v.rat.Sign()
	}
	if s := sign(a) * sign(b); s != 0 {
		return val{inf: s}
	}
	c.bad = true
	return val{rat: new(big.Rat)}
}

// castReal converts a real number: exactly to a float, toward zero to an integer.
func (c *code) castReal(to, from ir.Type, a val) val {
	switch {
	case to.IsFloat():
		if to != from {
			c.bad = true // rounding is no operation on real numbers
		}
		return a
	case a.inf != 0:
		return val{bits: ir.Apply1(ir.Cast, ir.F64, to, ir.FloatBits(ir.F64, math.Inf(a.inf)))}
	}
	f, _ := a.rat.Float64()
	return val{bits: ir.Apply1(ir.Cast, ir.F64, to, ir.FloatBits(ir.F64, f))}
}

// same reports whether two results of type t are one, as far as is assumed.
func (a arithmetic) same(t ir.Type, x, y val) bool {
	switch {
	case a.real(t):
		if x.rat == nil || y.rat == nil {
			return x.inf == y.inf
		}
		return x.rat.Cmp(y.rat) == 0
	case !t.IsFloat():
		return x.bits == y.bits
	}
	f, g := ir.Float(t, x.bits), ir.Float(t, y.bits)
	switch {
	case f != f || g != g:
		return f != f && g != g || a.approx
	case a.approx:
		return f == g || math.Abs(f-g) <= 1e-3*(1+math.Abs(f)+math.Abs(g)) || math.Abs(f) > 1e18
	case f == 0 && g == 0:
		return a.assume.Has(ir.NSZ) || math.Signbit(f) == math.Signbit(g)
	}
	return f == g
}

// isTranscendental reports whether expressions leave the rational numbers.
func isTranscendental(es []ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) {
		found = found || e.Op().FloatsOnly()
	})
	return found
}
