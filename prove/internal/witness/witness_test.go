package witness

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove/internal/search"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// problem reads an equation of the first two expressions, where the others hold.
func problem(t *testing.T, types, exprs string, given ...string) proof.Problem {
	t.Helper()
	u, err := program.ParseUpdate(ir.NewPool(), types, exprs)
	if err != nil {
		t.Fatal(err)
	}
	p := proof.Problem{Left: u.Values[0], Right: u.Values[1]}
	if p.Given, err = program.ParseGiven(u, given...); err != nil {
		t.Fatal(err)
	}
	return p
}

// Trees of the search lack why cases are absurd: the checker rejects them, and accepts what Complete makes of them.
func TestComplete(t *testing.T) {
	for _, c := range []struct {
		name, types, exprs, assume string
		given                      []string
	}{
		{"extremum in another order", "x0:i32,x1:i32,y0:i32", "max(x0, max(x1, y0)); max(max(y0, x0), x1)", "none", nil},
		{"sum into extremum", "x0:i32,x1:i32,y0:i32", "max(x0, x1) + y0; max(x0 + y0, x1 + y0)", "nsw", nil},
		{"squeeze", "x0:i32,x1:i32,y0:i32", "min(x0, max(x0, y0)); x0", "none", nil},
		{"given", "x0:i32,x1:i32,y0:i32", "max(x0, x1); x1", "none", []string{"x0 <= x1"}},
		{"sum of three", "x0:i32,x1:i32,y0:i32", "max(x0 + y0, x1); x1", "nsw", []string{"x0 <= 3", "y0 <= 4", "7 <= x1"}},
		{"limits of a type", "x0:u8,x1:u8,y0:u8", "min(x0, 255); x0", "none", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			assume, err := ir.ParseAssume(c.assume)
			if err != nil {
				t.Fatal(err)
			}
			p := problem(t, c.types, c.exprs, c.given...)
			found := search.New().Prove(context.Background(), p, assume, search.Options{Limit: 1_000_000}).Tree
			if found == nil {
				t.Fatal("the search finds no proof")
			}
			before := copyOf(found)
			complete, err := complete(p, assume, found)
			if err != nil {
				t.Fatal(err)
			}
			if err := equation.Check(p, assume, complete); err != nil {
				t.Errorf("the checker rejects what Complete returns: %v", err)
			}
			if !reflect.DeepEqual(found, before) {
				t.Error("the tree that was given is changed")
			}
		})
	}
}

// Where decisions do not contradict each other, there is no witness.
func TestCompleteFails(t *testing.T) {
	p := problem(t, "x0:i32,x1:i32,y0:i32", "max(x0, y0); y0")
	absurd := &proof.Tree{Kind: proof.Absurd}
	for name, tree := range map[string]*proof.Tree{
		"no decision":           absurd,
		"sides that differ":     {Kind: proof.Equal},
		"one case is no proof":  {Kind: proof.Split, Then: &proof.Tree{Kind: proof.Equal}, Else: &proof.Tree{Kind: proof.Equal}},
		"a case that may occur": {Kind: proof.Split, Then: &proof.Tree{Kind: proof.Equal}, Else: absurd},
	} {
		if _, err := complete(p, 0, tree); err == nil {
			t.Errorf("%s: there is a proof of a false equation", name)
		}
	}
}

// Fuel pays for the checker and for the search of contradictions, and without fuel there is no witness.
func TestCompleteWithin(t *testing.T) {
	p := problem(t, "x0:i32,x1:i32,y0:i32", "max(x0, max(x1, y0)); max(max(y0, x0), x1)")
	tree := search.New().Prove(context.Background(), p, 0, search.Options{Limit: 1_000_000}).Tree
	const plenty = 1_000_000
	fuel := plenty
	if _, err := CompleteWithin(&fuel, p, 0, tree); err != nil {
		t.Fatal(err)
	}
	used := plenty - fuel
	if used <= 0 {
		t.Fatalf("%d steps were taken", used)
	}
	fuel = used / 4
	if _, err := CompleteWithin(&fuel, p, 0, tree); err == nil {
		t.Errorf("%d steps serve where %d are needed", used/4, used)
	}
}

// complete is CompleteWithin without a bound.
func complete(p proof.Problem, assume ir.Assume, t *proof.Tree) (*proof.Tree, error) {
	fuel := math.MaxInt
	return CompleteWithin(&fuel, p, assume, t)
}
