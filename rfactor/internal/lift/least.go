package lift

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fewCells is a number of cells that is not worth reducing. A clamp of one number has three.
const fewCells = 3

// maxReductions bounds how often a shape is reduced.
const maxReductions = 6

// Least returns shapes of fewer cells that act on the states as s does, the least first. It drops
// cells that depend on the others on all products of steps, and on the identity.
//
//	x1; x2; x0 + x1 + x2   →   3 cells in place of 9: the powers of a 3×3 matrix are sums of three of them
//
// Each way to drop cells is a pair of maps: project gives the cells that are kept, and restore
// rebuilds all cells from them. Samples of products suggest the maps, and test points refute the
// reduced shape for any values of its cells, whether or not a product has these values. So the
// reduced shape needs no condition on its cells. Nothing is proven here.
func (cx *Context) Least(p *tuple.Part, s *Shape) (out []*Shape) {
	if len(s.Inject) <= max(fewCells, len(p.Types)+1) {
		return nil
	}
	defer cx.Workspace.Rows.GiveBack(cx.Workspace.Rows.Used)
	for range maxReductions {
		r := cx.observe(p, s).reduced()
		if r == nil {
			break
		}
		s, out = r, append(out, r)
	}
	slices.Reverse(out)
	return out
}

// reduced returns the shape without some of its cells, by the first way that serves; nil where none
// does.
func (o *observation) reduced() *Shape {
	for _, way := range []func() *Shape{
		func() *Shape { return o.without(o.inductive(o.relations(false))) },
		o.indexed,
		func() *Shape { o.observeLive(); return o.without(o.relations(true)) },
		o.merged,
	} {
		if o.cx.Consider(FamilyCost); o.cx.Over() {
			return nil
		}
		if s := way(); s != nil {
			return s
		}
	}
	return nil
}

// without returns the shape without the cells that have a relation: rows of zero expressions for
// cells that are kept, and for others what they are of the cells x_i that are kept. If the relations
// do not hold together it takes those that do, one after the other.
func (o *observation) without(relations []ir.Expr) *Shape {
	if relations == nil {
		return nil
	}
	if s := o.dropping(relations); o.plausible(s) {
		return s
	}
	var out *Shape
	some := make([]ir.Expr, len(relations))
	for i, e := range relations {
		if !e.IsValid() {
			continue
		}
		some[i] = e
		if s := o.dropping(some); o.plausible(s) {
			out = s
		} else {
			some[i] = ir.Expr{}
		}
	}
	return out
}

// inductive returns the greatest set among relations that compositions keep, whatever values the
// other cells have; nil where it is empty. It drops relations that fail at test points until none
// does (Houdini's algorithm).
func (o *observation) inductive(relations []ir.Expr) []ir.Expr {
	f, regs, pool := o.cx.Sample, &o.cx.Workspace.Registers, &o.cx.Workspace.Rows
	defer pool.GiveBack(pool.Used)
	first, second := o.operands()
	by := &sample.Instead{Vars: slices.Concat(first, second)}
	for i := range by.Vars {
		c := i % len(first)
		by.Rows = append(by.Rows, o.drawn(o.types[c], o.products[0].rows[c], i, 1+i/len(first)))
	}
	relations = slices.Clone(relations)
	for {
		var of []int
		for i, e := range relations {
			if e.IsValid() {
				of = append(of, i)
			}
		}
		if o.cx.Consider(len(of)); len(of) == 0 || o.cx.Over() {
			return nil
		}
		composed := o.shape.Compose(restoredBy(relations, slices.Clone(first)), restoredBy(relations, slices.Clone(second)))
		var es []ir.Expr
		for _, i := range of {
			es = append(es, composed[i], substituted(relations[i], composed))
		}
		code := regs.NewTape(es...)
		rows, valid := code.Run(f.Inputs(code, by)), ^code.Overflowed(o.cx.Allowed)
		failed := false
		for k, i := range of {
			if wrong, _ := f.Differ(o.types[i:i+1], rows[2*k:2*k+1], rows[2*k+1:2*k+2]); wrong&valid != 0 {
				relations[i], failed = ir.Expr{}, true
			}
		}
		if !failed {
			return relations
		}
	}
}

// dropping returns the shape without the cells that have a relation.
func (o *observation) dropping(relations []ir.Expr) *Shape {
	relations = slices.Clone(relations)
	var kept []int
	for i, e := range relations {
		if !e.IsValid() {
			kept = append(kept, i)
		}
	}
	return o.shape.through(
		func(cells []ir.Expr) []ir.Expr { return tuple.Pick(cells, kept) },
		func(cells []ir.Expr) []ir.Expr {
			all := make([]ir.Expr, len(relations))
			for j, i := range kept {
				all[i] = cells[j]
			}
			return restoredBy(relations, all)
		})
}

// restoredBy fills in the cells that have a relation to others: to cells that are kept, or to ones
// before it.
func restoredBy(relations, all []ir.Expr) []ir.Expr {
	for i, e := range relations {
		if e.IsValid() {
			all[i] = substituted(e, all)
		}
	}
	return all
}

// substituted returns a relation with cells in place of the variables x_i, folded.
func substituted(e ir.Expr, cells []ir.Expr) ir.Expr {
	switch e.Op() {
	case ir.Var:
		if e.Kind() == ir.State {
			return cells[e.Index()]
		}
		return e
	case ir.Const:
		return e
	}
	args := make([]ir.Expr, e.NumArgs())
	for i := range args {
		args[i] = substituted(e.Arg(i), cells)
	}
	switch e.Op() {
	case ir.Not:
		return fold.Not(args[0])
	case ir.And:
		return fold.And(args[0], args[1])
	case ir.Or:
		return fold.Or(args[0], args[1])
	case ir.Ne:
		return fold.BitXor(args[0], args[1])
	case ir.Neg:
		return fold.Neg(args[0])
	case ir.Add:
		return fold.Add(args[0], args[1])
	case ir.Mul:
		return fold.Mul(args[0], args[1])
	case ir.Select:
		return fold.Select(args[0], args[1], args[2])
	}
	return ir.Rebuild(e, args)
}

// through returns the shape of the cells that project gives.
func (s *Shape) through(project, restore func(cells []ir.Expr) []ir.Expr) *Shape {
	out := &Shape{Name: s.Name, Cellwise: s.Cellwise, Matrix: s.Matrix, Inject: project(s.Inject),
		Apply:   func(x, cells []ir.Expr) []ir.Expr { return s.Apply(x, restore(cells)) },
		Compose: func(a, b []ir.Expr) []ir.Expr { return project(s.Compose(restore(a), restore(b))) }}
	if s.Identity != nil {
		out.Identity = project(s.Identity)
	}
	return out
}

// merged returns the shape with one cell in place of two of which an action uses only one: the first
// where a flag among the cells is set, the second where it is not.
//
//	select(p0, x0 + p1, p3)   →   select(p0, x0 + p1, p1)
func (o *observation) merged() *Shape {
	n := len(o.types)
	for i := range n {
		for j := range i {
			if o.types[i] != o.types[j] {
				continue
			}
			for c := range n {
				if o.types[c] != ir.Bool || c == i || c == j {
					continue
				}
				for _, on := range []bool{true, false} {
					if !o.exclusive(i, j, c, on) {
						continue
					}
					if s := o.merging(i, j, c, on); o.plausible(s) {
						return s
					}
				}
			}
		}
	}
	return nil
}

// exclusive reports whether cell i matters only where flag c has the value on, and cell j only where
// it has the other.
func (o *observation) exclusive(i, j, c int, on bool) bool {
	for _, at := range o.products {
		flag := sample.Truths(at.rows[c])
		if !on {
			flag = ^flag
		}
		if at.live[i]&^flag&at.valid != 0 || at.live[j]&flag&at.valid != 0 {
			return false
		}
	}
	return true
}

// merging returns the shape in which cell j is also cell i.
func (o *observation) merging(i, j, c int, on bool) *Shape {
	return o.shape.through(
		func(cells []ir.Expr) []ir.Expr {
			out := slices.Clone(cells)
			if out[j] = fold.Select(cells[c], cells[i], cells[j]); !on {
				out[j] = fold.Select(cells[c], cells[j], cells[i])
			}
			return slices.Delete(out, i, i+1)
		},
		func(cells []ir.Expr) []ir.Expr {
			at := j
			if i < j {
				at = j - 1
			}
			return slices.Insert(slices.Clone(cells), i, cells[at])
		})
}

// observation is a shape evaluated on products of steps.
type observation struct {
	cx       *Context
	part     *tuple.Part
	shape    *Shape
	types    []ir.Type // of the cells
	products []product
}

// product is a product of steps at each lane.
type product struct {
	rows  []*sample.Row // of each cell
	valid uint64        // the lanes at which nothing overflowed
	live  []uint64      // of each cell, the lanes at which the action depends on its value: see observeLive
}

// maxFactors is the number of factors of the longest product that is looked at.
const maxFactors = 5

// observe evaluates products of up to maxFactors steps.
func (cx *Context) observe(p *tuple.Part, s *Shape) *observation {
	o := &observation{cx: cx, part: p, shape: s, types: typesOf(s.Inject)}
	f := cx.Sample
	f.Evaluate(p, cx.NonNeg, cx.Allowed)
	f.Restrict(slices.Concat(cx.State, cx.Inputs))
	regs := &cx.Workspace.Registers
	first, second := o.operands()
	inject, compose := regs.NewTape(s.Inject...), regs.NewTape(s.Compose(first, second)...)
	inputs := Varying(p.Values)
	valid := f.Valid
	rows := f.Run(inject, nil)
	o.products = append(o.products, product{rows: rows, valid: valid})
	for i := 1; i < maxFactors; i++ {
		step := f.Run(inject, o.permuted(inputs, i))
		valid &^= inject.Overflowed(cx.Allowed)
		rows = f.Run(compose, &sample.Instead{Vars: slices.Concat(first, second), Rows: slices.Concat(rows, step)})
		valid &^= compose.Overflowed(cx.Allowed)
		o.products = append(o.products, product{rows: rows, valid: valid})
	}
	if s.Identity != nil {
		o.products = append(o.products, product{rows: f.Run(regs.NewTape(s.Identity...), nil), valid: f.Valid})
	}
	return o
}

func typesOf(es []ir.Expr) []ir.Type {
	out := make([]ir.Type, len(es))
	for i, e := range es {
		out[i] = e.Type()
	}
	return out
}

// operands returns the cells of two operands of a composition, as variables x_i and y_i.
func (o *observation) operands() (first, second []ir.Expr) { return o.cx.Pool.Operands(o.types) }

// cellVars returns variables for cells beside the variables of states.
func (o *observation) cellVars(types []ir.Type, letter string, from int) []ir.Expr {
	out := make([]ir.Expr, len(types))
	for i, t := range types {
		out[i] = o.cx.Pool.Var(ir.Leaf, fmt.Sprintf("%s%d", letter, i), from+i, t)
	}
	return out
}

// permuted gives variables the values that they have together at other lanes.
func (o *observation) permuted(vars []ir.Expr, by int) *sample.Instead {
	out := &sample.Instead{Vars: vars}
	for _, v := range vars {
		out.Rows = append(out.Rows, o.turned(o.cx.Sample.Value(v), by))
	}
	return out
}

// turned returns a row in another order, the same for all rows.
func (o *observation) turned(r *sample.Row, by int) *sample.Row {
	out := o.cx.Workspace.Rows.Take()
	for lane := range out {
		out[lane] = r[(lane*(2*by+1)+7*by)%len(r)]
	}
	return out
}

// tries is the number of states at which the action is compared.
const tries = 3

// observeLive finds where the action depends on a cell: where another value of the cell makes it
// another function.
func (o *observation) observeLive() {
	cx := o.cx
	f, rows := cx.Sample, &cx.Workspace.Rows
	vars := o.cellVars(o.types, "p", 1<<18)
	apply := cx.Workspace.Registers.NewTape(o.shape.Apply(o.part.States, vars)...)
	states := make([][]*sample.Row, tries)
	for t := range states {
		for _, r := range f.States {
			states[t] = append(states[t], o.turned(r, t+1))
		}
	}
	defer rows.GiveBack(rows.Used)
	for n := range o.products {
		at := &o.products[n]
		at.live = make([]uint64, len(vars))
		for _, xs := range states {
			used := rows.Used
			by := &sample.Instead{Vars: slices.Concat(o.part.States, vars), Rows: slices.Concat(xs, at.rows)}
			want := f.Run(apply, by)
			for i, t := range o.types {
				by.Rows[len(xs)+i] = o.altered(t, at.rows[i], i)
				differ, _ := f.Differ(o.part.Types, want, apply.Run(f.Inputs(apply, by)))
				at.live[i] |= differ
				by.Rows[len(xs)+i] = at.rows[i]
			}
			rows.GiveBack(used)
		}
	}
}

// altered returns other values than those of a row.
func (o *observation) altered(t ir.Type, r *sample.Row, by int) *sample.Row {
	out := o.turned(r, by+1)
	for lane := range out {
		if out[lane] == r[lane] {
			one := ir.Apply1(ir.Cast, ir.U8, t, 1)
			if t == ir.Bool {
				out[lane] = r[lane] ^ 1
			} else {
				out[lane] = ir.Apply2(ir.Add, t, r[lane], one)
			}
		}
	}
	return out
}

// plausible reports whether a shape that acts on the same part satisfies the laws of a lift at test
// points: its cells have values of products, and any others.
func (o *observation) plausible(s *Shape) bool {
	cx := o.cx
	if cx.Consider(FamilyCost); cx.Over() {
		return false
	}
	f, regs, pool := cx.Sample, &cx.Workspace.Registers, &cx.Workspace.Rows
	defer pool.GiveBack(pool.Used)
	types := typesOf(s.Inject)
	states := o.part.States
	holds := func(es, want []ir.Expr, by *sample.Instead) bool {
		code := regs.NewTape(slices.Concat(es, want)...)
		rows := code.Run(f.Inputs(code, by))
		wrong, _ := f.Differ(o.part.Types, rows[:len(es)], rows[len(es):])
		valid := f.Valid &^ code.Overflowed(cx.Allowed)
		return wrong&valid == 0 && valid != 0
	}
	if !holds(s.Apply(states, s.Inject), o.part.Values, nil) {
		return false
	}
	if s.Identity != nil && !holds(s.Apply(states, s.Identity), states, nil) {
		return false
	}
	first, second := o.cellVars(types, "p", 1<<18), o.cellVars(types, "q", 1<<19)
	left := s.Apply(s.Apply(states, first), second)
	right := s.Apply(states, s.Compose(first, second))
	step := f.Run(regs.NewTape(s.Inject...), nil)
	for t := range tries {
		by := &sample.Instead{Vars: slices.Concat(states, first, second)}
		for _, r := range f.States {
			by.Rows = append(by.Rows, o.turned(r, t))
		}
		for i := range first {
			by.Rows = append(by.Rows, o.drawn(types[i], step[i], 2*i, t))
		}
		for i := range second {
			by.Rows = append(by.Rows, o.drawn(types[i], step[i], 2*i+1, t+tries))
		}
		if !holds(left, right, by) {
			return false
		}
	}
	return true
}

// drawn returns values of a cell: those of steps in some lanes, values near them in others.
func (o *observation) drawn(t ir.Type, step *sample.Row, i, by int) *sample.Row {
	out := o.turned(step, by)
	other := o.cx.Sample.Drawn(t, i+by)
	for lane := range out {
		if (lane>>2+i*by)%3 != 0 {
			out[lane] = other[lane]
		}
	}
	return out
}
