// Package runtest compares the command that rfactor lower -target beam writes with the serial program.
package runtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism" // the runner of tests
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/rfactor-go/rfactor/beam/combine"
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
	tuples []combine.Tuple
}

func init() { register.Function1x0(keep) }

func keep(t combine.Tuple) {
	result.Lock()
	result.tuples = append(result.tuples, t)
	result.Unlock()
}

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
			a.Elements(0).Set(i, draw(rng, input.Types[0]))
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
	want, err := plan.RunSerial(prog, plan.Options{}, in)
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
	result.tuples = nil
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, keep, source.Global(s, reduction, columns, shards))
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
	if len(result.tuples) != 1 {
		t.Fatalf("there are %d results", len(result.tuples))
	}
	got := result.tuples[0]
	serial := want[prog.Funcs[0].Name]
	for i, typ := range got.Types {
		if w := serial.Elements(i).At(0); !near(typ, got.Values[i], w) {
			t.Errorf("component %d is %#x, and %#x of the serial program", i, got.Values[i], w)
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
