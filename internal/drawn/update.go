package drawn

import (
	"math/rand/v2"

	"github.com/rfactor-go/rfactor/ir"
)

// Mutated returns an update in which one to three operators and literals are others of the same type. Its
// components are those of u, and so is its pool.
func Mutated(rng *rand.Rand, u *ir.Update) *ir.Update {
	v := *u
	for range 1 + rng.IntN(3) {
		var sites []ir.Expr
		ir.Walk(v.Values, func(e ir.Expr) {
			if e.NumArgs() > 0 || e.Op() == ir.Const {
				sites = append(sites, e)
			}
		})
		if len(sites) == 0 {
			break
		}
		site := sites[rng.IntN(len(sites))]
		v.Values = v.Pool.Map(v.Values, func(e ir.Expr) ir.Expr {
			if e != site {
				return ir.Expr{}
			}
			return mutated(rng, e)
		})
	}
	return &v
}

// mutated returns a literal of the type of a literal, or another operator on the same operands; e where
// there is no other.
func mutated(rng *rand.Rand, e ir.Expr) ir.Expr {
	t := e.Type()
	switch {
	case e.Op() == ir.Const && t == ir.Bool:
		return ir.NotOf(e)
	case e.Op() == ir.Const && t.IsFloat():
		return e.Pool().Float(t, []float64{0, 1, -1, 0.5, 2, 100}[rng.IntN(6)])
	case e.Op() == ir.Const:
		return e.Pool().Const(t, []uint64{0, 1, t.Wrap(e.Value() + 1), t.Wrap(e.Value() - 1), t.Max(), t.Min(), t.Wrap(rng.Uint64())}[rng.IntN(7)])
	case e.Op() == ir.Select:
		return ir.SelectOf(e.Arg(0), e.Arg(2), e.Arg(1))
	}
	args, types := make([]ir.Expr, e.NumArgs()), make([]ir.Type, e.NumArgs())
	for i := range args {
		args[i] = e.Arg(i)
		types[i] = args[i].Type()
	}
	var others []ir.Op
	for op := range ir.Op(ir.NumOps) {
		if op == e.Op() || op == ir.Cast || op == ir.Pow || op.Arity() != len(args) || len(args) == 0 {
			continue
		}
		if result, err := ir.CheckTypes(op, types...); err == nil && result == t {
			others = append(others, op)
		}
	}
	if len(others) == 0 {
		return e
	}
	return ir.Make(others[rng.IntN(len(others))], args...)
}
