package main

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
		k := &checker{ctx: context.Background(), op: proof.Operator{Types: u.Types, Exprs: u.Values}, prover: new(prove.Prover)}
		k.start(checkEffort)
		k.run([]ir.Expr{u.Pool.Bool(rng.IntN(2) == 0)})
		if k.associative().holds() {
			associative++
		}
		for _, l := range append(k.laws, k.sides...) {
			if want := trueOfAll(k, l); l.holds() != want {
				t.Errorf("%s: %s is %v, not %s", text, l.name, want, l.theorem.Status)
			} else if !want && !l.holds() && (l.counter == nil || trueAt(k, l, k.valuesAt(l.counter))) {
				t.Errorf("%s: %s is not refuted by its counterexample", text, l.name)
			}
		}
	}
	if associative < 20 {
		t.Errorf("only %d operators were associative: they test little", associative)
	}
}

func trueAt(k *checker, l *law, value func([]ir.Expr) string) bool {
	return value(l.left.exprs(k.op)) == value(l.right.exprs(k.op))
}

// trueOfAll tries all values of x, y, z and k.
func trueOfAll(k *checker, l *law) bool {
	vars := ir.Vars(append(l.left.exprs(k.op), l.right.exprs(k.op)...)...)
	for bits := range uint64(1) << len(vars) {
		c := &prove.Counterexample{Inputs: vars}
		for i := range vars {
			c.Values = append(c.Values, bits>>i&1)
		}
		if !trueAt(k, l, k.valuesAt(c)) {
			return false
		}
	}
	return true
}
