package forms

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/eval"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// scanCase is a scan of some streams.
type scanCase struct {
	name    string
	streams []ir.Type
	steps   func(p *ir.Pool, in []ir.Expr) *Steps
}

// operated is the scan of one operation.
func operated(op ir.Op, t ir.Type, block int) func(*ir.Pool, []ir.Expr) *Steps {
	return func(p *ir.Pool, in []ir.Expr) *Steps {
		e := []ir.Expr{ir.Make(op, p.X(0, t), p.Y(0, t))}
		return &Steps{Inject: []ir.Expr{ir.CastTo(t, in[0])}, Combine: e, Apply: e, Block: block}
	}
}

// affineSteps are steps x·a + b, or x&a + b.
func affineSteps(op ir.Op, t ir.Type, block int, factor func(p *ir.Pool, in []ir.Expr) ir.Expr) func(*ir.Pool, []ir.Expr) *Steps {
	return func(p *ir.Pool, in []ir.Expr) *Steps {
		step := func(x ir.Expr) ir.Expr { return ir.AddOf(ir.Make(op, x, p.Y(0, t)), p.Y(1, t)) }
		return &Steps{Inject: []ir.Expr{factor(p, in), ir.CastTo(t, in[0])}, Combine: []ir.Expr{ir.Make(op, p.X(0, t), p.Y(0, t)), step(p.X(1, t))},
			Apply: []ir.Expr{step(p.X(0, t))}, Block: block}
	}
}

func scanCases() (cases []scanCase) {
	one := func(t ir.Type) []ir.Type { return []ir.Type{t} }
	for _, t := range []ir.Type{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64} {
		for _, op := range []ir.Op{ir.Add, ir.BitAnd, ir.BitOr, ir.BitXor, ir.Min, ir.Max} {
			cases = append(cases, scanCase{op.String() + " of " + t.String(), one(t), operated(op, t, 0)})
		}
		cases = append(cases, scanCase{"segments of " + t.String(), []ir.Type{t, t}, affineSteps(ir.BitAnd, t, 0, func(p *ir.Pool, in []ir.Expr) ir.Expr {
			return ir.SelectOf(ir.LtOf(p.Int(t, 9), in[1]), p.Const(t, 0), p.Const(t, t.Wrap(^uint64(0))))
		})})
	}
	for _, t := range []ir.Type{ir.I16, ir.U16, ir.I32, ir.U32} {
		cases = append(cases, scanCase{"product of " + t.String(), one(t), operated(ir.Mul, t, 0)},
			scanCase{"steps of " + t.String(), []ir.Type{t, t}, affineSteps(ir.Mul, t, 0, func(p *ir.Pool, in []ir.Expr) ir.Expr { return in[1] })},
			scanCase{"steps by 31 of " + t.String(), one(t), affineSteps(ir.Mul, t, 0, func(p *ir.Pool, in []ir.Expr) ir.Expr { return p.Int(t, 31) })})
	}
	for _, t := range []ir.Type{ir.F32, ir.F64} {
		cases = append(cases, scanCase{"sum of " + t.String(), one(t), operated(ir.Add, t, 8)}, scanCase{"product of " + t.String(), one(t), operated(ir.Mul, t, 8)},
			scanCase{"steps of " + t.String(), []ir.Type{t, t}, affineSteps(ir.Mul, t, 8, func(p *ir.Pool, in []ir.Expr) ir.Expr { return in[1] })},
			scanCase{"average of " + t.String(), one(t), affineSteps(ir.Mul, t, 8, func(p *ir.Pool, in []ir.Expr) ir.Expr { return p.Const(t, ir.FloatBits(t, 0.75)) })},
			scanCase{"clamped sum of " + t.String(), one(t), clamped(t, 8)})
	}
	return append(cases, scanCase{"least of f32", one(ir.F32), operated(ir.Min, ir.F32, 0)}, scanCase{"greatest of f32", one(ir.F32), operated(ir.Max, ir.F32, 0)},
		scanCase{"wide sum", one(ir.U8), operated(ir.Add, ir.U32, 0)}, scanCase{"wide steps", one(ir.I8), affineSteps(ir.Mul, ir.I32, 0, func(p *ir.Pool, in []ir.Expr) ir.Expr { return p.Int(ir.I32, 3) })},
		scanCase{"nothing", one(ir.U8), func(p *ir.Pool, in []ir.Expr) *Steps {
			e := []ir.Expr{ir.Make(ir.BitOr, p.X(0, ir.U64), p.Y(0, ir.U64))}
			return &Steps{Inject: []ir.Expr{p.Int(ir.U64, 0)}, Combine: e, Apply: e} // lanes of 64 bits beside a stream of bytes
		}},
		scanCase{"clamp of i32", one(ir.I32), clampedAt(ir.I32)}, scanCase{"clamp of i64", one(ir.I64), clampedAt(ir.I64)})
}

// clampedAt is the scan of min(max(x, y), 9).
func clampedAt(t ir.Type) func(*ir.Pool, []ir.Expr) *Steps {
	return func(p *ir.Pool, in []ir.Expr) *Steps {
		step := func(x ir.Expr) ir.Expr { return ir.Make(ir.Min, ir.Make(ir.Max, x, p.Y(0, t)), p.Y(1, t)) }
		return &Steps{Inject: []ir.Expr{in[0], p.Int(t, 9)}, Combine: []ir.Expr{step(p.X(0, t)), step(p.X(1, t))}, Apply: []ir.Expr{step(p.X(0, t))}}
	}
}

// clamped is the scan of max(x + y, 0), whose steps are max(x + a, b).
func clamped(t ir.Type, block int) func(*ir.Pool, []ir.Expr) *Steps {
	return func(p *ir.Pool, in []ir.Expr) *Steps {
		step := func(x ir.Expr) ir.Expr { return ir.Make(ir.Max, ir.AddOf(x, p.Y(0, t)), p.Y(1, t)) }
		return &Steps{Inject: []ir.Expr{in[0], p.Const(t, 0)}, Combine: []ir.Expr{ir.AddOf(p.X(0, t), p.Y(0, t)), step(p.X(1, t))}, Apply: []ir.Expr{step(p.X(0, t))}, Block: block, Finite: true}
	}
}

// Scans in lanes write what their steps do, one after another or by the tree, bit for bit but for which NaN it is.
func TestScans(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	for _, c := range scanCases() {
		pool := ir.NewPool()
		var in []ir.Expr
		for i, s := range c.streams {
			in = append(in, kernel.Elem(pool, i, s))
		}
		steps := c.steps(pool, in)
		var to []ir.Expr
		for _, e := range steps.Apply { // a step's parameters are those that it injects
			var from []ir.Expr
			for p, y := range steps.Inject {
				from = append(from, pool.Y(p, y.Type()))
			}
			to = append(to, ir.Subst(e, from, steps.Inject))
		}
		serial := steps.Serial(&kernel.Kernel{Streams: c.streams}, to)
		if err := serial.Check(nil); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		lanes, why := ScanOf(serial, steps)
		if lanes == nil {
			t.Errorf("%s: %s", c.name, why)
			continue
		}
		shaped, _ := lanes.Shape(kernel.Archsimd)
		if err := shaped.Check(kernel.Archsimd); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, length := range []int{0, 1, 8, 33, 64, 65, 301} {
			for odd := range 3 {
				input := eval.Input{Bits: 256, State: make([]uint64, len(serial.State))}
				for i := range steps.Apply {
					input.State[i] = element(rng, serial.State[i], odd)
				}
				for _, s := range c.streams {
					input.Streams = append(input.Streams, nil)
					for range length {
						input.Streams[len(input.Streams)-1] = append(input.Streams[len(input.Streams)-1], element(rng, s, odd))
					}
				}
				for name, k := range map[string]*kernel.Kernel{"lanes": lanes, "shaped": shaped} {
					got, want := eval.Run(k, input), eval.Run(serial, input)
					if !alikeScans(serial, steps, got, want) {
						t.Fatalf("%s, %s of %d: %v, wanted %v", c.name, name, length, got, want)
					}
				}
			}
		}
	}
}

// element draws an element: a small number, any number, or of floats one that may be a zero of either sign or not finite.
func element(rng *rand.Rand, t ir.Type, odd int) uint64 {
	switch {
	case !t.IsFloat() && odd > 0:
		return t.Wrap(rng.Uint64())
	case !t.IsFloat():
		return t.Wrap(rng.Uint64N(20))
	case odd == 2 && rng.IntN(40) == 0:
		return ir.FloatBits(t, []float64{math.Inf(1), math.Inf(-1), math.NaN()}[rng.IntN(3)])
	case odd == 1 && rng.IntN(20) == 0: // products overflow, and come back where a factor is 0
		return ir.FloatBits(t, map[ir.Type]float64{ir.F32: math.MaxFloat32, ir.F64: math.MaxFloat64}[t]/2)
	case rng.IntN(8) == 0:
		return ir.FloatBits(t, 0) | uint64(rng.IntN(2))<<(t.Bits()-1)
	}
	return ir.FloatBits(t, rng.NormFloat64())
}

// alikeScans compares what was written and the state, of trees where all is finite: else nobody asks.
func alikeScans(k *kernel.Kernel, s *Steps, got, want eval.Output) bool {
	if fine := len(s.Apply) + len(s.Inject); s.Block > 0 {
		zero := func(v uint64) bool { return ir.Float(k.State[0], v) == 0 }
		if zero(got.State[fine]) != zero(want.State[fine]) {
			return false
		} else if !zero(want.State[fine]) {
			return true
		}
	}
	same := func(t ir.Type) func(a, b uint64) bool {
		return func(a, b uint64) bool {
			x, y := ir.Float(t, a), ir.Float(t, b)
			return a == b || t.IsFloat() && x != x && y != y
		}
	}
	for i, t := range k.State {
		if !same(t)(got.State[i], want.State[i]) && i != len(s.Apply)+len(s.Inject) {
			return false
		}
	}
	return slices.EqualFunc(got.Put[0], want.Put[0], same(k.Outputs[0])) && got.End == want.End
}
