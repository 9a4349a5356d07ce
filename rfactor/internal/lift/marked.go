package lift

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// marked fits steps that move a number t, keep the greatest b of its values, and remember in other
// components what the inputs were when that value was found: the longest run and its position, the
// greatest sum of a part and its end.
//
//	max(x0 + y0, 0); max(x1, x0 + y0); select(x0 + y0 > x1, r, x2)   →   m = y0, s = 0, a = y0, c missing, mark = r
//	t ↦ max(t + m, s), b ↦ max(b, t + a, c)
//
// The cells are m, s, a and c, of which each may be missing, the marks that belong to a and to c, and
// whether a was found before c: of equal values the first or the last counts, as the update says.
// Two steps compose like max-plus rows, where the mark follows the value that wins.
func (cx *Context) marked(p *tuple.Part) *Shape {
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
	cx       *Context
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

func (k *marking) tail() tropical { return tropical{k.cx.Pool, 1, k.op} }

// shape returns the shape of the part; nil where it does not have the family's form.
func (k *marking) shape() *Shape {
	pool, t := k.cx.Pool, k.p.Types[k.num]
	tail := &fitting{cx: k.cx, p: k.p, roles: roles{numbers: []int{k.num}}, algebra: k.tail()}
	move := tail.element(k.p.Values[k.num])
	both := &fitting{cx: k.cx, p: k.p, roles: roles{numbers: []int{min(k.num, k.key), max(k.num, k.key)}}, algebra: tropical{pool, 2, k.op}}
	cells := both.element(k.p.Values[k.key])
	if move == nil || cells == nil {
		return nil
	}
	row := unpack(cells)
	of, old := row[0], row[1]
	if k.num > k.key {
		of, old = old, of
	}
	if old != present(fold.Number(pool, t, 0)) {
		return nil
	}
	none := missing(pool, t)
	inject := append(move, pack([]optional{of, row[2]})...)
	identity := append(k.tail().state(0, t), pack([]optional{none, none})...)
	for range 2 {
		for _, e := range k.set {
			inject, identity = append(inject, e), append(identity, pool.Const(e.Type(), 0))
		}
	}
	return &Shape{Name: "marked", Inject: append(inject, pool.Bool(true)), Identity: append(identity, pool.Bool(true)), Apply: k.apply, Compose: k.compose}
}

// plausible reports whether Apply with Inject equals the update at the points of the sample. It
// tells which of equal values counts.
func (k *marking) plausible(s *Shape) bool {
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
	optional
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
	at := unpack(cells[4:8])
	return steps{cells[:4], found{at[0], cells[8 : 8+n]}, found{at[1], cells[8+n : 8+2*n]}, cells[8+2*n]}
}

// best returns the one of a and b that counts, and the condition that it is b. The condition before
// says that a was found first.
func (k *marking) best(a, b found, before ir.Expr) (found, ir.Expr) {
	second := before // whether b counts of equal ones
	if !k.late {
		second = fold.Not(before)
	}
	x, y := a.v, b.v
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
	isB := fold.And(b.has, fold.Or(fold.Not(a.has), later))
	return found{better(k.op, a.optional, b.optional), zipCells(a.marks, b.marks, func(a, b ir.Expr) ir.Expr { return fold.Select(isB, b, a) })}, isB
}

func (k *marking) apply(x, cells []ir.Expr) []ir.Expr {
	s := k.steps(cells)
	of := found{sum(present(x[k.num]), s.of.optional), s.of.marks}
	best, _ := k.best(of, s.own, s.before)
	old := found{present(x[k.key]), tuple.Pick(x, k.marks)}
	all, _ := k.best(old, best, k.cx.Pool.Bool(true))
	out := append([]ir.Expr{}, x...)
	out[k.num] = k.tail().apply(x[k.num:k.num+1], s.move)
	out[k.key] = all.v
	for j, i := range k.marks {
		out[i] = all.marks[j]
	}
	return out
}

func (k *marking) compose(a, b []ir.Expr) []ir.Expr {
	first, second := k.steps(a), k.steps(b)
	move := k.tail().row(first.move)
	yes := k.cx.Pool.Bool(true)
	of, ofSecond := k.best(first.of, found{sum(move[0], second.of.optional), second.of.marks}, yes)
	through := found{sum(move[1], second.of.optional), second.of.marks}
	own, notThrough := k.best(through, second.own, second.before)
	own, ownSecond := k.best(first.own, own, yes)
	before := fold.Select(ofSecond, fold.And(ownSecond, fold.Or(fold.Not(notThrough), second.before)), fold.Or(ownSecond, first.before))
	if of.has.IsConst(0) || own.has.IsConst(0) {
		before = yes
	}
	out := append(k.tail().compose([][]ir.Expr{first.move}, second.move), pack([]optional{of.optional, own.optional})...)
	return concat([][]ir.Expr{out, of.marks, own.marks, {before}})
}
