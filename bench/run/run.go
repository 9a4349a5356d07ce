// Package run times programs in this process beside loops that a person would write in Go.
package run

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/bench/internal/turns"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Command times programs in this process.
var Command = &command.Command{
	Name:  "run",
	About: "times programs in this process, beside loops that a person would write in Go",
	Doc: `hand is a loop in Go with if, plain the program without a schedule on one goroutine, auto1 and auto2 with -auto on one and two. The first number is
nanoseconds an element by processor time, the least of all turns, or by the clock for auto2; the second the loop's over it. first is the first run of the plain
program, with what it takes to compile.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		count := f.Int("turns", 7, "take `N` turns")
		only := f.String("only", "", "measure the programs whose name has `TEXT` alone")
		sizes := f.String("n", "1Ki,32Ki,128Ki,4Mi", "measure these numbers of elements")
		return func(c *command.Call) error {
			ns, err := turns.Sizes(*sizes)
			if err != nil {
				return command.Usage(err.Error())
			}
			fmt.Fprintln(c.Stdout, "program\tn\thand\tplain\tof hand\tauto1\tof hand\tauto2\tof hand\tfirst")
			for _, l := range loops {
				for _, n := range ns {
					if !strings.Contains(l.name, *only) {
						continue
					}
					line, err := l.measure(c.Context, n, *count)
					if err != nil {
						return fmt.Errorf("%s: %w", l.name, err)
					}
					fmt.Fprintln(c.Stdout, line)
				}
			}
			return nil
		}
	},
}

// loop is a program, and the same by hand.
type loop struct {
	name, text string
	inputs     int
	of         ir.Type
	hand       func(in []any) func()
}

func one[T any](f func(x []T)) func(in []any) func() {
	return func(in []any) func() { x := in[0].([]T); return func() { f(x) } }
}

var loops = []loop{
	{"sum i32", "ImageParam a(i32, 1);\nFunc f;\nRDom r(0, a.width());\nf() = 0;\nf() += a(r);", 1, ir.I32, one(func(x []int32) {
		s := int32(0)
		for _, v := range x {
			s += v
		}
		runtime.KeepAlive(s)
	})},
	{"sum f32", "ImageParam a(f32, 1);\nFunc f;\nRDom r(0, a.width());\nf() = 0.0f;\nf() += a(r);", 1, ir.F32, one(func(x []float32) {
		s := float32(0)
		for _, v := range x {
			s += v
		}
		runtime.KeepAlive(s)
	})},
	{"max i32", "ImageParam a(i32, 1);\nFunc f;\nRDom r(0, a.width());\nf() = i32(tmin);\nf() = max(f(), a(r));", 1, ir.I32, one(func(x []int32) {
		s := int32(-1 << 31)
		for _, v := range x {
			if v > s {
				s = v
			}
		}
		runtime.KeepAlive(s)
	})},
	{"max f32 (select)", "ImageParam a(f32, 1);\nFunc f;\nRDom r(0, a.width());\nf() = f32(tmin);\nf() = select(a(r) > f(), a(r), f());", 1, ir.F32, one(func(x []float32) {
		s := float32(-3e38)
		for _, v := range x {
			if v > s {
				s = v
			}
		}
		runtime.KeepAlive(s)
	})},
	{"dot f32", "ImageParam a(f32, 1), b(f32, 1);\nFunc f;\nRDom r(0, a.width());\nf() = 0.0f;\nf() += a(r)*b(r);", 2, ir.F32, func(in []any) func() {
		x, y := in[0].([]float32), in[1].([]float32)
		return func() {
			s := float32(0)
			for i, v := range x {
				s += v * y[i]
			}
			runtime.KeepAlive(s)
		}
	}},
	{"clamp i32", "ImageParam a(i32, 1);\nFunc f;\nRDom r(0, a.width());\nf() = 0;\nf() = max(f() + a(r), 0);", 1, ir.I32, one(func(x []int32) {
		s := int32(0)
		for _, v := range x {
			s += v
			if s < 0 {
				s = 0
			}
		}
		runtime.KeepAlive(s)
	})},
	{"argmax f32", "ImageParam a(f32, 1);\nFunc f;\nRDom r(0, a.width());\nf() = {f32(tmin), 0};\nf() = {select(a(r) > f()[0], a(r), f()[0]), select(a(r) > f()[0], r, f()[1])};", 1, ir.F32, one(func(x []float32) {
		s, at := float32(-3e38), 0
		for i, v := range x {
			if v > s {
				s, at = v, i
			}
		}
		runtime.KeepAlive(at)
	})},
	{"sum where i32", "ImageParam a(i32, 1);\nFunc f;\nRDom r(0, a.width());\nf() = 0;\nf() += select(a(r) > 7, a(r), 0);", 1, ir.I32, one(func(x []int32) {
		s := int32(0)
		for _, v := range x {
			if v > 7 {
				s += v
			}
		}
		runtime.KeepAlive(s)
	})},
	{"prefix sum i32", "ImageParam a(i32, 1);\nFunc f; Var x;\nRDom r(1, a.width() - 1);\nf(x) = 0;\nf(r) = f(r - 1) + a(r);", 1, ir.I32, one(func(x []int32) {
		out := make([]int32, len(x))
		s := int32(0)
		for i, v := range x {
			s += v
			out[i] = s
		}
		runtime.KeepAlive(out)
	})},
	{"prefix sum f32", "ImageParam a(f32, 1);\nFunc f; Var x;\nRDom r(1, a.width() - 1);\nf(x) = 0.0f;\nf(r) = f(r - 1) + a(r);", 1, ir.F32, one(func(x []float32) {
		out := make([]float32, len(x))
		s := float32(0)
		for i, v := range x {
			s += v
			out[i] = s
		}
		runtime.KeepAlive(out)
	})},
	{"order 2 f32", "ImageParam a(f32, 1);\nFunc f; Var x;\nRDom r(2, a.width() - 2);\nf(x) = 0.0f;\nf(r) = f(r - 1)*0.5f - f(r - 2)*0.25f + a(r);", 1, ir.F32, one(func(x []float32) {
		out := make([]float32, len(x))
		s, t := float32(0), float32(0)
		for i := 2; i < len(x); i++ {
			s, t = s*0.5-t*0.25+x[i], s
			out[i] = s
		}
		runtime.KeepAlive(out)
	})},
	{"histogram u8", "ImageParam a(u8, 1);\nFunc f; Var x;\nRDom r(0, a.width());\nf(x) = 0;\nf(a(r)) += 1;", 1, ir.U8, one(func(x []uint8) {
		out := make([]int32, 256)
		for _, v := range x {
			out[v]++
		}
		runtime.KeepAlive(out)
	})},
	{"kept i32", "ImageParam a(i32, 1);\nFunc f, pos; Var x;\nRDom r(0, a.width());\nr.where(a(r) > 0);\nf(pos++) = a(r);", 1, ir.I32, one(func(x []int32) {
		out := make([]int32, len(x))
		n := 0
		for _, v := range x {
			if v > 0 {
				out[n] = v
				n++
			}
		}
		runtime.KeepAlive(out)
	})},
	{"segment sum i32", "ImageParam a(i32, 1);\nFunc f;\nRDom r(0, a.width());\nf() = {0, 0};\nf() = {max(f()[0] + a(r), 0), max(f()[1], max(f()[0] + a(r), 0))};", 1, ir.I32, one(func(x []int32) {
		s, best := int32(0), int32(0)
		for _, v := range x {
			s += v
			if s < 0 {
				s = 0
			}
			if s > best {
				best = s
			}
		}
		runtime.KeepAlive(best)
	})},
	{"poly u32", "ImageParam a(u32, 1);\nFunc f;\nRDom r(0, a.width());\nf() = u32(7);\nf() = f()*31 + a(r);", 1, ir.U32, one(func(x []uint32) {
		s := uint32(7)
		for _, v := range x {
			s = s*31 + v
		}
		runtime.KeepAlive(s)
	})},
	{"find i32", "ImageParam a(i32, 1);\nFunc f;\nRDom r(0, a.width());\nf() = 0 - 1;\nf() = select(a(r) == 12345678, r, f()) until after a(r) == 12345678;", 1, ir.I32, one(func(x []int32) {
		at := -1
		for i, v := range x {
			if v == 12345678 {
				at = i
				break
			}
		}
		runtime.KeepAlive(at)
	})},
}

func drawn(t ir.Type, n int, rng *rand.Rand) any {
	a := ndarray.New([]ir.Type{t}, ndarray.Range{Extent: n})
	e := a.Elements(0)
	for i := range n {
		switch {
		case t.IsFloat():
			e.Set(i, ir.FloatBits(t, float64(rng.IntN(2001)-1000)/8))
		default:
			e.Set(i, t.Wrap(uint64(int64(rng.IntN(201)-100))))
		}
	}
	return a.Data[0]
}

// way is one way to run a loop.
type way struct {
	f     func() error
	clock bool // it is timed by the clock, and not by processor time
	best  time.Duration
	first time.Duration
}

// measure is the line of a loop over n elements.
func (l *loop) measure(ctx context.Context, n, count int) (string, error) {
	rng := rand.New(rand.NewPCG(1, 2))
	in := &plan.Inputs{Arrays: map[string]*ndarray.Array{}}
	var columns []any
	for i := range l.inputs {
		d := drawn(l.of, n, rng)
		columns = append(columns, d)
		in.Arrays[string(rune('a'+i))] = &ndarray.Array{Dims: ndarray.Box{{Extent: n}}, Data: []any{d}}
	}
	hand := l.hand(columns)
	ways := []*way{{f: func() error { hand(); return nil }}}
	for _, w := range []struct {
		auto       bool
		goroutines int
	}{{false, 1}, {true, 1}, {true, 2}} {
		f, err := l.runs(ctx, w.auto, w.goroutines, in)
		if err != nil {
			return "", err
		}
		ways = append(ways, &way{f: f, clock: w.goroutines > 1})
	}
	times := max(1, 1<<21/n)
	for range count {
		for _, w := range ways {
			if err := w.turn(times); err != nil {
				return "", err
			}
		}
		runtime.GC()
	}
	per := func(w *way) float64 { return float64(w.best.Nanoseconds()) / float64(times) / float64(n) }
	var b strings.Builder
	fmt.Fprintf(&b, "%s\t%d\t%.3f", l.name, n, per(ways[0]))
	for _, w := range ways[1:] {
		fmt.Fprintf(&b, "\t%.3f\t%.2f", per(w), per(ways[0])/per(w))
	}
	fmt.Fprintf(&b, "\t%v", ways[1].first.Round(10*time.Microsecond))
	return b.String(), nil
}

// turn runs a way so many times.
func (w *way) turn(times int) error {
	if w.best == 0 {
		start := time.Now()
		if err := w.f(); err != nil {
			return err
		}
		w.first, w.best = time.Since(start), 1<<62
	}
	begun, start := processor(), time.Now()
	for range times {
		if err := w.f(); err != nil {
			return err
		}
	}
	took := processor() - begun
	if w.clock {
		took = time.Since(start)
	}
	w.best = min(w.best, took)
	return nil
}

// runs is a run of the program in this process.
func (l *loop) runs(ctx context.Context, auto bool, goroutines int, in *plan.Inputs) (func() error, error) {
	prog, err := program.ParseProgram(ir.NewPool(), l.name, l.text, ir.Invalid)
	if err != nil {
		return nil, err
	}
	p, err := plan.Factor(ctx, prog, plan.Options{Auto: auto, Match: rfactor.Options{Allowed: ir.DefaultAssumptions}})
	if err != nil {
		return nil, err
	}
	c, err := lower.Compile(p, lower.RunOptions{Goroutines: goroutines})
	if err != nil {
		return nil, err
	}
	return func() error {
		_, err := c.Run(ctx, in)
		return err
	}, nil
}
