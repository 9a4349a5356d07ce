package exec

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// options are the ways in which tests run programs: blocks and slices so small that all
// their edges are met, and the usual ones.
var options = []Options{
	{Block: 1, Compile: 1, Grain: 1, Goroutines: 3}, {Block: 2, Compile: 1, Grain: 4, Goroutines: 2}, {Block: 3, Grain: 5, Goroutines: 1},
	{Block: 7, Compile: 1, Grain: 100, Goroutines: 4}, {},
}

// agree compares a plan in blocks with the serial program, and in CI its interpretation, too, which tests of package plan compare always.
func agree(t *testing.T, name string, planned *plan.Plan, in *plan.Inputs, opts plan.Options) {
	t.Helper()
	want, err := plan.RunSerial(planned.Program, opts, in)
	if err != nil {
		t.Fatalf("%s: serial: %v", name, err)
	}
	signed := true
	for _, a := range planned.Answers {
		signed = signed && a.Assumes&(ir.NSZ|ir.Reassoc) == 0 // a field has one zero
	}
	if suite.More(false, true) {
		if got, err := planned.Run(in, 3); err != nil || !equal(got, want, signed) {
			t.Errorf("%s: the interpreter of plans: %v\ngot  %v\nwant %v", name, err, describe(got), describe(want))
			return
		}
	}
	for _, o := range options {
		p, err := Compile(planned, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Run(context.Background(), in)
		if err != nil {
			t.Errorf("%s: %+v: %v", name, o, err)
			return
		}
		if !equal(got, want, signed) {
			t.Errorf("%s: %+v\ngot  %v\nwant %v\n%s", name, o, describe(got), describe(want), planned)
			return
		}
	}
}

// equal takes one NaN for another; −0 and +0 are one unless zeros are signed.
func equal(a, b map[string]*ndarray.Array, signed bool) bool {
	if len(a) != len(b) {
		return false
	}
	for name, x := range a {
		y := b[name]
		if y == nil || !reflect.DeepEqual(x.Dims, y.Dims) {
			return false
		}
		for c, t := range x.Types() {
			xs, ys := x.Elements(c), y.Elements(c)
			for i := range xs.Len() {
				v, w := xs.At(i), ys.At(i)
				if v != w && !(t.IsFloat() && (!signed && ir.Float(t, v) == ir.Float(t, w) || ir.Float(t, v) != ir.Float(t, v) && ir.Float(t, w) != ir.Float(t, w))) {
					return false
				}
			}
		}
	}
	return true
}

func describe(out map[string]*ndarray.Array) string {
	var b strings.Builder
	for name, a := range out {
		fmt.Fprintf(&b, "%s%v: %.300s ", name, a.Dims, fmt.Sprint(a.Data))
	}
	return b.String()
}

// Every listing gives in blocks what its serial program gives.
// Arrays that lie too far apart for one memory are copied.
func TestApart(t *testing.T) {
	apart = true
	defer func() { apart = false }()
	TestPrograms(t)
}

func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("../../testdata/programs/*.rf")
	if err != nil || len(files) < 20 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".rf")
		if !lowertest.Runs(name) {
			continue
		}
		prog := lowertest.Parse(t, name+".rf", string(text))
		opts := lowertest.OptionsOf(name)
		p, err := plan.Factor(context.Background(), prog, opts)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{0, 1, 2, 3, 21, 63, 64, 65, 1000} {
			dims := 0
			for _, d := range prog.Inputs {
				dims = max(dims, d.Dims)
			}
			switch {
			case filepath.Base(file) == "circle.rf" && n < 21, dims == 2 && n > 65, dims > 2 && n > 3, strings.HasPrefix(filepath.Base(file), "matmul") && n > 21:
				continue
			}
			agree(t, fmt.Sprintf("%s, n = %d", filepath.Base(file), n), p, lowertest.SmallInputs(prog, rng, n), opts)
		}
	}
}
