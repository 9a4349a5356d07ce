package rfactor

import (
	"context"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// What a program may get wrong in an update is an error, and no panic or answer.
func TestMalformedUpdate(t *testing.T) {
	p, other := ir.NewPool(), ir.NewPool()
	i32, x := []ir.Type{ir.I32}, p.X(0, ir.I32)
	for _, tc := range []struct {
		name   string
		update *ir.Update
		want   string
	}{
		{"nil", nil, "needs components"},
		{"empty", &ir.Update{Pool: p}, "needs components"},
		{"a value is missing", &ir.Update{Pool: p, Types: i32}, "needs components"},
		{"an invalid value", &ir.Update{Pool: p, Types: i32, Values: []ir.Expr{{}}}, "no value of type i32"},
		{"another type", &ir.Update{Pool: p, Types: []ir.Type{ir.I64}, Values: []ir.Expr{x}}, "no value of type i64"},
		{"another pool", &ir.Update{Pool: other, Types: i32, Values: []ir.Expr{x}}, "in the update's pool"},
		{"x1 of one component", &ir.Update{Pool: p, Types: i32, Values: []ir.Expr{ir.AddOf(x, p.X(1, ir.I32))}}, "x1 of type i32"},
		{"x0 of two types", &ir.Update{Pool: p, Types: i32, Values: []ir.Expr{ir.AddOf(x, ir.CastTo(ir.I32, p.X(0, ir.I8)))}}, "x0 of type i8"},
		{"given a number", &ir.Update{Pool: p, Types: i32, Values: []ir.Expr{x}, Given: []ir.Expr{x}}, "no condition"},
	} {
		a, err := Match(context.Background(), tc.update, Options{})
		if a != nil || err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want an error with %q", tc.name, err, tc.want)
		}
	}
}

func TestMisuse(t *testing.T) {
	var none context.Context
	if _, err := Match(none, parse(t, "x0:i32,y0:i32", "x0 + y0"), Options{}); err == nil || err.Error() != "rfactor: Match needs a context" {
		t.Errorf("without a context: %v", err)
	}
	for want, call := range map[string]func(){
		"rfactor: an answer that Match did not give has no pool": func() { (&Answer{}).Pool() },
		"rfactor: LiftCost of an answer that is no lift":         func() { (&Answer{}).LiftCost() },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %q", got, want)
				}
			}()
			call()
		}()
	}
}
