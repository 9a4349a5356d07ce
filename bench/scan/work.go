package scan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/turns"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/exec"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// work is a row: a recurrence, as a loop and as a program.
type work struct {
	name   string
	inputs string // declared
	update string
	lanes  string // the rest of the schedule
	loops  func(n int) []*turns.Way
}

var works = []work{
	{"sum-i32", "ImageParam in(Int(32), 1);", "f(r - 1) + in(r)", "", sums[int32]},
	{"sum-f32", "ImageParam in(Float(32), 1);", "f(r - 1) + in(r)", tree, sums[float32]},
	{"max-f32", "ImageParam in(Float(32), 1);", "max(f(r - 1), in(r))", "", maxima},
	{"ema-f32", "ImageParam in(Float(32), 1);", "f(r - 1)*0.9f + in(r)*0.1f", tree, averages},
	{"affine-f32", "ImageParam in(Float(32), 1), a(Float(32), 1);", "f(r - 1)*a(r) + in(r)", tree, affine},
	{"segmented-i32", "ImageParam in(Int(32), 1), flag(UInt(8), 1);", "select(flag(r) == 0, f(r - 1), 0) + in(r)", "", segmented},
	{"order2-f32", "ImageParam in(Float(32), 1);", "in(r) + 0.5f*f(r - 1) - 0.25f*f(r - 2)", tree, order2},
	{"quotes-u8", "ImageParam in(UInt(8), 1);", "f(r - 1) ^ cast<uint8_t>(select(in(r) == 7, 1, 0))", "", quotes},
}

const tree = ".vectorize(r, 8)"

func (w work) ways(ctx context.Context, n int) ([]*turns.Way, error) {
	ways := w.loops(n)
	p, err := w.plan(ctx)
	if err != nil {
		return nil, err
	}
	in := draw(p.Program, n)
	for _, goroutines := range []int{1, 2} {
		c, err := exec.Compile(p, exec.Options{Goroutines: goroutines})
		if err != nil {
			return nil, err
		}
		ways = append(ways, turns.Timed(fmt.Sprintf("run%d", goroutines), n, func() error {
			_, err := c.Run(ctx, in)
			return err
		}))
	}
	return ways, nil
}

// plan is the program of the work.
func (w work) plan(ctx context.Context) (*plan.Plan, error) {
	first := 1
	if strings.Contains(w.update, "r - 2") {
		first = 2
	}
	text := fmt.Sprintf("%s\nFunc f; Var x; RDom r(%[2]d, in.width() - %[2]d);\nf(x) = in(0);\nf(r) = %s;\nf.update(0).scan(r, 32768)%s.parallel(r);\n", w.inputs, first, w.update, w.lanes)
	prog, err := program.ParseProgram(ir.NewPool(), w.name, text, ir.I32)
	if err != nil {
		return nil, err
	}
	return plan.Factor(ctx, prog, plan.Options{Match: rfactor.Options{Allowed: ir.AllAssumptions}})
}

func draw(prog *program.Program, n int) *plan.Inputs {
	rng := rand.New(rand.NewPCG(33, 1))
	in := &plan.Inputs{Arrays: map[string]*ndarray.Array{}}
	for _, d := range prog.Inputs {
		a := ndarray.New(d.Types, ndarray.Range{Extent: n})
		for i := range n {
			if v := rng.IntN(16); d.Types[0].IsFloat() {
				a.Elements(0).Set(i, ir.FloatBits(d.Types[0], float64(v%2)))
			} else {
				a.Elements(0).Set(i, uint64(v))
			}
		}
		in.Arrays[d.Name] = a
	}
	return in
}

// number is any type of elements.
type number interface{ uint8 | int32 | float32 }

// numbers is an input of small numbers and an output.
func numbers[T number](n int) (in, out []T) {
	rng := rand.New(rand.NewPCG(33, 1))
	in, out = make([]T, n), make([]T, n)
	for i := range in {
		in[i] = T(rng.IntN(16))
	}
	return in, out
}

// loops are a copy and a loop in Go.
func loops[T number](in, out []T, loop func()) []*turns.Way {
	n := len(in)
	return []*turns.Way{turns.Timed("copy", n, func() error { copy(out, in); return nil }), turns.Timed("go", n, func() error { loop(); return nil })}
}

func sums[T number](n int) []*turns.Way {
	in, out := numbers[T](n)
	return loops(in, out, func() {
		var v T
		for i, x := range in {
			v += x
			out[i] = v
		}
	})
}

func maxima(n int) []*turns.Way {
	in, out := numbers[float32](n)
	return loops(in, out, func() {
		v := in[0]
		for i, x := range in {
			if x > v {
				v = x
			}
			out[i] = v
		}
	})
}

func averages(n int) []*turns.Way {
	in, out := numbers[float32](n)
	return loops(in, out, func() {
		var v float32
		for i, x := range in {
			v = float32(v*.9) + float32(x*.1)
			out[i] = v
		}
	})
}

func affine(n int) []*turns.Way {
	in, out := numbers[float32](n)
	factor, _ := numbers[float32](n)
	for i, x := range factor {
		factor[i] = float32(int(x) % 2)
	}
	return loops(in, out, func() {
		var v float32
		for i, x := range in {
			v = float32(v*factor[i]) + x
			out[i] = v
		}
	})
}

func segmented(n int) []*turns.Way {
	in, out := numbers[int32](n)
	flag, _ := numbers[uint8](n)
	return loops(in, out, func() {
		var v int32
		for i, x := range in {
			if flag[i] != 0 {
				v = 0
			}
			v += x
			out[i] = v
		}
	})
}

func order2(n int) []*turns.Way {
	in, out := numbers[float32](n)
	return loops(in, out, func() {
		var a, b float32
		for i, x := range in {
			a, b = x+float32(.5*a)-float32(.25*b), a
			out[i] = a
		}
	})
}

func quotes(n int) []*turns.Way {
	in, out := numbers[uint8](n)
	return loops(in, out, func() {
		var v uint8
		for i, x := range in {
			if x == 7 {
				v ^= 1
			}
			out[i] = v
		}
	})
}
