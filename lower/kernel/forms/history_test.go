package forms

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/eval"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Kernels that read earlier elements compute what steps do, on runs of any length, whatever the state was.
func TestHistory(t *testing.T) {
	pool, rng := ir.NewPool(), rand.New(rand.NewPCG(5, 6))
	in, flags := pool.Call(ir.I32, "in", 0), pool.Call(ir.I32, "flags", 0)
	x := func(i int) ir.Expr { return pool.X(i, ir.I32) }
	b := func(i int) ir.Expr { return pool.X(i, ir.Bool) }
	one, zero := pool.Int(ir.I32, 1), pool.Int(ir.I32, 0)
	positive, at := ir.LtOf(zero, in), pool.Var(ir.Param, "r", 0, ir.I32)
	abs := func(e ir.Expr) ir.Expr { return ir.Make(ir.Abs, e) }
	rises := ir.SelectOf(ir.LtOf(x(0), in), one, zero)
	for _, c := range []struct {
		name  string
		depth int
		stage kernel.Stage
	}{
		{"distances", 1, kernel.Stage{State: []ir.Type{ir.I32, ir.I32}, To: []ir.Expr{in, ir.AddOf(x(1), abs(ir.SubOf(in, x(0))))}}},
		{"words, of steps", 1, kernel.Stage{State: []ir.Type{ir.Bool, ir.I32, ir.Bool, ir.I32}, To: []ir.Expr{
			positive, ir.AddOf(x(1), ir.SelectOf(ir.AndOf(positive, ir.NotOf(b(0))), one, zero)),
			positive, ir.AddOf(x(3), ir.SelectOf(ir.AndOf(positive, ir.NotOf(b(2))), one, zero))}}},
		{"peaks", 2, kernel.Stage{State: []ir.Type{ir.I32, ir.I32, ir.I32}, To: []ir.Expr{in, x(0), ir.AddOf(x(2), ir.SelectOf(ir.AndOf(ir.LtOf(x(1), x(0)), ir.LtOf(in, x(0))), one, zero))}}},
		{"order", 1, kernel.Stage{State: []ir.Type{ir.I32, ir.Bool}, To: []ir.Expr{in, ir.AndOf(b(1), ir.LeOf(x(0), in))}}},
		{"two columns, and places", 1, kernel.Stage{State: []ir.Type{ir.I32, ir.I32}, To: []ir.Expr{flags, ir.AddOf(x(1), ir.SelectOf(ir.LeOf(x(0), in), at, zero))}, Place: at}},
		{"what places were", 1, kernel.Stage{State: []ir.Type{ir.I32, ir.I32}, To: []ir.Expr{ir.MulOf(at, in), ir.AddOf(x(1), ir.MulOf(x(0), in))}, Place: at}},
		{"two sums", 1, kernel.Stage{State: []ir.Type{ir.I32, ir.I32, ir.I32}, To: []ir.Expr{in, ir.AddOf(x(1), rises), ir.Make(ir.BitXor, x(2), ir.MulOf(x(0), in))}}},
		{"a flag", 1, kernel.Stage{State: []ir.Type{ir.I32, ir.I32, ir.Bool}, To: []ir.Expr{in, ir.SelectOf(b(2), ir.AddOf(x(1), abs(ir.SubOf(in, x(0)))), zero), pool.Bool(true)}, May: kernel.May{Seen: true}}},
	} {
		s := c.stage
		s.Streams = []ir.Expr{in}
		if slices.ContainsFunc(s.To, func(e ir.Expr) bool { return e == flags }) {
			s.Streams = append(s.Streams, flags)
		}
		serial := kernel.Build(s)
		best, ok, why := Cheapest(Choices(serial))
		if !ok || best.Form != "history" {
			t.Errorf("%s: form %q, %s", c.name, best.Form, why)
			continue
		}
		if h, _ := kernel.First[kernel.History](best.Kernel.Body); h.Depth < c.depth {
			t.Errorf("%s: %d steps, not %d", c.name, h.Depth, c.depth)
		}
		for _, target := range kernel.Targets {
			shaped, lacks := best.Kernel.Shape(target)
			if shaped == nil {
				t.Errorf("%s: %s", c.name, lacks)
				continue
			}
			if err := shaped.Check(target); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			for _, length := range []int{0, 1, 2, 3, 4, 5, 7, 31, 32, 33, 34, 40, 63, 64, 65, 66, 127, 128, 129, 130, 131, 1000, 4100} {
				in := eval.Input{Bits: 256, First: rng.IntN(9)}
				for range serial.Streams {
					in.Streams = append(in.Streams, sumInput(length, 4, rng).Streams[0])
				}
				for _, typ := range serial.State {
					bits := rng.Uint64()
					if typ == ir.Bool {
						bits &= 1
					}
					in.State = append(in.State, typ.Wrap(bits))
				}
				if got, want := eval.State(shaped, in), eval.State(serial, in); !slices.Equal(got, want) {
					t.Fatalf("%s, %d elements: %d, not %d", c.name, length, got, want)
				}
			}
		}
	}
}
