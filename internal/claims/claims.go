// Package claims evaluates what a line of JSON says of an update, at random points, for tests.
// It shares no code with the search or with the checker beyond the reader of terms: what is
// accepted there must be true here.
package claims

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify"
)

// Check evaluates what a record says of its update at random points, and returns the first
// claim that is false. It returns nil for a refusal. A point that breaks an assumption or a
// given condition tells nothing.
//
// Not evaluated: the sizes and types that a record states, the certificate, and a float
// divided by zero under reassoc.
func Check(line []byte, points int, seed uint64) error {
	r := &verify.Record{}
	if err := json.Unmarshal(line, r); err != nil {
		return err
	}
	switch r.Status {
	case verify.Associative, verify.Lifted:
	case verify.Staged:
		return checkStaged(r, points, seed)
	default:
		return nil
	}
	c, err := read(r)
	if err != nil {
		return err
	}
	c.rng = rand.New(rand.NewPCG(seed, 99))
	if r.Status == verify.Lifted {
		err = c.lift(points)
	} else {
		err = c.operator(points)
	}
	if err != nil {
		return fmt.Errorf("%w\nunder %s: %v", err, c.assumes, r.Update)
	}
	return nil
}

// operator evaluates the claims of an operator on the state.
func (c *claims) operator(points int) error {
	c.compile()
	for i := range points {
		if err := c.point(i); err != nil {
			return err
		}
	}
	return nil
}

// lift evaluates both sides of every equation that makes an answer a lift.
func (c *claims) lift(points int) error {
	for _, law := range c.lawsOfLift() {
		for i := range law.left {
			if err := c.equation(law, i, points); err != nil {
				return fmt.Errorf("%s: %w", law.name, err)
			}
		}
	}
	return nil
}

// equation evaluates both sides of a component of a law at points.
func (c *claims) equation(law law, component, points int) error {
	left, right := law.left[component], law.right[component]
	sides := []ir.Expr{left, right}
	a := arithmetic{assume: law.assume, approx: law.assume.Has(ir.Reassoc) && isTranscendental(sides)}
	all := compileCode(a, append(sides, law.given...))
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
		if !a.same(left.Type(), values[0], values[1]) {
			return fmt.Errorf("%s is %s but %s is %s at %s", left, texted(values[:1]), right, texted(values[1:2]), c.envText())
		}
	}
	return nil
}

func (c *claims) compile() {
	all := slices.Concat(c.update, c.inject, c.exprs)
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

// attempts bounds how often a value is drawn anew because a given condition does not hold.
const attempts = 30

// point draws one point and evaluates every claim there. It tells nothing where no values are
// found of which the given conditions hold.
func (c *claims) point(i int) error {
	style := i % 5
	c.env = map[ir.Expr]val{}
	drawn := map[ir.Type][]val{}
	draw := func(v ir.Expr) {
		x := c.draw(c.upd.arithmetic, v.Type(), style)
		if old := drawn[v.Type()]; len(old) > 0 && c.rng.IntN(4) == 0 {
			x = old[c.rng.IntN(len(old))] // ties
		}
		if c.record.Leaves[v.Name()].NonNeg {
			x.bits &= v.Type().Max()
		}
		drawn[v.Type()] = append(drawn[v.Type()], x)
		c.env[v] = x
	}
	some := func(vars []ir.Expr, given func(ir.Expr) bool) bool {
		for range attempts {
			for _, v := range vars {
				draw(v)
			}
			if c.holds(given) {
				return true
			}
		}
		return false
	}
	var constants, inputs, states []ir.Expr
	for _, name := range c.names {
		if v := c.vars[name]; v.Kind() == ir.Param {
			constants = append(constants, v)
		} else {
			inputs = append(inputs, v)
		}
	}
	for i, t := range c.types {
		states = append(states, c.pool.X(i, t))
	}
	if !some(constants, func(e ir.Expr) bool { return e.States() == 0 && !onInputs(e) }) {
		return nil
	}
	var pool [][]val
	for range 3 {
		if !some(states, ofState) {
			return nil
		}
		pool = append(pool, c.state())
	}
	for n := range 3 {
		if !some(inputs, func(e ir.Expr) bool { return e.States() == 0 && onInputs(e) }) {
			return nil
		}
		inj, ok := c.inj.run(c.at)
		if !ok {
			continue
		}
		if n == 0 {
			if err := c.step(pool[0], inj); err != nil {
				return err
			}
		}
		if err := c.keeps("inject", inj); err != nil {
			return err
		}
		if c.setState(inj); c.holds(ofState) {
			pool = append(pool, inj)
		}
	}
	return c.algebra(pool)
}

// ofState reports whether a condition is one of the state and constants alone.
func ofState(e ir.Expr) bool { return e.States() != 0 && !onInputs(e) }

func (c *claims) at(v ir.Expr) val { return c.env[v] }

// state is the value of the state in the environment.
func (c *claims) state() (out []val) {
	for i, t := range c.types {
		out = append(out, c.env[c.pool.X(i, t)])
	}
	return out
}

func (c *claims) setState(x []val) {
	for i, t := range c.types {
		c.env[c.pool.X(i, t)] = x[i]
	}
}

// holds reports whether the given conditions of a kind hold in the environment.
func (c *claims) holds(kind func(ir.Expr) bool) bool {
	for _, e := range c.given {
		if !kind(e) {
			continue
		}
		if v, ok := compileCode(c.upd.arithmetic, []ir.Expr{e}).run(c.at); !ok || v[0].bits == 0 {
			return false
		}
	}
	return true
}

// step evaluates that the update is x ⊕ inject.
func (c *claims) step(x, inj []val) error {
	c.setState(x)
	if !c.holds(func(e ir.Expr) bool { return e.States() != 0 && onInputs(e) }) {
		return nil
	}
	want, ok := c.upd.run(c.at)
	if !ok {
		return nil
	}
	if got, ok := c.combine(c.op, x, inj); ok && !c.same(got, want, c.upd.arithmetic) {
		return fmt.Errorf("update is not x ⊕ inject at %s: %v, not %v", c.envText(), texted(got), texted(want))
	}
	return nil
}

// keeps evaluates the conditions that every operand is said to have.
func (c *claims) keeps(what string, x []val) error {
	c.setState(x)
	for _, e := range c.kept {
		if v, ok := compileCode(c.op.arithmetic, []ir.Expr{e}).run(c.at); ok && v[0].bits == 0 {
			return fmt.Errorf("%s is %v, of which %s does not hold", what, texted(x), e)
		}
	}
	return nil
}

// algebra evaluates what is claimed of the operator, on a pool of tuples.
func (c *claims) algebra(pool [][]val) error {
	pick := func() []val { return pool[c.rng.IntN(len(pool))] }
	x, y, z := pick(), pick(), pick()
	a := c.op.arithmetic
	xy, ok := c.combine(c.op, x, y)
	yz, ok2 := c.combine(c.op, y, z)
	if ok {
		if err := c.keeps("x ⊕ y", xy); err != nil {
			return err
		}
	}
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
	if c.identity == nil {
		return nil
	}
	w := c.wrapOp.arithmetic
	e, ok := c.wrapID.run(c.at)
	if !ok {
		return nil
	}
	if err := c.keeps("the identity", e); err != nil {
		return err
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
