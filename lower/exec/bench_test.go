package exec

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
	"github.com/rfactor-go/rfactor/simd"
)

// workload is a program whose block execution is measured.
type workload struct {
	name  string
	text  string
	bytes int // that it reads for each element
}

const sliced = `
RVar ro, ri; Var u;
f.update(0).split(r, ro, ri, 65536).rfactor(ro, u).compute_root().update(0).parallel(u);`

var workloads = []workload{
	{"sum-f32", "ImageParam in(Float(32), 1); Func f; RDom r(0, in.width()); f() = 0.0f; f() += in(r);" + sliced, 4},
	{"dot-f32", "ImageParam in(Float(32), 1), b(Float(32), 1); Func f; RDom r(0, in.width()); f() = 0.0f; f() += in(r)*b(r);" + sliced, 8},
	{"max-i32", "ImageParam in(Int(32), 1); Func f; RDom r(0, in.width()); f() = Int(32).min(); f() = max(f(), in(r));" + sliced, 4},
	{"argmin-i32", "ImageParam in(Int(32), 1); Func f; RDom r(0, in.width()); f() = {Int(32).max(), 0}; f() = {min(f()[0], in(r)), select(f()[0] < in(r), f()[1], r)};" + sliced, 4},
	{"histogram-u8", "ImageParam in(UInt(8), 1); Func f; Var x; RDom r(0, in.width()); f(x) = 0; f(clamp(cast<int>(in(r)), 0, 255)) += 1;" + sliced, 1},
}

// prepare makes a workload's program and random inputs of n elements.
func (w *workload) prepare(b testing.TB, n int, o Options) (*Program, *plan.Inputs) {
	return w.prepareWith(b, n, o, lowertest.Defaults())
}

func (w *workload) prepareWith(b testing.TB, n int, o Options, of plan.Options) (*Program, *plan.Inputs) {
	prog := lowertest.Parse(b, w.name, w.text)
	planned, err := plan.Factor(context.Background(), prog, of)
	if err != nil {
		b.Fatal(err)
	}
	p, err := Compile(planned, o)
	if err != nil {
		b.Fatal(err)
	}
	in := &plan.Inputs{Arrays: map[string]*ndarray.Array{}, Params: map[string]uint64{"n": uint64(n)}}
	for _, d := range prog.Inputs {
		in.Arrays[d.Name] = randomArray(d.Types, n)
	}
	return p, in
}

func randomArray(types []ir.Type, n int) *ndarray.Array {
	a := ndarray.New(types, ndarray.Range{Extent: n})
	for _, data := range a.Data {
		randomize(data, n)
	}
	return a
}

func randomize(data any, n int) {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	switch d := data.(type) {
	case []float32:
		for i := range d {
			d[i] = rng.Float32()
		}
	case []int32:
		for i := range d {
			d[i] = int32(rng.Uint32())
		}
	case []int16:
		for i := range d {
			d[i] = int16(rng.Uint32())
		}
	case []uint8:
		for i := range d {
			d[i] = uint8(rng.Uint32())
		}
	}
}

func benchmarkSizes() []int {
	if os.Getenv("RFACTOR_BENCH_LARGE") != "" {
		return []int{32 << 10, 16 << 20, 64 << 20}
	}
	return []int{32 << 10, 16 << 20}
}

// kernel is a workload's reduction by the kernel of package simd that is made for it, on
// one goroutine.
func (w *workload) kernel(in *plan.Inputs) func() {
	data := in.Arrays["in"].Data[0]
	switch w.name {
	case "sum-f32":
		return func() { simd.For[float32]().Reduce.Add(data.([]float32), 0) }
	case "dot-f32":
		return func() { simd.For[float32]().Reduce.Dot(data.([]float32), in.Arrays["b"].Data[0].([]float32), 0) }
	case "max-i32":
		return func() { simd.For[int32]().Reduce.Max(data.([]int32), math.MinInt32) }
	case "argmin-i32":
		return func() { simd.For[int32]().Find.MinLast(data.([]int32), math.MaxInt32) }
	}
	return func() {
		var counts [256]uint32
		simd.Histogram(&counts, data.([]uint8))
	}
}

// limits are kernels that do little but load: the best of them is the limit.
func limits(bytes int) []func() {
	f, i := randomArray([]ir.Type{ir.F32}, bytes/4).Data[0].([]float32), randomArray([]ir.Type{ir.I32}, bytes/4).Data[0].([]int32)
	return []func(){
		func() { simd.For[float32]().Reduce.Add(f, 0) },
		func() { simd.For[int32]().Reduce.Or(i, 0) },
		func() { simd.For[int32]().Reduce.Add(i, 0) },
	}
}

// BenchmarkShares puts the blocks beside the kernel that is made for a reduction and beside
// the limit, all measured by turns on one goroutine; of each the best time counts, since
// other work on the machine only ever adds.
func BenchmarkShares(b *testing.B) {
	for _, n := range benchmarkSizes() {
		for _, w := range workloads {
			p, in := w.prepare(b, n, Options{Goroutines: 1})
			b.Run(fmt.Sprintf("%s/n=%d", w.name, n), func(b *testing.B) {
				block := func() {
					if _, err := p.Run(context.Background(), in); err != nil {
						b.Fatal(err)
					}
				}
				fs := append(limits(n*w.bytes), block, w.kernel(in))
				best := make([]time.Duration, len(fs))
				for b.Loop() {
					for i, f := range fs {
						begin := time.Now()
						f()
						if d := time.Since(begin); best[i] == 0 || d < best[i] {
							best[i] = d
						}
					}
				}
				limit, blocks, kernel := slices.Min(best[:3]), best[3], best[4]
				b.ReportMetric(float64(n*w.bytes)/float64(blocks.Nanoseconds()), "GB/s")
				b.ReportMetric(float64(n*w.bytes)/float64(limit.Nanoseconds()), "limit-GB/s")
				b.ReportMetric(float64(kernel)/float64(blocks), "of-kernel")
				b.ReportMetric(float64(limit)/float64(blocks), "of-limit")
			})
		}
	}
}

// The listings of one dimension, with their own schedules.
func BenchmarkListings(b *testing.B) {
	const n = 1 << 20
	for _, w := range []workload{{"sum", "", 4}, {"dot", "", 8}, {"maxabs", "", 4}, {"complex-product", "", 8}, {"kitchen-sink", "", 4}, {"sum-lanes", "", 4}, {"second-minimum", "", 4}, {"matrix2x2", "", 16}, {"saturating-sum", "", 1}} {
		text, err := os.ReadFile("../../testdata/programs/" + w.name + ".rf")
		if err != nil {
			b.Fatal(err)
		}
		w.text = string(text)
		p, in := w.prepare(b, n, Options{})
		b.Run(w.name, func(b *testing.B) {
			b.SetBytes(int64(n * w.bytes))
			for b.Loop() {
				if _, err := p.Run(context.Background(), in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBlocks(b *testing.B) {
	for _, n := range benchmarkSizes() {
		for _, w := range workloads {
			for _, g := range []int{1, 2} {
				p, in := w.prepare(b, n, Options{Goroutines: g})
				b.Run(fmt.Sprintf("%s/n=%d/goroutines=%d", w.name, n, g), func(b *testing.B) {
					b.SetBytes(int64(n * w.bytes))
					for b.Loop() {
						if _, err := p.Run(context.Background(), in); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkProduct times products of matrices of 512 by 512: as the serial program has it, by the
// schedule of the drafts, and by that which Auto chooses.
func BenchmarkProduct(b *testing.B) {
	for _, c := range []struct {
		name, file string
		auto       bool
	}{{"serial", "versions/matmul-serial", false}, {"scheduled", "matmul", false}, {"auto", "versions/matmul-serial", true}} {
		b.Run(c.name, func(b *testing.B) {
			text, err := os.ReadFile("../../testdata/programs/" + c.file + ".rf")
			if err != nil {
				b.Fatal(err)
			}
			prog := lowertest.Parse(b, c.file, string(text))
			opts := lowertest.Defaults()
			opts.Auto = c.auto
			planned, err := plan.Factor(context.Background(), prog, opts)
			if err != nil {
				b.Fatal(err)
			}
			p, err := Compile(planned, Options{Goroutines: 1})
			if err != nil {
				b.Fatal(err)
			}
			in := lowertest.SmallInputs(prog, rand.New(rand.NewPCG(1, 2)), 512)
			for b.Loop() {
				if _, err := p.Run(context.Background(), in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
