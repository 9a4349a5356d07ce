package fewest

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/verify"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// This file finds what steps do that are done any number of times.
//
//	select(y0, x0 + 1, 0) with y0 = true, n times   →   x0 + n

// power is a step with literal inputs, and what it does n times.
type power struct {
	inputs []ir.Expr
	n      ir.Expr
	result []ir.Expr // over the state and n
}

// maxPowers bounds the powers that families are made of.
const maxPowers = 6

// powers returns steps done a variable number of times, for steps of which that is known.
func (s *Search) powers() (out []step) {
	for _, by := range s.menu(false) {
		if len(out) == maxPowers || s.Meter.Done() {
			break
		}
		p := s.power(by.inputs)
		if p != nil && !slices.ContainsFunc(out, func(q step) bool { return slices.Equal(p.result, q.power.result) }) {
			out = append(out, step{power: p, times: p.n})
		}
	}
	return out
}

// power returns what a step does n times; nil where that is not seen, or does not depend on n. A component keeps what one step
// makes of it, or grows by what further steps do not change.
func (s *Search) power(inputs []ir.Expr) *power {
	once := s.simplified(s.update, s.leaves, inputs)
	twice := s.simplified(once, s.state, once)
	grows := make([]ir.Expr, len(once))
	var n ir.Expr
	for i, e := range once {
		d := simpler(difference(e, s.state[i]))
		if e == s.state[i] || !d.IsValid() || s.simplified([]ir.Expr{d}, s.state, once)[0] != d {
			if twice[i] != e {
				return nil
			}
			continue
		}
		grows[i] = d
		if !n.IsValid() || e.Type().Bits() > n.Type().Bits() {
			n = s.variable(0, e.Type())
		}
	}
	if !n.IsValid() {
		return nil
	}
	p := &power{inputs: inputs, n: n, result: slices.Clone(once)}
	for i, d := range grows {
		switch x := s.state[i]; {
		case d.IsValid():
			p.result[i] = simpler(fold.Add(x, fold.Mul(ir.CastTo(d.Type(), n), d)))
		case once[i] != x:
			p.result[i] = fold.Select(ir.EqOf(n, s.pool.Int(n.Type(), 0)), x, once[i])
		}
	}
	return p
}

func simpler(e ir.Expr) ir.Expr {
	if !e.IsValid() {
		return e
	}
	return canon.Greedy(e, 0)
}

// difference returns e - x of integers, with what is the same in both left out; the zero Expr of other types.
func difference(e, x ir.Expr) ir.Expr {
	switch {
	case !e.Type().IsInt():
		return ir.Expr{}
	case e == x:
		return fold.Number(e.Pool(), e.Type(), 0)
	case e.Op() == ir.Select:
		return fold.Select(e.Arg(0), difference(e.Arg(1), x), difference(e.Arg(2), x))
	case e.Op() == ir.Add && e.Arg(0) == x:
		return e.Arg(1)
	case e.Op() == ir.Add && e.Arg(1) == x:
		return e.Arg(0)
	case e.Op() == ir.Add && contains(e.Arg(0), x):
		return fold.Add(difference(e.Arg(0), x), e.Arg(1))
	case e.Op() == ir.Add:
		return fold.Add(e.Arg(0), difference(e.Arg(1), x))
	case e.Op() == ir.Sub:
		return fold.Add(difference(e.Arg(0), x), fold.Neg(e.Arg(1)))
	}
	return fold.Add(e, fold.Neg(x))
}

func contains(e, x ir.Expr) (found bool) {
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) { found = found || e == x })
	return found
}

// proven writes a power down, with its proofs; nil where they are not found.
func (s *Search) proven(p *power) *verify.Power {
	out := &verify.Power{Inputs: s.inputs(p.inputs), Type: p.n.Type().String()}
	at := func(n ir.Expr) []ir.Expr { return s.with(p.result, []ir.Expr{p.n}, []ir.Expr{n}) }
	update := s.with(s.Update, s.constants, s.are)
	next := s.with(update, slices.Concat(s.state, s.leaves), slices.Concat(p.result, p.inputs))
	for _, law := range []struct {
		ps  []proof.Problem
		out *[]*proof.Tree
	}{
		{proof.Equations(nil, at(s.pool.Int(p.n.Type(), 0)), s.state), &out.Start},
		{proof.Equations(nil, next, at(ir.AddOf(p.n, s.pool.Int(p.n.Type(), 1)))), &out.Next},
	} {
		for _, problem := range law.ps {
			tree := s.Prove(problem)
			if tree == nil {
				return nil
			}
			*law.out = append(*law.out, tree)
		}
	}
	for _, e := range p.result {
		out.Result = append(out.Result, e.String())
	}
	return out
}
