package check

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// TestLawsOfBooleans compares what is said of random operators on bool with all values.
func TestLawsOfBooleans(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var random func(depth int) string
	random = func(depth int) string {
		if depth == 0 {
			return []string{"x", "y", "k"}[rng.IntN(3)]
		}
		a, b := random(depth-1), random(rng.IntN(depth))
		switch rng.IntN(6) {
		case 0:
			return "!" + a
		case 1:
			return "(" + a + " != " + b + ")"
		case 2:
			return "(" + a + " && " + b + ")"
		case 3:
			return "(" + a + " || " + b + ")"
		}
		return fmt.Sprintf("select(%s, %s, %s)", random(rng.IntN(depth)), a, b)
	}
	associative := 0
	for range 300 {
		text := random(1 + rng.IntN(3))
		u, err := program.ParseOperator(ir.NewPool(), "x:bool,y:bool,k:bool", text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Operator(context.Background(), proof.Operator{Types: u.Types, Exprs: u.Values}, Options{Identity: []ir.Expr{u.Pool.Bool(rng.IntN(2) == 0)}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Associative.Holds() {
			associative++
		}
		for _, l := range append(r.Sides, r.Associative, r.Commutative, r.Idempotent) {
			if want := trueOfAll(l); l.Holds() != want {
				t.Errorf("%s: %s is %v, not %s", text, l.Name, want, l.Theorem.Status)
			} else if !want && !l.Holds() && (l.Counter == nil || trueAt(l, valuesAt(l.Counter))) {
				t.Errorf("%s: %s is not refuted by its counterexample", text, l.Name)
			}
		}
	}
	if associative < 20 {
		t.Errorf("only %d operators were associative: they test little", associative)
	}
}

func trueAt(l Law, value func([]ir.Expr) string) bool {
	return value(l.left.exprs(l.op)) == value(l.right.exprs(l.op))
}

// trueOfAll tries all values of x, y, z and k.
func trueOfAll(l Law) bool {
	vars := ir.Vars(append(l.left.exprs(l.op), l.right.exprs(l.op)...)...)
	for bits := range uint64(1) << len(vars) {
		c := &prove.Counterexample{Inputs: vars}
		for i := range vars {
			c.Values = append(c.Values, bits>>i&1)
		}
		if !trueAt(l, valuesAt(c)) {
			return false
		}
	}
	return true
}
