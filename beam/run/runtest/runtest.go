// Package runtest compares the command that rfactor lower -target beam writes with the serial program.
package runtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism" // the runner of tests
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/rfactor-go/rfactor/beam/run"
	"github.com/rfactor-go/rfactor/beam/source"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/ndarray/npy"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Main runs the tests of a package, with pipelines on prism.
func Main(m *testing.M) { ptest.MainWithDefault(m, "prism") }

var result struct {
	sync.Mutex
	lines []string
}

func init() { register.Function1x0(keep) }

func keep(line string) {
	result.Lock()
	result.lines = append(result.lines, line)
	result.Unlock()
}

// mostKeys is one more than the greatest key that is drawn.
const mostKeys = 12

// Compare runs the pipeline over shards of drawn elements, of which one is empty, and the serial program over all of them. Integers
// are equal; floats differ by 1e-3 of their value at most, or 1e-9 where they have 64 bits.
func Compare(t *testing.T, r run.Reduction) {
	prog, err := program.ParseProgram(ir.NewPool(), "program", r.Program, ir.Invalid)
	if err != nil {
		t.Fatal(err)
	}
	n := 100
	if r.Elements > 0 {
		n = int(r.Elements)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	in := &plan.Inputs{Arrays: map[string]*ndarray.Array{}, Params: map[string]uint64{}}
	files, params := map[string][]string{}, map[string]string{}
	dir := t.TempDir()
	for _, input := range prog.Inputs {
		a := ndarray.New(input.Types, ndarray.Range{Extent: n})
		for i := range n {
			v := draw(rng, input.Types[0])
			if input.Name == r.Key {
				v = uint64(rng.IntN(mostKeys - 2))
			}
			a.Elements(0).Set(i, v)
		}
		in.Arrays[input.Name] = a
		for shard, at := range [][2]int{{0, n / 3}, {n / 3, n / 3}, {n / 3, n}} {
			part := ndarray.New(input.Types, ndarray.Range{Extent: at[1] - at[0]})
			for i := at[0]; i < at[1]; i++ {
				part.Elements(0).Set(i-at[0], a.Elements(0).At(i))
			}
			path := filepath.Join(dir, fmt.Sprint(input.Name, "-", shard, ".npy"))
			write(t, path, part)
			files[input.Name] = append(files[input.Name], path)
		}
	}
	for _, p := range prog.Params {
		v := draw(rng, p.Var.Type())
		in.Params[p.Name] = v
		params[p.Name] = ir.NewPool().Const(p.Var.Type(), v).String()
	}
	f := prog.Funcs[0]
	var opts plan.Options
	if r.Key != "" {
		opts.Extents = map[string]ndarray.Box{f.Name: {{Extent: mostKeys}}}
	}
	want, err := plan.RunSerial(prog, opts, in)
	if err != nil {
		t.Fatal(err)
	}
	shards, err := source.ListNpy(t.Context(), files)
	if err != nil {
		t.Fatal(err)
	}
	reduction, columns, err := r.Combine(params)
	if err != nil {
		t.Fatal(err)
	}
	reduction.Elements = int64(n)
	result.lines = nil
	var keys []int64
	if r.Key != "" {
		for key := range int64(mostKeys) {
			keys = append(keys, key)
		}
	}
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, keep, r.Build(s, reduction, columns, shards, keys))
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
	if want := max(1, len(keys)); len(result.lines) != want {
		t.Fatalf("there are %d results of %d", len(result.lines), want)
	}
	for _, line := range result.lines {
		values := strings.Split(line, "\t")
		at := 0
		if r.Key != "" {
			if at, err = strconv.Atoi(values[0]); err != nil {
				t.Fatal(err)
			}
			values = values[1:]
		}
		serial := want[f.Name]
		for i, typ := range serial.Types() {
			e, err := ir.Read(ir.NewPool(), nil, typ, values[i])
			if err != nil {
				t.Fatal(err)
			}
			if w := serial.Elements(i).At(at); !near(typ, ir.Eval(e, nil), w) {
				t.Errorf("component %d of %q is %s, and %#x of the serial program", i, line, values[i], w)
			}
		}
	}
}

// draw draws small values.
func draw(rng *rand.Rand, t ir.Type) uint64 {
	v := rng.IntN(20)
	switch {
	case t == ir.Bool:
		return uint64(v % 2)
	case t.IsFloat():
		return ir.FloatBits(t, float64(v)/8)
	case t.IsSigned():
		v -= 8
	}
	return t.Wrap(uint64(v))
}

func near(t ir.Type, a, b uint64) bool {
	if !t.IsFloat() || a == b {
		return a == b
	}
	x, y := ir.Float(t, a), ir.Float(t, b)
	bound := 1e-9
	if t == ir.F32 {
		bound = 1e-3
	}
	return math.Abs(x-y) <= bound*max(1, math.Abs(x), math.Abs(y)) || math.IsNaN(x) && math.IsNaN(y)
}

func write(t *testing.T, path string, a *ndarray.Array) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := npy.Write(f, a, 0); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
