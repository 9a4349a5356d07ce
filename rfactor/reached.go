package rfactor

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Of a program the initial value is known, and a refusal speaks of states that the loop reaches:
//
//	f() = 1; f() = f()*f() + in(r)*0   →   x = 1 at every step, whatever x = 2 would give

// maxReached is how many steps are taken from the initial value.
const maxReached = 3

// reached lists the state after 0, 1, … steps of a program, over inputs of its own at each; nil where
// the initial value is not known.
func (m *matcher) reached() (states [][]ir.Expr) {
	if m.initial == nil || slices.ContainsFunc(m.initial, func(e ir.Expr) bool { return !e.IsValid() || !e.IsClosed() }) {
		return nil
	}
	values := m.answer.Update
	if slices.ContainsFunc(values, ir.Expr.HasCall) {
		return nil
	}
	read := tuple.Inputs(values)
	states = append(states, m.initial)
	for step := range maxReached {
		last := states[step]
		next := m.pool.Map(values, func(e ir.Expr) ir.Expr {
			if e.Op() != ir.Var {
				return ir.Expr{}
			}
			if e.Kind() == ir.State {
				return last[e.Index()]
			}
			if i := slices.Index(read, e); i >= 0 {
				return m.pool.Var(ir.Leaf, fmt.Sprintf("w%d_%d", step, i), firstStep+step*ir.MaxState+i, e.Type())
			}
			return ir.Expr{}
		})
		size := 0
		for _, e := range next {
			size += e.Size()
		}
		if size > MaxSize/100 || len(read) > ir.MaxState {
			break
		}
		states = append(states, next)
	}
	return states
}

// firstStep numbers inputs of steps before the one that a counterexample is about; no other leaf has
// such numbers.
const firstStep = 1 << 22

// counterexampleAt refutes associativity of the update, by equations over x, y and z, where x is one
// of some states. It returns nil where no values do, and notes that other states may.
func (m *matcher) counterexampleAt(states [][]ir.Expr, ps []proof.Problem, units []ir.Expr) *prove.Counterexample {
	a := m.answer
	allowed := m.opts.Allowed &^ (ir.NSW | ir.NUW)
	for _, x := range states {
		at := func(es ...ir.Expr) []ir.Expr {
			return m.pool.Map(es, func(e ir.Expr) ir.Expr {
				if e.Op() == ir.Var && e.Kind() == ir.State {
					return x[e.Index()]
				}
				return ir.Expr{}
			})
		}
		for i, p := range ps {
			sides := at(p.Left, p.Right)
			q := proof.Problem{Given: m.stepsNotNegative(at(p.Given...)), Left: sides[0], Right: sides[1]}
			c := m.points.Refute(q, allowed)
			if c == nil {
				continue
			}
			c = m.points.Shrink(q, allowed, c)
			a.Roles, a.Refuted = units, i
			return inTermsOf(p, x, c)
		}
	}
	m.unrefuted = len(states)
	return nil
}

// stepsNotNegative adds to conditions that coordinates of steps before are not negative.
func (m *matcher) stepsNotNegative(given []ir.Expr) []ir.Expr {
	read := tuple.Inputs(m.answer.Update)
	for i, v := range read {
		if !slices.Contains(m.nonNeg, v) {
			continue
		}
		for step := range maxReached {
			w := m.pool.Var(ir.Leaf, fmt.Sprintf("w%d_%d", step, i), firstStep+step*ir.MaxState+i, v.Type())
			given = append(given, ir.LeOf(m.pool.Int(v.Type(), 0), w))
		}
	}
	return given
}

// pointOf returns the values of a counterexample for evaluation; 0 for other variables.
func pointOf(c *prove.Counterexample) *ir.Env {
	value := func(v ir.Expr) uint64 {
		if i := slices.Index(c.Inputs, v); i >= 0 {
			return c.Values[i]
		}
		return 0
	}
	return &ir.Env{Var: value, Call: func(call ir.Expr, _ []uint64) uint64 { return value(call) }}
}

// inTermsOf returns a counterexample to p over the variables of p, from one in which x stands for
// the state.
func inTermsOf(p proof.Problem, x []ir.Expr, c *prove.Counterexample) *prove.Counterexample {
	env := pointOf(c)
	out := &prove.Counterexample{Left: c.Left, Right: c.Right, Type: c.Type}
	for _, v := range ir.Vars(slices.Concat([]ir.Expr{p.Left, p.Right}, p.Given)...) {
		value := env.Var(v)
		if v.Kind() == ir.State {
			value = ir.Eval(x[v.Index()], env)
		}
		out.Inputs, out.Values = append(out.Inputs, v), append(out.Values, value)
	}
	return out
}
