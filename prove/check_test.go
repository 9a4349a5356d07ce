package prove

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Certificates that prove nothing, or too much, are errors and no panics, whatever they are
// said to prove; they take no time.
func TestCheckRejects(t *testing.T) {
	pool := ir.NewPool()
	read := func(left, right string) proof.Problem {
		return parseProblem(t, pool, ir.U8, "x:u8, y:u8", left, right, "")
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
	}{
		{"nothing", plus, nil},
		{"no kind", plus, &proof.Tree{}},
		{"a kind that there is not", plus, leaf("trust me")},
		{"a verdict", plus, &proof.Tree{Kind: proof.Solver, Solver: "z3 4.8.12"}},
		{"different sides", plus, leaf(proof.Equal)},
		{"an open condition", read("min(x, y)", "x"), leaf(proof.Equal)},
		{"a split of nothing", plus, &proof.Tree{Kind: proof.Split, Then: leaf(proof.Absurd), Else: leaf(proof.Absurd)}},
		{"half a split", read("min(x, y)", "x"), &proof.Tree{Kind: proof.Split, Then: leaf(proof.Equal)}},
		{"branches exchanged", read("min(x, y)", "select(y < x, y, x)"), &proof.Tree{Kind: proof.Split, Then: leaf(proof.Absurd), Else: leaf(proof.Equal)}},
		{"no contradiction", plus, leaf(proof.Absurd)},
		{"no given condition", plus, leaf(proof.Vacuous)},
		{"no squeeze", plus, leaf(proof.Squeeze)},
		{"no decision to rewrite by", plus, &proof.Tree{Kind: proof.Rewrite, Term: "x", Then: leaf(proof.Equal)}},
		{"no decision to substitute by", plus, &proof.Tree{Kind: proof.Substitute, Place: -1, Term: "x", Then: leaf(proof.Equal)}},
		{"a place far away", plus, &proof.Tree{Kind: proof.Carry, Place: math.MaxInt}},
		{"no cases", plus, &proof.Tree{Kind: proof.Carry}},
		{"a case too few", plus, &proof.Tree{Kind: proof.Carry, Cases: []*proof.Tree{leaf(proof.Equal)}}},
		{"cases from the end of the numbers", plus, &proof.Tree{Kind: proof.Carry, Low: math.MaxInt64, Cases: []*proof.Tree{leaf(proof.Equal), leaf(proof.Equal)}}},
		{"many cases", plus, wide},
		{"a deep tree", plus, deep},
		{"no clauses", plus, leaf(proof.Circuit)},
		{"a clause that does not follow", plus, &proof.Tree{Kind: proof.Circuit, Lemmas: []byte{1, 2}}},
		{"the empty clause", plus, &proof.Tree{Kind: proof.Circuit, Lemmas: []byte{0}}},
		{"a clause that breaks off", plus, &proof.Tree{Kind: proof.Circuit, Lemmas: []byte{9, 2}}},
		{"a gate that is not there", plus, &proof.Tree{Kind: proof.Circuit, Lemmas: []byte{1, 0xff, 0xff, 3}}},
		{"a clause without end", plus, &proof.Tree{Kind: proof.Circuit, Lemmas: []byte{0xff, 0xff, 0xff, 0xff, 0x7f, 1}}},
		{"bits of two types", proof.Problem{Left: pool.X(0, ir.U8), Right: pool.X(0, ir.I16)}, leaf(proof.Circuit)},
		{"a difference", read("min(x, y)", "x"), &proof.Tree{Kind: proof.Split, Then: leaf(proof.Equal), Else: &proof.Tree{Kind: proof.Rewrite, Delta: math.MinInt64, Term: "y", Then: leaf(proof.Equal)}}},
		{"sides of two types", proof.Problem{Left: pool.X(0, ir.U8), Right: pool.X(0, ir.I8)}, leaf(proof.Equal)},
		{"no sides", proof.Problem{}, leaf(proof.Split)},
	} {
		start := time.Now()
		if err := equation.Check(c.p, 0, c.tree); err == nil {
			t.Errorf("%s: accepted", c.name)
		} else if testing.Verbose() {
			t.Logf("%s: %v", c.name, err)
		}
		if d := time.Since(start); d > time.Second {
			t.Errorf("%s: takes %v", c.name, d)
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
		start := time.Now()
		err := equation.Check(proof.Problem{Left: e, Right: x}, 0, &proof.Tree{Kind: proof.Equal})
		if err == nil || !strings.HasPrefix(err.Error(), "certificate: ") {
			t.Errorf("%v", err)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%v takes %v", err, d)
		}
	}
}
