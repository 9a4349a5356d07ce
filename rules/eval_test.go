package rules

import (
	"fmt"
	"math"
	"math/rand"
	"strings"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
)

// instance is a rule at one type with its sides compiled.
type instance struct {
	rule     *Rule
	typ      ir.Type
	lhs, rhs ir.Expr
	subterms []ir.Expr // floats of the left side that the assumptions speak of
	tape     *tape.Tape
}

func newInstance(r *Rule, t ir.Type) *instance {
	pool := ir.NewPool()
	vars := func(name string, vt ir.Type) ir.Expr { return pool.Var(ir.Leaf, name, 0, vt) }
	in := &instance{rule: r, typ: t, lhs: r.LHS.Build(pool, t, vars), rhs: r.RHS.Build(pool, t, vars)}
	ir.Walk([]ir.Expr{in.lhs}, func(e ir.Expr) {
		if e.Type().IsFloat() && (e.Op() == ir.Var || r.Needs(t).Has(ir.Reassoc)) {
			in.subterms = append(in.subterms, e)
		}
	})
	in.tape = tape.New(append([]ir.Expr{in.lhs, in.rhs}, in.subterms...)...)
	return in
}

// maxPoints bounds the combinations of values at which a rule is evaluated.
var maxPoints = suite.More(1<<13, 1<<18)

// check runs the instance over all combinations of vals (bools: both values), or over
// random ones where they are too many, and answers the first counterexample.
func (in *instance) check(vals []uint64, rng *rand.Rand, same func(row []*[tape.Lanes]uint64, lane int) bool) error {
	inputs := in.tape.Inputs
	total := 1
	for _, v := range inputs {
		if v.Type() == ir.Bool {
			total *= 2
		} else {
			total *= len(vals)
		}
		total = min(total, maxPoints)
	}
	rows := make([]*[tape.Lanes]uint64, len(inputs))
	for i := range rows {
		rows[i] = new([tape.Lanes]uint64)
	}
	for start := 0; start < total; start += tape.Lanes {
		for l := range tape.Lanes {
			n := start + l
			for i, v := range inputs {
				choices := len(vals)
				if v.Type() == ir.Bool {
					choices = 2
				}
				c := n % choices
				if n /= choices; total == maxPoints {
					c = rng.Intn(choices)
				}
				if rows[i][l] = uint64(c); v.Type() != ir.Bool {
					rows[i][l] = vals[c]
				}
			}
		}
		out := in.tape.Run(rows)
		for l := range tape.Lanes {
			if !same(out, l) {
				return in.counterexample(rows, out, l)
			}
		}
	}
	return nil
}

func (in *instance) counterexample(rows []*[tape.Lanes]uint64, out []*[tape.Lanes]uint64, l int) error {
	var b strings.Builder
	for i, v := range in.tape.Inputs {
		fmt.Fprintf(&b, "%s=%s ", v.Name(), show(v.Type(), rows[i][l]))
	}
	return fmt.Errorf("%s at %s: %sgives %s and %s", in.rule.Name, in.typ, b.String(),
		show(in.lhs.Type(), out[0][l]), show(in.rhs.Type(), out[1][l]))
}

func show(t ir.Type, v uint64) string {
	if t.IsFloat() {
		return fmt.Sprint(ir.Float(t, v))
	}
	return fmt.Sprint(int64(v))
}

func exactly(row []*[tape.Lanes]uint64, l int) bool { return row[0][l] == row[1][l] }

// asFloats compares as the needs permit. A point says nothing where a variable breaks an
// assumption: a NaN that only one side makes of other numbers counts, because a derivation
// may use the rule in either direction. Under reassoc, which takes floats for real numbers,
// a point says nothing either where a subterm of the left side is no number.
func (in *instance) asFloats(needs ir.Assume) func([]*[tape.Lanes]uint64, int) bool {
	return func(row []*[tape.Lanes]uint64, l int) bool {
		for i, s := range in.subterms {
			f := ir.Float(s.Type(), row[2+i][l])
			if f != f && needs.Has(ir.NNaN) || math.IsInf(f, 0) && needs.Has(ir.NInf) {
				return true
			}
			if needs.Has(ir.Reassoc) && (f != f || math.IsInf(f, 0)) {
				return true
			}
		}
		if !in.lhs.Type().IsFloat() {
			return exactly(row, l)
		}
		a, b := ir.Float(in.typ, row[0][l]), ir.Float(in.typ, row[1][l])
		switch {
		case needs.Has(ir.Reassoc):
			return math.Abs(a-b) <= 1e-4*(1+math.Abs(a))
		case a != a || b != b:
			return a != a && b != b
		case needs.Has(ir.NSZ):
			return a == b
		}
		return exactly(row, l)
	}
}

// integers are the type's limits and small numbers, with random ones between.
func integers(t ir.Type, n int, rng *rand.Rand) []uint64 {
	vals := []uint64{0, 1, 2, 3, t.Wrap(^uint64(0)), t.Wrap(^uint64(1)), t.Min(), t.Wrap(t.Min() + 1), t.Max(), t.Max() - 1}
	for len(vals) < n {
		v := rng.Uint64()
		if rng.Intn(3) == 0 {
			v = t.Wrap(v) >> rng.Intn(t.Bits())
		}
		vals = append(vals, t.Wrap(v))
	}
	return vals
}

func all8(t ir.Type) []uint64 {
	var vals []uint64
	for i := range 256 {
		vals = append(vals, t.Wrap(uint64(i)))
	}
	return vals
}

// smallIntegers cannot overflow 64 bits in any rule: on them I64 computes in ℤ.
func smallIntegers() []uint64 {
	var vals []uint64
	for i := -24; i <= 24; i++ {
		vals = append(vals, uint64(int64(i)))
	}
	for _, big := range []int64{-1 << 14, 1 << 14, 12345, -9999} {
		vals = append(vals, uint64(big))
	}
	return vals
}

func floats(t ir.Type, needs ir.Assume, rng *rand.Rand) []uint64 {
	fs := []float64{0, math.Copysign(0, -1), 1, -1, 2, -3, 0.5}
	if needs.Has(ir.Reassoc) {
		for range 12 {
			fs = append(fs, float64(rng.Intn(41)-20)/float64(int(1)<<rng.Intn(3)))
		}
	} else {
		fs = append(fs, math.NaN(), math.Inf(1), math.Inf(-1), 1e30, -1e30, 1e-40, 0.1, 1.0/3, -7.7, 16777217)
	}
	vals := make([]uint64, len(fs))
	for i, f := range fs {
		vals[i] = ir.FloatBits(t, f)
	}
	return vals
}

// evaluate checks r by evaluation in every type and domain that it claims.
func evaluate(r *Rule) (err error) {
	rng := rand.New(rand.NewSource(1))
	for _, c := range r.Classes {
		for _, t := range c.Types() {
			in := newInstance(r, t)
			switch {
			case t.IsFloat():
				err = in.check(floats(t, c.Needs, rng), rng, in.asFloats(c.Needs))
			case t == ir.Bool:
				err = in.check([]uint64{0, 1}, rng, exactly)
			case c.Domain != UnboundedOnly && t.Bits() == 8:
				vals := all8(t)
				if in.numericInputs() > 2 {
					vals = integers(t, 48, rng)
				}
				err = in.check(vals, rng, exactly)
			case c.Domain != UnboundedOnly:
				err = in.check(integers(t, 40, rng), rng, exactly)
			}
			if err != nil {
				return err
			}
		}
		if c.Domain != WrapOnly && len(c.Types()) > 0 && c.Name != "bool" && c.Name != "float" {
			if err = newInstance(r, ir.I64).check(smallIntegers(), rng, exactly); err != nil {
				return fmt.Errorf("over unbounded integers: %w", err)
			}
		}
	}
	return nil
}

func (in *instance) numericInputs() (n int) {
	for _, v := range in.tape.Inputs {
		if v.Type() != ir.Bool {
			n++
		}
	}
	return n
}
