package construct

import (
	"iter"
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

var negInf, posInf = math.Inf(-1), math.Inf(1)

// Built yields candidates for the operator of a part, whose components are terms of the step. The second operand y is what some
// steps make of a start, and x ⊕ y has to be what the same steps make of x. Built runs such steps, and keeps the terms that
// have this value in all runs.
//
//	x0 + select(x2 && x1 < y0, y0 - x1, 0); y0; true; select(x2, x3, y0)    last value, seen, first
//	→ x0 + y0 + select(y2 && x2 && x1 < y3, y3 - x1, 0); …
func Built(s *Setting, p *tuple.Part) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		if len(p.Types) < 2 || len(p.Types) > maxBuilt || sizeOf(p.Values) > maxBuiltSize || hasFunction(p.Values) {
			return
		}
		s.Buffers.used = 0
		d := &determiner{stepper: newStepper(s, p)}
		for _, start := range starts(s, p) {
			if !d.determined(start) {
				continue
			}
			kept := s.Buffers.used
			r := newRuns(d.stepper, start)
			inject := r.inject(start)
			b := newBank(r)
			for c := range b.operators(b.possible(b.goals(start))) {
				if !yield(Candidate{c, inject}) {
					return
				}
			}
			s.Buffers.used = kept
		}
	}
}

// goal is a set of points at which terms have to give z.
type goal struct {
	at mask
	// where component of an operand is none, the operator leaves the other operand alone by itself; an invalid
	// none says that it has no such test
	component int
	none      ir.Expr
}

// goals lists the points of runs from a start at which terms may give z: all, those where neither operand is the start, which
// may be left alone by a test of the terms, and those where no operand is none.
func (b *bank) goals(start []ir.Expr) []goal {
	out := []goal{{at: b.valid}, {at: b.valid.minus(b.empty)}}
	for j, none := range start {
		if some, ok := b.sentinel(j, none); ok {
			out = append(out, goal{some, j, none})
		}
	}
	return slices.DeleteFunc(out, func(g goal) bool { return count(g.at) < minPoints })
}

// possible evaluates the terms at all points, where the first ones leave a goal. Most parts without an operator show it
// there: some component is what no term gives. It returns the goals that are left.
func (b *bank) possible(goals []goal) []goal {
	kept := b.Buffers.used
	b.used = 2 * tape.Lanes
	b.evaluateAll()
	goals = slices.DeleteFunc(goals, func(g goal) bool { return !b.covers(g.at.and(b.first())) })
	b.used, b.Buffers.used = points, kept
	if len(goals) > 0 {
		b.evaluateAll()
	}
	return goals
}

// covers reports whether for each component there are terms that give z at some points, each of them at one at least.
func (b *bank) covers(at mask) bool {
	for i, t := range b.p.Types {
		covered := slices.ContainsFunc(b.shifts(i), func(s shift) bool {
			want, plain, possible := b.undo(t, s, b.z[i], at)
			var fit mask
			for _, e := range b.of[t] {
				if !possible || fit == at {
					break
				}
				fit = fit.or(b.fits(t, plain, e, want, at.minus(fit)))
			}
			return possible && fit == at
		})
		if !covered && !slices.ContainsFunc(b.merges(t), func(op ir.Op) bool { return len(b.under(op, i, at)) > 0 }) {
			return false
		}
	}
	return true
}

// operators yields operators that reach a goal. No points refute that they are associative.
func (b *bank) operators(goals []goal) iter.Seq[[]ir.Expr] {
	return func(yield func([]ir.Expr) bool) {
		for _, g := range goals {
			choices := b.choices(g.at)
			if g.none.IsValid() {
				choices = b.optional(g.component, g.none, choices)
			}
			for c := range b.assembled(choices) {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// choices lists what each component may be to give z at some points; nil where one has no choice.
func (b *bank) choices(at mask) [][]ir.Expr {
	out := make([][]ir.Expr, len(b.p.Types))
	for i := range out {
		if out[i] = b.component(i, at); out[i] == nil {
			return nil
		}
	}
	return out
}

// Bounds of what is built.
const (
	maxBuilt     = 8   // components
	maxBuiltSize = 400 // operators of a step
	minPoints    = 24  // that refute candidates
	maxEach      = 4   // candidates of one component
)

func sizeOf(es []ir.Expr) (n int) {
	for _, e := range es {
		n += e.Size()
	}
	return n
}

// hasFunction reports whether a step applies a function such as exp to the state, which no term of the bank does.
func hasFunction(es []ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) { found = found || e.Op().FloatsOnly() && e.States() != 0 })
	return found
}

// inject returns the state that one step makes of a start.
func (r *runs) inject(start []ir.Expr) []ir.Expr {
	out := tuple.MapStates(r.Pool, r.p.Values, func(i int, _ ir.Type) ir.Expr { return start[i] })
	for i, e := range out {
		out[i] = canon.Greedy(e, r.Allowed&^(ir.NSW|ir.NUW))
	}
	return out
}

// shift is what a component has besides a term: op(by, term), or the term alone.
type shift struct {
	op ir.Op
	by term // invalid where the component is the term alone
}

func (s shift) of(e ir.Expr) ir.Expr {
	switch {
	case !s.by.IsValid():
		return e
	case e.Type() == ir.Bool && s.op == ir.Or:
		return fold.Or(s.by.Expr, e)
	case e.Type() == ir.Bool:
		return fold.And(s.by.Expr, e)
	case s.op == ir.Add:
		return fold.Add(s.by.Expr, e)
	}
	return ir.Make(s.op, s.by.Expr, e)
}

// shifts lists what component i may have besides a term.
func (b *bank) shifts(i int) []shift {
	t := b.p.Types[i]
	x, y := b.Pool.X(i, t), b.Pool.Y(i, t)
	out := []shift{{}}
	for _, op := range b.merges(t) {
		for _, e := range []ir.Expr{ir.Make(op, x, y), y, x} {
			if k := slices.IndexFunc(b.of[t], func(o term) bool { return o.Expr == e }); k >= 0 {
				out = append(out, shift{op, b.of[t][k]})
			}
		}
	}
	return out
}

// component lists terms for component i of x ⊕ y that give z at some points, the simplest first.
func (b *bank) component(i int, at mask) (out []ir.Expr) {
	t := b.p.Types[i]
	conditions := b.conditions(at)
	for _, s := range b.shifts(i) {
		if b.Meter.Done() {
			return nil
		}
		want, plain, possible := b.undo(t, s, b.z[i], at)
		if !possible {
			continue
		}
		d := &decisions{bank: b, at: at, conditions: conditions}
		var fit mask
		for _, e := range b.of[t] {
			ok := b.fits(t, plain, e, want, at)
			fit = fit.or(ok)
			d.add(e, ok)
		}
		if fit != at {
			continue
		}
		for _, e := range d.find() {
			out = append(out, s.of(e))
		}
	}
	for _, op := range b.merges(t) {
		if e := b.bound(op, i, at); e.IsValid() {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(e, f ir.Expr) int { return cost(e) - cost(f) })
	return b.different(out[:min(len(out), 8*maxEach)])
}

// different returns the first terms that are not the same function of any two operands. They all give z.
func (b *bank) different(es []ir.Expr) (out []ir.Expr) {
	known := map[uint64]bool{}
	for i, v := range b.evaluate(es, b.any[0], b.any[1]) {
		if h := hash(v, all); !known[h] && len(out) < maxEach {
			known[h] = true
			out = append(out, es[i])
		}
	}
	return out
}

// bound returns the least upper bound, by a semilattice, of the terms that are bounded by z, if it is z.
func (b *bank) bound(op ir.Op, i int, at mask) ir.Expr {
	under := b.under(op, i, at)
	if len(under) == 0 {
		return ir.Expr{}
	}
	for k := len(under) - 1; k >= 0; k-- { // the largest first
		if less := slices.Delete(slices.Clone(under), k, k+1); b.reaches(op, less, i, at) {
			under = less
		}
	}
	if len(under) > maxBounds {
		return ir.Expr{}
	}
	out := under[0].Expr
	for _, e := range under[1:] {
		out = ir.Make(op, out, e.Expr)
	}
	return out
}

// under lists the terms that are bounded by z, by a semilattice, if z is their least upper bound; nil where it is not.
func (b *bank) under(op ir.Op, i int, at mask) (under []term) {
	t := b.p.Types[i]
	if op == ir.Add || op == ir.Mul || op == ir.BitXor {
		return nil
	}
	for _, e := range b.of[t] {
		if e.Op() != ir.Const && b.fits(t, shift{op, e}, term{at: b.z[i]}, b.z[i], at) == at {
			under = append(under, e)
		}
	}
	if !b.reaches(op, under, i, at) {
		return nil
	}
	return under
}

// reaches reports whether the least upper bound of some terms is component i of z.
func (b *bank) reaches(op ir.Op, es []term, i int, at mask) bool {
	if len(es) == 0 {
		return false
	}
	for n := range points {
		if !at.has(n) {
			continue
		}
		v := es[0].at[n]
		for _, e := range es[1:] {
			v = ir.Apply2(op, b.p.Types[i], v, e.at[n])
		}
		if v != b.z[i][n] {
			return false
		}
	}
	return true
}

// maxBounds bounds the terms of one least upper bound.
const maxBounds = 5
