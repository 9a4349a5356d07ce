package rfactor

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/internal/scramble"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

var metamorphicEvery = flag.Int("metamorphic-every", suite.More(74, 37), "TestMetamorphic takes one line in so many of the corpora")

// variants lists the ways in which TestMetamorphic writes an update anew. Each gives nil where it has
// nothing to change; order says which component of the update each component of the variant is, and is nil
// where they are the same.
var variants = []struct {
	name string
	of   func(rng *rand.Rand, u *ir.Update, allowed ir.Assume) (v *ir.Update, order []int)
}{
	{"other literals", withOtherLiterals},
	{"another spelling", respelled},
	{"other leaves", withOtherLeaves},
	{"another order of components", permuted},
}

// withOtherLiterals replaces each literal that an input is compared with for equality.
func withOtherLiterals(rng *rand.Rand, u *ir.Update, _ ir.Assume) (*ir.Update, []int) {
	var literals []ir.Expr
	ir.Walk(u.Values, func(e ir.Expr) {
		if e.Op() != ir.Eq && e.Op() != ir.Ne || e.Arg(0).Type().Bits() < 16 || !e.Arg(0).Type().IsInt() {
			return
		}
		for i := range 2 {
			if e.Arg(i).Op() == ir.Var && e.Arg(i).Kind() == ir.Leaf && e.Arg(1-i).Op() == ir.Const {
				literals = append(literals, e)
			}
		}
	})
	if len(literals) == 0 {
		return nil, nil
	}
	v := *u
	v.Values = u.Pool.Map(u.Values, func(e ir.Expr) ir.Expr {
		if !slices.Contains(literals, e) {
			return ir.Expr{}
		}
		other := u.Pool.Int(e.Arg(0).Type(), int64(100+rng.IntN(20000)))
		if e.Arg(0).Op() == ir.Const {
			return ir.Make(e.Op(), other, e.Arg(1))
		}
		return ir.Make(e.Op(), e.Arg(0), other)
	})
	return &v, nil
}

// respelled applies an identity or two to terms of the update.
func respelled(rng *rand.Rand, u *ir.Update, allowed ir.Assume) (*ir.Update, []int) {
	v := *u
	v.Values = scramble.New(rng, u, allowed).Scramble(u.Values, 1+rng.IntN(2))
	return &v, nil
}

// withOtherLeaves exchanges the names of inputs of one type.
func withOtherLeaves(_ *rand.Rand, u *ir.Update, _ ir.Assume) (*ir.Update, []int) {
	to := map[ir.Expr]ir.Expr{}
	for _, v := range tuple.Inputs(u.Values) {
		if v.Kind() == ir.Leaf {
			to[v] = u.Pool.Y(15-v.Index()%16, v.Type())
		}
	}
	if len(to) == 0 {
		return nil, nil
	}
	v := *u
	v.Values = u.Pool.Map(u.Values, func(e ir.Expr) ir.Expr { return to[e] })
	return &v, nil
}

// permuted writes the components in another order.
func permuted(rng *rand.Rand, u *ir.Update, _ ir.Assume) (*ir.Update, []int) {
	n := len(u.Types)
	if n < 2 {
		return nil, nil
	}
	order := rng.Perm(n)
	if slices.IsSorted(order) {
		slices.Reverse(order)
	}
	v := *u
	v.Types = make([]ir.Type, n)
	for j, i := range order {
		v.Types[j] = u.Types[i]
	}
	v.Values = tuple.MapStates(u.Pool, tuple.Pick(u.Values, order), func(i int, t ir.Type) ir.Expr { return u.Pool.X(slices.Index(order, i), t) })
	return &v, order
}

// TestMetamorphic writes updates of the corpora in other ways that change nothing: the status stays, and so
// does the function that the operator is.
func TestMetamorphic(t *testing.T) {
	tried, other, n := map[string]int{}, map[string]int{}, 0
	for _, file := range []string{"updates.tsv", "unseen.tsv", "unseen_lift.tsv", "real.tsv"} {
		for _, l := range readCorpus(t, file) {
			if n++; n%*metamorphicEvery != 0 {
				continue
			}
			rng := rand.New(rand.NewPCG(uint64(n), 29))
			u := parse(t, l.Types, l.Exprs)
			const allowed = ir.DefaultAssumptions | ir.NSW
			a, _, err := matchProven(u, Options{Allowed: allowed})
			if err != nil {
				t.Fatal(err)
			}
			if a.Operator == nil {
				continue
			}
			for _, variant := range variants {
				v, order := variant.of(rng, u, allowed)
				if v == nil {
					continue
				}
				b, _, err := matchProven(v, Options{Allowed: allowed})
				if err != nil {
					t.Fatal(err)
				}
				tried[variant.name]++
				if difference := differsFrom(a, b, order); difference != "" {
					other[variant.name]++
					t.Logf("%s, %s: %s with %s: %s", l.Name, ir.Strings(u.Values), variant.name, ir.Strings(v.Values), difference)
				}
			}
		}
	}
	t.Logf("tried %v, with another answer %v", tried, other)
	for name, k := range other {
		if k > 1+tried[name]/50 {
			t.Errorf("%s: %d of %d have another answer", name, k, tried[name])
		}
	}
}

// differsFrom says how the answer to a variant differs from that to an update; empty where it does not.
// Operators of lifts may differ, whose parameters are the matcher's own.
func differsFrom(a, b *Answer, order []int) string {
	if b.Status != a.Status {
		return fmt.Sprintf("%s, not %s: %s", b.Status, a.Status, b.Reason)
	}
	if a.Status != Associative || order != nil && a.Via() == b.Via() {
		return "" // the product of complex numbers, either of whose components may be the real part
	}
	pool := a.Pool()
	exprs := pool.Import(b.Operator.Exprs...)
	if order != nil {
		back := func(e ir.Expr) ir.Expr {
			switch {
			case e.Op() != ir.Var:
			case e.Kind() == ir.State:
				return pool.X(order[e.Index()], e.Type())
			case e.Kind() == ir.Leaf && e.Index() < len(order):
				return pool.Y(order[e.Index()], e.Type())
			}
			return ir.Expr{}
		}
		of := make([]ir.Expr, len(exprs))
		for j, e := range pool.Map(exprs, back) {
			of[order[j]] = e
		}
		exprs = of
	}
	var points testpoint.Evaluator
	for i, e := range a.Operator.Exprs {
		if points.Refute(proof.Problem{Left: e, Right: exprs[i]}, a.Assumes|b.Assumes) != nil {
			return fmt.Sprintf("component %d of the operator is %s, not %s", i, exprs[i], e)
		}
	}
	return ""
}
