// Package provetest holds what the tests of package prove and of its rooms share: a table of
// equations whose status is known, random equations, and an evaluator of its own.
package provetest

import (
	"encoding/json"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove/internal/witness"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/integers"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/scaled"
	"github.com/rfactor-go/rfactor/verify/threshold"
	"math"
	"strings"
	"testing"
)

// Sets lists the sets of assumptions that the fuzzers grant.
var Sets = []ir.Assume{0, 0, ir.NSW, ir.NSW | ir.NUW, ir.NUW, ir.NNaN, ir.NNaN | ir.NSZ, ir.NSZ, ir.Reassoc, ir.Reassoc | ir.NNaN | ir.NSZ, ir.NNaN | ir.NInf}

// Problem reads an equation of type t over declared variables. Names like f(…) are
// opaque calls of type t, P(…) of type bool.
func Problem(t testing.TB, pool *ir.Pool, want ir.Type, types, left, right, given string) proof.Problem {
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

// Assume reads a list of assumptions.
func Assume(t testing.TB, s string) ir.Assume {
	t.Helper()
	a, err := ir.ParseAssume(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Problem reads a line of the table on one type.
func (g Group) Problem(t testing.TB, l Line, typ string) (proof.Problem, ir.Assume) {
	on := func(s string) string { return strings.ReplaceAll(s, "T", typ) }
	want := program.ParseType(typ)
	if g.Result != ir.Invalid {
		want = g.Result
	}
	return Problem(t, ir.NewPool(), want, on(g.Vars), on(l.Left), on(l.Right), on(l.Given)), Assume(t, g.Assume)
}

// Operator reads an operator from its components over x_i, y_i and k_i, all of the
// types given for the x_i.
func Operator(t testing.TB, types, text string) proof.Operator {
	t.Helper()
	pool := ir.NewPool()
	o := proof.Operator{}
	for _, typ := range strings.Fields(types) {
		o.Types = append(o.Types, program.ParseType(typ))
	}
	scope := program.Scope{Var: func(name string) (ir.Expr, bool) {
		if len(name) != 2 || int(name[1]-'0') >= len(o.Types) {
			return ir.Expr{}, false
		}
		i := int(name[1] - '0')
		switch name[0] {
		case 'x':
			return pool.X(i, o.Types[i]), true
		case 'y':
			return pool.Y(i, o.Types[i]), true
		case 'k':
			return pool.K(i, o.Types[i]), true
		}
		return ir.Expr{}, false
	}}
	for i, s := range strings.Split(text, ";") {
		e, err := program.ParseExpr(pool, scope, o.Types[i], s)
		if err != nil {
			t.Fatal(err)
		}
		o.Exprs = append(o.Exprs, e)
	}
	return o
}

// Confirm evaluates a counterexample by the reference evaluator.
func Confirm(t testing.TB, p proof.Problem, c *testpoint.Counterexample) {
	t.Helper()
	value := func(e ir.Expr) uint64 {
		for i, in := range c.Inputs {
			if in == e {
				return c.Values[i]
			}
		}
		t.Errorf("%s = %s is refuted without a value of %s", p.Left, p.Right, e)
		return 0
	}
	results := map[string]uint64{}
	env := &ir.Env{Var: value, Call: func(e ir.Expr, args []uint64) uint64 {
		v := value(e)
		text, _ := json.Marshal([]any{e.Name(), e.Index(), e.Type(), args})
		if old, ok := results[string(text)]; ok && old != v {
			t.Errorf("%s = %s is refuted with two values of one call %s", p.Left, p.Right, e)
		}
		results[string(text)] = v
		return v
	}}
	for _, g := range p.Given {
		if ir.Eval(g, env) == 0 {
			t.Errorf("%s = %s is refuted where %s is false", p.Left, p.Right, g)
		}
	}
	l, r := ir.Eval(p.Left, env), ir.Eval(p.Right, env)
	if l != c.Left || r != c.Right || l == r {
		t.Errorf("%s = %s: refuted by %x and %x, evaluation gives %x and %x", p.Left, p.Right, c.Left, c.Right, l, r)
	}
}

// Values writes a counterexample; nothing of nil.
func Values(c *testpoint.Counterexample) string {
	if c == nil {
		return ""
	}
	var b strings.Builder
	for i, e := range c.Inputs {
		b.WriteString(", " + e.String() + " = " + e.Pool().Const(e.Type(), c.Values[i]).String())
	}
	return b.String()
}

// Check completes a proof tree of the search, sends it through JSON and has it checked.
func Check(t testing.TB, p proof.Problem, assume ir.Assume, tree *proof.Tree) error {
	t.Helper()
	text, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	var back proof.Tree
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if back.Kind == proof.Threshold {
		fuel := 1 << 20
		return threshold.Equal(&fuel, p, assume)
	}
	if back.Kind == proof.Scaled {
		fuel := 1 << 20
		return scaled.Equal(&fuel, p, assume)
	}
	if back.Kind == proof.Integers {
		var err error
		if p.Given, p.Left, p.Right, err = integers.Restate(p.Given, p.Left, p.Right); err != nil {
			return err
		}
		return Check(t, p, ir.NSW, back.Then)
	}
	fuel := math.MaxInt
	full, err := witness.CompleteWithin(&fuel, p, assume, &back)
	if err != nil {
		return err
	}
	return equation.Check(p, assume, full)
}
