package exec

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

const byOrder = `
RVar ro, ri; Var u;
f.update(0).split(r, ro, ri, 65536).rfactor(ro, u).compute_root().update(0).parallel(u);`

// lifted is a lifted program beside its serial loop.
type lifted struct {
	workload
	serial func(in *plan.Inputs) func()
}

var kept any // results of serial loops

// ofInput is a serial loop over the input.
func ofInput[T, R any](loop func(x []T) R) func(*plan.Inputs) func() {
	return func(in *plan.Inputs) func() {
		x := in.Arrays["in"].Data[0].([]T)
		return func() { kept = loop(x) }
	}
}

var liftedWorkloads = []lifted{
	{workload{"mss-f32", "ImageParam in(Float(32), 1); Func f; RDom r(0, in.width()); f() = {0.0f, 0.0f}; f() = {max(f()[0] + in(r), 0.0f), max(f()[1], max(f()[0] + in(r), 0.0f))};" + byOrder, 4},
		ofInput(func(x []float32) float32 {
			now, best := float32(0), float32(0)
			for _, v := range x {
				now = max(now+v, 0)
				best = max(best, now)
			}
			return best
		})},
	{workload{"hash-i32", "ImageParam in(Int(32), 1); Func f; RDom r(0, in.width()); f() = 0; f() = f()*31 + in(r);" + byOrder, 4},
		ofInput(func(x []int32) int32 {
			h := int32(0)
			for _, v := range x {
				h = h*31 + v
			}
			return h
		})},
	{workload{"average-f32", "ImageParam in(Float(32), 1); Func f; RDom r(0, in.width()); f() = 0.0f; f() = f()*0.9f + in(r)*0.1f;" + byOrder, 4},
		ofInput(func(x []float32) float32 {
			a := float32(0)
			for _, v := range x {
				a = a*0.9 + v*0.1
			}
			return a
		})},
	{workload{"clamp-u8", "ImageParam in(UInt(8), 1); Func f; RDom r(0, in.width()); f() = 0; f() = max(min(f() + cast<int>(in(r)) - 100, 1000), -1000);" + byOrder, 1},
		ofInput(func(x []uint8) int32 {
			s := int32(0)
			for _, v := range x {
				s = max(min(s+int32(v)-100, 1000), -1000)
			}
			return s
		})},
	{workload{"mss-i16", "ImageParam in(Int(16), 1); Func f; RDom r(0, in.width()); f() = {0, 0}; f() = {max(f()[0] + cast<int>(in(r)), 0), max(f()[1], max(f()[0] + cast<int>(in(r)), 0))};" + byOrder, 2},
		ofInput(func(x []int16) int32 {
			now, best := int32(0), int32(0)
			for _, v := range x {
				now = max(now+int32(v), 0)
				best = max(best, now)
			}
			return best
		})},
	{workload{"sorted-i32", "ImageParam in(Int(32), 1); Func f; RDom r(0, in.width()); f() = {Int(32).min(), cast<bool>(1)}; f() = {in(r), f()[1] && f()[0] <= in(r)};" + byOrder, 4},
		ofInput(func(x []int32) bool {
			last, ok := int32(-1<<31), true
			for _, v := range x {
				last, ok = v, ok && last <= v
			}
			return ok
		})},
	{workload{"balanced-u8", "ImageParam in(UInt(8), 1); Func f; RDom r(0, in.width()); f() = {0, cast<bool>(1)}; Expr d = select(in(r) == 40, 1, select(in(r) == 41, -1, 0)); f() = {f()[0] + d, f()[1] && f()[0] + d >= 0};" + byOrder, 1},
		ofInput(func(x []uint8) bool {
			depth, ok := int32(0), true
			for _, v := range x {
				switch v {
				case '(':
					depth++
				case ')':
					depth--
				}
				ok = ok && depth >= 0
			}
			return ok
		})},
}

// BenchmarkLifts puts lifted programs in blocks beside their serial loops, by turns on one goroutine; the best times count.
func BenchmarkLifts(b *testing.B) {
	for _, n := range []int{32 << 10, 4 << 20} {
		for _, w := range liftedWorkloads {
			b.Run(fmt.Sprintf("%s/n=%d", w.name, n), func(b *testing.B) {
				p, in := w.prepareWith(b, n, Options{Goroutines: 1}, lowertest.LiftOptions())
				serial := w.serial(in)
				var blocks, loop time.Duration
				for b.Loop() {
					begin := time.Now()
					if _, err := p.Run(context.Background(), in); err != nil {
						b.Fatal(err)
					}
					middle := time.Now()
					serial()
					end := time.Now()
					if d := middle.Sub(begin); blocks == 0 || d < blocks {
						blocks = d
					}
					if d := end.Sub(middle); loop == 0 || d < loop {
						loop = d
					}
				}
				b.ReportMetric(float64(blocks)/float64(n), "ns/element")
				b.ReportMetric(float64(loop)/float64(blocks), "of-serial")
			})
		}
	}
}
