package plan

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/internal/maxplus"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Lifted updates hold steps in place of states.
//
//	f() = 31*f() + in(r)   →   intm(u) holds (a, b) of the composed step a*x + b,
//	and the merge does f() = a*f() + b, slice after slice
//
// Where the operator is on the parameters of steps, the intermediate
// function holds parameters: those of all steps of a slice, composed in the order of the
// loop, from the step that changes nothing where that is one of the family, else from the
// first step, which a flag tells. The merge applies them to the state, slice after slice:
// apply(apply(x, p), q) = apply(x, p ∘ q) makes that what the serial loop has there, however
// a slice itself was cut and composed. No law of ∘ alone is used.
//
// Composition is not taken to commute, so that elements stay in their order.

// action says what the parameters of a step do to the state.
type action struct {
	types []ir.Type // of the state, perhaps wider than the update's
	exprs []ir.Expr // over x_i, of the state, and y_i, of the parameters
}

// ofSteps is the operation of a lifted answer; toProgram brings its expressions to the
// program's pool.
func (s *scheduler) ofSteps(def *program.Definition, a *rfactor.Answer, d *program.Directive, toProgram func(es []ir.Expr, operands bool) []ir.Expr) (*operation, *ir.Error) {
	w := liftOf(a)
	if err := s.multiplied(def, a, d, w.action); err != nil {
		return nil, err
	}
	if a.Assumes&(ir.NSW|ir.NUW) != 0 {
		wide, reason := s.widenLift(a)
		if wide == nil {
			return nil, s.errorf(d, "steps of %s compose (%s) only while nothing overflows (%s), which parameters of many steps may do where the serial loop does not; "+
				"they cannot be widened: %s", def, a.Via(), a.Assumes&(ir.NSW|ir.NUW), reason)
		}
		w = wide
		s.needElements(def, w.elements)
	}
	op := &operation{types: w.types, answer: a, wide: w.elements > 0, starts: w.starts,
		exprs: toProgram(w.exprs, true), inject: toProgram(w.inject, false),
		lift: &action{w.states, toProgram(w.action, true)}}
	if w.identity != nil {
		op.identity, op.side = toProgram(w.identity, false), proof.Two
	}
	return op, nil
}

// multiplied refuses a state that begins with infinity or NaN where values, which are applied to it, multiply the state by partial results under
// reassoc: one of these may be 0 where the serial loop has no product.
func (s *scheduler) multiplied(def *program.Definition, a *rfactor.Answer, d *program.Directive, values []ir.Expr) *ir.Error {
	at := unbounded(def.Func.Init)
	if at < 0 || !a.Assumes.Has(ir.Reassoc) || !multiplies(values) {
		return nil
	}
	return s.errorf(d, "%s begins with %s, which partial results would multiply: 0 times that is NaN where the serial loop may have a number; begin with a finite state",
		def.Func.Name, def.Func.Init[at])
}

// unbounded is the first component whose first value is known to be infinite or NaN, or -1.
func unbounded(first []ir.Expr) int {
	return slices.IndexFunc(first, func(e ir.Expr) bool {
		if !e.Type().IsFloat() || !e.IsClosed() {
			return false
		}
		v := ir.Float(e.Type(), ir.Eval(e, &ir.Env{}))
		return v-v != 0
	})
}

// multiplies reports whether terms have products or quotients of floats.
func multiplies(es []ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) { found = found || e.Type().IsFloat() && (e.Op() == ir.Mul || e.Op() == ir.Div) })
	return found
}

// liftOf is a lifted answer as it is proven, with the parameters as y_i in its action.
func liftOf(a *rfactor.Answer) *widened {
	w := &widened{types: a.Operator.Types, exprs: a.Operator.Exprs, inject: a.Inject, states: a.Types, identity: a.Operator.Identity}
	pool := a.Update[0].Pool()
	_, y := pool.Operands(w.types)
	w.action = substAll(a.Lift.Apply, a.Lift.Params, y)
	return w
}

// composition is the operation on parameters alone, by which slices of steps are combined.
func (op *operation) composition() *operation {
	if op.lift == nil {
		return op
	}
	c := *op
	c.lift = nil
	return &c
}

// applied returns the state after a step, or after a slice of steps, whose parameters are op.inject.
func (op *operation) applied(b *Buffer) []ir.Expr {
	_, y := op.exprs[0].Pool().Operands(op.types)
	return op.narrow(substAll(op.lift.exprs, y, op.inject), op.lift.types, b.Types)
}

// widenLift makes the lift of an answer that assumes nsw one in i64; see widened. The state
// is applied to in i64 as well.
func (s *scheduler) widenLift(a *rfactor.Answer) (w *widened, reason string) {
	w = liftOf(a)
	reason, update := w.widen(a)
	if reason != "" {
		return nil, reason
	}
	p := w.exprs[0].Pool()
	states, _ := p.Operands(w.states)
	o := proof.Operator{Types: w.types, Exprs: w.exprs}
	_, y, z := o.Operands()
	act := func(x, params []ir.Expr) []ir.Expr {
		return substAll(w.action, append(slices.Clone(states), y...), append(slices.Clone(x), params...))
	}
	var nonNeg []ir.Expr
	for _, l := range a.Leaves {
		if l.NonNeg {
			nonNeg = append(nonNeg, ir.LeOf(p.Int(l.Var.Type(), 0), l.Var))
		}
	}
	var problems []proof.Problem
	stepped, twice, composed := act(states, w.inject), act(act(states, y), z), act(states, o.Apply(y, z))
	for i := range w.action {
		problems = append(problems, proof.Problem{Given: nonNeg, Left: update[i], Right: stepped[i]}, proof.Problem{Left: twice[i], Right: composed[i]})
	}
	allowed := s.opts.Match.Allowed &^ ir.NUW
	problems = slices.DeleteFunc(problems, func(p proof.Problem) bool { return maxplus.Confirms(p, allowed, nil) })
	if t := prove.Prove(s.ctx, problems, prove.Options{Allowed: allowed}); t.Status != prove.Proved {
		return nil, "it is not proven of wider parameters"
	}
	if w.identity = w.start(a.Types); w.identity != nil {
		w.elements /= 2
		if w.starts = startLimit(w); w.starts == 0 {
			w.identity = nil // a flag tells the first step
		}
	}
	return w, ""
}
