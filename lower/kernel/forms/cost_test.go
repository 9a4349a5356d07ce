package forms

import (
	"math"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// A loop takes what an element waits for the last one, or what its operations take, whichever is longer; chunks and lanes wait side by side.
func TestCost(t *testing.T) {
	pool := ir.NewPool()
	x, y := func(i int, typ ir.Type) ir.Expr { return pool.X(i, typ) }, func(i int) ir.Expr { return pool.Y(i, ir.I32) }
	in, real := pool.Call(ir.I32, "in", 0), pool.Call(ir.F64, "real", 0)
	three, ints := pool.Int(ir.I32, 3), []ir.Type{ir.I32, ir.I32}
	affine := kernel.Stage{State: ints, To: []ir.Expr{ir.MulOf(x(0, ir.I32), three), ir.AddOf(ir.MulOf(x(1, ir.I32), three), in)}, Streams: []ir.Expr{in},
		Operator: []ir.Expr{ir.MulOf(x(0, ir.I32), y(0)), ir.AddOf(ir.MulOf(x(1, ir.I32), y(0)), y(1))}, Identity: []ir.Expr{pool.Int(ir.I32, 1), pool.Int(ir.I32, 0)}}
	chunks := affine
	chunks.May = kernel.May{Factored: true, Compose: true}
	for _, c := range []struct {
		name  string
		stage kernel.Stage
		want  float64
	}{
		{"a sum: an operation, a load, and the loop", kernel.Stage{State: ints[:1], To: []ir.Expr{ir.AddOf(x(0, ir.I32), in)}, Streams: []ir.Expr{in}}, 4.0 / 3},
		{"a sum of floats waits for itself", kernel.Stage{State: []ir.Type{ir.F64}, To: []ir.Expr{ir.AddOf(x(0, ir.F64), real)}, Streams: []ir.Expr{real}}, 3},
		{"a product and a sum wait for each other", affine, 4},
		{"of which four go side by side", chunks, 2}, // by its six operations
		{"a circle of two components", kernel.Stage{State: ints, To: []ir.Expr{ir.AddOf(x(1, ir.I32), in), ir.MulOf(x(0, ir.I32), x(0, ir.I32))}, Streams: []ir.Expr{in}}, 2},
	} {
		if got := kernel.Build(c.stage).Plain().Cost(nil); math.Abs(got-c.want) > 0.1 {
			t.Errorf("%s: %.2f cycles, not %.2f", c.name, got, c.want)
		}
	}
	sum, _ := sums(4)
	if plain, lanes := sum.Serial.Cost(nil), sum.Cost(kernel.Archsimd); lanes*8 > plain {
		t.Errorf("lanes take %.2f cycles an element, single ones %.2f", lanes, plain)
	}
}
