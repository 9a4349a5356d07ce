package prove

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/pole"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// findIdentity looks for an identity among the literals that are one of some operator, and
// the operator's invariants; the strongest side wins, then the first candidate.
func (w *Prover) findIdentity(ctx context.Context, p *Proven, o Options, hints [][]ir.Expr) {
	exact := p.Assumes &^ (ir.NSW | ir.NUW)
	o = o.exactly(exact)
	all := candidatesOf(p.Operator)
	right, left, middle := survivors(p.Operator, all, exact, o.Meter)
	try := func(e []ir.Expr, sides ...proof.Side) bool {
		if !w.admits(ctx, p, e, o) {
			return false
		}
		proofs := make([][]*proof.Tree, len(sides))
		for i, side := range sides {
			t := w.Prove(ctx, p.IdentityOn(side, e), o)
			if t.Status != Proved {
				return false
			}
			if !definedOn(p.Operator, side, e, exact, o.Meter) {
				return false
			}
			proofs[i] = t.Proofs
		}
		p.Identity = e
		for i, side := range sides {
			p.Side = side
			switch side {
			case proof.Left:
				p.Proofs.Left = proofs[i]
			case proof.Right:
				p.Proofs.Right = proofs[i]
			default:
				p.Proofs.Middle = proofs[i]
			}
		}
		if len(sides) == 2 {
			p.Side = proof.Two
		}
		return true
	}
	type round struct {
		of    []int
		sides []proof.Side
	}
	order := []round{{intersect(right, left), []proof.Side{proof.Left, proof.Right}}, {right, []proof.Side{proof.Right}}, {left, []proof.Side{proof.Left}}, {middle, []proof.Side{proof.Middle}}}
	if p.Assumes&(ir.NSW|ir.NUW) != 0 {
		// A slice that starts from e computes e ⊕ y first. That this may be regrouped to
		// x ⊕ e is associativity, which in arithmetic that wraps is not given: with
		// max(min(k-x, y), x) and tmin, a right identity, k − tmin wraps.
		order = slices.DeleteFunc(order, func(r round) bool { return !slices.Contains(r.sides, proof.Left) })
	}
	for _, r := range order {
		for _, e := range hints {
			if try(e, r.sides...) {
				return
			}
		}
		for i, n := range r.of {
			if i == maxIdentityTries {
				break
			}
			if try(all.tuple(n), r.sides...) {
				return
			}
		}
	}
}

// definedOn reports whether an identity that is proven is one at poles, too.
func definedOn(op proof.Operator, side proof.Side, e []ir.Expr, assume ir.Assume, m *effort.Meter) bool {
	const most = 1 << 20
	fuel := most
	err := pole.Identity(&fuel, op, side, e, assume)
	m.Spend(effort.Cases, most-fuel)
	return err == nil
}

// maxIdentityTries bounds how many candidates that evaluation leaves are tried by proof.
const maxIdentityTries = 8

func intersect(a, b []int) []int {
	in := map[int]bool{}
	for _, n := range b {
		in[n] = true
	}
	var out []int
	for _, n := range a {
		if in[n] {
			out = append(out, n)
		}
	}
	return out
}

// candidates are tuples of possible identities, numbered in mixed radix.
type candidates [][]ir.Expr

const maxCandidates = 4096

func candidatesOf(op proof.Operator) candidates {
	pool := op.Exprs[0].Pool()
	var all candidates
	n := 1
	for _, t := range op.Types {
		var list []ir.Expr
		switch {
		case t == ir.Bool:
			list = []ir.Expr{pool.Bool(false), pool.Bool(true)}
		case t.IsFloat():
			list = []ir.Expr{pool.Float(t, math.Copysign(0, -1)), pool.Float(t, 0), pool.Float(t, 1), pool.Float(t, math.Inf(1)), pool.Float(t, math.Inf(-1))}
		default:
			list = []ir.Expr{pool.Int(t, 0), pool.Int(t, 1), pool.Const(t, t.Max()), pool.Const(t, t.Min())}
			if t.IsSigned() {
				list = append(list, pool.Int(t, -1))
			}
			if len(op.Types) == 1 { // of a product about 1, (x−1)(y−1)+1
				list = append(list, pool.Int(t, 2))
			}
		}
		for _, k := range ir.Vars(op.Exprs...) {
			if k.Kind() == ir.Param && k.Type() == t && t != ir.Bool {
				list = append(list, k, ir.NegOf(k), ir.AddOf(k, pool.Int(t, 1)))
			}
		}
		if n*len(list) > maxCandidates {
			list = list[:1]
		}
		n *= len(list)
		all = append(all, list)
	}
	return all
}

func (c candidates) len() int {
	n := 1
	for _, list := range c {
		n *= len(list)
	}
	return n
}

func (c candidates) tuple(n int) []ir.Expr {
	out := make([]ir.Expr, len(c))
	for i := len(c) - 1; i >= 0; i-- {
		out[i] = c[i][n%len(c[i])]
		n /= len(c[i])
	}
	return out
}

// survivors evaluates which candidates may be a right, left or middle identity: a row of
// lanes tries tape.Lanes of them at once.
func survivors(op proof.Operator, all candidates, assume ir.Assume, m *effort.Meter) (right, left, middle []int) {
	code := tape.Paid(m, op.Exprs...)
	n := all.len()
	for first := 0; first < n; first += tape.Lanes {
		trial := identityTrial{op: op, tape: code, types: op.Types, all: all, first: first, count: min(tape.Lanes, n-first)}
		r, l, m := trial.run(assume)
		for lane := range trial.count {
			if r>>lane&1 != 0 {
				right = append(right, first+lane)
			}
			if l>>lane&1 != 0 {
				left = append(left, first+lane)
			}
			if m>>lane&1 != 0 {
				middle = append(middle, first+lane)
			}
		}
	}
	return right, left, middle
}

// identityTrial tries one row of candidates.
type identityTrial struct {
	op           proof.Operator
	tape         *tape.Tape
	types        []ir.Type
	all          candidates
	first, count int
	digits       [][tape.Lanes]uint16 // which of a component's candidates a lane tries
	e, x, y      [][tape.Lanes]uint64 // rows of the candidate and of both operands
	results      [3][][tape.Lanes]uint64
	values       []uint64 // of a component's candidates at a point
	params       map[ir.Expr]uint64
}

// identityPoints is the number of points at which each candidate is tried.
const identityPoints = 24

func (c *identityTrial) run(assume ir.Assume) (right, left, middle uint64) {
	rng := rand.New(rand.NewPCG(7, 7))
	right, left, middle = math.MaxUint64, math.MaxUint64, math.MaxUint64
	n := len(c.types)
	drawn := 0
	for _, rows := range []*[][tape.Lanes]uint64{&c.e, &c.x, &c.y, &c.results[0], &c.results[1], &c.results[2]} {
		*rows = make([][tape.Lanes]uint64, n)
	}
	c.number()
	rounds := identityPoints
	if len(c.op.Given) > 0 {
		rounds *= 40
	}
	for point := range rounds {
		if c.draw(rng, assume, point%4); !c.hasGiven() {
			continue
		}
		drawn++
		xe := c.apply(0, c.x, c.e)
		right = c.same(right, xe, c.x, assume)
		left = c.same(left, c.apply(1, c.e, c.y), c.y, assume)
		if drawn == 1 { // partial results of empty slices merge
			ee := c.same(right|left|middle, c.apply(1, c.e, c.e), c.e, assume)
			right, left, middle = right&ee, left&ee, middle&ee
		}
		xy := c.apply(1, c.x, c.y)
		middle = c.same(middle, c.apply(2, xe, c.y), xy, assume)
		if right|left|middle == 0 {
			break
		}
	}
	return right, left, middle
}

// draw chooses one point for all lanes, and each lane's candidate there.
func (c *identityTrial) draw(rng *rand.Rand, assume ir.Assume, style int) {
	c.params = map[ir.Expr]uint64{}
	for _, in := range append(ir.Vars(c.op.Given...), c.tape.Inputs...) {
		if in.Kind() == ir.Param {
			c.params[in] = testpoint.Draw(rng, in.Type(), assume, style)
		}
	}
	env := &ir.Env{Var: func(v ir.Expr) uint64 { return c.params[v] }}
	for i, t := range c.types {
		x, y := testpoint.Draw(rng, t, assume, style), testpoint.Draw(rng, t, assume, style)
		for lane := range tape.Lanes {
			c.x[i][lane], c.y[i][lane] = x, y
		}
	}
	for i, list := range c.all {
		c.values = c.values[:0]
		for _, e := range list {
			c.values = append(c.values, ir.Eval(e, env))
		}
		for lane := range c.count {
			c.e[i][lane] = c.values[c.digits[i][lane]]
		}
	}
}

// number says which candidate each lane tries.
func (c *identityTrial) number() {
	c.digits = make([][tape.Lanes]uint16, len(c.types))
	for lane := range c.count {
		n := c.first + lane
		for i := len(c.all) - 1; i >= 0; i-- {
			c.digits[i][lane] = uint16(n % len(c.all[i]))
			n /= len(c.all[i])
		}
	}
}

// hasGiven reports whether both operands have what is given.
func (c *identityTrial) hasGiven() bool {
	for _, tuple := range [][][tape.Lanes]uint64{c.x, c.y} {
		env := &ir.Env{Var: func(v ir.Expr) uint64 {
			if v.Kind() == ir.State {
				return tuple[v.Index()][0]
			}
			return c.params[v]
		}}
		for _, g := range c.op.Given {
			if ir.Eval(g, env) == 0 {
				return false
			}
		}
	}
	return true
}

// apply evaluates a ⊕ b, into one of the results.
func (c *identityTrial) apply(into int, a, b [][tape.Lanes]uint64) [][tape.Lanes]uint64 {
	in := make([]*[tape.Lanes]uint64, len(c.tape.Inputs))
	for i, v := range c.tape.Inputs {
		switch v.Kind() {
		case ir.State:
			in[i] = &a[v.Index()]
		case ir.Leaf:
			in[i] = &b[v.Index()]
		default:
			in[i] = new([tape.Lanes]uint64)
			for lane := range in[i] {
				in[i][lane] = c.params[v]
			}
		}
	}
	out := c.results[into]
	for i, row := range c.tape.Run(in) {
		out[i] = *row
	}
	return out
}

// same returns the mask of those among some lanes in which a and b have the same values.
func (c *identityTrial) same(among uint64, a, b [][tape.Lanes]uint64, assume ir.Assume) (mask uint64) {
next:
	for lane := range c.count {
		if among>>lane&1 == 0 {
			continue
		}
		for i, t := range c.types {
			u, v := a[i][lane], b[i][lane]
			if u == v {
				continue
			}
			if !testpoint.Same(t, assume, u, v) || ir.Apply1(ir.IsNaN, t, ir.Bool, u) != ir.Apply1(ir.IsNaN, t, ir.Bool, v) {
				continue next
			}
		}
		mask |= 1 << lane
	}
	return mask
}

// LikelyIdentity returns the candidate that evaluation makes most likely to be an identity of
// an operator, at least a middle one; false where there is none. Nothing is proven of it. A meter is charged for the points.
func LikelyIdentity(op proof.Operator, allowed ir.Assume, m *effort.Meter) ([]ir.Expr, bool) {
	all := candidatesOf(op)
	right, left, middle := survivors(op, all, allowed, m)
	for _, list := range [][]int{intersect(right, left), right, left, middle} {
		if len(list) > 0 {
			return all.tuple(list[0]), true
		}
	}
	return nil, false
}
