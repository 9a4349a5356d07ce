package claims

import (
	"math"
	"math/big"

	"github.com/rfactor-go/rfactor/ir"
)

// program is a list of expressions, compiled to be evaluated at many points of one world.
type compiled struct {
	world
	nodes []node
	roots []int
	types []ir.Type // of the roots
	regs  []value

	signed  bool // unsigned numbers may be below zero, though nothing overflows
	noPoles bool // a real number divided by zero makes a point void
}

type node struct {
	op       ir.Op
	typ      ir.Type // of the result
	from     ir.Type // of the first operand
	args     [3]int
	n        int
	constant value
	slot     int // of a variable
}

// compile compiles expressions whose variables have the slots.
func compile(w world, slots map[ir.Expr]int, es []ir.Expr) *compiled {
	p := &compiled{world: w}
	at := map[ir.Expr]int{}
	ir.Walk(es, func(e ir.Expr) {
		n := node{op: e.Op(), typ: e.Type(), n: e.NumArgs()}
		for i := range n.n {
			n.args[i] = at[e.Arg(i)]
		}
		switch {
		case n.op == ir.Const:
			n.constant = w.number(n.typ, e.Value())
		case n.op == ir.Var:
			n.slot = slots[e]
		default:
			n.from = e.Arg(0).Type()
		}
		at[e] = len(p.nodes)
		p.nodes = append(p.nodes, n)
	})
	for _, e := range es {
		p.roots, p.types = append(p.roots, at[e]), append(p.types, e.Type())
	}
	p.regs = make([]value, len(p.nodes))
	return p
}

// run evaluates at one point. The results are valid until the next run.
func (p *compiled) run(env []value) {
	for i := range p.nodes {
		n := &p.nodes[i]
		v := p.step(n, env)
		if !v.void {
			v.void = p.breaks(n.typ, v)
		}
		p.regs[i] = v
	}
}

func (p *compiled) root(i int) value { return p.regs[p.roots[i]] }

// breaks reports whether a value is one that the assumptions exclude, or grew too large.
func (p *compiled) breaks(t ir.Type, v value) bool {
	switch p.form(t) {
	case whole:
		return t.IsUnsigned() && v.z.Sign() < 0 && !p.signed || v.z.BitLen() > maxBits
	case real:
		switch {
		case v.nan:
			return p.assume.Has(ir.NNaN)
		case v.inf != 0:
			return p.assume.Has(ir.NInf)
		case v.r != nil:
			return v.r.Num().BitLen() > maxBits || v.r.Denom().BitLen() > maxBits
		}
		return false
	}
	if !t.IsFloat() || p.assume&(ir.NNaN|ir.NInf) == 0 {
		return false
	}
	f := ir.Float(t, v.bits)
	return f != f && p.assume.Has(ir.NNaN) || math.IsInf(f, 0) && p.assume.Has(ir.NInf)
}

func (p *compiled) step(n *node, env []value) value {
	switch n.op {
	case ir.Const:
		return n.constant
	case ir.Var:
		return env[n.slot]
	}
	a := p.regs[n.args[0]]
	if a.void {
		return voided
	}
	switch n.op { // what is not chosen is not computed
	case ir.Select:
		if a.bits != 0 {
			return p.regs[n.args[1]]
		}
		return p.regs[n.args[2]]
	case ir.And:
		if a.bits == 0 {
			return a
		}
		return p.regs[n.args[1]]
	case ir.Or:
		if a.bits != 0 {
			return a
		}
		return p.regs[n.args[1]]
	case ir.Cast:
		return p.cast(n.from, n.typ, a)
	}
	var b value
	if n.n == 2 {
		if b = p.regs[n.args[1]]; b.void {
			return voided
		}
	}
	switch p.form(n.from) {
	case whole:
		return p.wholeOp(n, a, b)
	case real:
		return p.realOp(n, a, b)
	}
	return p.wordOp(n, a, b)
}

func (p *compiled) wordOp(n *node, a, b value) value {
	if n.n == 1 {
		return value{bits: ir.Apply1(n.op, n.from, n.typ, a.bits)}
	}
	v := value{bits: ir.Apply2(n.op, n.from, a.bits, b.bits)}
	if n.from.IsFloat() && p.assume.Has(ir.NSZ) && (n.op == ir.Div || n.op == ir.Pow) {
		// the sign of a zero, which is ignored, would decide
		if f := ir.Float(n.from, b.bits); f == 0 && math.IsInf(ir.Float(n.typ, v.bits), 0) || n.op == ir.Pow && ir.Float(n.from, a.bits) == 0 {
			return voided
		}
	}
	return v
}

func (p *compiled) wholeOp(n *node, a, b value) value {
	z := new(big.Int)
	switch n.op {
	case ir.Neg:
		return value{z: z.Neg(a.z)}
	case ir.Abs:
		return value{z: z.Abs(a.z)}
	case ir.IsNaN:
		return value{}
	case ir.Add:
		return value{z: z.Add(a.z, b.z)}
	case ir.Sub:
		return value{z: z.Sub(a.z, b.z)}
	case ir.Mul:
		return value{z: z.Mul(a.z, b.z)}
	case ir.Div, ir.Mod: // Euclidean; math/big's are
		if b.z.Sign() == 0 {
			return value{z: z}
		}
		if n.op == ir.Div {
			return value{z: z.Div(a.z, b.z)}
		}
		return value{z: z.Mod(a.z, b.z)}
	case ir.Min:
		if b.z.Cmp(a.z) < 0 {
			return b
		}
		return a
	case ir.Max:
		if b.z.Cmp(a.z) > 0 {
			return b
		}
		return a
	case ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne:
		return decided(n.op, a.z.Cmp(b.z))
	}
	return p.bitwise(n, a, b)
}

// bitwise is an operator that sees the width: its operands must be values of the type, and a
// shift to the left must lose nothing.
func (p *compiled) bitwise(n *node, a, b value) value {
	x, ok := machine(n.from, a.z)
	if !ok {
		return voided
	}
	if n.n == 1 {
		return p.number(n.typ, ir.Apply1(n.op, n.from, n.typ, x))
	}
	y, ok := machine(n.from, b.z)
	if !ok {
		return voided
	}
	v := p.number(n.typ, ir.Apply2(n.op, n.from, x, y))
	if n.op == ir.Shl && y < uint64(n.from.Bits()) && v.z.Cmp(new(big.Int).Lsh(a.z, uint(y))) != 0 {
		return voided
	}
	return v
}

// decided is a comparison by the sign of what compares its operands.
func decided(op ir.Op, c int) value {
	switch op {
	case ir.Lt:
		return truth(c < 0)
	case ir.Le:
		return truth(c <= 0)
	case ir.Gt:
		return truth(c > 0)
	case ir.Ge:
		return truth(c >= 0)
	case ir.Eq:
		return truth(c == 0)
	}
	return truth(c != 0)
}

func (p *compiled) cast(from, to ir.Type, a value) value {
	switch p.form(from) {
	case whole:
		v, ok := machine(from, a.z)
		switch {
		case !ok:
			return voided
		case p.form(to) == real: // where real numbers stand for floats an integer is one
			return p.exact(new(big.Rat).SetInt(a.z))
		}
		return p.number(to, ir.Apply1(ir.Cast, from, to, v))
	case real:
		return p.castReal(to, a)
	}
	return p.number(to, ir.Apply1(ir.Cast, from, to, a.bits))
}

// castReal rounds to a narrower float as the machine does, and goes toward zero to an integer.
func (p *compiled) castReal(to ir.Type, a value) value {
	if to == ir.F64 {
		return a
	}
	if to == ir.Bool && !a.nan && a.inf == 0 {
		s, ok := a.sign()
		return value{bits: uint64(s * s), void: !ok}
	}
	f, ok := a.double()
	if !ok {
		return voided
	}
	if to.IsInt() && a.r != nil {
		z := new(big.Int).Quo(a.r.Num(), a.r.Denom())
		v, ok := machine(to, z)
		if !ok && z.Sign() < 0 {
			v = to.Min()
		} else if !ok {
			v = to.Max()
		}
		return p.number(to, v)
	}
	return p.number(to, ir.Apply1(ir.Cast, ir.F64, to, ir.FloatBits(ir.F64, f)))
}
