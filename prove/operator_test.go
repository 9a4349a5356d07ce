package prove_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// What is known of operators: under which assumptions they are associative (the prover must
// find the fewest of those allowed), their identity, and whether they commute.
func TestOperators(t *testing.T) {
	const not = "not"
	for _, c := range []struct {
		types, text, allowed string
		assumes              string // that associativity needs, or not
		side                 proof.Side
		identity             string
		commutes, idempotent bool
	}{
		{"i32", "x0 + y0", "all", "none", proof.Two, "0", true, false},
		{"u8", "x0*y0", "all", "none", proof.Two, "1", true, false},
		{"i32", "max(x0, y0)", "all", "none", proof.Two, "tmin", true, true},
		{"u16", "min(x0, y0)", "all", "none", proof.Two, "65535", true, true},
		{"u8", "x0 & y0", "all", "none", proof.Two, "255", true, true},
		{"i64", "x0 ^ y0", "all", "none", proof.Two, "0", true, false},
		{"u8", "saturating_add(x0, y0)", "all", "none", proof.Two, "0", true, false},
		{"i8", "saturating_add(x0, y0)", "none", not, proof.NoSide, "", false, false},
		{"i32", "x0", "all", "none", proof.Right, "0", false, true},
		{"i32", "y0", "all", "none", proof.Left, "0", false, true},
		{"i32", "x0 - y0", "all", not, proof.NoSide, "", false, false},
		{"i32", "~(~x0 - y0)", "all", "none", proof.Two, "0", true, false},
		{"i32", "x0*y0 + x0 + y0", "none", "none", proof.Two, "0", true, false},
		{"i32", "max(min(k0 - x0, y0), x0)", "none", not, proof.NoSide, "", false, false},
		{"i32", "max(min(k0 - x0, y0), x0)", "all", "nsw", proof.NoSide, "", false, true},
		{"i32", "min(max(x0, k0), y0)", "none", "none", proof.Left, "tmax", false, true},
		{"bool", "x0 && y0", "none", "none", proof.Two, "true", true, true},
		{"bool", "x0 != y0", "none", "none", proof.Two, "false", true, false},
		{"f32", "x0 + y0", "none", not, proof.NoSide, "", false, false},
		{"f32", "x0 + y0", "default", "reassoc", proof.Two, "-0.0", true, false},
		{"f64", "x0*y0", "default", "reassoc", proof.Two, "1.0", true, false},
		{"f32", "max(x0, y0)", "none", "none", proof.Two, "-inf", true, true},
		{"f32", "select(x0 > y0, x0, y0)", "none", not, proof.NoSide, "", false, false},
		{"f32", "select(x0 > y0, x0, y0)", "nnan", "nnan", proof.Two, "-inf", false, true},
		{"i32 i32", "x0 + y0; max(x1, y1)", "none", "none", proof.Two, "0;tmin", true, false},
		{"i32 i32", "x0*y0 - x1*y1; x0*y1 + x1*y0", "none", "none", proof.Two, "1;0", true, false},
		{"i32 i32", "x0*y0; x1*y0 + y1", "none", "none", proof.Two, "1;0", false, false},
		{"i32 i32", "min(x0, y0); select(y0 < x0, y1, x1)", "none", "none", proof.Right, "tmax;0", false, true},
		{"i32 i32", "select(y0 < x0, y0, x0); select(y0 <= x0, y1, x1)", "none", "none", proof.Left, "tmax;0", false, true},
		{"i32 i32 i32 i32", "x0*y0 + x1*y2; x0*y1 + x1*y3; x2*y0 + x3*y2; x2*y1 + x3*y3", "none", "none", proof.Two, "1;0;0;1", false, false},
		{"f32 f32", "x0 + y0; max(x1, y1)", "default", "reassoc", proof.Two, "-0.0;-inf", true, false},
		{"f64 f64", "x0 + y0; max(x0 + y1, x1)", "default", "reassoc,nnan", proof.Left, "-0.0;-inf", false, false},
	} {
		o := provetest.Operator(t, c.types, c.text)
		ctx := context.Background()
		p, theorem := prove.Characterise(ctx, o, prove.Options{Allowed: provetest.Assume(t, c.allowed)})
		if (p == nil) != (c.assumes == not) {
			t.Errorf("%s: %s: associativity is %s, want it under %s", c.types, c.text, theorem.Status, c.assumes)
			continue
		}
		if p == nil {
			continue
		}
		if p.Assumes.String() != c.assumes {
			t.Errorf("%s: %s: associative under %s, want %s", c.types, c.text, p.Assumes, c.assumes)
		}
		if p.Commutative != c.commutes || p.Idempotent != c.idempotent {
			t.Errorf("%s: %s: commutative %t, idempotent %t", c.types, c.text, p.Commutative, p.Idempotent)
		}
		if got := strings.ReplaceAll(ir.Strings(p.Identity), "; ", ";"); p.Side != c.side || got != c.identity {
			t.Errorf("%s: %s: identity %q on side %s, want %q on side %s", c.types, c.text, got, p.Side, c.identity, c.side)
		}
		replayAll(t, c.text, p)
	}
}

// replayAll checks every certificate of an operator.
func replayAll(t *testing.T, text string, p *prove.Proven) {
	t.Helper()
	exact := p.Assumes &^ (ir.NSW | ir.NUW) // identities hold in arithmetic that wraps
	all := func(what string, ps []proof.Problem, assume ir.Assume, trees []*proof.Tree) {
		if trees == nil {
			return
		}
		for i, problem := range ps {
			if err := provetest.Check(t, problem, assume, trees[i]); err != nil {
				t.Errorf("%s: %s, component %d: %v", text, what, i, err)
			}
		}
	}
	all("associativity", p.Associativity(), p.Assumes, p.Proofs.Associative)
	all("commutativity", p.Commutativity(), p.Assumes, p.Proofs.Commutative)
	all("idempotence", p.Idempotence(), p.Assumes, p.Proofs.Idempotent)
	if p.Side == proof.NoSide {
		return
	}
	all("left identity", p.IdentityOn(proof.Left, p.Identity), exact, p.Proofs.Left)
	all("right identity", p.IdentityOn(proof.Right, p.Identity), exact, p.Proofs.Right)
	all("middle identity", p.IdentityOn(proof.Middle, p.Identity), exact, p.Proofs.Middle)
}
