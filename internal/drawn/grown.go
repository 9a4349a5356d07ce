package drawn

import (
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Grown returns an update that is u put into itself, under more conditions, in longer chains or beside copies of itself, until it has
// about as many operators and leaves as are drawn, at most so many. Its pool is that of u.
func Grown(rng *rand.Rand, u *ir.Update, most int) *ir.Update {
	v := *u
	want := 1 << (4 + rng.IntN(14))
	for range 64 {
		w := growths[rng.IntN(len(growths))](rng, &v)
		if n := size(w); n > most || n > 8*want {
			return &v
		} else if v = *w; n >= want {
			break
		}
	}
	return &v
}

func size(u *ir.Update) (n int) {
	for _, e := range u.Values {
		n += e.Size()
	}
	return n
}

// growths are the ways in which an update grows.
var growths = []func(*rand.Rand, *ir.Update) *ir.Update{twice, twice, guarded, chained, copied, Mutated}

// twice does two steps, on the same inputs or on others.
func twice(rng *rand.Rand, u *ir.Update) *ir.Update {
	v, next := *u, rng.IntN(2)*(1+rng.IntN(4))
	v.Values = u.Pool.Map(u.Values, func(e ir.Expr) ir.Expr {
		switch {
		case e.Op() != ir.Var:
			return ir.Expr{}
		case e.Kind() == ir.State:
			return u.Values[e.Index()]
		case e.Kind() == ir.Leaf && next > 0:
			return u.Pool.Y(e.Index()+next, e.Type())
		}
		return e
	})
	return &v
}

// guarded selects literals where a component has one of many values.
func guarded(rng *rand.Rand, u *ir.Update) *ir.Update {
	v := *u
	v.Values = slices.Clone(u.Values)
	i := rng.IntN(len(v.Values))
	t, x := u.Types[i], u.Pool.X(i, u.Types[i])
	if t == ir.Bool {
		return &v
	}
	other := []ir.Expr{x, u.Pool.Y(i, t)}[rng.IntN(2)]
	for n := range 1 << rng.IntN(11) {
		to := u.Pool.Int(t, int64(rng.IntN(100)))
		if rng.IntN(4) == 0 {
			to = x
		}
		v.Values[i] = ir.SelectOf(ir.EqOf(other, u.Pool.Int(t, int64(3*n+1))), to, v.Values[i])
	}
	return &v
}

// chained combines a component with many terms of an input.
func chained(rng *rand.Rand, u *ir.Update) *ir.Update {
	v := *u
	v.Values = slices.Clone(u.Values)
	i := rng.IntN(len(v.Values))
	t := u.Types[i]
	ops := []ir.Op{ir.Add, ir.Mul, ir.Max, ir.Min}
	if t.IsInt() {
		ops = append(ops, ir.BitXor, ir.BitOr, ir.BitAnd, ir.Sub)
	} else if t == ir.Bool {
		ops = []ir.Op{ir.And, ir.Or}
	}
	op, inner := ops[rng.IntN(len(ops))], ops[rng.IntN(len(ops))]
	same := rng.IntN(2) == 0
	for n := range 1 << rng.IntN(11) {
		term := u.Pool.Y(i, t)
		if !same {
			term = ir.Make(inner, u.Pool.Y(i+n%40, t), u.Pool.Int(t, int64(n)))
		}
		v.Values[i] = ir.Make(op, v.Values[i], term)
	}
	return &v
}

// copied puts a copy of the update beside it, on the same inputs.
func copied(_ *rand.Rand, u *ir.Update) *ir.Update {
	v, n := *u, len(u.Types)
	if 2*n > 16 {
		return &v
	}
	v.Types = append(slices.Clip(u.Types), u.Types...)
	v.Values = append(slices.Clip(u.Values), u.Pool.Map(u.Values, func(e ir.Expr) ir.Expr {
		if e.Op() == ir.Var && e.Kind() == ir.State {
			return u.Pool.X(e.Index()+n, e.Type())
		}
		return ir.Expr{}
	})...)
	return &v
}
