package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/pole"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// examineAtPoles looks at the points at which the law of an identity holds only because floats are taken
// as a field, or NaN is left out:
//
//	x + y + x/y*0.0   identity 0.0   →   x + 0/0 is NaN
//
// Such a law counts if it holds without these promises, or if every term of it has a value. Else the
// identity is none.
func (k *checker) examineAtPoles(l *law, side proof.Side) {
	if l.holds() {
		fuel := 1 << 20
		err := pole.Identity(&fuel, k.op, side, k.identity, l.theorem.Assumes)
		if err == nil {
			return
		}
		exact := *l
		if k.examine(&exact, l.theorem.Assumes&^pole.Promises); exact.holds() {
			*l = exact
			return
		}
		l.theorem, l.counter, l.pole = prove.Theorem{}, nil, err.Error()
	}
	if l.counter == nil {
		if l.counter = k.undefined(l); l.counter != nil {
			l.theorem.Status = prove.Refuted
		}
	}
}

// undefined finds a point with finite operands, or with the identity itself in their place, at which the
// left side of a law has no finite value and the right side has one; nil where a few thousand points show none.
func (k *checker) undefined(l *law) *prove.Counterexample {
	left, right := l.left.exprs(k.op), l.right.exprs(k.op)
	vars := ir.Vars(slices.Concat(left, right)...)
	literals := []float64{0, 1, -1, 2, -2}
	ir.Walk(left, func(e ir.Expr) {
		if e.Op() == ir.Const && e.Type().IsFloat() {
			if f := ir.Float(e.Type(), e.Value()); !math.IsNaN(f) && !math.IsInf(f, 0) {
				literals = append(literals, f, -f)
			}
		}
	})
	rng := rand.New(rand.NewPCG(1, 2))
	values := make([]uint64, len(vars))
	env := &ir.Env{Var: func(v ir.Expr) uint64 { return values[slices.Index(vars, v)] }}
	for n := range 4096 {
		for i, v := range vars {
			f := literals[rng.IntN(min(len(literals), 1+n))]
			switch {
			case v.Type().IsFloat():
				values[i] = ir.FloatBits(v.Type(), f)
			case v.Type() == ir.Bool:
				values[i] = uint64(n & 1)
			default:
				values[i] = v.Type().Wrap(uint64(int64(f)))
			}
		}
		if n%16 == 0 { // operands that are the identity
			for i, v := range vars {
				if (v.Kind() == ir.State || v.Kind() == ir.Leaf) && v.Index() < len(k.identity) {
					values[i] = ir.Eval(k.identity[v.Index()], env)
				}
			}
		}
		a, b := ir.EvalAll(left, env), ir.EvalAll(right, env)
		for i, e := range left {
			if t := e.Type(); t.IsFloat() && !isFinite(ir.Float(t, a[i])) && a[i] != b[i] {
				return &prove.Counterexample{Inputs: vars, Values: slices.Clone(values), Left: a[i], Right: b[i], Type: t}
			}
		}
	}
	return nil
}

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }
