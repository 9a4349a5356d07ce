package plan

import (
	"math"
	"slices"
	"strconv"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// The tie rule makes argmin and its like commute.
//
//	{min(x0, in(r)), select(x0 <= in(r), x1, r)}   →   lanes may take turns, since ⊕' keeps
//	the state of the lesser x0, and of equal ones that of the lesser x1
//
// An update such as argmin keeps the better of two states whole, and of
// equally good ones the first (or the last). It does not commute, because of ties alone. If
// the state holds the coordinates of all reduction variables at which it was found, ties
// can be decided by them: let c(x, y) be the condition on which ⊕ keeps x (or on which it
// takes y), and define ⊕' with
//
//	c'(x, y) = c(x, y) || !c(y, x) && before(y, x)    where c is false on ties,
//	c'(x, y) = c(x, y) && (!c(y, x) || before(x, y))  where c is true on ties
//
// in the place of c, where before compares the coordinates lexicographically, the outermost
// reduction variable first: the whole iteration order, once for all components that c
// chooses. Three things are then proven, for states of which the coordinates differ:
//
//  1. ⊕' is associative and commutative;
//  2. where x comes before y, x ⊕' y = x ⊕ y;
//  3. e ⊕' y = y for the e that slices start from, if there is one.
//
// Different elements of the domain have different coordinates, and a combination of
// elements has those of one of them, so that states that combine disjoint sets of elements
// differ in theirs. By (1) the elements combined by ⊕' in any order and grouping give what
// they give from left to right, in the order of the serial loop. There the state has
// coordinates from before those of the next element, so that by (2) each step does what ⊕
// does: the result is a_1 ⊕ … ⊕ a_n. The initial value has no coordinates of the domain.
// It is combined last, with ⊕: by associativity f ⊕ (a_1 ⊕ … ⊕ a_n) is the serial result.
//
// The elements may be partial results of slices that were factored before in their order, if
// none of those is just e, and e did not leave its coordinates in one: e ⊕ y = y.
//
// One component that numbers the elements in their order, as r.y*w + r.x does where w is the
// extent of r.x, serves for all coordinates: see encodes. Needs has that it does not overflow.
//
// By (2) again, a slice whose elements come in the order of the serial loop can be combined
// with ⊕, which is cheaper, if e ⊕ y = y for the e that it starts from.

// tie is the operation ⊕' for a nest; nil where there is none, and reason says why.
func (s *scheduler) tie(n *nest, op *operation) (tied *operation, reason string) {
	if op.wide {
		return nil, "its partial results are wider, and known to fit only in the order of the serial loop"
	}
	if op.answer.Lift != nil {
		return nil, "its steps compose in the order of the serial loop"
	}
	if op.empty {
		return nil, "partial results that are combined may be an identity, which has no coordinates to decide ties by: factor the inner variable before the outer one, or both in one rfactor"
	}
	next := *op
	next.exprs, next.written = slices.Clone(op.exprs), nil
	next.commutative = true
	next.side, next.identity = proof.Two, slices.Clone(op.identity)
	if op.side == proof.NoSide {
		next.side, next.identity = proof.NoSide, make([]ir.Expr, len(op.types))
	}
	w := new(prove.Prover)
	for _, c := range op.clusters() {
		if reason := s.tieCluster(w, n, op, &next, c); reason != "" {
			return nil, reason
		}
	}
	next.inOrder = op.exprs
	if next.side == proof.NoSide {
		next.identity = nil
	} else {
		s.tieIdentity(w, op, &next)
	}
	return &next, ""
}

// clusters is the components that do not commute: groups of them that share components
// belong together.
func (op *operation) clusters() [][]int {
	var masks []uint64
	for _, g := range op.answer.Groups {
		if g.Operator.Commutative {
			continue
		}
		mask := uint64(0)
		for _, i := range g.Components {
			mask |= 1 << i
		}
		rest := masks[:0]
		for _, m := range masks {
			if m&mask != 0 {
				mask |= m
			} else {
				rest = append(rest, m)
			}
		}
		masks = append(rest, mask)
	}
	var out [][]int
	for _, m := range masks {
		var cluster []int
		for i := range op.types {
			if m>>i&1 != 0 {
				cluster = append(cluster, i)
			}
		}
		out = append(out, cluster)
	}
	return out
}

// tieCluster replaces the condition of one cluster and proves (1) and (2) of it.
func (s *scheduler) tieCluster(w *prove.Prover, n *nest, op, next *operation, cluster []int) string {
	c, chosen := s.choice(op, cluster)
	if !c.IsValid() {
		return "it does more than keep the better of two states"
	}
	place, missing := s.places(n, op, chosen)
	if missing.IsValid() {
		return "to decide ties by the order of elements, the state would have to hold " + missing.String() + " as well"
	}
	if len(place) == 0 {
		return "no coordinate of its elements changes that would decide ties"
	}
	x, y := s.pool.Operands(op.types)
	swapped := substAll([]ir.Expr{c}, slices.Concat(x, y), slices.Concat(y, x))[0]
	candidates := []ir.Expr{
		ir.OrOf(c, ir.AndOf(negate(swapped), before(y, x, place))),
		ir.AndOf(c, ir.OrOf(negate(swapped), before(x, y, place))),
	}
	allowed := s.opts.Match.Allowed &^ (ir.NSW | ir.NUW)
	for strict, by := range candidates {
		exprs := slices.Clone(next.exprs)
		for _, i := range chosen {
			exprs[i] = ir.SelectOf(by, exprs[i].Arg(1), exprs[i].Arg(2))
		}
		o := proof.Operator{Types: op.types, Exprs: exprs}
		t := w.Prove(s.ctx, tieProblems(o, proof.Operator{Types: op.types, Exprs: op.exprs}, cluster, place), prove.Options{Allowed: allowed})
		if t.Status != prove.Proved {
			continue
		}
		next.exprs, next.written = exprs, nil
		op.answer.Assumes |= t.Assumes
		if next.side != proof.NoSide {
			for _, i := range place {
				next.identity[i] = worst(s.pool, op.types[i], exprs[i], x[i], strict == 0)
			}
		}
		return ""
	}
	return "deciding ties by the order of elements does not make it commute"
}

// choice is the condition on which components of a cluster are kept or taken whole, and
// which components these are.
func (s *scheduler) choice(op *operation, cluster []int) (c ir.Expr, chosen []int) {
	x, y := s.pool.Operands(op.types)
	for _, i := range cluster {
		e := op.exprs[i]
		if e.Op() != ir.Select || !(e.Arg(1) == x[i] && e.Arg(2) == y[i] || e.Arg(1) == y[i] && e.Arg(2) == x[i]) {
			continue
		}
		if !c.IsValid() {
			c = e.Arg(0)
		}
		if e.Arg(0) == c {
			chosen = append(chosen, i)
		}
	}
	return c, chosen
}

// places is the components that hold the coordinates, outermost first; missing is a
// coordinate that none of the chosen components holds.
func (s *scheduler) places(n *nest, op *operation, chosen []int) (place []int, missing ir.Expr) {
	for _, i := range chosen {
		if op.encodes[i] && len(n.serialCoords()) > 1 {
			s.needProduct(n.def.Pos, n.def.Domain.Dims, math.MaxInt32, "the place that component "+strconv.Itoa(i)+" of "+n.def.Func.Name+" holds would be greater than 2147483647")
			return []int{i}, missing
		}
	}
	for _, v := range n.serialCoords() {
		at := slices.IndexFunc(chosen, func(i int) bool { return op.holds[i] == v })
		if at < 0 {
			return nil, v
		}
		place = append(place, chosen[at])
	}
	return place, ir.Expr{}
}

// before is the condition that the coordinates in a come before those in b.
func before(a, b []ir.Expr, place []int) ir.Expr {
	i := place[0]
	e := ir.LtOf(a[i], b[i])
	if len(place) == 1 {
		return e
	}
	return ir.OrOf(e, ir.AndOf(ir.EqOf(a[i], b[i]), before(a, b, place[1:])))
}

// distinct is the condition that two states have different coordinates.
func distinct(a, b []ir.Expr, place []int) ir.Expr {
	e := ir.Make(ir.Ne, a[place[0]], b[place[0]])
	for _, i := range place[1:] {
		e = ir.OrOf(e, ir.Make(ir.Ne, a[i], b[i]))
	}
	return e
}

// tieProblems states (1) and (2) for the components of a cluster.
func tieProblems(o, old proof.Operator, cluster, place []int) []proof.Problem {
	x, y, z := o.Operands()
	apart := []ir.Expr{distinct(x, y, place), distinct(y, z, place), distinct(x, z, place)}
	left, right := o.Apply(o.Apply(x, y), z), o.Apply(x, o.Apply(y, z))
	xy, yx, serial := o.Apply(x, y), o.Apply(y, x), old.Apply(x, y)
	var ps []proof.Problem
	for _, i := range cluster {
		ps = append(ps,
			proof.Problem{Given: []ir.Expr{before(x, y, place)}, Left: xy[i], Right: serial[i]},
			proof.Problem{Given: apart[:1], Left: xy[i], Right: yx[i]},
			proof.Problem{Given: apart, Left: left[i], Right: right[i]})
	}
	return ps
}

// negate is !e, pushed into comparisons of integers.
func negate(e ir.Expr) ir.Expr {
	not := map[ir.Op]ir.Op{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Le: ir.Gt, ir.Gt: ir.Le}
	if op, ok := not[e.Op()]; ok && !e.Arg(0).Type().IsFloat() {
		return ir.Make(op, e.Arg(0), e.Arg(1))
	}
	return ir.NotOf(e)
}

// worst is the coordinate that loses ties: the greatest where the first element wins, else
// the least.
func worst(p *ir.Pool, t ir.Type, e, x ir.Expr, strict bool) ir.Expr {
	keepsX := e.Arg(1) == x
	if keepsX == strict { // a tie keeps x if it comes later
		return p.Const(t, t.Min())
	}
	return p.Const(t, t.Max())
}

// tieIdentity proves condition (3) of the operators op and next. It then proves that next.identity is a right identity of
// both, which slices that may be empty need. Where (3) is not proven, next loses its identity.
func (s *scheduler) tieIdentity(w *prove.Prover, op, next *operation) {
	allowed := s.opts.Match.Allowed &^ (ir.NSW | ir.NUW)
	proves := func(o proof.Operator, side proof.Side) bool {
		t := w.Prove(s.ctx, o.IdentityOn(side, next.identity), prove.Options{Allowed: allowed})
		if t.Status == prove.Proved {
			op.answer.Assumes |= t.Assumes
		}
		return t.Status == prove.Proved
	}
	o, old := proof.Operator{Types: op.types, Exprs: next.exprs}, proof.Operator{Types: op.types, Exprs: op.exprs}
	if !proves(o, proof.Left) {
		next.side, next.identity = proof.NoSide, nil
		return
	}
	if !proves(old, proof.Left) {
		next.inOrder = nil
	}
	if !proves(o, proof.Right) || !proves(old, proof.Right) {
		next.side = proof.Left
	}
}
