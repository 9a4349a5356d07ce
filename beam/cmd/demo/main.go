// Demo reduces shards on Beam with operators that rfactor finds, and compares the results with serial loops:
//
//	histogram    the number of elements in each of 256 bins, per key
//	argmin       the least element and its first index, in order
//	moments      number, mean and squared deviations of each of 100 keys, in floating point
//	affine       x = x*a + b, a lift, in order
//
// With -speed it also compares a sum over blocks, over rows, and by a CombineFn written by hand.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/rfactor-go/rfactor/beam/combine"
	"github.com/rfactor-go/rfactor/beam/source"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/ndarray/npy"
	"github.com/rfactor-go/rfactor/rfactor"
)

// bound is by how much moments may differ from those of the serial loop, relative to them. Both round 10⁵ times for a key; each rounding is
// at most 2⁻⁵³ of the value.
const bound = 1e-9

func main() {
	elements := flag.Int("elements", 10_000_000, "`NUMBER` of elements")
	shards := flag.Int("shards", 64, "`NUMBER` of shards")
	speed := flag.Int("speed", 2_000_000, "`NUMBER` of elements for the comparison of speeds; 0 for none")
	flag.Parse()
	beam.Init()
	if err := demo(context.Background(), *elements, *shards, *speed); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// data are the columns of all shards.
type data struct {
	a, b   []int32
	f      []float64
	key    []int32
	shards []source.Shard
}

func demo(ctx context.Context, elements, shards, speed int) error {
	dir, err := os.MkdirTemp("", "rfactor-beam")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	d, err := write(ctx, dir, elements, shards)
	if err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		run  func(context.Context, *data) error
	}{{"histogram", histogram}, {"argmin", argmin}, {"moments", moments}, {"affine", affine}} {
		start := time.Now()
		if err := part.run(ctx, d); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		took := time.Since(start)
		fmt.Printf("%-10s %d elements in %d shards: as the serial loop; %.2f s, %.0f ns an element\n", part.name, elements, shards,
			took.Seconds(), float64(took.Nanoseconds())/float64(max(elements, 1)))
	}
	if speed == 0 {
		return nil
	}
	return compare(ctx, d, filepath.Join(dir, "few"), min(speed, elements), shards)
}

// write draws the columns and writes them as shards.
func write(ctx context.Context, dir string, elements, shards int) (*data, error) {
	rng := rand.New(rand.NewPCG(7, 23))
	d := &data{}
	for range elements {
		d.a = append(d.a, int32(rng.Uint32()))
		d.b = append(d.b, int32(rng.Uint32()))
		d.f = append(d.f, rng.NormFloat64()*3+100)
		d.key = append(d.key, int32(rng.IntN(100)))
	}
	var err error
	d.shards, err = d.write(ctx, dir, elements, shards)
	return d, err
}

// write writes the first elements of the columns.
func (d *data) write(ctx context.Context, dir string, elements, shards int) ([]source.Shard, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	files := map[string][]string{}
	for i := range shards {
		from, to := elements*i/shards, elements*(i+1)/shards
		for name, column := range map[string]any{"a": d.a[from:to], "b": d.b[from:to], "f": d.f[from:to], "key": d.key[from:to]} {
			path := filepath.Join(dir, fmt.Sprintf("%s-%02d.npy", name, i))
			if err := writeNpy(path, &ndarray.Array{Dims: ndarray.Box{{Extent: to - from}}, Data: []any{column}}); err != nil {
				return nil, err
			}
			files[name] = append(files[name], path)
		}
	}
	return source.ListNpy(ctx, files)
}

func writeNpy(path string, a *ndarray.Array) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	return errors.Join(npy.Write(w, a, 0), w.Flush(), f.Close())
}

// reduction asks rfactor for the operator of an update.
func reduction(ctx context.Context, types, update string, allowed ir.Assume, initial ...uint64) (*combine.Reduction, error) {
	u, err := program.ParseUpdate(ir.NewPool(), types, update)
	if err != nil {
		return nil, err
	}
	a, err := rfactor.Match(ctx, u, rfactor.Options{Allowed: allowed})
	if err != nil {
		return nil, err
	}
	return combine.New(a, initial, nil, true)
}

// results collects what a pipeline gives. Prism runs in this process.
var results struct {
	sync.Mutex
	keyed  map[int64]combine.Tuple
	global []combine.Tuple
	sums   []int32
}

func init() {
	register.Function2x0(keepKeyed)
	register.Function1x0(keepGlobal)
	register.Function1x0(keepSum)
	register.DoFn3x1[context.Context, source.Shard, func(int32), error](&ints{})
	register.Emitter1[int32]()
	register.Combiner1[int32](&handWritten{})
}

func keepKeyed(key int64, t combine.Tuple) {
	results.Lock()
	results.keyed[key] = t
	results.Unlock()
}

func keepGlobal(t combine.Tuple) {
	results.Lock()
	results.global = append(results.global, t)
	results.Unlock()
}

func keepSum(v int32) {
	results.Lock()
	results.sums = append(results.sums, v)
	results.Unlock()
}

func run(ctx context.Context, build func(s beam.Scope)) error {
	results.keyed, results.global, results.sums = map[int64]combine.Tuple{}, nil, nil
	p, s := beam.NewPipelineWithRoot()
	build(s)
	return beamx.Run(ctx, p)
}

func global(ctx context.Context, r *combine.Reduction, columns []source.Column, shards []source.Shard) ([]uint64, error) {
	r.Elements = source.Elements(shards)
	err := run(ctx, func(s beam.Scope) { beam.ParDo0(s, keepGlobal, source.Global(s, r, columns, shards)) })
	if err != nil {
		return nil, err
	}
	if len(results.global) != 1 {
		return nil, fmt.Errorf("there are %d results, not one", len(results.global))
	}
	return results.global[0].Values, nil
}

func perKey(ctx context.Context, r *combine.Reduction, key source.Column, columns []source.Column, d *data) error {
	return run(ctx, func(s beam.Scope) { beam.ParDo0(s, keepKeyed, source.PerKey(s, r, key, columns, d.shards)) })
}

func histogram(ctx context.Context, d *data) error {
	r, err := reduction(ctx, "x0:i64", "x0 + 1", 0, 0)
	if err != nil {
		return err
	}
	if err := perKey(ctx, r, source.Column{Name: "key", Type: ir.I32}, nil, d); err != nil {
		return err
	}
	want := map[int64]uint64{}
	for _, k := range d.key {
		want[int64(k)]++
	}
	got := map[int64]uint64{}
	for k, t := range results.keyed {
		got[k] = t.Values[0]
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("got %v, the serial loop %v", got, want)
	}
	return nil
}

func argmin(ctx context.Context, d *data) error {
	r, err := reduction(ctx, "x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); select(y0 < x0, y1, x1)", 0, math.MaxInt32, 0)
	if err != nil {
		return err
	}
	got, err := global(ctx, r, []source.Column{{Name: "a", Type: ir.I32}, {Name: source.Index, Type: ir.I32}}, d.shards)
	if err != nil {
		return err
	}
	least, at := int32(math.MaxInt32), 0
	for i, v := range d.a {
		if v < least {
			least, at = v, i
		}
	}
	if int32(got[0]) != least || int(got[1]) != at {
		return fmt.Errorf("got %d at %d, the serial loop %d at %d", int32(got[0]), got[1], least, at)
	}
	return nil
}

func affine(ctx context.Context, d *data) error {
	r, err := reduction(ctx, "x0:i32,y0:i32,y1:i32", "x0*y0 + y1", 0, 1)
	if err != nil {
		return err
	}
	got, err := global(ctx, r, []source.Column{{Name: "a", Type: ir.I32}, {Name: "b", Type: ir.I32}}, d.shards)
	if err != nil {
		return err
	}
	x := int32(1)
	for i, a := range d.a {
		x = x*a + d.b[i]
	}
	if int32(got[0]) != x {
		return fmt.Errorf("got %d, the serial loop %d", int32(got[0]), x)
	}
	return nil
}

func moments(ctx context.Context, d *data) error {
	r, err := reduction(ctx, "x0:f64,x1:f64,x2:f64,y0:f64",
		"x0 + 1; x1 + (y0 - x1)/(x0 + 1); x2 + (y0 - x1)*(y0 - (x1 + (y0 - x1)/(x0 + 1)))", ir.DefaultAssumptions|ir.NNaN)
	if err != nil {
		return err
	}
	if err := perKey(ctx, r, source.Column{Name: "key", Type: ir.I32}, []source.Column{{Name: "f", Type: ir.F64}}, d); err != nil {
		return err
	}
	want := map[int64]*[3]float64{}
	for i, y := range d.f {
		s := want[int64(d.key[i])]
		if s == nil {
			s = new([3]float64)
			want[int64(d.key[i])] = s
		}
		s[0]++
		mean := s[1] + (y-s[1])/s[0]
		s[2] += (y - s[1]) * (y - mean)
		s[1] = mean
	}
	if len(results.keyed) != len(want) {
		return fmt.Errorf("%d keys, the serial loop has %d", len(results.keyed), len(want))
	}
	worst := 0.0
	for k, w := range want {
		for i := range w {
			g := ir.Float(ir.F64, results.keyed[k].Values[i])
			off := math.Abs(g-w[i]) / max(1, math.Abs(w[i]))
			if !(off <= bound) {
				return fmt.Errorf("key %d: component %d is %v, of the serial loop %v", k, i, g, w[i])
			}
			worst = max(worst, off)
		}
	}
	fmt.Printf("moments    of %d keys differ from the serial loop's by %.1e at most; the bound is %.0e\n", len(want), worst, bound)
	return nil
}

// ints emits the elements of a column.
type ints struct{}

// ProcessElement reads a shard.
func (*ints) ProcessElement(ctx context.Context, s source.Shard, emit func(int32)) error {
	columns, err := s.Read(ctx, []source.Column{{Name: "a", Type: ir.I32}})
	if err != nil {
		return err
	}
	for _, v := range columns[0].([]int32) {
		emit(v)
	}
	return nil
}

// handWritten is the sum as one writes it for Beam by hand.
type handWritten struct{}

// MergeAccumulators adds.
func (*handWritten) MergeAccumulators(a, b int32) int32 { return a + b }

// compare measures sums by turns, three times each, and prints medians.
func compare(ctx context.Context, d *data, dir string, elements, count int) error {
	shards, err := d.write(ctx, dir, elements, count)
	if err != nil {
		return err
	}
	r, err := reduction(ctx, "x0:i32,y0:i32", "x0 + y0", 0, 0)
	if err != nil {
		return err
	}
	r.Elements = int64(elements)
	want := int32(0)
	for _, v := range d.a[:elements] {
		want += v
	}
	columns := []source.Column{{Name: "a", Type: ir.I32}}
	ways := []struct {
		name  string
		build func(s beam.Scope)
	}{
		{"blocks", func(s beam.Scope) { beam.ParDo0(s, keepGlobal, source.Global(s, r, columns, shards)) }},
		{"rows", func(s beam.Scope) {
			beam.ParDo0(s, keepGlobal, combine.Global(s, r, source.Rows(s, columns, shards)))
		}},
		{"by hand", func(s beam.Scope) {
			values := beam.ParDo(s, &ints{}, beam.Reshuffle(s, beam.CreateList(s, shards)))
			beam.ParDo0(s, keepSum, beam.Combine(s, &handWritten{}, values))
		}},
	}
	times := map[string][]float64{}
	for range 3 {
		for _, w := range ways {
			start := time.Now()
			if err := run(ctx, w.build); err != nil {
				return err
			}
			for _, t := range results.global {
				results.sums = append(results.sums, int32(t.Values[0]))
			}
			if len(results.sums) != 1 || results.sums[0] != want {
				return fmt.Errorf("%s: got %v, the serial loop %d", w.name, results.sums, want)
			}
			times[w.name] = append(times[w.name], time.Since(start).Seconds())
		}
	}
	for _, w := range ways {
		t := median(times[w.name])
		fmt.Printf("sum of i32, %-8s %d elements, median of 3: %.3f s, %.1f ns an element\n", w.name+":", elements, t, t*1e9/float64(elements))
	}
	fmt.Printf("blocks are %.0f times as fast as rows\n", median(times["rows"])/median(times["blocks"]))
	return nil
}

func median(t []float64) float64 {
	return max(min(t[0], t[1]), min(max(t[0], t[1]), t[2]))
}
