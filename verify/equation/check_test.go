package equation_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	. "github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Certificates that prove nothing, or too much, are errors and no panics, whatever they are
// said to prove.
func TestCheckRejects(t *testing.T) {
	pool := ir.NewPool()
	read := func(left, right string) proof.Problem {
		side := func(text string) ir.Expr {
			e, err := ir.Read(pool, func(name string) (ir.Expr, bool) {
				e, ok := map[string]ir.Expr{"x": pool.Var(ir.State, "x", 0, ir.U8), "y": pool.Var(ir.Leaf, "y", 0, ir.U8)}[name]
				return e, ok
			}, ir.U8, text)
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		return proof.Problem{Left: side(left), Right: side(right)}
	}
	leaf := func(k proof.Kind) *proof.Tree { return &proof.Tree{Kind: k} }
	deep := leaf(proof.Equal)
	for range 100_000 {
		deep = &proof.Tree{Kind: proof.Split, Then: deep, Else: leaf(proof.Absurd)}
	}
	wide := &proof.Tree{Kind: proof.Carry, Place: 1, Low: math.MinInt64}
	for range 100_000 {
		wide.Cases = append(wide.Cases, leaf(proof.Equal))
	}
	plus := read("x + y", "x")
	for _, c := range []struct {
		name string
		p    proof.Problem
		tree *proof.Tree
		want string
	}{
		{"nothing", plus, nil, "a case is missing"},
		{"no kind", plus, &proof.Tree{}, `a node of kind "" proves nothing here`},
		{"a kind that there is not", plus, leaf("trust me"), `a node of kind "trust me" proves nothing here`},
		{"a verdict", plus, &proof.Tree{Kind: proof.Solver, Solver: "z3 4.8.12"}, `a node of kind "solver" proves nothing here`},
		{"different sides", plus, leaf(proof.Equal), `a case is not settled as "equal" says`},
		{"an open condition", read("min(x, y)", "x"), leaf(proof.Equal), `a case is not settled as "equal" says`},
		{"a split of nothing", plus, &proof.Tree{Kind: proof.Split, Then: leaf(proof.Absurd), Else: leaf(proof.Absurd)}, "a case is split where nothing is open"},
		{"half a split", read("min(x, y)", "x"), &proof.Tree{Kind: proof.Split, Then: leaf(proof.Equal)}, "a case is missing"},
		{"branches exchanged", read("min(x, y)", "select(y < x, y, x)"), &proof.Tree{Kind: proof.Split, Then: leaf(proof.Absurd), Else: leaf(proof.Equal)}, "a case called absurd is not seen to be"},
		{"no contradiction", plus, leaf(proof.Absurd), "a case called absurd is not seen to be"},
		{"no given condition", plus, leaf(proof.Vacuous), `a case is not settled as "vacuous" says`},
		{"no squeeze", plus, leaf(proof.Squeeze), "the sides are not squeezed together"},
		{"no decision to rewrite by", plus, &proof.Tree{Kind: proof.Rewrite, Term: "x", Then: leaf(proof.Equal)}, "there is no decision number 0 and difference 0"},
		{"no decision to substitute by", plus, &proof.Tree{Kind: proof.Substitute, Place: -1, Term: "x", Then: leaf(proof.Equal)}, "there is no decision number -1 and difference 0"},
		{"a place far away", plus, &proof.Tree{Kind: proof.Carry, Place: math.MaxInt32}, "there is no place 2147483647"},
		{"no cases", plus, &proof.Tree{Kind: proof.Carry}, "a sum wraps 0 to 1 times, not 0 to -1"},
		{"a case too few", plus, &proof.Tree{Kind: proof.Carry, Cases: []*proof.Tree{leaf(proof.Equal)}}, "a sum wraps 0 to 1 times, not 0 to 0"},
		{"cases from the end of the numbers", plus, &proof.Tree{Kind: proof.Carry, Low: math.MaxInt64, Cases: []*proof.Tree{leaf(proof.Equal), leaf(proof.Equal)}}, "a sum wraps 0 to 1 times, not 9223372036854775807 to 9223372036854775808"},
		{"many cases", plus, wide, "a sum wraps 0 to 0 times, not -9223372036854775808 to -9223372036854675809"},
		{"a deep tree", plus, deep, "a case is split where nothing is open"},
		{"bits of two types", proof.Problem{Left: pool.X(0, ir.U8), Right: pool.X(0, ir.I16)}, leaf(proof.Bits), "the sides have different types"},
		{"a difference", read("min(x, y)", "x"), &proof.Tree{Kind: proof.Split, Then: leaf(proof.Equal), Else: &proof.Tree{Kind: proof.Rewrite, Delta: math.MinInt64, Term: "y", Then: leaf(proof.Equal)}}, "difference -9223372036854775808"},
		{"sides of two types", proof.Problem{Left: pool.X(0, ir.U8), Right: pool.X(0, ir.I8)}, leaf(proof.Equal), "the sides have different types"},
		{"no sides", proof.Problem{}, leaf(proof.Split), "the zero Expr is no expression"},
	} {
		if err := Check(c.p, 0, c.tree); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestPredicates checks proofs in which comparisons of floats are predicates: of those nothing holds of
// orders, and a <= b is the opposite of b < a under nnan alone.
func TestPredicates(t *testing.T) {
	pool := ir.NewPool()
	x, y, z := pool.X(0, ir.F32), pool.Y(0, ir.F32), pool.K(0, ir.F32)
	equal, absurd := &proof.Tree{Kind: proof.Equal}, &proof.Tree{Kind: proof.Absurd, Why: []proof.Refutation{{Using: []int{0, 1}}}}
	split := func(then, otherwise *proof.Tree) *proof.Tree {
		return &proof.Tree{Kind: proof.Split, Then: then, Else: otherwise}
	}
	as := func(then *proof.Tree) *proof.Tree { return &proof.Tree{Kind: proof.Predicates, Then: then} }
	both := split(equal, equal)
	for _, c := range []struct {
		name        string
		left, right ir.Expr
		assume      ir.Assume
		tree        *proof.Tree
		want        string // the error; empty where there is none
	}{
		{"turned round", ir.LtOf(x, y), ir.Make(ir.Gt, y, x), 0, as(both), ""},
		{"other values", ir.LtOf(x, y), ir.LtOf(x, z), 0, as(split(both, both)), `a case is not settled as "equal" says`},
		{"not equal", ir.NotOf(ir.EqOf(x, y)), ir.Make(ir.Ne, x, y), 0, as(both), ""},
		{"a sum", ir.LtOf(ir.AddOf(x, y), z), ir.Make(ir.Gt, z, ir.AddOf(x, y)), 0, as(both), ""},
		{"not below", ir.NotOf(ir.LtOf(x, y)), ir.LeOf(y, x), ir.NNaN, as(both), ""},
		{"not below, NaN", ir.NotOf(ir.LtOf(x, y)), ir.LeOf(y, x), 0, as(split(both, both)), `a case is not settled as "equal" says`},
		{"an order", ir.AndOf(ir.LtOf(x, y), ir.LtOf(y, x)), pool.Bool(false), ir.NNaN, as(split(split(absurd, equal), equal)), "a case called absurd is not seen to be"},
		{"after a decision", ir.LtOf(x, y), ir.Make(ir.Gt, y, x), ir.NNaN | ir.NSZ, split(as(equal), equal), "comparisons become predicates after decisions"},
		{"twice", ir.LtOf(x, y), ir.Make(ir.Gt, y, x), 0, as(as(both)), "comparisons become predicates after decisions"},
		{"nothing", ir.LtOf(x, y), ir.Make(ir.Gt, y, x), 0, as(nil), "a case is missing"},
	} {
		err := Check(proof.Problem{Left: c.left, Right: c.right}, c.assume, c.tree)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// Expressions that are nested deep or grow large are errors, too.
func TestCheckLimits(t *testing.T) {
	pool := ir.NewPool()
	x, y, z := pool.X(0, ir.I64), pool.Y(0, ir.I64), pool.K(0, ir.I64)
	nested, power := x, ir.AddOf(ir.AddOf(x, y), z)
	for range 200_000 {
		nested = ir.MinOf(ir.AddOf(nested, y), x)
	}
	for range 12 {
		power = ir.MulOf(power, ir.AddOf(power, x))
	}
	for _, e := range []ir.Expr{nested, power} {
		err := Check(proof.Problem{Left: e, Right: x}, 0, &proof.Tree{Kind: proof.Equal})
		if err == nil || !strings.HasPrefix(err.Error(), "certificate: ") {
			t.Errorf("%v", err)
		}
	}
}

// TestChoices checks proofs in which selects are unknown numbers: of two selects nothing is known but whether they are one.
func TestChoices(t *testing.T) {
	pool := ir.NewPool()
	x, y, f := pool.X(0, ir.I32), pool.Y(0, ir.I32), pool.X(1, ir.F32)
	pick := func(a ir.Expr) ir.Expr { return ir.SelectOf(ir.LtOf(x, y), a, y) }
	limit := ir.SelectOf(ir.LtOf(x, y), pool.Float(ir.F32, math.Inf(1)), f)
	equal := &proof.Tree{Kind: proof.Equal}
	as := func(then *proof.Tree) *proof.Tree { return &proof.Tree{Kind: proof.Choices, Then: then} }
	split := &proof.Tree{Kind: proof.Split, Then: as(equal), Else: equal}
	for _, c := range []struct {
		name        string
		left, right ir.Expr
		assume      ir.Assume
		tree        *proof.Tree
		want        string // the error; empty where there is none
	}{
		{"sums", ir.AddOf(pick(x), y), ir.AddOf(y, pick(x)), 0, as(equal), ""},
		{"differences", ir.SubOf(pick(x), pick(x)), pool.Int(ir.I32, 0), 0, as(equal), ""},
		{"differences of floats", ir.SubOf(ir.SelectOf(ir.LtOf(x, y), f, ir.Make(ir.Neg, f)), f), ir.SubOf(ir.SelectOf(ir.LtOf(x, y), f, ir.Make(ir.Neg, f)), f), 0, as(equal), ""},
		{"other selects", pick(x), pick(ir.AddOf(x, y)), 0, as(equal), `a case is not settled as "equal" says`},
		{"what a select is", pick(y), y, 0, as(equal), `a case is not settled as "equal" says`},
		{"infinity", ir.SubOf(limit, limit), pool.Float(ir.F32, 0), ir.Reassoc, as(equal), `a case is not settled as "equal" says`},
		{"after a decision", ir.AddOf(pick(x), y), ir.AddOf(y, pick(x)), 0, split, "selects become unknown numbers after decisions"},
		{"twice", ir.AddOf(pick(x), y), ir.AddOf(y, pick(x)), 0, as(as(equal)), "selects become unknown numbers after decisions"},
		{"nothing", ir.AddOf(pick(x), y), ir.AddOf(y, pick(x)), 0, as(nil), "a case is missing"},
	} {
		err := Check(proof.Problem{Left: c.left, Right: c.right}, c.assume, c.tree)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
