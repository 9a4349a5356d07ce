package provetest

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// model evaluates in the semantics that a set of assumptions claims: integers assumed
// unbounded in ℤ, floats under reassoc in ℚ, all else as ir.Eval. A point is void where it
// leaves what the assumptions promise: an unsigned number below zero, a quotient by zero, a
// NaN under nnan. Where an operator sees the width, its operands must fit it.
type model struct {
	assume ir.Assume
	at     map[ir.Expr]value
	memo   map[ir.Expr]value
	void   bool
}

// value is an integer of ℤ, a rational, or a carried value.
type value struct {
	z    *big.Int
	q    *big.Rat
	bits uint64
}

func (m *model) isZ(t ir.Type) bool { return m.assume.Unbounded(t) }
func (m *model) isQ(t ir.Type) bool { return t.IsFloat() && m.assume.Has(ir.Reassoc) }

func (v value) String() string {
	switch {
	case v.z != nil:
		return v.z.String()
	case v.q != nil:
		return v.q.RatString()
	}
	return fmt.Sprintf("%#x", v.bits)
}

// of reads a carried value.
func (m *model) of(t ir.Type, v uint64) value {
	switch {
	case m.isZ(t):
		return value{z: integerOf(t, v)}
	case m.isQ(t):
		q := new(big.Rat)
		if f := ir.Float(t, v); f-f == 0 {
			q.SetFloat64(f)
		} else {
			m.void = true
		}
		return value{q: q}
	}
	return value{bits: v}
}

// carried returns v as a machine value, where it is one.
func (m *model) carried(t ir.Type, v value) uint64 {
	if v.z == nil {
		return v.bits
	}
	lo, hi := limits(t)
	if v.z.Cmp(lo) < 0 || v.z.Cmp(hi) > 0 {
		m.void = true
		return 0
	}
	return t.Wrap(new(big.Int).And(v.z, new(big.Int).SetUint64(math.MaxUint64)).Uint64())
}

func (m *model) eval(e ir.Expr) value {
	if v, ok := m.memo[e]; ok {
		return v
	}
	v := m.root(e)
	t := e.Type()
	switch {
	case v.z != nil:
		m.void = m.void || t.IsUnsigned() && v.z.Sign() < 0 || v.z.BitLen() > 2000
	case v.q != nil:
		m.void = m.void || v.q.Num().BitLen() > 2000 || v.q.Denom().BitLen() > 2000
	case t.IsFloat():
		f := ir.Float(t, v.bits)
		m.void = m.void || f != f && m.assume.Has(ir.NNaN) || math.IsInf(f, 0) && m.assume.Has(ir.NInf)
	}
	m.memo[e] = v
	return v
}

func truthValue(b bool) value { return value{bits: uint64(b2i(b))} }

func (m *model) root(e ir.Expr) value {
	t := e.Type()
	switch e.Op() {
	case ir.Const:
		return m.of(t, e.Value())
	case ir.Var:
		return m.at[e]
	case ir.Call:
		return m.function(t, fmt.Sprint(e.Name(), e.Index()), e)
	case ir.Select:
		if m.eval(e.Arg(0)).bits != 0 {
			return m.eval(e.Arg(1))
		}
		return m.eval(e.Arg(2))
	case ir.And: // the language evaluates both, but a void operand that does not count is none
		return truthValue(m.eval(e.Arg(0)).bits != 0 && m.eval(e.Arg(1)).bits != 0)
	case ir.Or:
		return truthValue(m.eval(e.Arg(0)).bits != 0 || m.eval(e.Arg(1)).bits != 0)
	}
	a, from := m.eval(e.Arg(0)), e.Arg(0).Type()
	var b value
	if e.NumArgs() == 2 {
		b = m.eval(e.Arg(1))
	}
	switch {
	case m.void:
		return value{z: a.z, q: a.q}
	case e.Op() == ir.Cast:
		return m.cast(from, t, a)
	case a.z != nil:
		if b.z == nil {
			b = a // of a unary operator
		}
		return m.integer(e.Op(), from, a, b)
	case a.q != nil:
		return m.rational(e, a, b)
	case e.NumArgs() == 1:
		return value{bits: ir.Apply1(e.Op(), from, t, a.bits)}
	}
	if m.assume.Has(ir.NSZ) && from.IsFloat() && (e.Op() == ir.Div || e.Op() == ir.Pow) {
		// here the sign of a zero decides between infinities
		m.void = m.void || ir.Float(from, a.bits) == 0 || ir.Float(from, b.bits) == 0
	}
	return value{bits: ir.Apply2(e.Op(), from, a.bits, b.bits)}
}

// function returns an arbitrary function of its operands, by a hash.
func (m *model) function(t ir.Type, name string, e ir.Expr) value {
	h := fnv.New64a()
	fmt.Fprint(h, name, t)
	for i := range e.NumArgs() {
		v := m.eval(e.Arg(i))
		if at := e.Arg(i).Type(); m.assume.Has(ir.NSZ) && at.IsFloat() && v.q == nil && ir.Float(at, v.bits) == 0 {
			v.bits = 0
		}
		fmt.Fprint(h, " ", v)
	}
	n := h.Sum64()
	if m.isQ(t) {
		return value{q: big.NewRat(int64(n%9)-4, 1)}
	}
	rng := rand.New(rand.NewPCG(n, 2))
	return m.of(t, testpoint.Draw(rng, t, m.assume, rng.IntN(4)))
}

func (m *model) integer(op ir.Op, t ir.Type, a, b value) value {
	z := new(big.Int)
	switch op {
	case ir.Neg:
		return value{z: z.Neg(a.z)}
	case ir.Abs:
		return value{z: z.Abs(a.z)}
	case ir.BitNot:
		if t.IsUnsigned() {
			_, hi := limits(t)
			return value{z: z.Sub(hi, a.z)}
		}
		return value{z: z.Not(a.z)}
	case ir.IsNaN:
		return truthValue(false)
	case ir.Add:
		return value{z: z.Add(a.z, b.z)}
	case ir.Sub:
		return value{z: z.Sub(a.z, b.z)}
	case ir.Mul:
		return value{z: z.Mul(a.z, b.z)}
	case ir.Div:
		q, _ := euclid(a.z, b.z)
		return value{z: q}
	case ir.Mod:
		_, r := euclid(a.z, b.z)
		return value{z: r}
	case ir.Min, ir.Max:
		if (a.z.Cmp(b.z) < 0) == (op == ir.Min) {
			return a
		}
		return b
	case ir.BitAnd:
		return value{z: z.And(a.z, b.z)}
	case ir.BitOr:
		return value{z: z.Or(a.z, b.z)}
	case ir.BitXor:
		return value{z: z.Xor(a.z, b.z)}
	case ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne:
		return compareBy(op, a.z.Cmp(b.z))
	case ir.PopCount, ir.Clz, ir.Ctz, ir.BitReverse:
		return m.of(t, ir.Apply1(op, t, t, m.carried(t, a)))
	}
	return m.of(t, ir.Apply2(op, t, m.carried(t, a), m.carried(t, b)))
}

func compareBy(op ir.Op, c int) value {
	return truthValue(map[ir.Op]bool{ir.Lt: c < 0, ir.Le: c <= 0, ir.Gt: c > 0, ir.Ge: c >= 0, ir.Eq: c == 0, ir.Ne: c != 0}[op])
}

func (m *model) rational(e ir.Expr, a, b value) value {
	q := new(big.Rat)
	switch op := e.Op(); op {
	case ir.Neg:
		return value{q: q.Neg(a.q)}
	case ir.Abs:
		return value{q: q.Abs(a.q)}
	case ir.IsNaN:
		return truthValue(false)
	case ir.Add:
		return value{q: q.Add(a.q, b.q)}
	case ir.Sub:
		return value{q: q.Sub(a.q, b.q)}
	case ir.Mul:
		return value{q: q.Mul(a.q, b.q)}
	case ir.Div:
		if b.q.Sign() == 0 {
			m.void = true
			return a
		}
		return value{q: q.Quo(a.q, b.q)}
	case ir.Min, ir.Max:
		if (a.q.Cmp(b.q) < 0) == (op == ir.Min) {
			return a
		}
		return b
	case ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne:
		return compareBy(op, a.q.Cmp(b.q))
	}
	return m.function(e.Type(), e.Op().String(), e) // sqrt, exp, pow and the like: any function
}

func (m *model) cast(from, to ir.Type, a value) value {
	if a.q == nil && !m.isQ(to) {
		return m.of(to, ir.Apply1(ir.Cast, from, to, m.carried(from, a)))
	}
	q := a.q
	if q == nil {
		bits := m.carried(from, a)
		switch {
		case from.IsFloat():
			return m.of(to, ir.Apply1(ir.Cast, from, to, bits))
		case from == ir.Bool:
			q = big.NewRat(int64(bits), 1)
		default:
			q = new(big.Rat).SetInt(integerOf(from, bits))
		}
	}
	switch {
	case m.isQ(to):
		return value{q: q}
	case to == ir.Bool:
		return truthValue(q.Sign() != 0)
	}
	n := new(big.Int).Quo(q.Num(), q.Denom()) // toward zero
	lo, hi := limits(to)
	if n.Cmp(lo) < 0 {
		n = lo
	} else if n.Cmp(hi) > 0 {
		n = hi
	}
	return m.of(to, to.Wrap(new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()))
}

// Differs evaluates a problem at n random points in the semantics that the
// assumptions claim. It returns one at which the given conditions hold and the sides differ,
// as text, or nothing.
func Differs(p proof.Problem, assume ir.Assume, n int, seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 3))
	vars := ir.Vars(append(slices.Clone(p.Given), p.Left, p.Right)...)
	for range n {
		m := &model{assume: assume, at: map[ir.Expr]value{}, memo: map[ir.Expr]value{}}
		style := rng.IntN(5)
		for _, v := range vars {
			m.at[v] = m.draw(rng, v.Type(), style)
		}
		held := true
		for _, g := range p.Given {
			held = held && m.eval(g).bits != 0
		}
		if !held {
			continue
		}
		a, b := m.eval(p.Left), m.eval(p.Right)
		if !m.void && !m.equal(p.Left.Type(), a, b) {
			return fmt.Sprintf("%v: %v and %v", m.at, a, b)
		}
	}
	return ""
}

func (m *model) draw(rng *rand.Rand, t ir.Type, style int) value {
	if style == 4 {
		style = rng.IntN(4)
	}
	switch {
	case m.isZ(t):
		z := integerOf(t, testpoint.Draw(rng, t, 0, style))
		if rng.IntN(8) == 0 { // beyond the type
			z.Mul(z, big.NewInt(3))
		}
		return value{z: z}
	case m.isQ(t):
		return value{q: big.NewRat(int64(rng.IntN(17)-8), int64(1+rng.IntN(style+1)))}
	}
	v := testpoint.Draw(rng, t, m.assume, style)
	if t.IsFloat() && rng.IntN(6) == 0 {
		v = ir.FloatBits(t, math.Copysign(0, float64(rng.IntN(2)*2-1)))
	}
	return value{bits: v}
}

func (m *model) equal(t ir.Type, a, b value) bool {
	switch {
	case a.z != nil:
		return a.z.Cmp(b.z) == 0
	case a.q != nil:
		return a.q.Cmp(b.q) == 0
	case a.bits == b.bits:
		return true
	case t.IsFloat() && m.assume.Has(ir.NSZ):
		return ir.Float(t, a.bits) == 0 && ir.Float(t, b.bits) == 0
	}
	return false
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// euclid returns x = q·n + r with 0 ≤ r < |n|; both are 0 for n = 0.
func euclid(x, n *big.Int) (q, r *big.Int) {
	if n.Sign() == 0 {
		return new(big.Int), new(big.Int)
	}
	return new(big.Int).DivMod(x, n, new(big.Int))
}

// integerOf returns the value of an integer type that v carries.
func integerOf(t ir.Type, v uint64) *big.Int {
	if t.IsSigned() {
		return big.NewInt(int64(v))
	}
	return new(big.Int).SetUint64(v)
}

func limits(t ir.Type) (lo, hi *big.Int) { return integerOf(t, t.Min()), integerOf(t, t.Max()) }
