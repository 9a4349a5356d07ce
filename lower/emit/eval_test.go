package emit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// evaluated checks kernels of a package, and compares what they compute in lanes of vectors of 16 and 32 bytes with their plain loops: as
// forms make them, and behind each pass.
func (g *generator) evaluated(t *testing.T, name string, rng *rand.Rand) (kernels int) {
	for _, k := range g.kernels {
		if k.vector == nil {
			continue
		}
		kernels++
		forms := []*kernel.Kernel{k.vector}
		for _, target := range targets {
			legal, lacks := k.vector.Shape(target)
			if legal == nil {
				if target != kernel.Simd { // which alone has fewer operations
					t.Fatalf("%s, %s of %d bits: %s", name, target.Package, target.Bits, lacks)
				}
				continue
			}
			if err := legal.Check(target); err != nil {
				t.Errorf("%s, %s: %v", name, target.Package, err)
			}
			forms = append(forms, legal)
		}
		for _, bytes := range []int{16, 32} {
			lanes := 8 * bytes / k.vector.Wide().Bits()
			for _, length := range []int{1, lanes, 4*lanes - 1, 4 * lanes, 21*lanes + 3, 2*bytes*lanes + 1, 2100} {
				k.evaluate(t, name, forms[1], 8*bytes, length, rng)
			}
			for i, form := range forms {
				k.evaluate(t, fmt.Sprintf("%s, form %d", name, i), form, 8*bytes, 21*lanes+3, rng)
			}
		}
	}
	return kernels
}

// evaluate compares one run of a kernel with its plain loop.
func (k *run) evaluate(t *testing.T, name string, v *kernel.Kernel, bits, length int, rng *rand.Rand) {
	in := kernel.Input{Bits: bits, First: rng.IntN(5)}
	for _, s := range k.streams {
		values := make([]uint64, length)
		for i := range values {
			values[i] = drawn(s.call.Type(), rng)
		}
		in.Streams = append(in.Streams, values)
	}
	for _, s := range k.scalars {
		in.Scalars = append(in.Scalars, drawn(s.expr.Type(), rng))
	}
	for _, typ := range k.types {
		in.State = append(in.State, drawn(typ, rng))
	}
	in.Expr = func(e ir.Expr, state, right []uint64, at int) uint64 {
		leaf := func(e ir.Expr) uint64 {
			switch {
			case e.Op() == ir.Var && e.Kind() == ir.State:
				return state[e.Index()]
			case e.Op() == ir.Var && e.Kind() == ir.Leaf && k.streamOf(e) < 0:
				return right[e.Index()]
			case e == k.loop.Var:
				return uint64(in.First + at)
			}
			if s := k.streamOf(e); s >= 0 {
				return in.Streams[s][at]
			}
			for i, s := range k.scalars {
				if s.expr == e {
					return in.Scalars[i]
				}
			}
			return 0 // within the index of what is read
		}
		return ir.Eval(e, &ir.Env{Var: leaf, Call: func(c ir.Expr, _ []uint64) uint64 { return leaf(c) }})
	}
	in.Plain = func(state []uint64, from, to int) []uint64 {
		for at := from; at < to; at++ {
			holds := true
			for _, w := range k.where {
				holds = holds && in.Expr(w, state, nil, at) != 0
			}
			if !holds {
				continue
			}
			next := make([]uint64, len(state))
			for i, v := range k.values {
				next[i] = in.Expr(v, state, nil, at)
			}
			state = next
		}
		return state
	}
	got, want := v.Eval(in), in.Plain(in.State, 0, length)
	for i, typ := range k.types {
		if !sameResult(typ, got[i], want[i]) {
			t.Errorf("%s: kernel %s, %d elements, %d bits: component %d is %x, not %x", name, k.name, length, bits, i, got[i], want[i])
			return
		}
	}
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

// drawn is a small value, of which sums are exact and equal ones frequent.
func drawn(t ir.Type, rng *rand.Rand) uint64 {
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
