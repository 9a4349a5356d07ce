// Package threshold checks equations between minima and maxima by their thresholds.
//
//	min(max(x, y), max(x, z)) = max(x, min(y, z))   →   (x | y) & (x | z) = x | (y & z) of bits
//
// A value is known by the thresholds that it reaches. A minimum reaches those that all its operands reach, and a maximum those
// that one of them reaches: at each threshold both sides are boolean functions of what their atoms reach. Sides that are the
// same function are equal in every order. This is the 0–1 principle of sorting networks (Knuth, The Art of Computer
// Programming 3, section 5.3.4, theorem Z), for any monotone networks.
//
// Read are minima, maxima, and choices between them: by two operands' order, which are extrema themselves, or by a boolean
// formula over flags. All other terms are atoms, of which nothing is known, so that an equation holds whatever they are. A
// literal reaches what smaller ones reach; the type's least value reaches nothing, and its greatest everything, unless integers
// are unbounded. A given condition a <= b excludes that a reaches what b does not. Other conditions are not used.
//
// Integers are read under any assumptions, since nothing is computed with them. Floats without NaN have an order, in which −0 is
// below +0 and which min and max know; comparisons do not, so that choices by them, and conditions, are read under nsz alone, and
// choices at all under nnan. An extremum of NaN is NaN: where that is not excluded both sides have the same atoms.
package threshold

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// MaxAtoms is how many atoms and flags an equation has at most: all combinations of what they reach are tried.
const MaxAtoms = 20

// Equal returns nil if both sides of an equation have the same value wherever what is given holds. Otherwise the equation is
// not confirmed. It takes an elementary step off fuel for 64 combinations of one operation.
func Equal(fuel *int, p proof.Problem, assume ir.Assume) error {
	t := p.Left.Type()
	switch {
	case t != p.Right.Type():
		return errors.New("the sides are of two types")
	case !t.IsNumeric():
		return fmt.Errorf("%s has no thresholds", t)
	}
	r := reader{typ: t, unbounded: assume.Unbounded(t), places: map[ir.Expr]int{}}
	r.chooses = !t.IsFloat() || assume.Has(ir.NNaN)
	r.compares = !t.IsFloat() || assume.Has(ir.NNaN|ir.NSZ)
	left, right := r.read(p.Left), r.read(p.Right)
	if !r.chooses && !r.sameAtoms(left, right) {
		return errors.New("a side is NaN where the other is not")
	}
	for _, g := range p.Given {
		r.give(g)
	}
	if len(r.atoms) > MaxAtoms {
		return fmt.Errorf("%d atoms are more than %d", len(r.atoms), MaxAtoms)
	}
	return r.compare(fuel, left, right)
}

// reader writes both sides as a boolean program.
type reader struct {
	typ       ir.Type
	unbounded bool            // integers of it
	chooses   bool            // choices are read
	compares  bool            // comparisons are those of the order
	places    map[ir.Expr]int // of terms in code
	code      []step
	atoms     []int // places
	literals  []literal
	given     [][2]int // places: the first reaches what the second does not nowhere
}

// literal is a number, or a flag, at a place.
type literal struct {
	place int
	typ   ir.Type
	value uint64
}

// step is an operation of the program on the values at earlier places.
type step struct {
	op      ir.Op // And, Or, Not, Select; Const and Var have values from outside
	a, b, c int
}

func (r *reader) add(e ir.Expr, s step) int {
	r.code = append(r.code, s)
	r.places[e] = len(r.code) - 1
	return len(r.code) - 1
}

// read returns the place of a term: of a number whether it reaches the threshold, of a flag whether it is true.
func (r *reader) read(e ir.Expr) int {
	if at, ok := r.places[e]; ok {
		return at
	}
	switch op := e.Op(); {
	case op == ir.Const && !isNaN(e):
		at := r.add(e, step{op: ir.Const})
		r.literals = append(r.literals, literal{at, e.Type(), e.Value()})
		return at
	case op == ir.Min && e.Type() == r.typ, op == ir.And:
		return r.add(e, step{op: ir.And, a: r.read(e.Arg(0)), b: r.read(e.Arg(1))})
	case op == ir.Max && e.Type() == r.typ, op == ir.Or:
		return r.add(e, step{op: ir.Or, a: r.read(e.Arg(0)), b: r.read(e.Arg(1))})
	case op == ir.Not:
		return r.add(e, step{op: ir.Not, a: r.read(e.Arg(0))})
	case op == ir.Select && e.Type() == r.typ && !r.chooses:
	case op == ir.Select && e.Type() == r.typ:
		if extremum, a, b := r.chosen(e); extremum != 0 {
			return r.add(e, step{op: extremum, a: r.read(a), b: r.read(b)})
		}
		fallthrough
	case op == ir.Select && e.Type() == ir.Bool:
		return r.add(e, step{op: ir.Select, a: r.read(e.Arg(0)), b: r.read(e.Arg(1)), c: r.read(e.Arg(2))})
	}
	at := r.add(e, step{op: ir.Var})
	r.atoms = append(r.atoms, at)
	return at
}

// sameAtoms reports whether two terms have the same atoms.
func (r *reader) sameAtoms(left, right int) bool {
	of := func(root int) []bool {
		used := make([]bool, len(r.code))
		used[root] = true
		for at := root; at >= 0; at-- { // operands stand before what is made of them
			if s := r.code[at]; used[at] && (s.op == ir.And || s.op == ir.Or) {
				used[s.a], used[s.b] = true, true
			}
		}
		return used
	}
	l, n := of(left), of(right)
	for _, at := range r.atoms {
		if l[at] != n[at] {
			return false
		}
	}
	return true
}

// chosen returns the extremum that a choice between two terms by their order is: And for the minimum, Or for the maximum,
// and 0 for another choice.
func (r *reader) chosen(e ir.Expr) (extremum ir.Op, a, b ir.Expr) {
	low, high, ok := ordered(e.Arg(0))
	if !ok || !r.compares {
		return 0, a, b
	}
	switch a, b = e.Arg(1), e.Arg(2); {
	case a == low && b == high:
		return ir.And, a, b
	case a == high && b == low:
		return ir.Or, a, b
	}
	return 0, a, b
}

// ordered returns the terms of which a condition says that low <= high; where it is false they are in the other order.
func ordered(cond ir.Expr) (low, high ir.Expr, ok bool) {
	switch cond.Op() {
	case ir.Not:
		high, low, ok = ordered(cond.Arg(0))
		return low, high, ok
	case ir.Lt, ir.Le:
		return cond.Arg(0), cond.Arg(1), true
	case ir.Gt, ir.Ge:
		return cond.Arg(1), cond.Arg(0), true
	}
	return low, high, false
}

// give uses a condition if it says that one number is not greater than another.
func (r *reader) give(cond ir.Expr) {
	if !r.compares {
		return
	}
	if cond.Op() == ir.And {
		r.give(cond.Arg(0))
		r.give(cond.Arg(1))
	} else if low, high, ok := ordered(cond); ok && low.Type() == r.typ && !(r.typ.IsFloat() && cond.Op() == ir.Not) { // which NaN satisfies
		r.given = append(r.given, [2]int{r.read(low), r.read(high)})
	}
}

// ladder returns the literals of the number type of which more is known than that they reach nothing or everything, in their
// order, each value once.
func (r *reader) ladder() (values []uint64) {
	for _, l := range r.literals {
		if l.typ == r.typ && !r.isLeast(l.value) && !r.isGreatest(l.value) {
			values = append(values, l.value)
		}
	}
	slices.SortFunc(values, func(a, b uint64) int {
		switch {
		case r.less(a, b):
			return -1
		case r.less(b, a):
			return 1
		}
		return 0
	})
	return slices.CompactFunc(values, func(a, b uint64) bool { return !r.less(a, b) && !r.less(b, a) })
}

// less is the order of values: of floats with −0 below +0, unless comparisons are read, which know one zero.
func (r *reader) less(a, b uint64) bool {
	if r.compares {
		return ir.Apply2(ir.Lt, r.typ, a, b) != 0
	}
	return a != b && ir.Apply2(ir.Min, r.typ, a, b) == a
}

func (r *reader) isLeast(v uint64) bool {
	return v == r.typ.Min() && !(r.unbounded && r.typ.IsSigned())
}

func (r *reader) isGreatest(v uint64) bool { return v == r.typ.Max() && !r.unbounded }

// reaches reports whether a literal reaches the threshold: a flag where it is true, the greatest value everything, and
// others the thresholds up to one of them, or none where that is nil.
func (r *reader) reaches(l literal, threshold *uint64) bool {
	switch {
	case l.typ == ir.Bool:
		return l.value != 0
	case r.isLeast(l.value):
		return false
	case r.isGreatest(l.value):
		return true
	}
	return threshold != nil && !r.less(l.value, *threshold)
}

// lanes are what the first six atoms reach in 64 combinations.
var lanes = [6]uint64{0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000}

// compare evaluates both sides for all combinations of what the atoms reach, at a threshold above all literals and at each.
func (r *reader) compare(fuel *int, left, right int) error {
	thresholds := []*uint64{nil}
	for _, v := range r.ladder() {
		thresholds = append(thresholds, &v)
	}
	at := make([]uint64, len(r.code))
	for _, threshold := range thresholds {
		for _, l := range r.literals {
			at[l.place] = 0
			if r.reaches(l, threshold) {
				at[l.place] = ^uint64(0)
			}
		}
		for high := range 1 << max(0, len(r.atoms)-len(lanes)) {
			if *fuel -= len(r.code); *fuel < 0 {
				return errors.New("it takes too many steps")
			}
			for i, place := range r.atoms {
				if i < len(lanes) {
					at[place] = lanes[i]
				} else {
					at[place] = -uint64(high >> (i - len(lanes)) & 1)
				}
			}
			r.run(at)
			differ := at[left] ^ at[right]
			for _, g := range r.given {
				differ &^= at[g[0]] &^ at[g[1]]
			}
			if differ != 0 {
				return errors.New("the sides differ at a threshold")
			}
		}
	}
	return nil
}

// run evaluates the program in 64 combinations.
func (r *reader) run(at []uint64) {
	for i, s := range r.code {
		switch s.op {
		case ir.And:
			at[i] = at[s.a] & at[s.b]
		case ir.Or:
			at[i] = at[s.a] | at[s.b]
		case ir.Not:
			at[i] = ^at[s.a]
		case ir.Select:
			at[i] = at[s.a]&at[s.b] | at[s.c]&^at[s.a]
		}
	}
}

func isNaN(e ir.Expr) bool {
	return e.Type().IsFloat() && math.IsNaN(ir.Float(e.Type(), e.Value()))
}
