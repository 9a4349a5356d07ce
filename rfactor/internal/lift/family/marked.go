package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitMarked fits steps that move a number t, keep the greatest b of its values, and remember in other
// components what the inputs were when that value was found: the longest run and its position, the
// greatest sum of a part and its end.
//
//	max(x0 + y0, 0); max(x1, x0 + y0); select(x0 + y0 > x1, r, x2)   →   m = y0, s = 0, a = y0, c missing, mark = r
//	t ↦ max(t + m, s), b ↦ max(b, t + a, c)
//
// The cells are m, s, a and c, of which each may be missing, the marks that belong to a and to c, and
// whether a was found before c: of equal values the first or the last counts, as the update says.
// Two steps compose like max-plus rows, where the mark follows the value that wins.
func fitMarked(cx *lift.Context, p *tuple.Part) *lift.Shape {
	k := marking{cx: cx, p: p}
	numbers := k.roles()
	if len(numbers) != 2 || len(k.marks) == 0 || p.Types[numbers[0]] != p.Types[numbers[1]] || p.Types[numbers[0]] == ir.Bool {
		return nil
	}
	for i := range 2 {
		k.num, k.key = numbers[i], numbers[1-i]
		if p.Values[k.num].States()&^(1<<k.num) != 0 || p.Values[k.key].States()|1<<k.num != 1<<k.num|1<<k.key {
			continue
		}
		for _, k.op = range []ir.Op{ir.Max, ir.Min} {
			for _, k.late = range []bool{false, true} {
				k := k // the shape keeps it
				if s := k.shape(); s != nil && k.plausible(s) {
					return s
				}
			}
		}
	}
	return nil
}

type marking struct {
	cx       *lift.Context
	p        *tuple.Part
	op       ir.Op // Max or Min
	late     bool  // of equal ones the last counts
	num, key int
	marks    []int
	set      []ir.Expr // what belongs to a step, of each mark
}

// roles finds the marks, and returns the other components.
func (k *marking) roles() (numbers []int) {
	for i, v := range k.p.Values {
		if k.mark(i, v) {
			k.marks = append(k.marks, i)
		} else {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// mark reports whether a step sets component i to an input or keeps it.
func (k *marking) mark(i int, v ir.Expr) bool {
	if v.Op() != ir.Select {
		return false
	}
	for side := 1; side <= 2; side++ {
		if set := v.Arg(side); v.Arg(3-side) == k.p.States[i] && set.IsLeaf() {
			k.set = append(k.set, set)
			return true
		}
	}
	return false
}

func (k *marking) tail() algebra.Tropical { return algebra.Tropical{Pool: k.cx.Pool, N: 1, Best: k.op} }

// shape returns the shape of the part; nil where it does not have the family's form.
func (k *marking) shape() *lift.Shape {
	pool, t := k.cx.Pool, k.p.Types[k.num]
	tail := algebra.NewFitting(k.cx, k.p, []int{k.num}, k.tail())
	move := tail.Element(k.p.Values[k.num])
	both := algebra.NewFitting(k.cx, k.p, []int{min(k.num, k.key), max(k.num, k.key)}, algebra.Tropical{Pool: pool, N: 2, Best: k.op})
	cells := both.Element(k.p.Values[k.key])
	if move == nil || cells == nil {
		return nil
	}
	row := algebra.Unpack(cells)
	of, old := row[0], row[1]
	if k.num > k.key {
		of, old = old, of
	}
	if old != algebra.Present(fold.Number(pool, t, 0)) {
		return nil
	}
	none := algebra.Missing(pool, t)
	inject := append(move, algebra.Pack([]algebra.Optional{of, row[2]})...)
	identity := append(k.tail().State(0, t), algebra.Pack([]algebra.Optional{none, none})...)
	for range 2 {
		for _, e := range k.set {
			inject, identity = append(inject, e), append(identity, pool.Const(e.Type(), 0))
		}
	}
	return &lift.Shape{Name: "marked", Inject: append(inject, pool.Bool(true)), Identity: append(identity, pool.Bool(true)), Apply: k.apply, Compose: k.compose}
}

// plausible reports whether Apply with Inject equals the update at the points of the sample. It
// tells which of equal values counts.
func (k *marking) plausible(s *lift.Shape) bool {
	cx := k.cx
	defer cx.Workspace.Rows.GiveBack(cx.Workspace.Rows.Used)
	f := cx.Sample
	f.Evaluate(k.p, cx.NonNeg, cx.Allowed)
	var out []*sample.Row
	for _, e := range s.Apply(k.p.States, s.Inject) {
		out = append(out, f.Value(e))
	}
	wrong, _ := f.Differ(k.p.Types, f.Want, out)
	return wrong&f.Valid == 0
}

// found is an extremum, which may be missing, and the marks that belong to it.
type found struct {
	algebra.Optional
	marks []ir.Expr
}

// steps are the cells by their roles.
type steps struct {
	move    []ir.Expr
	of, own found
	before  ir.Expr // whether of was found before own
}

func (k *marking) steps(cells []ir.Expr) steps {
	n := len(k.marks)
	at := algebra.Unpack(cells[4:8])
	return steps{cells[:4], found{at[0], cells[8 : 8+n]}, found{at[1], cells[8+n : 8+2*n]}, cells[8+2*n]}
}

// best returns the one of a and b that counts, and the condition that it is b. The condition before
// says that a was found first.
func (k *marking) best(a, b found, before ir.Expr) (found, ir.Expr) {
	second := before // whether b counts of equal ones
	if !k.late {
		second = fold.Not(before)
	}
	x, y := a.Value, b.Value
	if k.op == ir.Max {
		x, y = y, x
	}
	var later ir.Expr // x < y says that b is better
	switch {
	case second.IsConst(1):
		later = ir.LeOf(y, x)
	case second.IsConst(0):
		later = ir.LtOf(y, x)
	default:
		later = fold.Or(ir.LtOf(y, x), fold.And(ir.EqOf(y, x), second))
	}
	isB := fold.And(b.Has, fold.Or(fold.Not(a.Has), later))
	return found{algebra.Better(k.op, a.Optional, b.Optional), algebra.ZipCells(a.marks, b.marks, func(a, b ir.Expr) ir.Expr { return fold.Select(isB, b, a) })}, isB
}

func (k *marking) apply(x, cells []ir.Expr) []ir.Expr {
	s := k.steps(cells)
	of := found{algebra.Sum(algebra.Present(x[k.num]), s.of.Optional), s.of.marks}
	best, _ := k.best(of, s.own, s.before)
	old := found{algebra.Present(x[k.key]), tuple.Pick(x, k.marks)}
	all, _ := k.best(old, best, k.cx.Pool.Bool(true))
	out := append([]ir.Expr{}, x...)
	out[k.num] = k.tail().Apply(x[k.num:k.num+1], s.move)
	out[k.key] = all.Value
	for j, i := range k.marks {
		out[i] = all.marks[j]
	}
	return out
}

func (k *marking) compose(a, b []ir.Expr) []ir.Expr {
	first, second := k.steps(a), k.steps(b)
	move := k.tail().Row(first.move)
	yes := k.cx.Pool.Bool(true)
	of, ofSecond := k.best(first.of, found{algebra.Sum(move[0], second.of.Optional), second.of.marks}, yes)
	through := found{algebra.Sum(move[1], second.of.Optional), second.of.marks}
	own, notThrough := k.best(through, second.own, second.before)
	own, ownSecond := k.best(first.own, own, yes)
	before := fold.Select(ofSecond, fold.And(ownSecond, fold.Or(fold.Not(notThrough), second.before)), fold.Or(ownSecond, first.before))
	if of.Has.IsConst(0) || own.Has.IsConst(0) {
		before = yes
	}
	out := append(k.tail().Compose([][]ir.Expr{first.move}, second.move), algebra.Pack([]algebra.Optional{of.Optional, own.Optional})...)
	return slices.Concat(out, of.marks, own.marks, []ir.Expr{before})
}
