package rfactor

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// checkClaims evaluates everything that an answer's line of JSON says, at points that are
// drawn here, and answers the first claim that is false. It reads the line as another
// program would: its texts, not the answer's expressions.
func checkClaims(line []byte, points int, seed uint64) error {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	if r.Proof == nil {
		r.Proof = &proofRecord{}
	}
	if r.Proof.Certificate == nil {
		r.Proof.Certificate = &Certificate{}
	}
	v, err := newVerifier(&r)
	if err != nil {
		return err
	}
	c := &claims{verifier: v, rng: rand.New(rand.NewPCG(seed, 99))}
	if r.Operator.IdentitySide != "none" {
		if c.identity, err = v.parse(r.Operator.Identity, v.types, v.operatorScope(nil)); err != nil {
			return err
		}
	}
	c.compile()
	for i := range points {
		if err := c.point(i); err != nil {
			return fmt.Errorf("%w\nunder %s: %v", err, v.assumes, r.Update)
		}
	}
	return nil
}

// checkLift is checkClaims for a line whose answer is lifted: it evaluates both sides of
// every equation that makes it a lift.
func checkLift(line []byte, points int, seed uint64) error {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	v, err := newVerifier(&r)
	if err != nil {
		return err
	}
	equations, err := v.liftClaims()
	if err != nil {
		return err
	}
	c := &claims{verifier: v, rng: rand.New(rand.NewPCG(seed, 98))}
	for n, equation := range equations {
		for i, p := range equation.Problems {
			if n == 0 { // of what lemmas leave
				p.Left = v.update[i]
			}
			if err := c.equation(p, equation.Wrapping, points); err != nil {
				return fmt.Errorf("claim %d: %w\nunder %s: %v", n, err, v.assumes, r.Update)
			}
		}
	}
	return nil
}

// equation evaluates both sides at points.
func (c *claims) equation(p proof.Problem, wraps bool, points int) error {
	sides := []ir.Expr{p.Left, p.Right}
	a := arithmetic{assume: c.assumes, approx: c.assumes.Has(ir.Reassoc) && isTranscendental(sides)}
	if wraps {
		a.assume = wrapping(a.assume)
	}
	all := compileCode(a, append(sides, p.Given...))
	for i := range points {
		c.env = map[ir.Expr]val{}
		values, ok := all.run(func(v ir.Expr) val {
			if _, drawn := c.env[v]; !drawn {
				c.env[v] = c.draw(a, v.Type(), i%5)
			}
			return c.env[v]
		})
		if !ok || slices.ContainsFunc(values[2:], func(g val) bool { return g.bits == 0 }) {
			continue
		}
		if !a.same(p.Left.Type(), values[0], values[1]) {
			return fmt.Errorf("%s is %s but %s is %s at %s", p.Left, texted(values[:1]), p.Right, texted(values[1:2]), c.envText())
		}
	}
	return nil
}

// claims evaluates the claims of one answer.
type claims struct {
	*verifier
	rng            *rand.Rand
	identity       []ir.Expr
	upd, inj, op   *code
	wrapOp, wrapID *code // identities are facts of arithmetic that wraps
	env            map[ir.Expr]val
}

func (c *claims) compile() {
	var all []ir.Expr
	all = append(append(append(all, c.update...), c.inject...), c.exprs...)
	a := arithmetic{assume: c.assumes, approx: c.assumes.Has(ir.Reassoc) && isTranscendental(all)}
	w := a
	w.assume = wrapping(a.assume)
	c.upd, c.inj, c.op = compileCode(a, c.update), compileCode(a, c.inject), compileCode(a, c.exprs)
	c.wrapOp, c.wrapID = compileCode(w, c.exprs), compileCode(w, c.identity)
}

// combine is a ⊕ b.
func (c *claims) combine(op *code, a, b []val) ([]val, bool) {
	return op.run(func(v ir.Expr) val {
		switch v.Kind() {
		case ir.State:
			return a[v.Index()]
		case ir.Leaf:
			return b[v.Index()]
		}
		return c.env[v]
	})
}

func (c *claims) same(a, b []val, w arithmetic) bool {
	for i, t := range c.types {
		if !w.same(t, a[i], b[i]) {
			return false
		}
	}
	return true
}

// point draws one point and evaluates every claim there.
func (c *claims) point(i int) error {
	a := c.upd.arithmetic
	style := i % 5
	c.env = map[ir.Expr]val{}
	var drawn []val
	var kinds []ir.Type
	draw := func(t ir.Type, nonNeg bool) val {
		v := c.draw(a, t, style)
		if n := len(drawn); n > 0 && c.rng.IntN(4) == 0 {
			if j := c.rng.IntN(n); kinds[j] == t {
				v = drawn[j] // ties
			}
		}
		if nonNeg {
			v.bits &= t.Max()
		}
		drawn, kinds = append(drawn, v), append(kinds, t)
		return v
	}
	tuple := func() (out []val) {
		for _, t := range c.types {
			out = append(out, draw(t, false))
		}
		return out
	}
	leaves := func(params bool) {
		for name, l := range c.record.Leaves {
			if v := c.vars[name]; (v.Kind() == ir.Param) == params {
				c.env[v] = draw(v.Type(), l.NonNeg)
			}
		}
	}
	leaves(true)
	env := func(v ir.Expr) val { return c.env[v] }
	pool := [][]val{tuple(), tuple(), tuple()}
	x := pool[0]
	for n := range 3 {
		leaves(false)
		inj, ok := c.inj.run(env)
		if !ok {
			continue
		}
		pool = append(pool, inj)
		if n > 0 {
			continue
		}
		for i, t := range c.types {
			c.env[c.pool.X(i, t)] = x[i]
		}
		want, ok := c.upd.run(env)
		if !ok {
			continue
		}
		if got, ok := c.combine(c.op, x, inj); ok && !c.same(got, want, a) {
			return fmt.Errorf("update is not x ⊕ inject at %s: %v, not %v", c.envText(), texted(got), texted(want))
		}
	}
	return c.algebra(pool)
}

// algebra evaluates what is claimed of the operator, on a pool of tuples.
func (c *claims) algebra(pool [][]val) error {
	pick := func() []val { return pool[c.rng.IntN(len(pool))] }
	x, y, z := pick(), pick(), pick()
	a := c.op.arithmetic
	xy, ok := c.combine(c.op, x, y)
	yz, ok2 := c.combine(c.op, y, z)
	if ok && ok2 {
		l, ok := c.combine(c.op, xy, z)
		r, ok2 := c.combine(c.op, x, yz)
		if ok && ok2 && !c.same(l, r, a) {
			return fmt.Errorf("not associative at %v %v %v: %v, not %v", texted(x), texted(y), texted(z), texted(l), texted(r))
		}
	}
	rec := c.record.Operator
	if yx, ok2 := c.combine(c.op, y, x); rec.Commutative && ok && ok2 && !c.same(xy, yx, a) {
		return fmt.Errorf("not commutative at %v %v", texted(x), texted(y))
	}
	if xx, ok := c.combine(c.op, x, x); rec.Idempotent && ok && !c.same(xx, x, a) {
		return fmt.Errorf("not idempotent at %v", texted(x))
	}
	if rec.IdentitySide == "none" {
		return nil
	}
	w := c.wrapOp.arithmetic
	e, ok := c.wrapID.run(func(v ir.Expr) val { return c.env[v] })
	if !ok {
		return nil
	}
	side := rec.IdentitySide
	if ex, ok := c.combine(c.wrapOp, e, x); (side == "left" || side == "two") && ok && !c.same(ex, x, w) {
		return fmt.Errorf("%v is no left identity at %v", texted(e), texted(x))
	}
	xe, ok := c.combine(c.wrapOp, x, e)
	if (side == "right" || side == "two") && ok && !c.same(xe, x, w) {
		return fmt.Errorf("%v is no right identity at %v", texted(e), texted(x))
	}
	xey, ok2 := c.combine(c.wrapOp, xe, y)
	if xy, ok3 := c.combine(c.wrapOp, x, y); side == "middle" && ok && ok2 && ok3 && !c.same(xey, xy, w) {
		return fmt.Errorf("%v is no middle identity at %v %v", texted(e), texted(x), texted(y))
	}
	return nil
}

func texted(vs []val) string {
	var out []string
	for _, v := range vs {
		switch {
		case v.rat != nil:
			out = append(out, v.rat.RatString())
		case v.inf != 0:
			out = append(out, fmt.Sprint(float64(v.inf)*math.Inf(1)))
		default:
			out = append(out, fmt.Sprintf("%d", int64(v.bits)))
		}
	}
	return "(" + strings.Join(out, ", ") + ")"
}

func (c *claims) envText() string {
	var out []string
	for v, x := range c.env {
		out = append(out, v.Name()+"="+texted([]val{x}))
	}
	return strings.Join(out, " ")
}

// draw is a value of type t: small numbers, limits, powers of two, or anything, as far as
// the assumptions leave them.
func (c *claims) draw(a arithmetic, t ir.Type, style int) val {
	rng := c.rng
	switch {
	case t == ir.Bool:
		return val{bits: rng.Uint64() & 1}
	case a.real(t):
		return val{rat: big.NewRat(int64(rng.IntN(31)-15), int64(1+rng.IntN(5)))}
	case t.IsFloat():
		return val{bits: drawIEEE(rng, a, t, style)}
	}
	small := int64(rng.IntN(7) - 3)
	if style == 1 {
		small = int64(rng.IntN(41) - 20)
	}
	if t.IsUnsigned() {
		small = max(small, -small)
	}
	if a.assume.Unbounded(t) {
		if style >= 3 && t.Bits() > 8 {
			small *= int64(rng.IntN(60))
		}
		return val{bits: t.Wrap(uint64(small))}
	}
	switch style {
	case 2:
		limits := []uint64{t.Min(), t.Max(), t.Max() / 2, t.Max()/2 + 1, 0, t.Min() / 2}
		return val{bits: t.Wrap(limits[rng.IntN(len(limits))] + uint64(small))}
	case 3:
		return val{bits: t.Wrap(1<<rng.IntN(t.Bits()) + uint64(rng.IntN(3)-1))}
	case 4:
		return val{bits: t.Wrap(rng.Uint64())}
	}
	return val{bits: t.Wrap(uint64(small))}
}

func drawIEEE(rng *rand.Rand, a arithmetic, t ir.Type, style int) uint64 {
	f := float64(rng.IntN(9)-4) / 2
	if a.approx {
		return ir.FloatBits(t, f)
	}
	switch {
	case style == 2:
		odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, math.MaxFloat64, math.MaxFloat32, 1e-45, 5e-324}
		f = odd[rng.IntN(len(odd))]
	case style == 3:
		f = rng.NormFloat64() * 1e3
	case style == 4:
		f = math.Float64frombits(rng.Uint64())
	}
	v := ir.FloatBits(t, f)
	f = ir.Float(t, v)
	if f != f && a.assume.Has(ir.NNaN) || math.IsInf(f, 0) && a.assume.Has(ir.NInf) {
		return ir.FloatBits(t, 1)
	}
	return v
}
