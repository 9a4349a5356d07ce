package check

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/pole"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Pole is a place at which an operator meets its identity and the result is no value: NaN though no operand is, or
// a signed overflow.
//
//	max(x, y) + log1p(exp(min(x, y) - max(x, y)))   identity -inf   →   f(-Inf, -Inf) = NaN
//
// Under nnan or nsw, proofs leave such places out. Slices start from an identity, and empty ones are merged, so that
// a parallel loop meets them where the serial one does not.
type Pole struct {
	Text string // f(-Inf, -Inf) = NaN
	Why  string // NaN, though no operand is
}

// poles looks for a pole where two identities meet, where one meets an operand on the right, and on the left.
func (k *checker) poles(e []ir.Expr) (found []Pole) {
	x, y, _ := k.op.Operands()
	id := &term{tuple: e}
	seen := map[string]bool{}
	for _, t := range []*term{apply(id, id), apply(id, &term{tuple: y}), apply(&term{tuple: x}, id)} {
		if p, ok := k.poleOf(t); ok && !seen[p.Why] {
			seen[p.Why] = true
			found = append(found, p)
		}
	}
	return found
}

// poleOf evaluates a term at small finite operands until its value is none.
func (k *checker) poleOf(t *term) (Pole, bool) {
	es := t.exprs(k.op)
	given := k.given(t)
	run := tape.Paid(&k.meter, slices.Concat(es, given, slices.Concat(t.left.tuple, t.right.tuple))...)
	in, values := k.smallRows(run.Inputs, es)
	out := run.Run(in)
	over := uint64(0)
	if k.allowed.Has(ir.NSW) {
		for _, mask := range run.OverflowedEach(ir.NSW)[:len(es)] {
			over |= mask
		}
	}
	isNaN := func(row *[tape.Lanes]uint64, t ir.Type, lane int) bool {
		return t.IsFloat() && math.IsNaN(ir.Float(t, row[lane]))
	}
	tuple := slices.Concat(t.left.tuple, t.right.tuple)
	for lane := range tape.Lanes {
		if slices.ContainsFunc(out[len(es):len(es)+len(given)], func(row *[tape.Lanes]uint64) bool { return row[lane] == 0 }) {
			continue
		}
		noValue := over>>lane&1 != 0
		why := "a signed overflow, which nsw promises against"
		for i, e := range es {
			if isNaN(out[i], e.Type(), lane) {
				noValue, why = true, "NaN, though no operand is"
			}
		}
		for i, e := range tuple {
			noValue = noValue && !isNaN(out[len(es)+len(given)+i], e.Type(), lane)
		}
		if noValue {
			c := &prove.Counterexample{Inputs: run.Inputs, Values: values(lane)}
			value := valuesAt(c)
			return Pole{Text: t.text(value) + " = " + value(es), Why: why}, true
		}
	}
	return Pole{}, false
}

// given is what is known of the operands of a term f(a, b).
func (k *checker) given(t *term) (out []ir.Expr) {
	for _, operand := range []*term{t.left, t.right} {
		for _, p := range k.op.Holds(operand.tuple, nil) {
			out = append(out, p.Left)
		}
	}
	return out
}

// smallRows are rows of small numbers for a tape, and the values of a lane. The first lanes are 0, 1 and −1 throughout.
func (k *checker) smallRows(inputs, es []ir.Expr) (in []*[tape.Lanes]uint64, values func(lane int) []uint64) {
	literals, rng := literalsOf(es), rand.New(rand.NewPCG(1, 2))
	for _, v := range inputs {
		row := new([tape.Lanes]uint64)
		for lane := range row {
			f := literals[min(lane, len(literals)-1)]
			if lane > 2 {
				f = literals[rng.IntN(len(literals))]
			}
			row[lane] = valueOf(v.Type(), f)
		}
		in = append(in, row)
	}
	return in, func(lane int) (out []uint64) {
		for _, row := range in {
			out = append(out, row[lane])
		}
		return out
	}
}

// literalsOf lists small numbers, and the finite literals of expressions with both signs.
func literalsOf(es []ir.Expr) []float64 {
	literals := []float64{0, 1, -1, 2, -2}
	ir.Walk(es, func(e ir.Expr) {
		if e.Op() == ir.Const && e.Type().IsFloat() {
			if f := ir.Float(e.Type(), e.Value()); isFinite(f) {
				literals = append(literals, f, -f)
			}
		}
	})
	return literals
}

// valueOf is a small number in a type; of bool, whether it is not zero.
func valueOf(t ir.Type, f float64) uint64 {
	switch {
	case t.IsFloat():
		return ir.FloatBits(t, f)
	case t == ir.Bool:
		if f != 0 {
			return 1
		}
		return 0
	}
	return t.Wrap(uint64(int64(f)))
}

// examineAtPoles looks at the points at which the law of an identity holds only because floats are taken
// as a field, or NaN is left out:
//
//	x + y + x/y*0.0   identity 0.0   →   x + 0/0 is NaN
//
// Such a law counts if it holds without these promises, or if every term of it has a value. Else the
// identity is none.
func (k *checker) examineAtPoles(l *Law, side proof.Side, identity []ir.Expr) {
	if l.Holds() {
		fuel := 1 << 20
		err := pole.Identity(&fuel, k.op, side, identity, l.Assumes())
		if err == nil {
			return
		}
		exact := *l
		if k.examine(&exact, l.Assumes()&^pole.Promises); exact.Holds() {
			*l = exact
			return
		}
		l.Theorem, l.Counter, l.Open, l.Pole = prove.Theorem{}, nil, 0, err.Error()
	}
	if l.Counter == nil {
		if l.Counter = k.undefined(l, identity); l.Counter != nil {
			l.Theorem.Status = prove.Refuted
		}
	}
}

// undefined finds a point with finite operands, or with the identity itself in their place, at which the
// left side of a law has no finite value and the right side has one; nil where a few thousand points show none.
func (k *checker) undefined(l *Law, identity []ir.Expr) *prove.Counterexample {
	left, right, given := l.left.exprs(k.op), l.right.exprs(k.op), l.problems[0].Given
	vars := ir.Vars(slices.Concat(left, right, given)...)
	literals := literalsOf(left)
	rng := rand.New(rand.NewPCG(1, 2))
	values := make([]uint64, len(vars))
	env := &ir.Env{Var: func(v ir.Expr) uint64 { return values[slices.Index(vars, v)] }}
	for n := range 4096 {
		for i, v := range vars {
			if values[i] = valueOf(v.Type(), literals[rng.IntN(min(len(literals), 1+n))]); v.Type() == ir.Bool {
				values[i] = uint64(n & 1)
			}
		}
		if n%16 == 0 { // operands that are the identity
			for i, v := range vars {
				if (v.Kind() == ir.State || v.Kind() == ir.Leaf) && v.Index() < len(identity) {
					values[i] = ir.Eval(identity[v.Index()], env)
				}
			}
		}
		if slices.Contains(ir.EvalAll(given, env), 0) {
			continue
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
