package plan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Where the condition on the last elements holds, the merge gives the same of every state; and it holds of some elements.
func TestLast(t *testing.T) {
	const head = "ImageParam in(Int(32), 1); ImageParam flag(UInt(8), 1); RDom r(0, in.width()); Func f; "
	const schedule = "; RVar ro, ri; Var u; Func intm = f.update().split(r, ro, ri, 64).rfactor(ro, u); intm.compute_root().update().parallel(u);"
	for _, test := range []struct {
		name, update string
		decides      bool
	}{
		{"segments", "f() = 0; f() = select(in(r) < 0, 0, f() + in(r))", true},
		{"last that is not 0", "f() = 0; f() = select(in(r) != 0, in(r), f())", true},
		{"clamped", "f() = 0; f() = min(max(f() + in(r), -9), 9)", true},
		{"sorted", "f() = {cast<bool>(1), -100}; f() = {f()[0] && f()[1] <= in(r), in(r)}", true},
		{"masked", "f() = 0; f() = (f() & in(r)) | cast<int32_t>(flag(r))", true},
		{"segments of floats", "f() = 0.0f; f() = select(in(r) < 0, 0.0f, f() + cast<float>(in(r)))", true},
		{"sum", "f() = 0; f() = f() + in(r)", false},
		{"hash", "f() = 0; f() = 31*f() + in(r)", false},
		{"greatest segment", "f() = {0, 0}; f() = {max(f()[0] + in(r), 0), max(f()[1], max(f()[0] + in(r), 0))}", false},
		{"longest run", "f() = {0, 0}; f() = {select(in(r) > 0, f()[0] + 1, 0), max(f()[1], select(in(r) > 0, f()[0] + 1, 0))}", false},
		{"parity", "f() = cast<bool>(0); f() = f() != (in(r) > 0)", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := plain
			opts.Match.Allowed |= ir.NSW
			p, err := Factor(context.Background(), parseText(t, "last.rf", head+test.update+schedule), opts)
			if err != nil {
				t.Fatal(err)
			}
			var last *Last
			for _, s := range p.Stages {
				if s.Last != nil {
					last = s.Last
				}
			}
			if (last != nil) != test.decides {
				t.Fatalf("the last elements decide: %v, want %v", last != nil, test.decides)
			}
			if last != nil && !sameOfAll(t, last) {
				t.Error("no drawn elements decide")
			}
		})
	}
}

// sameOfAll reports whether the condition holds of some drawn parameters, and fails where the merge depends on the state then.
func sameOfAll(t *testing.T, l *Last) (holds bool) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(of ir.Type) uint64 {
		n := int64(rng.IntN(5) - 2)
		switch {
		case of.IsFloat():
			return ir.FloatBits(of, float64(n))
		case rng.IntN(3) == 0:
			return of.Wrap(rng.Uint64())
		}
		return of.Wrap(uint64(n))
	}
	for range 20000 {
		params, state := map[string]uint64{}, map[ir.Expr]uint64{}
		env := &ir.Env{
			Var: func(v ir.Expr) uint64 {
				if _, ok := state[v]; !ok {
					state[v] = draw(v.Type())
				}
				return state[v]
			},
			Call: func(c ir.Expr, _ []uint64) uint64 {
				name := fmt.Sprint(c.Name(), c.Index())
				if _, ok := params[name]; !ok {
					params[name] = draw(c.Type())
				}
				return params[name]
			},
		}
		if ir.Eval(l.Holds, env) == 0 {
			continue
		}
		holds = true
		one := fmt.Sprint(ir.EvalAll(l.Merge.Values, env))
		clear(state)
		if other := fmt.Sprint(ir.EvalAll(l.Merge.Values, env)); one != other {
			t.Fatalf("%s of %v, which hold %s, is %s and %s", ir.Strings(l.Merge.Values), params, l.Holds, one, other)
		}
	}
	return holds
}
