package gocode

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// verified are updates of f32 in(r), from 1 to 2. Of unsure ones no bound of roundings is below the result, where there are many elements.
var verified = []struct {
	init, update string
	unsure       bool
}{
	{"0.0f", "f() + in(r)", false},
	{"0.0f", "f() + in(r)*in(r)", false},
	{"1.0f", "f()*(1.0f + in(r)*0.0001f)", false},
	{"0.0f", "f()*0.5f + in(r)", false},
	{"0.0f", "select(f() < in(r), in(r), 5.0f)", false}, // stays serial
	{"0.0f", "max(f(), in(r))", false},
	{"0.0f", "max(f() + in(r), 1.0f)", false},
	{"{0.0f, -1.0f, 9.0f, 0}", "{f()[0] + in(r), max(f()[1], in(r)), min(f()[2], in(r)), f()[3] + select(in(r) > 1.0f, 1, 0)}", false},
	{"{1.0f, 0.0f}", "{f()[0]*in(r)*0.68f - f()[1]*0.00001f, f()[0]*0.00001f + f()[1]*in(r)*0.68f}", false},
	{"0.0f", "f() + select(r % 2 == 0, in(r), -in(r - r % 2))*10000.0f + in(r)*0.001f", true}, // terms of either sign
}

// Verify passes right results, and no wrong one.
func TestVerify(t *testing.T) {
	rng := rand.New(rand.NewPCG(52, 53))
	for _, v := range verified {
		text := "ImageParam in(Float(32), 1); RDom r(0, in.width()); Func f; f() = " + v.init + "; f() = " + v.update + ";"
		prog, err := program.ParseProgram(ir.NewPool(), "v.rf", text, ir.Invalid)
		if err != nil {
			t.Fatal(err)
		}
		opts := plan.Options{Auto: true, Match: rfactor.Options{Allowed: ir.DefaultAssumptions}}
		p, err := plan.Factor(t.Context(), prog, opts)
		if err != nil {
			t.Fatal(err)
		}
		run, err := lower.Compile(p, lower.RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{3, 700, suite.More(6000, 20000)} {
			a := ndarray.New([]ir.Type{ir.F32}, ndarray.Range{Extent: n})
			for to, i := a.Elements(0), 0; i < n; i++ {
				to.Set(i, ir.FloatBits(ir.F32, 1+rng.Float64()))
			}
			in := &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": a}}
			out, err := run.Run(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			said := func(want string) {
				t.Helper()
				var b strings.Builder
				c := &command{&verbs.Command{Ctx: t.Context(), Stderr: &b}}
				code := c.compare(p, in, out, opts)
				against := strings.Contains(b.String(), "DIFFER") || strings.Contains(b.String(), "not verified")
				if against != (code != 0) || against != (want != "") || !strings.Contains(b.String(), want) {
					t.Errorf("%s, %d elements: exit code %d, not %q:\n%s", v.update, n, code, want, &b)
				}
			}
			if v.unsure && n > 3 { // which all runs take in order
				said("not verified")
				continue
			}
			said("")
			to := out["f"].Elements(0)
			to.Set(0, ir.FloatBits(ir.F32, ir.Float(ir.F32, to.At(0))*(1+1.0/64)))
			said("DIFFER")
		}
	}
}
