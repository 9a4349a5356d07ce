package prove

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Proven is an associative operator with everything that is known of it. There is no way
// to make one but Characterise, which proves all of it.
type Proven struct {
	proof.Claims
	Assumes ir.Assume // what associativity rests on
}

// Characterise proves that an operator is associative, under as few of the allowed
// assumptions as it can, and finds its identity and its other properties under those.
// Hints are tuples that may be identities, tried before others.
// An identity is one in arithmetic that wraps, whatever associativity assumes: slices
// start from it at run time. Where associativity is not proven the answer is nil, and the
// theorem says why.
func (w *Prover) Characterise(ctx context.Context, o proof.Operator, allowed ir.Assume, hints ...[]ir.Expr) (*Proven, Theorem) {
	t := w.Equations(ctx, o.Associativity(), allowed)
	if t.Status != Proved {
		return nil, t
	}
	p := &Proven{Claims: proof.Claims{Operator: o}, Assumes: t.Assumes}
	p.Proofs.Associative = t.Proofs
	if !w.preserved(ctx, p) {
		return nil, Theorem{Assumes: t.Assumes}
	}
	if c := w.AllUnder(ctx, o.Commutativity(), t.Assumes); c.Status == Proved {
		p.Commutative, p.Proofs.Commutative = true, c.Proofs
	}
	if c := w.AllUnder(ctx, o.Idempotence(), t.Assumes); c.Status == Proved {
		p.Idempotent, p.Proofs.Idempotent = true, c.Proofs
	}
	w.findIdentity(ctx, p, hints)
	if p.Side == proof.NoSide {
		p.Proofs.Start = nil
	}
	return p, t
}

// Also proves the laws of a proven operator under more assumptions: of integers that are
// unbounded, those that hold where they wrap need not hold. It is nil where it is not proven
// to be associative.
func (w *Prover) Also(ctx context.Context, p *Proven, assume ir.Assume) *Proven {
	t := w.AllUnder(ctx, p.Associativity(), assume)
	if t.Status != Proved {
		return nil
	}
	q := *p
	q.Assumes, q.Proofs.Associative = assume, t.Proofs
	if !w.preserved(ctx, &q) {
		return nil
	}
	c := w.AllUnder(ctx, p.Commutativity(), assume)
	q.Commutative, q.Proofs.Commutative = p.Commutative && c.Status == Proved, c.Proofs
	c = w.AllUnder(ctx, p.Idempotence(), assume)
	q.Idempotent, q.Proofs.Idempotent = p.Idempotent && c.Status == Proved, c.Proofs
	if assume&(ir.NSW|ir.NUW) != 0 && q.Side != proof.Left && q.Side != proof.Two { // see findIdentity
		q.Side, q.Identity = proof.NoSide, nil
		q.Proofs.Right, q.Proofs.Middle, q.Proofs.Start = nil, nil, nil
	}
	return &q
}

// findIdentity looks for an identity among the literals that are one of some operator, and
// the operator's invariants; the strongest side wins, then the first candidate.
func (w *Prover) findIdentity(ctx context.Context, p *Proven, hints [][]ir.Expr) {
	exact := p.Assumes &^ (ir.NSW | ir.NUW)
	all := p.candidates()
	right, left, middle := w.survivors(p, all, exact)
	try := func(e []ir.Expr, sides ...proof.Side) bool {
		if !w.admits(ctx, p, e, exact) {
			return false
		}
		proofs := make([][]*proof.Tree, len(sides))
		for i, side := range sides {
			t := w.AllUnder(ctx, p.IdentityOn(side, e), exact)
			if t.Status != Proved {
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
	rounds := []round{{intersect(right, left), []proof.Side{proof.Left, proof.Right}}, {right, []proof.Side{proof.Right}}, {left, []proof.Side{proof.Left}}, {middle, []proof.Side{proof.Middle}}}
	if p.Assumes&(ir.NSW|ir.NUW) != 0 {
		// A slice that starts from e computes e ⊕ y first. That this may be regrouped to
		// x ⊕ e is associativity, which in arithmetic that wraps is not given: with
		// max(min(k-x, y), x) and tmin, a right identity, k − tmin wraps.
		rounds = slices.DeleteFunc(rounds, func(r round) bool { return !slices.Contains(r.sides, proof.Left) })
	}
	for _, r := range rounds {
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

func (p *Proven) candidates() candidates {
	pool := p.Exprs[0].Pool()
	var all candidates
	n := 1
	for _, t := range p.Types {
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
			if len(p.Types) == 1 { // of a product about 1, (x−1)(y−1)+1
				list = append(list, pool.Int(t, 2))
			}
		}
		for _, k := range ir.Vars(p.Exprs...) {
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
func (w *Prover) survivors(p *Proven, all candidates, assume ir.Assume) (right, left, middle []int) {
	code := tape.New(p.Exprs...)
	n := all.len()
	for first := 0; first < n; first += tape.Lanes {
		trial := identityTrial{op: p.Operator, tape: code, types: p.Types, all: all, first: first, count: min(tape.Lanes, n-first)}
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
	points := identityPoints
	if len(c.op.Given) > 0 {
		points *= 40
	}
	for point := range points {
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
			c.params[in] = Draw(rng, in.Type(), assume, style)
		}
	}
	env := &ir.Env{Var: func(v ir.Expr) uint64 { return c.params[v] }}
	for i, t := range c.types {
		x, y := Draw(rng, t, assume, style), Draw(rng, t, assume, style)
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

// same is the mask of those among some lanes in which a and b have the same values.
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
			if !sameResult(t, assume, false, u, v) || ir.Apply1(ir.IsNaN, t, ir.Bool, u) != ir.Apply1(ir.IsNaN, t, ir.Bool, v) {
				continue next
			}
		}
		mask |= 1 << lane
	}
	return mask
}
