package prove

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/ir"
)

// Certificates that prove nothing, or too much, are errors and no panics, whatever they are
// said to prove; they take no time.
func TestCheckRejects(t *testing.T) {
	pool := ir.NewPool()
	read := func(left, right string) Problem {
		return parseProblem(t, pool, ir.U8, "x:u8, y:u8", left, right, "")
	}
	leaf := func(k Kind) *Tree { return &Tree{Kind: k} }
	deep := leaf(Equal)
	for range 100_000 {
		deep = &Tree{Kind: Split, Then: deep, Else: leaf(Absurd)}
	}
	wide := &Tree{Kind: Carry, Place: 1, Low: math.MinInt64}
	for range 100_000 {
		wide.Cases = append(wide.Cases, leaf(Equal))
	}
	plus := read("x + y", "x")
	for _, c := range []struct {
		name string
		p    Problem
		tree *Tree
	}{
		{"nothing", plus, nil},
		{"no kind", plus, &Tree{}},
		{"a kind that there is not", plus, leaf("trust me")},
		{"a verdict", plus, &Tree{Kind: Solver, Solver: "z3 4.8.12"}},
		{"different sides", plus, leaf(Equal)},
		{"an open condition", read("min(x, y)", "x"), leaf(Equal)},
		{"a split of nothing", plus, &Tree{Kind: Split, Then: leaf(Absurd), Else: leaf(Absurd)}},
		{"half a split", read("min(x, y)", "x"), &Tree{Kind: Split, Then: leaf(Equal)}},
		{"branches exchanged", read("min(x, y)", "select(y < x, y, x)"), &Tree{Kind: Split, Then: leaf(Absurd), Else: leaf(Equal)}},
		{"no contradiction", plus, leaf(Absurd)},
		{"no given condition", plus, leaf(Vacuous)},
		{"no squeeze", plus, leaf(Squeeze)},
		{"no decision to rewrite by", plus, &Tree{Kind: Rewrite, Term: "x", Then: leaf(Equal)}},
		{"no decision to substitute by", plus, &Tree{Kind: Substitute, Place: -1, Term: "x", Then: leaf(Equal)}},
		{"a place far away", plus, &Tree{Kind: Carry, Place: math.MaxInt}},
		{"no cases", plus, &Tree{Kind: Carry}},
		{"a case too few", plus, &Tree{Kind: Carry, Cases: []*Tree{leaf(Equal)}}},
		{"cases from the end of the numbers", plus, &Tree{Kind: Carry, Low: math.MaxInt64, Cases: []*Tree{leaf(Equal), leaf(Equal)}}},
		{"many cases", plus, wide},
		{"a deep tree", plus, deep},
		{"no clauses", plus, leaf(Circuit)},
		{"a clause that does not follow", plus, &Tree{Kind: Circuit, Lemmas: []byte{1, 2}}},
		{"the empty clause", plus, &Tree{Kind: Circuit, Lemmas: []byte{0}}},
		{"a clause that breaks off", plus, &Tree{Kind: Circuit, Lemmas: []byte{9, 2}}},
		{"a gate that is not there", plus, &Tree{Kind: Circuit, Lemmas: []byte{1, 0xff, 0xff, 3}}},
		{"a clause without end", plus, &Tree{Kind: Circuit, Lemmas: []byte{0xff, 0xff, 0xff, 0xff, 0x7f, 1}}},
		{"bits of two types", Problem{Left: pool.X(0, ir.U8), Right: pool.X(0, ir.I16)}, leaf(Circuit)},
		{"a difference", read("min(x, y)", "x"), &Tree{Kind: Split, Then: leaf(Equal), Else: &Tree{Kind: Rewrite, Delta: math.MinInt64, Term: "y", Then: leaf(Equal)}}},
		{"sides of two types", Problem{Left: pool.X(0, ir.U8), Right: pool.X(0, ir.I8)}, leaf(Equal)},
		{"no sides", Problem{}, leaf(Split)},
	} {
		start := time.Now()
		if err := Check(c.p, 0, c.tree); err == nil {
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
		err := Check(Problem{Left: e, Right: x}, 0, &Tree{Kind: Equal})
		if err == nil || !strings.HasPrefix(err.Error(), "certificate: ") {
			t.Errorf("%v", err)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%v takes %v", err, d)
		}
	}
}
