package rfactor

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/internal/scramble"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
)

// idealInts evaluates as a reader of the definition would: integers are as large as they get, and only
// what is chosen is computed. It shares nothing with the evaluators of the project but operations on
// words in their range.
type idealInts struct {
	at        map[ir.Expr]*big.Int
	overflows bool // something computed is none of its type
	unknown   bool // an operation on bits met such a number
}

func oneIf(b bool) *big.Int {
	if b {
		return big.NewInt(1)
	}
	return big.NewInt(0)
}

func wordOf(t ir.Type, v uint64) *big.Int {
	if t.IsSigned() {
		return big.NewInt(int64(v))
	}
	return new(big.Int).SetUint64(v)
}

func inRange(t ir.Type, v *big.Int) bool {
	return t == ir.Bool || wordOf(t, t.Min()).Cmp(v) <= 0 && v.Cmp(wordOf(t, t.Max())) <= 0
}

func (u *idealInts) eval(e ir.Expr) *big.Int {
	t := e.Type()
	switch e.Op() {
	case ir.Const:
		return wordOf(t, e.Value())
	case ir.Var:
		return u.at[e]
	case ir.Select:
		if u.eval(e.Arg(0)).Sign() != 0 {
			return u.eval(e.Arg(1))
		}
		return u.eval(e.Arg(2))
	case ir.And, ir.Or:
		if a := u.eval(e.Arg(0)); a.Sign() != 0 == (e.Op() == ir.Or) {
			return a
		}
		return u.eval(e.Arg(1))
	}
	a, b, z := u.eval(e.Arg(0)), big.NewInt(0), new(big.Int)
	if e.NumArgs() > 1 {
		b = u.eval(e.Arg(1))
	}
	switch e.Op() {
	case ir.Not:
		return oneIf(a.Sign() == 0)
	case ir.Lt:
		return oneIf(a.Cmp(b) < 0)
	case ir.Le:
		return oneIf(a.Cmp(b) <= 0)
	case ir.Gt:
		return oneIf(a.Cmp(b) > 0)
	case ir.Ge:
		return oneIf(a.Cmp(b) >= 0)
	case ir.Eq:
		return oneIf(a.Cmp(b) == 0)
	case ir.Ne:
		return oneIf(a.Cmp(b) != 0)
	case ir.Min, ir.Max:
		if a.Cmp(b) < 0 == (e.Op() == ir.Min) {
			return a
		}
		return b
	case ir.Add:
		z.Add(a, b)
	case ir.Sub:
		z.Sub(a, b)
	case ir.Mul:
		z.Mul(a, b)
	case ir.Neg:
		z.Neg(a)
	case ir.Abs:
		z.Abs(a)
	default:
		from := e.Arg(0).Type()
		if !inRange(from, a) || !inRange(from, b) {
			u.unknown = true
			return a
		}
		v := uint64(a.Int64())
		if e.NumArgs() > 1 {
			v = ir.Apply2(e.Op(), from, v, uint64(b.Int64()))
		} else {
			v = ir.Apply1(e.Op(), from, t, v)
		}
		return wordOf(t, v)
	}
	u.overflows = u.overflows || !inRange(t, z)
	return z
}

// run evaluates expressions with states and leaves put in.
func (u *idealInts) run(es []ir.Expr, at map[ir.Expr]*big.Int) (out []*big.Int) {
	u.at = at
	for _, e := range es {
		out = append(out, u.eval(e))
	}
	return out
}

// Wherever a serial loop overflows nowhere, regrouping its steps gives what it gives, over unbounded
// integers: of operators that need them, in spellings that bits and arithmetic are mixed in. An ordinary test takes one operator in 24.
func TestLoopsWithoutOverflow(t *testing.T) {
	t.Parallel()
	compared, answers := 0, 0
	for _, types := range [][]ir.Type{{ir.I8}, {ir.U8}, {ir.I8, ir.I8}, {ir.U8, ir.U8}} {
		for i, e := range pattern.Entries(types) {
			if e.Assumes&overflow.Flags == 0 || i%suite.Sample(suite.More(24, 12), 1) != 0 || testing.Short() && i%48 != 0 {
				continue
			}
			for j := range suite.Sample(1, 4) {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(j)))
				pool := ir.NewPool()
				u := &ir.Update{Pool: pool, Types: e.Types, Values: pool.Import(e.Exprs...), Source: &ir.Source{Name: "loop"}}
				s := scramble.New(rng, u, e.Assumes)
				u.Values = s.Scramble(u.Values, 1+rng.IntN(20))
				a, err := Match(context.Background(), u, Options{Allowed: e.Assumes})
				if err != nil {
					t.Fatal(err)
				}
				if a.Operator == nil {
					continue
				}
				answers++
				for range 100 {
					compared += compareLoop(t, a, rng)
				}
				if t.Failed() {
					t.Fatalf("%s under %s, spelled %s, is %s with %s", ir.Strings(e.Exprs), e.Assumes, ir.Strings(a.Update), ir.Strings(a.Operator.Exprs), ir.Strings(a.Inject))
				}
			}
		}
	}
	if compared < 20*answers {
		t.Errorf("only %d loops of %d answers could be compared", compared, answers)
	}
}

// compareLoop runs three steps of a loop one after the other, and regrouped; it answers 1 where nothing
// hindered it.
func compareLoop(t *testing.T, a *Answer, rng *rand.Rand) int {
	draw := func(typ ir.Type) *big.Int {
		switch v := rng.Uint64(); rng.IntN(6) {
		case 0:
			return wordOf(typ, typ.Wrap(v))
		case 1:
			return wordOf(typ, typ.Min()+v%3)
		case 2:
			return wordOf(typ, typ.Max()-v%3)
		default:
			return wordOf(typ, typ.Wrap(typ.Min()/32+v%9))
		}
	}
	n := len(a.Types)
	x0 := make([]*big.Int, n)
	for i, typ := range a.Types {
		x0[i] = draw(typ)
	}
	serial, free := &idealInts{}, &idealInts{}
	vars := ir.Vars(slices.Concat(a.Update, a.Inject, a.Operator.Exprs, applied(a))...)
	fixed := map[ir.Expr]*big.Int{}
	for _, v := range vars {
		if v.Kind() == ir.Param {
			fixed[v] = draw(v.Type())
		}
	}
	env := func(x []*big.Int) map[ir.Expr]*big.Int {
		at := map[ir.Expr]*big.Int{}
		for v, k := range fixed {
			at[v] = k
		}
		for i, v := range x {
			at[a.Pool().X(i, a.Types[i])] = v
		}
		return at
	}
	x := x0
	var steps [][]*big.Int
	for range 3 {
		at := env(x)
		for _, v := range vars {
			if v.Kind() == ir.Leaf || v.Kind() == ir.Coord {
				at[v] = draw(v.Type())
			}
		}
		x = serial.run(a.Update, at)
		steps = append(steps, free.run(a.Inject, at))
	}
	types := a.Operator.Types
	compose := func(p, q []*big.Int) []*big.Int {
		at := env(nil)
		for i, typ := range types {
			at[a.Pool().X(i, typ)], at[a.Pool().Y(i, typ)] = p[i], q[i]
		}
		return free.run(a.Operator.Exprs, at)
	}
	p := compose(compose(steps[0], steps[1]), steps[2])
	q := compose(steps[0], compose(steps[1], steps[2]))
	for _, s := range [][]*big.Int{p, q} {
		var got []*big.Int
		if a.Status == Lifted {
			at := env(x0)
			for i, v := range a.Lift.Params {
				at[v] = s[i]
			}
			got = free.run(a.Lift.Apply, at)
		} else {
			got = compose(x0, s)
		}
		if serial.overflows || serial.unknown || free.unknown {
			return 0
		}
		for i := range got {
			if got[i].Cmp(x[i]) != 0 {
				t.Errorf("from %v, constants %v, by %v: component %d is %v, not %v", x0, fixed, steps, i, got[i], x[i])
				return 0
			}
		}
	}
	return 1
}

func applied(a *Answer) []ir.Expr {
	if a.Status == Lifted {
		return a.Lift.Apply
	}
	return nil
}
