package plan

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
)

// drawInputs makes inputs of the given extents: small values, of which ties are common and
// whose float sums and products are exact; and integers at their limits.
func drawInputs(prog *program.Program, rng *rand.Rand, extent func(dim int) int) *Inputs {
	in := &Inputs{Arrays: map[string]*ndarray.Array{}, Params: map[string]uint64{}}
	for _, d := range prog.Inputs {
		var dims ndarray.Box
		for i := range d.Dims {
			dims = append(dims, ndarray.Range{Extent: extent(i)})
		}
		a := ndarray.New(d.Types, dims...)
		style := rng.IntN(5)
		for c, t := range d.Types {
			to := a.Elements(c)
			for i := range to.Len() {
				v := drawSmall(t, rng)
				switch {
				case !t.IsInt() || rng.IntN(6) == 0:
				case style == 0:
					v = t.Max()
				case style == 1:
					v = t.Min()
				}
				to.Set(i, v)
			}
		}
		in.Arrays[d.Name] = a
	}
	for _, k := range prog.Params {
		in.Params[k.Name] = uint64(extent(0))
	}
	return in
}

func drawSmall(t ir.Type, rng *rand.Rand) uint64 {
	switch {
	case t.IsFloat():
		return ir.FloatBits(t, float64(rng.IntN(5)-2))
	case t.IsSigned():
		return uint64(int64(rng.IntN(9) - 4))
	case t == ir.Bool:
		return uint64(rng.IntN(2))
	}
	return uint64(rng.IntN(6))
}

// sameOutputs compares results bit for bit, apart from the sign of zeros of floats.
func sameOutputs(a, b map[string]*ndarray.Array) bool {
	if len(a) != len(b) {
		return false
	}
	for name, x := range a {
		y := b[name]
		if y == nil || !slices.Equal(x.Dims, y.Dims) || !slices.Equal(x.Types(), y.Types()) {
			return false
		}
		for c, t := range x.Types() {
			xs, ys := x.Elements(c), y.Elements(c)
			for i := range xs.Len() {
				if v, w := xs.At(i), ys.At(i); v != w && !(t.IsFloat() && ir.Float(t, v) == ir.Float(t, w)) {
					return false
				}
			}
		}
	}
	return true
}

// Every listing gives the same with its schedule as without.
func TestProgramsRun(t *testing.T) {
	for _, file := range programFiles(t) {
		prog := readProgram(t, file)
		p, err := Factor(context.Background(), prog, plain)
		if err != nil {
			continue // TestPlans has it
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{0, 1, 2, 3, 21} {
			n = sizeFor(prog, n)
			in := drawInputs(prog, rng, func(int) int { return n })
			want, err := RunSerial(prog, plain, in)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			got, err := p.Run(in, 7)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if !sameOutputs(got, want) {
				t.Errorf("%s: n = %d\ngot  %v\nwant %v", file, n, got, want)
			}
		}
	}
}
