package check

import (
	"context"
	"errors"
	"flag"
	"testing"

	"github.com/rfactor-go/rfactor/internal/associative"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

var verdictsOf = flag.Int("verdicts", 2, "how many operators of each tuple of types TestVerdicts draws")

// TestVerdicts counts what check says of random operators of 8 bits that are associative. Those of one component
// are so by trying all 2²⁴ triples; those of two components have too many, and are so at 2¹⁶ random triples.
// None of the former may be refuted, and none may stay open.
func TestVerdicts(t *testing.T) {
	for _, types := range associative.Tuples {
		whole, n := associative.IsWhole(types), 0
		counts := map[prove.Status]int{}
		for op := range associative.Operators(5, types) {
			if n++; n > *verdictsOf {
				break
			}
			text := ir.Strings(op.Exprs)
			r, err := Operator(context.Background(), op, Options{Allowed: ir.DefaultAssumptions})
			if err != nil {
				t.Fatal(err)
			}
			status := r.Associative.Theorem.Status
			counts[status]++
			switch {
			case whole && (status != prove.Proved || r.Associative.Assumes() != 0):
				t.Errorf("%v: %s is %s under %s", types, text, status, r.Associative.Assumes())
			case status == prove.Refuted:
				c := r.Associative.Counter
				if !c.Confirm(op.Associativity()[r.Associative.Theorem.Failed], 0) {
					t.Errorf("%v: %s is refuted by %v, which does not", types, text, c)
				}
			case status == prove.Unknown:
				t.Logf("%v: %s is open", types, text)
			}
		}
		t.Logf("%v: %d proven, %d refuted, %d unknown", types, counts[prove.Proved], counts[prove.Refuted], counts[prove.Unknown])
	}
}

// The answer of check and that of match -operator are one function's.
func TestOneVerdict(t *testing.T) {
	for _, test := range []struct{ types, exprs string }{
		{"x0:i32,y0:i32", "max(gcd(x0, y0), 0)"},
		{"x0:i8,y0:i8", "max(gcd(x0, y0), 0)"},
		{"x0:u8,y0:u8", "popcount(x0 ^ y0) % 2"},
		{"x0:u64,y0:u64", "gcd(x0, y0)"},
		{"x0:i32,y0:i32", "max(min(x0, 100), y0)"},
		{"x0:i32,y0:i32", "min(max(x0 + y0, -5), 5)"},
	} {
		u, err := program.ParseOperator(ir.NewPool(), test.types, test.exprs)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Operator(context.Background(), proof.Operator{Types: u.Types, Exprs: u.Values}, Options{Allowed: ir.AllAssumptions})
		if err != nil {
			t.Fatal(err)
		}
		said := prove.Proved
		var not *pattern.NotAnOperator
		switch _, err := pattern.Alone(context.Background(), "operator", u.Types, test.exprs); {
		case errors.As(err, &not) && not.Counter != nil:
			said = prove.Refuted
		case errors.As(err, &not):
			said = prove.Unknown
		case err != nil:
			t.Fatal(err)
		}
		if said != r.Associative.Theorem.Status {
			t.Errorf("%s: check says %s, and match -operator %s", test.exprs, r.Associative.Theorem.Status, said)
		}
	}
}
