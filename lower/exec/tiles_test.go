package exec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/scans"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// runsAsTiles wants the bytes that the interpreter gives, on one goroutine and on several.
func runsAsTiles(t *testing.T, rng *rand.Rand, text string, sizes ...int) {
	t.Helper()
	prog, err := program.ParseProgram(ir.NewPool(), "scan.rf", text, ir.I32)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	p, err := plan.Factor(t.Context(), prog, plan.Options{Match: rfactor.Options{Allowed: ir.AllAssumptions}})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	exact := true
	for _, a := range p.Answers {
		exact = exact && a.Assumes == 0
	}
	for goroutines := 1; goroutines <= 4; goroutines++ {
		c, err := Compile(p, Options{Goroutines: goroutines, Grain: 8, Block: 5})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, n := range sizes {
			in := &plan.Inputs{}
			in.Arrays, in.Params = scans.Draw(rng, prog, n, exact)
			want, err := p.Run(in, rng.Uint64())
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			got, err := c.Run(t.Context(), in)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			for name, a := range want {
				if !sameBits(a, got[name]) {
					t.Fatalf("%d elements on %d goroutines: %s is %v %v, interpreted %v\n%s", n, goroutines, name, got[name].Dims, got[name].Data, a.Data, text)
				}
			}
		}
	}
}

// sameBits compares arrays; NaN equals itself.
func sameBits(a, b *ndarray.Array) bool {
	if !reflect.DeepEqual(a.Dims, b.Dims) || len(a.Data) != len(b.Data) {
		return false
	}
	for c := range a.Data {
		x, y := a.Elements(c), b.Elements(c)
		for i := range x.Len() {
			t := ndarray.TypeOf(a.Data[c])
			if x.At(i) != y.At(i) && !(t.IsFloat() && math.IsNaN(ir.Float(t, x.At(i))) && math.IsNaN(ir.Float(t, y.At(i)))) {
				return false
			}
		}
	}
	return true
}

// TestTiles runs every line of the corpus of scans, and compares with the interpreter.
func TestTiles(t *testing.T) {
	f, err := os.Open("../../testdata/corpus/scans.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := scans.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(33, 5))
	ran := 0
	for _, l := range lines {
		if strings.HasPrefix(l.Today, "refused") {
			continue
		}
		ran++
		t.Run(l.Name, func(t *testing.T) {
			for _, schedule := range []string{"scan(r, 7).parallel(r)", "scan(r, 16).vectorize(r, 4).parallel(r)", "scan(r, 5)", "scan(r, 24).vectorize(r, 8).parallel(r)", "scan(r, 40).vectorize(r, 8)"} {
				runsAsTiles(t, rng, l.Recurrence()+"f.update(0)."+schedule+";", 0, 1, 7, 8, 100)
			}
			if strings.HasPrefix(l.Today, "staged") {
				runsAsTiles(t, rng, l.Reduction()+"f.update(0).scan(r, 7).parallel(r);", 0, 1, 7, 8, 100)
			}
		})
	}
	if ran < 29 {
		t.Errorf("%d lines ran", ran)
	}
}

// TestTilesOfCorpora runs the updates of other corpora that have a staged answer, as programs that keep the last state. Where partial results
// may overflow, a pass runs in order.
func TestTilesOfCorpora(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 8))
	every, n, ran := suite.Sample(suite.More(21, 7), 1), 0, 0
	for _, name := range []string{"real", "go-std", "updates", "unseen"} {
		f, err := os.Open("../../testdata/corpus/" + name + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		lines, err := program.ReadCorpus(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range lines {
			if n++; n%every != 0 || n%3 != 0 && testing.Short() {
				continue
			}
			l := scans.Line{Name: c.Name, Types: c.Types, Update: c.Exprs}
			u, err := program.ParseUpdate(ir.NewPool(), c.Types, c.Exprs)
			if err != nil || len(u.Types) < 2 || !l.Plain() {
				continue
			}
			prog, err := program.ParseProgram(ir.NewPool(), c.Name, l.Reduction(), ir.I32)
			if err != nil {
				t.Errorf("%v\n%s", err, l.Reduction())
				continue
			}
			text := l.Reduction() + "f.update(0).scan(r, 7).parallel(r);"
			a, err := rfactor.Match(t.Context(), prog.Definitions()[0].Matched(), rfactor.Options{Allowed: ir.AllAssumptions})
			if err != nil {
				t.Fatal(err)
			}
			if a.Status == rfactor.Staged {
				ran++
				runsAsTiles(t, rng, text, 0, 1, 7, 30)
			}
		}
	}
	if ran == 0 {
		t.Error("no staged answer ran")
	}
}

// TestTilesOfForms runs scans of several dimensions, in place, backwards, and of floats that are not finite.
func TestTilesOfForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 6))
	for _, text := range []string{
		"ImageParam in(Int(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(x); f(r) += f(r - 1); f.update(0).scan(r, 4).parallel(r);",
		"ImageParam in(Int(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(x); f(r) = select(in(r) > 0, f(r - 1), 0) + in(r); f.update(0).scan(r, 13).parallel(r);",
		"ImageParam in(Int(64), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(x); f(r) = in(r) + select(in(r) > 0, 0, f(r - 1)); f.update(0).scan(r, 16).vectorize(r, 8);",
		"ImageParam a(UInt(64), 1), b(Bool(), 1); Func f; RDom r(0, a.width()); f() = {cast<uint64_t>(1), cast<bool>(0)}; " +
			"f() = {(f()[0] + a(r))/cast<uint64_t>(10), select(b(r), f()[1], (f()[0] + a(r)) % cast<uint64_t>(10) != cast<uint64_t>(0) || f()[1])}; f.update(0).scan(r, 4).parallel(r);",
		"ImageParam in(Int(32), 1); Func f; Var x; RDom r(0, in.width()); f(x) = 2; f(in.width() - 1 - r) = max(f(in.width() - r), in(in.width() - 1 - r)); f.update(0).scan(r, 3).parallel(r);",
		"ImageParam in(Float(32), 1); Func f; Var x; RDom r(2, in.width() - 2); f(x) = in(x); f(r) = in(r) + 0.5f*f(r - 1) - 0.25f*f(r - 2); f.update(0).scan(r, 8).vectorize(r, 4).parallel(r);",
		"ImageParam in(Float(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(x); f(r) = 1e20f*f(r - 1) + in(r); f.update(0).scan(r, 8).parallel(r);",
		"ImageParam in(Float(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(x); f(r) = 1e20f*f(r - 1) + in(r); f.update(0).scan(r, 8).vectorize(r, 8);",
		"ImageParam in(Float(32), 2); Func f; Var x, y; RDom r(1, in.height() - 1); f(x, y) = in(x, y); f(x, r) = f(x, r - 1)*0.5f + in(x, r); f.update(0).scan(r, 4).parallel(x);",
		"ImageParam in(Int(32), 2); Func f; Var x, y; RDom r(1, in.height() - 1); f(x, y) = in(x, y); f(x, r) = f(x, r - 1) + in(x, r); f.update(0).parallel(x);",
		"ImageParam in(Int(32), 2); Func f; Var x, y; RVar xo, xi; RDom r(1, in.height() - 1); f(x, y) = in(x, y); f(x, r) += f(x, r - 1); f.update(0).split(x, xo, xi, 3).parallel(xo).reorder(xi, r);",
		"ImageParam in(Int(32), 2); Func f; Var x, y; RDom r(0, in.width(), 1, in.height() - 1); f(x, y) = in(x, y); f(r.x, r.y) += f(r.x, r.y - 1); f.update(0).vectorize(r.x, 8).parallel(r.x);",
		"ImageParam in(Int(32), 2); Func f; Var x, y; RDom r(1, in.width() - 1); f(x, y) = in(x, y); f(r, y) += f(r - 1, y); f.update(0).parallel(y);",
		"ImageParam in(Int(32), 2); Func f; Var x, y; RDom r(1, in.width() - 1, 0, in.height()); f(x, y) = in(x, y); f(r.x, r.y) += f(r.x - 1, r.y);",
		"ImageParam in(Int(32), 2); Func f; Var x; RDom r(1, in.width() - 1, 0, in.height()); f(x) = 1; f(r.x) += 3*f(r.x - 1) + in(r.x, r.y); f.update(0).scan(r.x, 4).parallel(r.x);",
		"ImageParam in(Int(32), 2); Func f; RDom r(0, in.width(), 0, in.height()); r.where(in(r.x, r.y) > 0); f() = {9, 0}; f() = {max(f()[0], in(r.x, r.y)), f()[1] + select(in(r.x, r.y) > f()[0], 1, 0)}; f.update(0).scan(r.x, 4).parallel(r.x);",
	} {
		runsAsTiles(t, rng, text, 0, 1, 2, 3, 4, 5, 9, 33)
	}
}

// TestRandomTiles runs drawn recurrences in drawn tiles.
func TestRandomTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 10))
	for range suite.Sample(suite.More(20, 60), 3000) {
		text := scans.Random(rng)
		prog, err := program.ParseProgram(ir.NewPool(), "scan.rf", text, ir.I32)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if a, err := rfactor.Match(t.Context(), prog.Definitions()[0].Matched(), rfactor.Options{}); err != nil || a.Status == rfactor.Refused {
			continue // the schedule is refused
		}
		runsAsTiles(t, rng, text, 0, 1, 2, 9, 20)
	}
}

// TestTilesNotFinite runs scans over infinities, NaN, zeros of both signs and numbers that overflow, and compares with the interpreter.
func TestTilesNotFinite(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 7))
	values := []float64{0, math.Copysign(0, -1), 1, math.Inf(1), math.Inf(-1), math.NaN(), 3e38, -3e38}
	for _, update := range []string{"f(r - 1) + in(r)", "f(r - 1) - in(r)", "f(r - 1)*in(r)", "max(f(r - 1), in(r))", "min(in(r), f(r - 1))",
		"select(in(r) > f(r - 1), in(r), f(r - 1))", "select(in(r) > 0.0f, f(r - 1) + in(r), f(r - 1))", "4.0f*f(r - 1) + in(r)", "f(r - 1)*in(r) + 2.0f"} {
		for _, schedule := range []string{"scan(r, 5).parallel(r)", "scan(r, 8).vectorize(r, 4)", "scan(r, 16).vectorize(r, 8)", "scan(r, 24).vectorize(r, 8).parallel(r)"} {
			text := "ImageParam in(Float(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = -0.0f; f(r) = " + update + "; f.update(0)." + schedule + ";"
			prog, err := program.ParseProgram(ir.NewPool(), "scan.rf", text, ir.I32)
			if err != nil {
				t.Fatal(err)
			}
			p, err := plan.Factor(t.Context(), prog, plan.Options{Match: rfactor.Options{Allowed: ir.AllAssumptions}})
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			c, err := Compile(p, Options{Goroutines: 3, Block: 3})
			if err != nil {
				t.Fatal(err)
			}
			for range 100 {
				in := &plan.Inputs{}
				in.Arrays, in.Params = scans.Draw(rng, prog, 30, false)
				for range rng.IntN(30) {
					in.Arrays["in"].Elements(0).Set(rng.IntN(30), ir.FloatBits(ir.F32, values[rng.IntN(len(values))]))
				}
				want, err := p.Run(in, rng.Uint64())
				if err != nil {
					t.Fatal(err)
				}
				if got, err := c.Run(t.Context(), in); err != nil || !sameBits(got["f"], want["f"]) {
					t.Fatalf("%v %v, interpreted %v\n%v\n%s", err, got["f"].Data, want["f"].Data, in.Arrays["in"].Data, text)
				}
			}
		}
	}
}

// TestTilesOutside wants an error where a step reads where there is no element, however many tiles run, and none that waits.
func TestTilesOutside(t *testing.T) {
	text := "ImageParam in(Int(32), 1), at(Int(32), 1); Func f; Var x; RDom r(1, at.width() - 1); f(x) = 0; f(r) = f(r - 1) + in(at(r)); f.update(0).scan(r, 4).parallel(r);"
	prog, err := program.ParseProgram(ir.NewPool(), "scan.rf", text, ir.I32)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Factor(t.Context(), prog, plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compile(p, Options{Goroutines: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []int{1, 17, 99} {
		in := &plan.Inputs{}
		in.Arrays, _ = scans.Draw(rand.New(rand.NewPCG(1, 1)), prog, 100, true)
		for i := range 100 {
			in.Arrays["at"].Elements(0).Set(i, uint64(i))
		}
		in.Arrays["at"].Elements(0).Set(bad, 100)
		want := fmt.Sprint(p.Run(in, 1))
		if _, err := c.Run(t.Context(), in); err == nil || !strings.Contains(want, "in is read where it has no element") || !strings.Contains(err.Error(), "in is read where it has no element") {
			t.Errorf("%v, interpreted %s", err, want)
		}
	}
}
