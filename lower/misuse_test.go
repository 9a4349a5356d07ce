package lower_test

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/lower/emit"
	"github.com/rfactor-go/rfactor/lower/exec"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Misuse gives an error that names the function and what it needs.
func TestMisuse(t *testing.T) {
	p, err := lowertest.PlanOf("sum.rf", "ImageParam in(Int(32), 1); Param<int> k; Func f; f() = 0; RDom r(0, in.width()); f() += in(r)*k;")
	if err != nil {
		t.Fatal(err)
	}
	ran, err := lower.Compile(p, lower.RunOptions{Block: -1, Grain: -1, Goroutines: -1})
	if err != nil {
		t.Fatal(err)
	}
	keyword, err := lowertest.PlanOf("range.rf", "ImageParam in(Int(32), 1); Func f; f() = 0; RDom r(0, in.width()); f() += in(r);")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	var none context.Context
	source := func(p *plan.Plan, opts lower.SourceOptions) func() error {
		return func() error { _, err := lower.Source(p, opts); return err }
	}
	compile := func(p *plan.Plan) func() error {
		return func() error { _, err := lower.Compile(p, lower.RunOptions{}); return err }
	}
	run := func(p *lower.Program, ctx context.Context, in *plan.Inputs) func() error {
		return func() error { _, err := p.Run(ctx, in); return err }
	}
	arrays := func(a *ndarray.Array) *plan.Inputs {
		return &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": a}, Params: map[string]uint64{"k": 1}}
	}
	const needsPlan, runNeeds = " needs a plan that plan.Factor made", "exec: Run needs a Program that Compile made, a context and inputs"
	for _, c := range []struct {
		name string
		call func() error
		want string
	}{
		{"source of no plan", source(nil, lower.SourceOptions{}), "lower: Source" + needsPlan},
		{"source of an empty plan", source(&plan.Plan{}, lower.SourceOptions{}), "lower: Source" + needsPlan},
		{"source of an empty program", source(&plan.Plan{Program: &program.Program{}}, lower.SourceOptions{}), "lower: Source" + needsPlan},
		{"emit no plan", func() error { _, err := emit.Source(nil, ""); return err }, "emit: Source" + needsPlan},
		{"emit an empty plan", func() error { _, err := emit.Source(&plan.Plan{}, ""); return err }, "emit: Source" + needsPlan},
		{"package main", source(p, lower.SourceOptions{Package: "main"}), `"main" cannot be the name of a package`},
		{"package a b", source(p, lower.SourceOptions{Package: "a b"}), `"a b" cannot be the name of a package`},
		{"package of range.rf", source(keyword, lower.SourceOptions{}), `"range" cannot be the name of a package, as the program's file would have it; choose another one, in rfactor lower with -package`},
		{"compile no plan", compile(nil), "lower: Compile" + needsPlan},
		{"compile an empty plan", compile(&plan.Plan{}), "lower: Compile" + needsPlan},
		{"exec no plan", func() error { _, err := exec.Compile(nil, exec.Options{}); return err }, "exec: Compile" + needsPlan},
		{"run no program", run(nil, ctx, &plan.Inputs{}), runNeeds},
		{"run an empty program", run(&lower.Program{}, ctx, &plan.Inputs{}), runNeeds},
		{"run without context", run(ran, none, arrays(ndarray.New([]ir.Type{ir.I32}, ndarray.Range{}))), runNeeds},
		{"run without inputs", run(ran, ctx, nil), runNeeds},
		{"run without parameters", run(ran, ctx, &plan.Inputs{}), "the parameter k has no value"},
		{"run without arrays", run(ran, ctx, &plan.Inputs{Params: map[string]uint64{"k": 1}}), "the input in is missing"},
		{"run on nil", run(ran, ctx, arrays(nil)), "the input in is missing"},
		{"run on an empty array", run(ran, ctx, arrays(&ndarray.Array{})), "the input in is declared [i32] and holds []"},
		{"run on another type", run(ran, ctx, arrays(&ndarray.Array{Dims: ndarray.Box{{Extent: 1}}, Data: []any{[]int{1}}})), "the input in is declared [i32] and holds [invalid]"},
		{"run on too few elements", run(ran, ctx, arrays(&ndarray.Array{Dims: ndarray.Box{{Extent: 2}}, Data: []any{[]int32{1}}})), "the input in has 1 elements of component 0, where its dimensions make 2"},
		{"run on two dimensions", run(ran, ctx, arrays(ndarray.New([]ir.Type{ir.I32}, ndarray.Range{}, ndarray.Range{}))), "the input in is declared with 1 dimensions and has 2"},
	} {
		if err := c.call(); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, not %q", c.name, err, c.want)
		}
	}
}
