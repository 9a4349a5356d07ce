package exec

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Where the last elements decide, a run gives what all elements do; where they do not, too.
func TestLast(t *testing.T) {
	rng := lowertest.Rand(41)
	const slices = "f.update(0).split(r, ro, ri, 3000).rfactor(ro, u).compute_root().update(0).parallel(u);"
	for _, test := range []struct{ halide, init, update string }{
		{"Int(32)", "0", "select(in(r) < 0, 0, f() + in(r))"},
		{"UInt(8)", "T(9)", "select(m(r), T(0), f() + in(r)*b(r))"},
		{"Int(16)", "T(3)", "max(min(f() + in(r), 6), -5)"},
		{"Float(32)", "T(3)", "select(m(r), T(0), f() + in(r))"},
		{"Int(32)", "{cast<bool>(1), T(-100)}", "{f()[0] && f()[1] <= in(r), in(r)}"},
	} {
		p := lowertest.LiftPlan(t, test.init, test.update, test.halide, "", slices)
		c, err := Compile(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{plan.LastFirst*plan.LastShare - 1, plan.LastFirst * plan.LastShare, plan.LastFirst*plan.LastMore*plan.LastShare + 77}[:suite.More(2, 3)] {
			in := lowertest.SmallInputs(p.Program, rng, n)
			agree(t, fmt.Sprintf("%s, n = %d", test.update, n), p, in, lowertest.LiftOptions())
			if decides := lastDecides(t, c, in); decides != (n >= plan.LastFirst*plan.LastShare) {
				t.Errorf("%s: the last of %d elements decide: %v", test.update, n, decides)
			}
			for _, a := range in.Arrays { // nothing decides of zeros but for sorted ones
				for i := n - n/3; i < n; i++ {
					a.Elements(0).Set(i, 0)
				}
			}
			agree(t, fmt.Sprintf("%s, n = %d, zeros", test.update, n), p, in, lowertest.LiftOptions())
			if lastDecides(t, c, in) {
				t.Errorf("%s: the last of %d elements decide that are 0", test.update, n)
			}
		}
	}
	p := lowertest.LiftPlan(t, "T(9)", "select(m(r), T(0), f() + in(r)*b(r - 1))", "UInt(8)", "", slices)
	c, err := Compile(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	in := lowertest.SmallInputs(p.Program, rng, 20000)
	in.Arrays["m"].Elements(0).Set(0, 0)
	// The first element is missing, which the last ones do not read.
	if _, err := c.Run(context.Background(), in); err == nil || !strings.Contains(err.Error(), "b is read where it has no element") {
		t.Errorf("an element of b is missing, and the error is: %v", err)
	}
}

// Two updates of a function may both be decided by their last elements, of which they keep results of their own.
func TestLastOfTwo(t *testing.T) {
	const text = `ImageParam in(Int(32), 1); Func f; RDom r(0, in.width()); f() = 0;
f() = select(in(r) < 0, 0, f() + in(r)); f() = min(max(f() + in(r), -5), 6); RVar ro, ri; Var u;
f.update(0).split(r, ro, ri, 3000).rfactor(ro, u).compute_root().update(0).parallel(u);
f.update(1).split(r, ro, ri, 3000).rfactor(ro, u).compute_root().update(0).parallel(u);`
	prog := lowertest.Parse(t, "two.rf", text)
	p, err := plan.Factor(context.Background(), prog, lowertest.LiftOptions())
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, s := range p.Stages {
		if s.Last != nil {
			names[s.Last.Buffer.Name] = true
		}
	}
	if len(names) != 2 {
		t.Fatalf("the buffers are %v, want two", names)
	}
	agree(t, "two updates", p, lowertest.SmallInputs(prog, lowertest.Rand(42), 20000), lowertest.LiftOptions())
}

func lastDecides(t *testing.T, p *Program, in *plan.Inputs) bool {
	t.Helper()
	run := newExecution(p)
	if err := run.start(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	for _, l := range run.lasts {
		if l != nil && l.decide(run) {
			return true
		}
	}
	return false
}
