package prove_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Whatever the values are, the words of the cases lead to a case that can be.
func TestCasesInWords(t *testing.T) {
	laws := func(types, operator string) []proof.Problem {
		return provetest.Operator(t, types, operator).Associativity()
	}
	equality := func(types, left, right string) []proof.Problem {
		return []proof.Problem{provetest.Problem(t, ir.NewPool(), ir.I32, types, left, right, "")}
	}
	for _, c := range []struct {
		name   string
		ps     []proof.Problem
		assume string
	}{
		{"max", laws("i32", "max(x0, y0)"), ""},
		{"argmin", laws("i32 i32", "min(x0, y0); select(x0 < y0, x1, y1)"), ""},
		{"clamp", laws("i32 i32", "x0 + y0; min(x1 + y0, y1)"), "nsw"},
		{"prefix", laws("i32 i32", "x0 + y0; max(x1, x0 + y1)"), "nsw"},
		{"doubled", laws("i32", "select(2*x0 < 2*y0 + 1, y0, x0)"), "nsw"},
		{"unsigned", laws("u8", "select(x0 < y0, y0, x0)"), ""},
		{"unsigned sums", laws("u8 u8", "max(x0, y0); select(x0 + 1 < y0 + 1, y1, x1)"), "nuw"},
		{"reals", laws("f64 f64", "x0 + y0; max(x1, x0 + y1)"), "reassoc,nnan,ninf,nsz"},
		{"flag", laws("bool i32", "x0 || y0; select(y0, y1, x1 + y1)"), ""},
		{"not", equality("x0:bool,y0:i32", "select(x0, select(!x0, 1, 2), y0)", "select(x0, 2, y0)"), ""},
		{"bounds", equality("x0:i32", "select(x0 < -1, select(x0 < 2, 1, 2), 0)", "select(x0 < -1, 1, 0)"), ""},
		{"bounds of sums", equality("x0:i32,y0:i32", "select(x0 + y0 < 1, select(x0 < 3 - y0, 1, 2), 0)", "select(x0 < 1 - y0, 1, 0)"), "nsw"},
		{"at least", equality("x0:i32,y0:i32", "select(x0 >= y0 + 2, select(y0 < x0, 1, 2), 0)", "select(x0 - 1 > y0, 1, 0)"), "nsw"},
	} {
		th := prove.Prove(context.Background(), c.ps, prove.Options{Allowed: provetest.Assume(t, c.assume), Exactly: true, Describe: true})
		if th.Status != prove.Proved {
			t.Errorf("%s is not proven", c.name)
			continue
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			for i, tree := range th.Proofs {
				values := smallValues(rng, ir.Vars(c.ps[i].Left, c.ps[i].Right))
				if path, ok := wayDown(t, tree, values); !ok {
					t.Errorf("%s: %v are in the case %q, which cannot be", c.name, values, path)
				}
			}
		}
	}
}

func smallValues(rng *rand.Rand, vars []ir.Expr) map[ir.Expr]uint64 {
	values := map[ir.Expr]uint64{}
	for _, v := range vars {
		n := rng.Int64N(6)
		switch t := v.Type(); {
		case t == ir.Bool:
			values[v] = uint64(n & 1)
		case t.IsUnsigned():
			values[v] = uint64(n)
		default:
			values[v] = v.Pool().Int(t, n-3).Value()
		}
	}
	return values
}

// wayDown goes down a tree by what its conditions say, and answers the way and whether the case at
// its end can be.
func wayDown(t *testing.T, tree *proof.Tree, values map[ir.Expr]uint64) (path []string, ok bool) {
	t.Helper()
	var pool *ir.Pool
	byName := map[string]ir.Expr{}
	for v := range values {
		pool, byName[v.Name()] = v.Pool(), v
	}
	scope := program.Scope{Var: func(name string) (ir.Expr, bool) { v, ok := byName[name]; return v, ok }}
	env := &ir.Env{Var: func(v ir.Expr) uint64 { return values[v] }}
	for tree.Kind == proof.Split {
		e, err := program.ParseExpr(pool, scope, ir.Bool, tree.Cond)
		if err != nil {
			t.Fatalf("%s: %v", tree.Cond, err)
		}
		if ir.Eval(e, env) != 0 {
			path, tree = append(path, tree.Cond), tree.Then
		} else {
			path, tree = append(path, "otherwise"), tree.Else
		}
	}
	return path, tree.Kind != proof.Absurd
}

func TestSidesInWords(t *testing.T) {
	o := provetest.Operator(t, "i32 i32", "x0 + y0; max(x1, x0 + y1)")
	th := prove.Prove(context.Background(), o.Associativity(), prove.Options{Allowed: ir.NSW, Exactly: true, Describe: true})
	if th.Status != prove.Proved {
		t.Fatal("not proven")
	}
	var conds []string
	var walk func(*proof.Tree)
	walk = func(k *proof.Tree) {
		if k != nil && k.Kind == proof.Split {
			conds = append(conds, k.Cond)
			walk(k.Then)
			walk(k.Else)
		}
	}
	walk(th.Proofs[1])
	for _, c := range conds {
		if strings.Contains(c, "-") || strings.Contains(c, "!") {
			t.Errorf("%q is said in a way nobody would", c)
		}
	}
	if len(conds) == 0 {
		t.Error("no conditions")
	}
}
