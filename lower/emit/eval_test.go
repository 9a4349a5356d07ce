package emit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/internal/eval"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// evaluated checks kernels of a package, and compares what they compute with the steps of their stages: as they are built, as plain loops, as forms
// make them for lanes of vectors of 16 and 32 bytes, and behind the passes of each target. It counts those that have lanes.
func (g *generator) evaluated(t *testing.T, name string, j judge) (lanes int) {
	for _, k := range g.kernels {
		forms := []*kernel.Kernel{k.Plain, k.Serial}
		for _, form := range forms {
			if err := form.Check(nil); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if k.Vector != nil {
			lanes++
			forms = append(shapes(k, t, name), k.Vector, k.Plain, k.Serial)
		}
		for _, bytes := range []int{16, 32} {
			n := 8 * bytes / forms[0].Wide().Bits()
			for _, length := range []int{1, n, 4*n - 1, 4 * n, 21*n + 3, 2*bytes*n + 1, 2100} {
				j.evaluate(k, t, name, forms[0], 8*bytes, length)
			}
			for i, form := range forms[1:] {
				j.evaluate(k, t, fmt.Sprintf("%s, form %d", name, i), form, 8*bytes, 21*n+3)
			}
		}
	}
	return lanes
}

// shapes is the kernel in lanes of a run for each target that has its operations.
func shapes(k *funcs.Run, t *testing.T, name string) (out []*kernel.Kernel) {
	for _, target := range kernel.Targets {
		legal, lacks := k.Vector.Shape(target)
		if legal == nil {
			if target == kernel.Archsimd { // others have fewer operations
				t.Errorf("%s, %s of %d bits: %s", name, target.Package, target.Bits, lacks)
			}
			continue
		}
		if err := legal.Check(target); err != nil {
			t.Errorf("%s, %s: %v", name, target.Package, err)
		}
		out = append(out, legal)
	}
	return out
}

// judge draws what kernels read, and says which results are right.
type judge struct {
	rng  *rand.Rand
	draw func(ir.Type, *rand.Rand) uint64
	same func(t ir.Type, got, want uint64) bool
}

// evaluate compares one run of a kernel with the steps of its stage.
func (j judge) evaluate(k *funcs.Run, t *testing.T, name string, v *kernel.Kernel, bits, length int) {
	rng, drawn := j.rng, j.draw
	if k.Composes() { // steps of great numbers may compose to different parameters that do the same
		drawn = few
	}
	in := eval.Input{Bits: bits, First: rng.IntN(5)}
	for _, s := range k.Streams {
		values := make([]uint64, length)
		for i := range values {
			values[i] = drawn(s.Call.Type(), rng)
		}
		in.Streams = append(in.Streams, values)
	}
	for _, s := range k.Scalars {
		in.Scalars = append(in.Scalars, drawn(s.Expr.Type(), rng))
	}
	for _, typ := range k.Types {
		in.State = append(in.State, drawn(typ, rng))
	}
	if k.Composes() { // laws of steps hold of what steps compose to
		before := in
		before.State, before.Streams = k.Serial.Identity, nil
		for _, s := range in.Streams {
			before.Streams = append(before.Streams, s[:length/3])
		}
		in.State = eval.State(k.Serial, before)
	}
	types, got, want := k.Types, eval.State(v, in), []uint64(nil)
	if len(types) == 0 { // it looks for an element
		types, got = []ir.Type{ir.I32}, []uint64{uint64(eval.Run(v, in).End)}
	}
	if k.Part {
		want = eval.State(k.Serial, in)
	} else {
		want = steps(k, in, length)
	}
	for i, typ := range types {
		if !j.same(typ, got[i], want[i]) {
			t.Errorf("%s: kernel %s, %d elements, %d bits: component %d is %x, not %x", name, k.Name, length, bits, i, got[i], want[i])
			return
		}
	}
}

// steps computes a run from the expressions of the stage, which know nothing of kernels. Of a run that looks for an element, the stage counts such
// elements, and its place is what comes back.
func steps(k *funcs.Run, in eval.Input, length int) []uint64 {
	state, finds := in.State, len(k.Types) == 0
	if finds {
		state = []uint64{0}
	}
	for at := range length {
		leaf := func(e ir.Expr) uint64 {
			if e.Op() == ir.Var && e.Kind() == ir.State {
				return state[e.Index()]
			} else if e == k.Loop.Var {
				return uint64(in.First + at)
			} else if s := k.StreamOf(e); s >= 0 {
				return in.Streams[s][at]
			}
			for i, s := range k.Scalars {
				if s.Expr == e {
					return in.Scalars[i]
				}
			}
			return 0 // within the index of what is read
		}
		eval := func(e ir.Expr) uint64 {
			return ir.Eval(e, &ir.Env{Var: leaf, Call: func(c ir.Expr, _ []uint64) uint64 { return leaf(c) }})
		}
		holds := true
		for _, w := range k.Nest.Where {
			holds = holds && eval(w) != 0
		}
		if holds {
			state = list64(k.Nest.Values, eval)
		}
		if finds && state[0] != 0 {
			return []uint64{uint64(at)}
		}
	}
	if finds {
		return []uint64{uint64(length)}
	}
	return state
}

func list64(es []ir.Expr, f func(ir.Expr) uint64) (out []uint64) {
	for _, e := range es {
		out = append(out, f(e))
	}
	return out
}

// sameResult compares results. Floats are rounded in another order; products of zeros and of others that overflow are no numbers.
func sameResult(t ir.Type, a, b uint64) bool {
	if !t.IsFloat() {
		return a == b
	}
	x, y, off := ir.Float(t, a), ir.Float(t, b), 1e-12
	if t == ir.F32 {
		off = 1e-4
	}
	return math.IsNaN(y) || math.Abs(y) > 1<<20 || math.Abs(x-y) <= off*max(1, math.Abs(y))
}

// few is a small value, of which sums are exact and equal ones frequent.
func few(t ir.Type, rng *rand.Rand) uint64 {
	switch {
	case t == ir.Bool:
		return uint64(rng.IntN(2))
	case t.IsFloat():
		return ir.FloatBits(t, float64(rng.IntN(3)-1))
	case t.IsSigned():
		return t.Wrap(uint64(rng.IntN(9) - 4))
	}
	return uint64(rng.IntN(9))
}
