package plan

import (
	"context"
	"errors"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Options say how Factor goes about a program. The zero value applies the program's own schedule,
// with operators that assume nothing.
type Options struct {
	Match   rfactor.Options                // how operators are found, and what they may assume
	Given   []string                       // promised of every update that is factored, as program.ParseGiven reads it
	Extents map[string]ndarray.Box         // dimensions of outputs by name, where the program does not tell them
	Auto    bool                           // choose a schedule for a program that has none; see Plan.Serial
	Leave   map[*program.Definition]string // updates that Auto leaves serial, with the reason: see lower.Factor
	Grain   int                            // iterations in a slice that Auto makes; 0 for some 256 KiB of input
}

// Factor applies a program's schedule. It matches and proves each update that the schedule factors,
// which takes most of the time: some milliseconds for each. Factor adds to the program's pool.
//
// Where a directive cannot be applied, or would change the program's results, the error is an
// ir.ErrorList that names the directive and the variable. Other errors mean that the context
// ended, or that ctx or prog is nil. The plan is nil where there is an error.
func Factor(ctx context.Context, prog *program.Program, opts Options) (*Plan, error) {
	if ctx == nil || prog == nil {
		return nil, errors.New("plan: Factor needs a context and a program")
	}
	contract := opts.Match.Allowed.Has(ir.Contract)
	opts.Match.Allowed &^= ir.Contract
	s, err := newScheduler(ctx, prog, opts)
	if err != nil {
		return nil, &InputError{ir.ErrorList{err}}
	}
	schedule := prog.Schedule
	if opts.Auto && len(schedule) == 0 {
		schedule, err = s.automatic()
	} else {
		err = s.applyAll(schedule)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, ir.ErrorList{err}
	}
	p := s.plan()
	for _, need := range p.Needs {
		if need.Cond.IsConst(0) {
			return nil, ir.ErrorList{prog.Source.Errorf(need.Pos, "%s", need.Message)}
		}
	}
	s.findEnds(p)
	p.Schedule, p.Contract = schedule, contract
	return p, nil
}

// scheduler is a program while its schedule is applied.
type scheduler struct {
	ctx     context.Context
	prog    *program.Program
	pool    *ir.Pool
	opts    Options
	targets []*target
	answers map[*program.Definition]*rfactor.Answer
	numbers map[*program.Definition]numbering // of the answers
	given   map[*program.Definition][]ir.Expr
	needs   []Need
	serial  []Unfactored
	instead map[*nest]*nest                    // where the loops of an update went
	written map[*program.Definition]*nest      // updates as the program says them
	matched map[*program.Definition]*operation // their operations, over their own variables
	lasts   []*Last
}

// InputError is an error of a program that no schedule changes, such as a loop without a known range.
type InputError struct{ ir.ErrorList }

// Unwrap returns the errors with their places.
func (e *InputError) Unwrap() error { return e.ErrorList }

// target is a function that directives can name: one of the program's, or one that rfactor
// made.
type target struct {
	buffer  *Buffer
	vars    []ir.Expr // that run over its dimensions
	first   *nest
	updates []*nest
}

func newScheduler(ctx context.Context, prog *program.Program, opts Options) (*scheduler, *ir.Error) {
	s := &scheduler{ctx: ctx, prog: prog, pool: prog.Pool, opts: opts, answers: map[*program.Definition]*rfactor.Answer{}, numbers: map[*program.Definition]numbering{}, given: map[*program.Definition][]ir.Expr{}, instead: map[*nest]*nest{},
		written: map[*program.Definition]*nest{}, matched: map[*program.Definition]*operation{}}
	for name, given := range opts.Extents {
		f := prog.Func(name)
		if f == nil {
			return nil, prog.Source.Errorf(0, "extents are given of %s, which the program does not define", name)
		}
		if len(given) != len(funcVars(f)) {
			return nil, prog.Source.Errorf(f.Pos, "%s has %d dimensions, and extents of %d are given", name, len(funcVars(f)), len(given))
		}
	}
	for _, f := range prog.Funcs {
		if err := s.addFunc(f); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// addFunc makes the buffer and the nests of a function of the program.
func (s *scheduler) addFunc(f *program.Func) *ir.Error {
	if f.Init == nil {
		return s.prog.Source.Errorf(f.Pos, "%s has no initial definition, such as %s(%s) = 0", f.Name, f.Name, list(funcVars(f)))
	}
	t := &target{buffer: &Buffer{Name: f.Name, Types: f.Types, Output: true, Func: f}, vars: f.Args}
	dims, err := s.dimensions(f)
	if err != nil {
		return err
	}
	t.buffer.Dims = dims
	t.first = s.firstNest(t, f.Init)
	if err := s.closed(t.first, f.Pos); err != nil {
		return err
	}
	for _, d := range f.Updates {
		n, err := s.updateNest(t, d)
		if err != nil {
			return err
		}
		t.updates = append(t.updates, n)
		s.written[d] = n.clone()
	}
	s.targets = append(s.targets, t)
	return nil
}

func funcVars(f *program.Func) []ir.Expr {
	if len(f.Args) == 0 && len(f.Updates) > 0 {
		return f.Updates[0].Args
	}
	return f.Args
}

// firstNest gives every element of a buffer its first values.
func (s *scheduler) firstNest(t *target, values []ir.Expr) *nest {
	n := &nest{buffer: t.buffer, role: First, index: t.vars, values: values}
	for i, d := range slices.Backward(t.buffer.Dims) {
		n.axes = append(n.axes, newAxis(t.vars[i], d, true))
	}
	return n
}

// updateNest is an update as the program says it: pure variables outermost, then the domain.
func (s *scheduler) updateNest(t *target, d *program.Definition) (*nest, *ir.Error) {
	u := d.Update()
	n := &nest{buffer: t.buffer, def: d, role: Serial, index: d.Args, values: u.Values}
	own := func(e ir.Expr) bool { return reads(e, d.Func.Name) }
	alone := !slices.ContainsFunc(d.Args, own)
	if d.Domain != nil && slices.ContainsFunc(d.Domain.Where, own) {
		return nil, s.prog.Source.Errorf(d.Pos, "the condition on %s reads %s while it is computed", d.Domain.Name, d.Func.Name)
	}
	rec := d.Recurrence()
	for _, ref := range d.Self {
		alone = alone && (ref.Same || rec != nil)
	}
	for i, a := range slices.Backward(d.Args) {
		if s.isPureVar(a) && n.axis(a.Name()) == nil {
			n.axes = append(n.axes, newAxis(a, t.buffer.Dims[i], true))
		}
	}
	if d.Domain != nil {
		for _, dim := range slices.Backward(d.Domain.Dims) {
			if !dim.Extent.IsValid() {
				return nil, s.prog.Source.Errorf(d.Pos, "%s runs over no known range: declare RDom %s(0, n)", dim.Var, d.Domain.Name)
			}
			n.axes = append(n.axes, newAxis(dim.Var, Span{dim.Min, dim.Extent}, false))
			s.needRange(d.Domain.Pos, dim)
		}
		n.where = d.Domain.Where
	}
	for _, a := range n.axes {
		a.pure = alone && (rec == nil || a.v != rec.Var) && slices.ContainsFunc(d.Args, func(e ir.Expr) bool { return isShifted(e, a.v) })
		if e, ok := literal(a.span.Extent); a.pure || ok && e <= 1 {
			n.still = append(n.still, a.v)
		}
		if !a.pure {
			n.order = append(n.order, a)
		}
	}
	n.coords = varsOf(n.axes)
	n.now = n.coords
	return n, s.closed(n, d.Pos)
}

// closed reports variables of a nest that have no loop.
func (s *scheduler) closed(n *nest, pos ir.Pos) *ir.Error {
	open := func(es []ir.Expr, loops []*axis) *ir.Error {
		for _, v := range ir.Vars(es...) {
			switch {
			case v.Kind() == ir.State || v.Kind() == ir.Param && !s.isPureVar(v) || slices.Contains(varsOf(loops), v):
			case v.Kind() == ir.Param:
				return s.prog.Source.Errorf(pos, "%s is no argument of %s here, and has no value", v, n.buffer.Name)
			default:
				return s.prog.Source.Errorf(pos, "%s does not run here", v)
			}
		}
		return nil
	}
	for _, a := range n.axes {
		if err := open([]ir.Expr{a.span.Min, a.span.Extent}, nil); err != nil {
			return err
		}
	}
	return open(append(append(slices.Clone(n.where), n.index...), n.values...), n.axes)
}

// needRange states that a dimension's coordinates are of their type.
func (s *scheduler) needRange(pos ir.Pos, dim program.Dim) {
	if dim.Min.IsConst(0) {
		return
	}
	wide := func(e ir.Expr) ir.Expr {
		if n, ok := literal(e); ok {
			return s.pool.Int(ir.I64, n)
		}
		return ir.CastTo(ir.I64, e)
	}
	ok := fold(ir.Le, fold(ir.Add, wide(dim.Min), wide(dim.Extent)), s.pool.Int(ir.I64, 1<<31-1))
	s.need(pos, ok, "coordinates of "+dim.Var.Name()+" would be greater than 2147483647")
}

// need states a condition of the plan, unless it always holds.
func (s *scheduler) need(pos ir.Pos, cond ir.Expr, message string) {
	if !cond.IsConst(1) {
		s.needs = append(s.needs, Need{cond, message, pos})
	}
}

// isShifted reports whether e is v, or v ± a literal: different v give different e.
func isShifted(e, v ir.Expr) bool {
	if (e.Op() == ir.Add || e.Op() == ir.Sub) && e.Arg(1).Op() == ir.Const {
		e = e.Arg(0)
	}
	return e == v
}

// isPureVar reports whether e is a variable of the algorithm, not a parameter.
func (s *scheduler) isPureVar(e ir.Expr) bool {
	return e.Op() == ir.Var && e.Kind() == ir.Param &&
		!slices.ContainsFunc(s.prog.Params, func(p *program.Parameter) bool { return p.Var == e })
}

func (s *scheduler) target(name string) *target {
	for _, t := range s.targets {
		if t.buffer.Name == name {
			return t
		}
	}
	return nil
}

// plan puts the stages in the order in which they run: what an update reads before it.
func (s *scheduler) plan() *Plan {
	p := &Plan{Program: s.prog, Answers: s.answers, Given: s.given, Needs: s.needs, Serial: s.serial}
	var add func(*target)
	add = func(t *target) {
		p.Buffers = append(p.Buffers, t.buffer)
		if t.buffer.Func.Counts == nil {
			p.Stages = append(p.Stages, t.first.stage())
		}
		for _, n := range t.updates {
			for _, b := range n.before {
				add(b)
			}
			stage := n.stage()
			if stage.Places = s.placesOf(n); stage.Places != nil {
				p.Stages = append(p.Stages, s.target(n.def.Place.Name).first.stage())
			}
			if n.role == Merge && t.buffer.Output {
				stage.Whole, stage.Last = s.whole(n.def), s.last(n)
			}
			p.Stages = append(p.Stages, stage)
		}
	}
	for _, t := range s.targets {
		if t.buffer.Output {
			add(t)
		}
	}
	for _, b := range p.Buffers {
		if b.At != nil && !s.hasLoop(b, b.At.Var) {
			b.At = nil // a later directive took the loop apart
		}
	}
	return p
}

// whole is an update that was factored, in one piece.
func (s *scheduler) whole(d *program.Definition) *Stage {
	stage := s.written[d].stage()
	if op := s.matched[d]; op.lift == nil && op.answer.Lift == nil && !op.wide {
		stage.Values = op.update(stage.Buffer)
		stage.Operator, stage.Inject, stage.Commutes = op.exprs, op.inject, op.commutative
	}
	return stage
}

// hasLoop reports whether a loop is still one of those that update a buffer, and of its
// consumer.
func (s *scheduler) hasLoop(b *Buffer, v ir.Expr) bool {
	for _, name := range []string{b.Name, b.At.Buffer.Name} {
		for _, n := range s.target(name).updates {
			if a := n.axis(v.Name()); a == nil || a.v != v || !a.pure {
				return false
			}
		}
	}
	return true
}
