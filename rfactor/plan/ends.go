package plan

import (
	"slices"
	"strconv"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Ends is a state from which on the steps of a stage change nothing: its loop may end there.
//
//	select(x1 || in(r) < 0, x0, x0 + in(r)); x1 || in(r) < 0     once x1 is true
//	x0 && in(r) > 0                                              once x0 is false
type Ends struct {
	Component int // of bool …
	Value     bool

	// Later says of an intermediate stage that results which lie behind one in this state change nothing either: a merge leaves what
	// it has then as it is. Its outermost loop may end after such a result.
	Later bool
}

// String is the state as a condition on the element: x1, or !x1.
func (e *Ends) String() string {
	if e.Value {
		return "x" + strconv.Itoa(e.Component)
	}
	return "!x" + strconv.Itoa(e.Component)
}

// Holds reports whether a value of the component is that of the state.
func (e *Ends) Holds(v uint64) bool { return (v != 0) == e.Value }

// Before returns expressions of a step as they are where the loop has not ended. It adds to their pool.
func (e *Ends) Before(es ...ir.Expr) []ir.Expr { return opened(es, e.Component, !e.Value, nil) }

// EndsOver reports whether all iterations of some loops, which are the inner ones of a stage, update one element, whose index is over their
// variables: once that has ended, no later iteration of theirs does anything. An element that data or conditions choose does not count.
func (s *Stage) EndsOver(loops []Loop, index []ir.Expr) bool {
	if s.Ends == nil || len(s.Where) > 0 && len(index) > 0 {
		return false
	}
	one := true
	ir.Walk(index, func(e ir.Expr) {
		one = one && e.Op() != ir.Call && !slices.ContainsFunc(loops, func(l Loop) bool { return l.Var == e })
	})
	return one
}

// findEnds finds where the loops of stages may end, by proof.
func (s *scheduler) findEnds(p *Plan) {
	for _, stage := range p.Stages {
		stage.Ends = s.endsOf(stage)
		if w := stage.Whole; w != nil {
			w.Ends = s.endsOf(w)
			if e := s.endsOf(s.written[stage.From].stage()); e == nil || w.Ends == nil || *e != *w.Ends { // either may be run
				w.Ends = nil
			}
		}
	}
	for _, stage := range p.Stages {
		if e := stage.Ends; e != nil && stage.Role == Intermediate && isOfSlices(stage) {
			e.Later = slices.ContainsFunc(p.Stages, func(merge *Stage) bool { return s.endsMerge(stage, merge) })
		}
	}
}

// isOfSlices reports whether the elements of a stage are results of the iterations of its outermost loop.
func isOfSlices(s *Stage) bool {
	return len(s.Index) == 1 && len(s.Loops) > 0 && s.Loops[0].Pure && s.Index[0] == s.Loops[0].Var
}

// endsOf finds a state that the steps of a stage leave as it is.
func (s *scheduler) endsOf(stage *Stage) *Ends {
	if stage.Role == First || stage.Scan != nil || stage.Places != nil || !slices.ContainsFunc(stage.Loops, func(l Loop) bool { return !l.Pure }) {
		return nil
	}
	for c, t := range stage.Buffer.Types {
		if t != ir.Bool {
			continue
		}
		for _, v := range []bool{true, false} {
			at := s.pool.Map(stage.Values, func(e ir.Expr) ir.Expr {
				if e == s.pool.X(c, ir.Bool) {
					return s.pool.Bool(v)
				}
				return ir.Expr{}
			})
			var ps []proof.Problem
			for i, e := range at {
				x := s.pool.X(i, e.Type())
				if i == c {
					x = s.pool.Bool(v)
				}
				ps = append(ps, proof.Problem{Left: e, Right: x})
			}
			if s.proves(stage, ps) {
				return &Ends{Component: c, Value: v}
			}
		}
	}
	return nil
}

// endsMerge reports whether a stage merges the results of another in their order, and ends at one that has ended.
func (s *scheduler) endsMerge(stage, merge *Stage) bool {
	if merge.Role != Merge || merge.Ends == nil || len(merge.Loops) != 1 || merge.Loops[0].Pure || merge.From != stage.From {
		return false
	}
	reads := false
	at := s.pool.Map([]ir.Expr{merge.Values[merge.Ends.Component]}, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Call || e.Name() != stage.Buffer.Name || e.Index() != stage.Ends.Component || e.Arg(0) != merge.Loops[0].Var {
			return ir.Expr{}
		}
		reads = true
		return s.pool.Bool(stage.Ends.Value)
	})[0]
	return reads && s.proves(merge, []proof.Problem{{Left: at, Right: s.pool.Bool(merge.Ends.Value)}})
}

// proves reports whether equations hold under what the answer to a stage's update assumes.
func (s *scheduler) proves(stage *Stage, ps []proof.Problem) bool {
	opts := prove.Options{Limit: endsLimit, Exactly: true}
	if a := s.answers[stage.From]; a != nil {
		opts.Allowed = a.Assumes
	}
	return new(prove.Prover).Prove(s.ctx, ps, opts).Status == prove.Proved
}

// endsLimit bounds the work of a proof that a loop may end, in nanoseconds of an ordinary server.
const endsLimit = 1e6

// Opened splits a stage that ends early into the condition that ends it and a stage of the steps before the end. The condition is
// on inputs alone. Without the flag, open is often a plain reduction. Opened returns a nil stage where there is no such condition. It
// adds to the pool.
//
//	x0 + select(x1, 0, in(r)); x1 || in(r) < 0   →   in(r) < 0, and x0 + in(r); x1
func (s *Stage) Opened() (cond ir.Expr, open *Stage) {
	if cond, open = s.apart(); open == nil || cond.States() != 0 {
		return ir.Expr{}, nil
	}
	return cond, open
}

// Watched does what Opened does for a condition on the state before the step; the flag is no part of that state.
//
//	x0 + select(x1, 0, in(r)); x1 || x0 + in(r) > 9   →   x0 + in(r) > 9, and x0 + in(r); x1
func (s *Stage) Watched() (cond ir.Expr, open *Stage) {
	if cond, open = s.apart(); open == nil || cond.States() == 0 || cond.States()>>s.Ends.Component&1 != 0 {
		return ir.Expr{}, nil
	}
	return cond, open
}

// apart takes what ends a stage from what its steps do before.
func (s *Stage) apart() (cond ir.Expr, open *Stage) {
	if s.Ends == nil || len(s.Where) > 0 {
		return ir.Expr{}, nil
	}
	c, p := s.Ends.Component, s.Values[0].Pool()
	at := func(es []ir.Expr, closed ...ir.Expr) []ir.Expr { return opened(es, c, !s.Ends.Value, closed) }
	cond = at(s.Values)[c]
	if !s.Ends.Value {
		cond = negated(cond)
	}
	if cond.IsClosed() {
		return ir.Expr{}, nil
	}
	plain := *s
	join := ir.Or
	if !s.Ends.Value {
		join = ir.And
	}
	closed := joined(join, s.Values[c], nil)
	plain.Ends, plain.Values, plain.Operator, plain.Inject = nil, at(s.Values, closed...), at(s.Operator, closed...), at(s.Inject, closed...)
	plain.Values[c] = p.X(c, ir.Bool)
	if plain.Operator != nil {
		plain.Operator[c] = p.X(c, ir.Bool)
	}
	return cond, &plain
}

// negated is the condition that holds where cond does not.
func negated(cond ir.Expr) ir.Expr {
	if op := cond.Op(); op.IsComparison() && (op == ir.Eq || op == ir.Ne || !cond.Arg(0).Type().IsFloat()) {
		return ir.Make(folds.Negated(op), cond.Arg(0), cond.Arg(1))
	}
	return ir.NotOf(cond)
}

// opened are expressions with a flag of the state as it is before the end, where some conditions have its value, too: a disjunct of a flag is false
// until the flag is set, a conjunct true until it is cleared. Reads stay as they are.
func opened(es []ir.Expr, flag int, value bool, closed []ir.Expr) []ir.Expr {
	if len(es) == 0 {
		return nil
	}
	p := es[0].Pool()
	var one func(e ir.Expr) ir.Expr
	all := func(es ...ir.Expr) []ir.Expr { return p.Map(es, one) }
	one = func(e ir.Expr) ir.Expr {
		switch {
		case e.Op() == ir.Call:
			return e
		case e == p.X(flag, ir.Bool) || e == p.Y(flag, ir.Bool) || slices.Contains(closed, e):
			return p.Bool(value)
		case e.Op() == ir.Select:
			if c := all(e.Arg(0))[0]; c.Op() == ir.Const {
				return all(e.Arg(2 - int(c.Value())))[0]
			}
		case e.Op() == ir.Not:
			if c := all(e.Arg(0))[0]; c.Op() == ir.Const {
				return p.Bool(c.Value() == 0)
			}
		case e.Op() == ir.Or, e.Op() == ir.And:
			for i, c := range all(e.Arg(0), e.Arg(1)) {
				switch {
				case c.Op() != ir.Const:
				case (c.Value() != 0) == (e.Op() == ir.Or):
					return c
				default:
					return all(e.Arg(1 - i))[0]
				}
			}
		}
		return ir.Expr{}
	}
	return all(es...)
}

// joined lists the terms of truth values that an operation joins.
func joined(by ir.Op, e ir.Expr, to []ir.Expr) []ir.Expr {
	if e.Op() == by && e.Type() == ir.Bool {
		return joined(by, e.Arg(1), joined(by, e.Arg(0), to))
	}
	return append(to, e)
}
