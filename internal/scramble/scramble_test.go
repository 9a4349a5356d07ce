package scramble_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	. "github.com/rfactor-go/rfactor/internal/scramble"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Each identity holds by evaluation at every type of its classes, under what it needs.
func TestIdentities(t *testing.T) {
	var points testpoint.Evaluator
	for _, i := range Identities() {
		for _, c := range i.Classes {
			for _, typ := range c.Types() {
				allowed := c.Needs
				switch {
				case c.Domain == rules.UnboundedOnly && typ.IsSigned():
					allowed |= ir.NSW
				case c.Domain == rules.UnboundedOnly:
					allowed |= ir.NUW
				}
				pool := ir.NewPool()
				vars := func(name string, t ir.Type) ir.Expr {
					return pool.Var(ir.Leaf, name, strings.IndexByte("abcdefghijklmnopqrstuvwxyz", name[0]), t)
				}
				p := proof.Problem{Left: i.From.Build(pool, typ, vars), Right: i.To.Build(pool, typ, vars)}
				if x := points.Refute(p, allowed); x != nil {
					t.Errorf("%s at %s under %s: %v", i.Text, typ, allowed, x)
				}
			}
		}
	}
}

// A wrong identity is refuted, and what a scrambler answers means what it was given.
func TestScramble(t *testing.T) {
	var points testpoint.Evaluator
	for seed := range uint64(60) {
		pool := ir.NewPool()
		u, err := program.ParseUpdate(pool, "x0:i32,x1:i32,y0:i32,y1:bool", "min(x0, y0); select(y1, x1 + y0, x1)")
		if err != nil {
			t.Fatal(err)
		}
		s := New(rand.New(rand.NewPCG(seed, 1)), u, 0)
		values := s.Scramble(u.Values, 30)
		for i, v := range values {
			if x := points.Refute(proof.Problem{Left: u.Values[i], Right: v}, 0); x != nil {
				t.Errorf("%s is not %s: %v", v, u.Values[i], x)
			}
		}
		if len(s.Rejected) > 0 {
			t.Errorf("wrong steps: %q", s.Rejected)
		}
		if ir.Strings(values) == ir.Strings(u.Values) {
			t.Error("nothing was scrambled")
		}
	}
	pool := ir.NewPool()
	a, b := pool.Y(0, ir.I32), pool.Y(1, ir.I32)
	if points.Refute(proof.Problem{Left: ir.MinOf(a, b), Right: ir.NegOf(ir.MaxOf(ir.NegOf(a), ir.NegOf(b)))}, 0) == nil {
		t.Error("min(a, b) => -max(-a, -b) is not refuted where integers wrap")
	}
}
