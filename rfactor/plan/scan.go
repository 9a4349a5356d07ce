package plan

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Scan runs the loop of a stage over a reduction variable in tiles, which may run at once.
//
//	f(r) = f(r - 1) + in(r)   with   scan(r, 4096).parallel(r)
//
// For each of its passes in turn, a tile is reduced to a total; the tile takes the state before it, publishes the
// state behind it, which is that state with the total applied, and steps through the elements from there, while they
// are in cache. Then it writes what the stage keeps. An answer with an operator or a lift has one pass. A staged answer
// has one for each stage: what a later stage reads of an earlier one lies in a buffer of the tile.
//
// The stage's own loops and Values are the serial loop, which does the same but for rounding.
//
// The result depends on the tile and on the lanes, and on nothing else: not on how many tiles run at once. Where
// floats are regrouped, the total of a tile does not count if it, or the state before or behind it, holds a number that
// is not finite: powers of a pole outside of the unit circle overflow where the serial loop does not. The tile is then
// stepped through before its state is published. Totals of steps that are only added and chosen from, and have infinities
// by themselves, may hold some: of max(x + a, b), b = -∞ leaves x + a alone.
type Scan struct {
	Var      ir.Expr // the variable of the loop, which runs inside of all others
	Tile     int64   // steps in a tile; the last one may have fewer
	Parallel bool    // tiles may run at once
	Lanes    int64   // elements of a block that a tree combines: of 2, 4, 8, … the upper half takes the last of the lower; 1 where elements are stepped through
	State    []ir.Type
	Start    []ir.Expr // the state before the first step
	Passes   []*Pass
	Keep     []Keep // what is written of each step, for each component of the buffer; nil where the last state alone is
	elements int64  // steps in a tile that cannot overflow; 0 where nothing is wider
}

// Pass is a pass over a tile: some components of the state, by their operator or lift. Expressions number these
// components from 0. They mention the program's variables, and those of Reads.
type Pass struct {
	Components []int
	Reads      []Reading
	Update     []ir.Expr // a step, over x_i

	Types   []ir.Type // of totals: of states, which may be wider than the state's, or of parameters of steps
	Combine []ir.Expr // of two totals, over x_i and y_i
	Inject  []ir.Expr // the total of one step
	Next    []ir.Expr // the total of one step more, over x_i: Combine with Inject, simplified
	Apply   []ir.Expr // the state behind a tile, over x_i, the state before it, and y_i, the total; narrowed to the state's types
	Assumes ir.Assume
	InOrder bool // no tiles can compose its steps: there are no totals, and a tile steps through them once it has the state before it

	lifted bool // totals are parameters of steps
	finite bool // totals that are infinite do not count: no step has an infinity, or floats are multiplied or divided, so that it may hide
}

// Reading is a component of an earlier pass, before or after the step, that a pass reads by the name of a variable.
type Reading struct {
	Var       ir.Expr
	Component int // of the state
	After     bool
}

// Keep is what a scan writes of a component of the buffer: that component of the state after the step, or, where State
// is below 0, a value over the state x_i before the step.
type Keep struct {
	State int
	Value ir.Expr
}

// OutputOf returns the component of the buffer that keeps a component of the state after each step, or -1 if none does.
func (sc *Scan) OutputOf(state int) int {
	return slices.IndexFunc(sc.Keep, func(k Keep) bool { return k.State == state })
}

// Counts reports whether the total of a tile has to be applied where it takes the state before to the state after; see Scan. Values
// are carried as package ir says.
func (sc *Scan) Counts(p *Pass, from, total, behind []uint64) bool {
	if p.IsExact() {
		return true
	}
	for j, c := range p.Components {
		if !sc.Finite(c, from[j]) || !sc.Finite(c, behind[j]) {
			return false
		}
	}
	for i, t := range p.Types {
		if t.IsFloat() && math.IsNaN(ir.Float(t, total[i])) || p.finite && !isFinite(t, total[i]) {
			return false
		}
	}
	return true
}

// IsExact reports whether totals of the pass have the same bits as the serial loop: it assumes nothing about rounding.
func (p *Pass) IsExact() bool { return p.Assumes&^(ir.NSW|ir.NUW) == 0 }

// NeedsFinite reports whether totals of the pass that are infinite do not count.
func (p *Pass) NeedsFinite() bool { return p.finite }

// Finite reports whether a value of a component of the state is no infinity and not NaN.
func (sc *Scan) Finite(component int, v uint64) bool { return isFinite(sc.State[component], v) }

// isFinite reports whether a value is no infinity and not NaN.
func isFinite(t ir.Type, v uint64) bool {
	if !t.IsFloat() {
		return true
	}
	f := ir.Float(t, v)
	return !math.IsNaN(f) && !math.IsInf(f, 0)
}

// scan runs a recurrence, or a reduction that is answered in stages, in tiles.
func (s *scheduler) scan(t *target, n *nest, d *program.Directive) *ir.Error {
	a, err := s.find(n, d, d.Args[0].Name)
	if err != nil {
		return err
	}
	tile, err := s.factorOf(d, 1)
	if err != nil {
		return err
	}
	if err := s.scannable(n, a, d); err != nil {
		return err
	}
	answer, numbers, err := s.ask(n.def, d)
	if err != nil {
		return err
	}
	rec := n.def.Recurrence()
	switch {
	case answer.Status != rfactor.Staged && answer.Operator == nil:
		return s.errorf(d, "%s has no associative operator: %s", n.def, answer.Reason)
	case answer.Status != rfactor.Staged && rec == nil:
		return s.errorf(d, "%s keeps nothing but its last state, and needs no scan: split(%s, ro, ri, %s).rfactor(ro, u) gives slices that can run so; "+
			"f(r) = f(r - 1) + in(r) is a scan", n.def, a.v, tile)
	}
	if rec == nil && slices.ContainsFunc(n.index, func(e ir.Expr) bool { return uses(e, a.v) }) {
		return s.errorf(d, "each step of %s updates an element of %s that it computes, and tiles are of steps on one", a.v, d.Func)
	}
	sc := &Scan{Var: a.v, Tile: tile.Int(), Lanes: 1, State: answer.Types}
	if err := s.passes(sc, n.def, answer, numbers, d); err != nil {
		return err
	}
	if sc.elements > 0 && sc.Tile >= sc.elements {
		return s.errorf(d, "totals of %d steps may overflow even 64 bits; tiles of fewer than %d steps do not", sc.Tile, sc.elements)
	}
	if rec == nil {
		for i, t := range n.buffer.Types {
			sc.Start = append(sc.Start, s.pool.Call(t, n.buffer.Name, i, n.def.Args...))
		}
	} else {
		s.keeps(sc, rec)
	}
	n.scan = sc
	n.scan.replace(n.coords, n.now)
	return nil
}

// scannable reports why a loop cannot be run in tiles.
func (s *scheduler) scannable(n *nest, a *axis, d *program.Directive) *ir.Error {
	if n.def == nil {
		return s.errorf(d, "%s has no update here; say %s.update(0).%s", d.Func, d.Func, d.Name)
	}
	rec := n.def.Recurrence()
	switch last := n.order[max(len(n.order)-1, 0):]; {
	case n.role != Serial:
		return s.errorf(d, "%s is factored already, and its partial results are not kept; scan the update that is not", n.def)
	case n.scan != nil:
		return s.errorf(d, "%s is scanned already, in tiles of %d", n.scan.Var, n.scan.Tile)
	case rec != nil && a.root.v == rec.Var && a.root != a, rec == nil && a.root != a:
		return s.errorf(d, "%s is a part of %s, and scan makes the tiles itself: leave out the split, and scan %s", a.v, a.root.v, a.root.v)
	case rec != nil && a.v != rec.Var:
		return s.errorf(d, "%s reads what earlier steps of %s wrote: scan(%s, %s)", n.def, rec.Var, rec.Var, d.Args[1].Value)
	case a.pure:
		return s.errorf(d, "%s is pure: each element of %s is touched in one of its iterations only, so that parallel(%s) needs no scan", a.v, d.Func, a.v)
	case !slices.Contains(n.coords, a.v) || len(a.bounds) > 0:
		return s.errorf(d, "%s is no coordinate of %s: scan before it is fused with another loop", a.v, n.def)
	case len(last) == 0 || last[0] != a:
		return s.errorf(d, "the steps of %s lie inside of those of %s, in their order: scan %s, the innermost", last[0].v, a.v, last[0].v)
	}
	return nil
}

// keeps says where a recurrence starts, and what it writes.
func (s *scheduler) keeps(sc *Scan, rec *program.Recurrence) {
	for i := range rec.State {
		sc.Start = append(sc.Start, rec.Before(i))
	}
	for c := range s.target(sc.Start[0].Name()).buffer.Types {
		k := Keep{State: slices.Index(rec.State, program.Delay{Component: c, Steps: 1})}
		if k.State < 0 {
			k.Value = rec.Value(c)
		}
		sc.Keep = append(sc.Keep, k)
	}
}

// passes adds the passes of an answer.
func (s *scheduler) passes(sc *Scan, def *program.Definition, a *rfactor.Answer, numbers numbering, d *program.Directive) *ir.Error {
	stages := a.Stages
	if a.Status != rfactor.Staged {
		all := make([]int, len(a.Types))
		for i := range all {
			all[i] = i
		}
		stages = []rfactor.Stage{{Components: all, Answer: a}}
	}
	var dear error
	composed := false
	for _, stage := range stages {
		w, err := stageOperation(s.ctx, stage.Answer)
		if err != nil {
			dear, w = err, &widened{}
		} else {
			composed = true
		}
		if w.elements > 0 && (sc.elements == 0 || w.elements < sc.elements) {
			sc.elements = w.elements
		}
		p := &Pass{Components: stage.Components, Types: w.types, Assumes: stage.Answer.Assumes, lifted: w.action != nil}
		names := numbering{}
		for name, e := range numbers {
			names[name] = e
		}
		for _, r := range stage.Reads {
			name := fmt.Sprintf("before%d", r.Component)
			if r.After {
				name = fmt.Sprintf("after%d", r.Component)
			}
			v := s.pool.Var(ir.Leaf, name, 0, r.Leaf.Type())
			names[r.Leaf.Name()] = v
			p.Reads = append(p.Reads, Reading{v, r.Component, r.After})
		}
		if p.Update = names.in(s.pool, stage.Answer.Update, false); err != nil {
			p.InOrder, p.Assumes = true, 0
			sc.Passes = append(sc.Passes, p)
			continue
		}
		action := w.exprs
		if w.action != nil {
			action = w.action
		}
		p.Combine = names.in(s.pool, w.exprs, true)
		p.Inject, p.Apply = names.in(s.pool, w.inject, false), names.in(s.pool, action, true)
		_, y := s.pool.Operands(p.Types)
		if p.Next = substAll(p.Combine, y, p.Inject); p.lifted {
			p.Next, p.Apply = canon.SimplifyStep(p.Next), canon.SimplifyStep(p.Apply)
		}
		p.finite = !slices.ContainsFunc(p.Inject, func(e ir.Expr) bool { return e.Op() == ir.Const && !isFinite(e.Type(), e.Value()) })
		ir.Walk(slices.Concat(p.Combine, p.Apply), func(e ir.Expr) {
			p.finite = p.finite || e.Type().IsFloat() && (e.Op() == ir.Mul || e.Op() == ir.Div)
		})
		sc.Passes = append(sc.Passes, p)
	}
	if !composed {
		return s.errorf(d, "%s has an answer that no tiles can use: %v", def, dear)
	}
	return nil
}

// replace puts expressions in the place of variables everywhere in a scan.
func (sc *Scan) replace(from, to []ir.Expr) {
	in := func(es *[]ir.Expr) { *es = substAll(*es, from, to) }
	in(&sc.Start)
	for _, p := range sc.Passes {
		in(&p.Update)
		in(&p.Combine)
		in(&p.Inject)
		in(&p.Next)
		in(&p.Apply)
	}
	for i, k := range sc.Keep {
		if k.State < 0 {
			sc.Keep[i].Value = substAll([]ir.Expr{k.Value}, from, to)[0]
		}
	}
}

// runTiles sets how the tiles of a scan run: at once, or by a tree of some elements inside of each.
func (s *scheduler) runTiles(n *nest, d *program.Directive, how How) *ir.Error {
	switch {
	case how == InParallel && len(d.Args) == 2:
		return s.errorf(d, "the slices of %s are its tiles, of %d steps: parallel(%s)", n.scan.Var, n.scan.Tile, n.scan.Var)
	case how == InParallel:
		n.scan.Parallel = true
	case how == Unrolled:
		return s.errorf(d, "%s is scanned in tiles, whose steps are not written out", n.scan.Var)
	case len(d.Args) == 1:
		return s.errorf(d, "say how many elements a tree combines, since rounding depends on it: vectorize(%s, 8)", n.scan.Var)
	default:
		lanes, err := s.factorOf(d, 1)
		if err != nil {
			return err
		}
		if k := lanes.Int(); k&(k-1) != 0 || k > n.scan.Tile {
			return s.errorf(d, "a tree combines 2, 4, 8, … elements of a tile of %d, not %d", n.scan.Tile, k)
		}
		n.scan.Lanes = lanes.Int()
	}
	return nil
}
