package prove

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// parseProblem reads an equation of type t over declared variables. Names like f(…) are
// opaque calls of type t, P(…) of type bool.
func parseProblem(t testing.TB, pool *ir.Pool, want ir.Type, types, left, right, given string) proof.Problem {
	t.Helper()
	vars := map[string]ir.Expr{}
	for _, d := range strings.Split(types, ",") {
		name, typ, ok := strings.Cut(strings.TrimSpace(d), ":")
		if !ok {
			t.Fatalf("%q declares nothing", d)
		}
		kind := ir.Leaf
		switch name[0] {
		case 'x':
			kind = ir.State
		case 'k':
			kind = ir.Param
		}
		index := 0
		if len(name) > 1 {
			index = int(name[1] - '0')
		}
		vars[name] = pool.Var(kind, name, index, program.ParseType(typ))
	}
	scope := program.Scope{
		Var: func(name string) (ir.Expr, bool) { v, ok := vars[name]; return v, ok },
		Call: func(name string, _ int) (ir.Type, bool) {
			if name == "P" {
				return ir.Bool, true
			}
			return want, name == "f"
		},
	}
	read := func(text string, typ ir.Type) ir.Expr {
		e, err := program.ParseExpr(pool, scope, typ, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return e
	}
	p := proof.Problem{Left: read(left, want), Right: read(right, want)}
	for _, g := range strings.Split(given, ";") {
		if strings.TrimSpace(g) != "" {
			p.Given = append(p.Given, read(g, ir.Bool))
		}
	}
	return p
}

func parseAssume(t testing.TB, s string) ir.Assume {
	t.Helper()
	a, err := ir.ParseAssume(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// replay sends a certificate through JSON and the checker.
func replay(t testing.TB, p proof.Problem, a Answer) error {
	t.Helper()
	text, err := json.Marshal(a.Proof)
	if err != nil {
		t.Fatal(err)
	}
	var back proof.Tree
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	return check(p, a.Assumes, &back)
}

func prove(p proof.Problem, assume ir.Assume) Answer {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return NewProver().Under(ctx, p, assume)
}

// The prover's answers on equations whose status is known, and the checker on its proofs.
func TestEquations(t *testing.T) {
	for _, group := range equations_ {
		for _, typ := range strings.Fields(group.on) {
			for _, line := range group.lines {
				testEquation(t, group, line, typ)
			}
		}
	}
}

// problem is a line of the table on one type.
func (g group) problem(t testing.TB, l line, typ string) (proof.Problem, ir.Assume) {
	on := func(s string) string { return strings.ReplaceAll(s, "T", typ) }
	want := program.ParseType(typ)
	if g.result != ir.Invalid {
		want = g.result
	}
	return parseProblem(t, ir.NewPool(), want, on(g.vars), on(l.left), on(l.right), on(l.given)), parseAssume(t, g.assume)
}

func testEquation(t *testing.T, g group, l line, typ string) {
	p, assume := g.problem(t, l, typ)
	a := prove(p, assume)
	want := l.status(g)
	if l.want == open && a.Status == Proved {
		t.Logf("%s, %s: %s = %s is proved now", g.name, typ, p.Left, p.Right)
		want = Proved
	}
	if a.Status != want && !(l.want == never && a.Status != Proved) {
		t.Errorf("%s, %s under %s: %s = %s is %s, want %s%s", g.name, typ, g.assume, p.Left, p.Right, a.Status, want, counter(a))
		return
	}
	if a.Status != Proved {
		return
	}
	if err := replay(t, p, a); err != nil {
		text, _ := json.Marshal(a.Proof)
		t.Errorf("%s, %s under %s: %s = %s: %v\n%s", g.name, typ, g.assume, p.Left, p.Right, err, text)
	}
}

func counter(a Answer) string {
	if a.Counter == nil {
		return ""
	}
	var b strings.Builder
	for i, e := range a.Counter.Inputs {
		b.WriteString(", " + e.String() + " = " + e.Pool().Const(e.Type(), a.Counter.Values[i]).String())
	}
	return b.String()
}
