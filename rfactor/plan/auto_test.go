package plan

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
)

// What is chosen without a schedule, update by update.
func TestAutoChooses(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{"ImageParam in(Int(32), 1); Func f; f() = 0; RDom r(0, in.width()); f() += in(r);",
			"f.update(0).split(r, ro, ri, 65536); f_intm = f.update(0).rfactor(ro, u); f_intm.update(0).parallel(u); " +
				"f_intm.update(0).split(ri, rio, rii, 16); f_intm_intm = f_intm.update(0).rfactor(rii, v); f_intm_intm.compute_at(f_intm, u); " +
				"f_intm_intm.vectorize(v); f_intm_intm.update(0).vectorize(v)"},
		{"ImageParam in(Int(8), 2); Func f; f() = cast<int8_t>(0); RDom r(0, in.width(), 0, in.height()); f() = max(f(), in(r.x, r.y));",
			"f_intm = f.update(0).rfactor(r.y, u); f_intm.update(0).parallel(u); f_intm.update(0).split(r.x, rxo, rxi, 64); " +
				"f_intm_intm = f_intm.update(0).rfactor(rxi, v); f_intm_intm.compute_at(f_intm, u); f_intm_intm.vectorize(v); f_intm_intm.update(0).vectorize(v)"},
		{"ImageParam in(UInt(8), 2); Func f; Var x; f(x) = 0; RDom r(0, in.width(), 0, in.height()); f(cast<int>(in(r.x, r.y))) += 1;",
			"f.update(0).split(r.y, ryo, ryi, 64); f_intm = f.update(0).rfactor(ryo, u); f_intm.update(0).parallel(u)"},
		{"ImageParam a(Float(32), 2), b(Float(32), 2); Func c; Var x, y; c(x, y) = 0.0f; RDom k(0, a.width()); c(x, y) += a(k, y) * b(x, k);",
			"c.update(0).vectorize(x, 16); c.update(0).parallel(y)"},
		{"ImageParam in(Float(32), 2); Func f; Var x; f(x) = 0.0f; RDom r(0, in.height()); f(x) += in(x, r);",
			"f.update(0).split(x, xo, xi, 512); f.update(0).parallel(xo); f.update(0).vectorize(xi, 16)"},
		{"ImageParam in(UInt(8), 1), w(Float(32), 2); Func g; Var x, y; g(x, y) = 0; RDom k(0, in.width()); g(cast<int>(in(k)), 0) += 1; Func f; f(x) = 0; RDom r(0, 1); f(x) += g(x, r);",
			"g.update(0).split(k, ko, ki, 262144); g_intm = g.update(0).rfactor(ko, u); g_intm.update(0).parallel(u); f.update(0).vectorize(x, 16)"},
		{"ImageParam in(Float(32), 2); Func f; Var x; f(x) = 0.0f; RDom r(0, in.width()); f(x) += in(r + 1, x);",
			"f.update(0).parallel(x); f.update(0).split(r, ro, ri, 16); f_intm = f.update(0).rfactor(ri, v); f_intm.compute_at(f, x); f_intm.vectorize(v); f_intm.update(0).vectorize(v)"},
		{"ImageParam in(Int(32), 2); Func f; Var x; f(x) = 0; RDom r(0, in.width()); f(x) += in(r, x);", "f.update(0).parallel(x)"},
		{"ImageParam in(Float(32), 2); Func f; Var x; f(x) = 0.0f; RDom r(0, in.width()); f(x) = f(x)*f(x) + in(r, x);", "f.update(0).parallel(x)"},
		{"ImageParam in(Int(32), 1); Func f; f() = 0; RDom r(0, in.width()); f() = f()*f() + in(r);", ""},
	} {
		opts := plain
		opts.Auto = true
		p, err := Factor(context.Background(), parseText(t, "auto.rf", c.program), opts)
		if err != nil {
			t.Error(err)
			continue
		}
		var got []string
		for _, d := range p.Schedule {
			got = append(got, d.String())
		}
		if g := strings.Join(got, "; "); g != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.program, g, c.want)
		}
	}
}

// Every listing gives the same when its schedule is chosen for it.
func TestAutoRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, file := range programFiles(t) {
		prog := readProgram(t, file)
		prog.Schedule = nil
		for _, grain := range []int{3, 0} {
			opts := plain
			opts.Auto, opts.Grain = true, grain
			p, err := Factor(context.Background(), prog, opts)
			if err != nil {
				continue // TestPlans has it
			}
			for _, n := range []int{0, 1, 21} {
				n = sizeFor(prog, n)
				in := drawInputs(prog, rng, func(int) int { return n })
				want, err := RunSerial(prog, plain, in)
				if err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				got, err := p.Run(in, 7)
				if err != nil {
					t.Fatalf("%s: %v\n%s", file, err, p)
				}
				if !sameOutputs(got, want) {
					t.Errorf("%s: n = %d, grain %d\ngot  %v\nwant %v\n%s", file, n, grain, got, want, p)
				}
			}
		}
	}
}

// sizeFor is an extent for the inputs of a program near n: some programs read fixed places,
// or have four dimensions.
func sizeFor(prog *program.Program, n int) int {
	switch name, _, _ := strings.Cut(prog.Source.Name, "."); name {
	case "circle", "circle-serial":
		return 21
	case "rows", "lanes", "both":
		return 11
	}
	for _, in := range prog.Inputs {
		if in.Dims > 2 {
			return min(n, 5)
		}
	}
	return n
}

// An update that no schedule can be chosen for is listed, with the reason; and what is given may give it one.
func TestAutoSerial(t *testing.T) {
	for _, c := range []struct {
		program string
		given   []string
		code    rfactor.Code // empty where the update is factored
		reason  string
	}{
		{program: "Func f; f() = 0; RDom r(0, 9); f() += r;"},
		{program: "Func f; f() = 0; RDom r(0, 9); f() = f()*f() + r;", code: rfactor.NotAssociative, reason: "not associative as it stands"},
		{program: "ImageParam in(Int(32), 1); Param<int> k; Func f; f() = k; RDom r(0, in.width()); f() = max(abs(f()), in(r) & 127);", code: rfactor.NeedsGiven, reason: "matches only while 0 <= x0"},
		{program: "ImageParam in(Int(32), 1); Param<int> k; Func f; f() = k; RDom r(0, in.width()); f() = max(abs(f()), in(r) & 127);", given: []string{"0 <= x0"}},
		{program: "ImageParam in(Int(32), 1); Param<int> k; Func f; f() = k; RDom r(0, in.width()); f() = max(abs(f()), in(r) & 127);", given: []string{"0 <= y0"}, code: NoSchedule, reason: "y0"},
		{program: "Func f; Var x; f(x) = 0; RDom r(0, 9); f(f(0)) += r;", code: NoSchedule, reason: "writes to places that depend on f itself"},
	} {
		opts := plain
		opts.Auto, opts.Given, opts.Extents = true, c.given, nil
		if strings.Contains(c.program, "f(x)") {
			opts.Extents = map[string]ndarray.Box{"f": {{Extent: 9}}}
		}
		p, err := Factor(context.Background(), parseText(t, "auto.rf", c.program), opts)
		switch {
		case err != nil:
			t.Error(err)
		case c.code == "" && len(p.Serial) > 0 || c.code != "" && len(p.Serial) != 1:
			t.Errorf("%s given %q: serial %v", c.program, c.given, p.Serial)
		case c.code != "" && (p.Serial[0].Code != c.code || !strings.Contains(p.Serial[0].Reason, c.reason)):
			t.Errorf("%s given %q: %s, %s; want %s, %s", c.program, c.given, p.Serial[0].Code, p.Serial[0].Reason, c.code, c.reason)
		case c.code != "" && len(p.Answers) > 0:
			t.Errorf("%s given %q: an answer of a serial update", c.program, c.given)
		}
	}
}
