package plan

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/scans"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

var corpora = []string{"real", "go-std", "updates", "unseen", "unseen_lift"}

// stagedAnswers matches the updates of all corpora that have several components, or a sample of them, and
// returns the staged answers.
func stagedAnswers(t *testing.T, every int) (out []*rfactor.Answer) {
	n := 0
	for _, name := range corpora {
		f, err := os.Open("../../testdata/corpus/" + name + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		lines, err := program.ReadCorpus(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			for _, allowed := range []ir.Assume{ir.DefaultAssumptions, ir.AllAssumptions} {
				if n++; n%every != 0 {
					continue
				}
				u, err := program.ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
				if err != nil || len(u.Types) < 2 {
					continue
				}
				a, err := rfactor.Match(t.Context(), u, rfactor.Options{Name: l.Name, Allowed: allowed})
				if err != nil {
					t.Fatal(err)
				}
				if a.Status == rfactor.Staged {
					out = append(out, a)
				}
			}
		}
	}
	return out
}

// galleryAnswers matches the programs of docs/gallery, and returns the staged answers.
func galleryAnswers(t *testing.T) (out []*rfactor.Answer) {
	files, err := filepath.Glob("../../docs/gallery/*/*.rf")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		prog, err := program.ParseProgram(ir.NewPool(), name, string(text), ir.Invalid)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range prog.Definitions() {
			a, err := rfactor.Match(t.Context(), d.Matched(), rfactor.Options{Name: name, Allowed: ir.DefaultAssumptions})
			if err != nil {
				t.Fatal(err)
			}
			if a.Status == rfactor.Staged {
				out = append(out, a)
			}
		}
	}
	return out
}

// TestRunStaged runs the staged answers of all corpora and of the gallery in slices, from random states and inputs, and compares with the
// serial loop: bit by bit where nothing is assumed, on small numbers otherwise, which overflow nowhere.
func TestRunStaged(t *testing.T) {
	every := suite.Sample(suite.More(15, 5), 1)
	if testing.Short() {
		every = 29
	}
	rng := rand.New(rand.NewPCG(18, 4))
	ran, exact, not := 0, 0, map[string]int{}
	answers := append(stagedAnswers(t, every), galleryAnswers(t)...)
	for _, a := range answers {
		for round := range suite.More(8, 20) {
			equal, err := runsAsSerial(t, rng, a, round)
			if err != nil {
				_, reason, _ := strings.Cut(err.Error(), "widened: ")
				not[reason]++
				break
			}
			if !equal {
				break
			}
			if ran++; a.Assumes == 0 {
				exact++
			}
		}
	}
	t.Logf("%d staged answers ran %d times, %d of them compared bit by bit; not run: %v", len(answers), ran, exact, not)
	if len(answers) == 0 || ran == 0 {
		t.Error("no staged answer ran")
	}
}

// runsAsSerial compares a staged run with the serial one, and reports whether they agree.
func runsAsSerial(t *testing.T, rng *rand.Rand, a *rfactor.Answer, round int) (bool, error) {
	draw := func(typ ir.Type) uint64 {
		n := rng.IntN(7)
		switch {
		case typ == ir.Bool:
			return uint64(rng.IntN(2))
		case typ.IsFloat():
			return ir.FloatBits(typ, float64(n)/4+0.25)
		case a.Assumes&(ir.NSW|ir.NUW) == 0 && rng.IntN(2) == 0:
			return typ.Wrap(rng.Uint64())
		case typ.IsSigned() && a.Assumes&ir.NUW == 0:
			return typ.Wrap(uint64(n - 3))
		}
		return uint64(n)
	}
	constants := map[string]uint64{}
	for _, l := range a.Leaves {
		constants[l.Var.Name()] = draw(l.Var.Type())
	}
	steps := make([]map[string]uint64, rng.IntN(12))
	for i := range steps {
		steps[i] = map[string]uint64{}
		for _, l := range a.Leaves {
			v := constants[l.Var.Name()]
			if !l.Var.IsInvariant() {
				v = draw(l.Var.Type())
			}
			if l.NonNeg {
				v &= l.Var.Type().Max()
			}
			steps[i][l.Var.Name()] = v
		}
	}
	start := make([]uint64, len(a.Types))
	for i, typ := range a.Types {
		start[i] = draw(typ)
	}
	want := start
	for _, step := range steps {
		want = evalAt(a.Update, want, nil, step)
	}
	got, err := runStaged(t.Context(), a, start, steps, 1+round%4)
	if err != nil {
		return false, err
	}
	for i, typ := range a.Types {
		if got[i] == want[i] || typ.IsFloat() && a.Assumes != 0 && close(ir.Float(typ, got[i]), ir.Float(typ, want[i])) {
			continue
		}
		t.Errorf("%s: %s from %v by %v: component %d is %d, serially %d", a.Name, ir.Strings(a.Update), start, steps, i, got[i], want[i])
		return false, nil
	}
	return true, nil
}

// close reports whether numbers that were rounded in different orders are the same, or lie outside of what is assumed.
func close(a, b float64) bool {
	return a-a != 0 || b-b != 0 || math.Abs(a-b) <= 1e-2*(1+math.Abs(a)+math.Abs(b))
}

// TestRunStagedRejects wants an error for what cannot be run.
func TestRunStagedRejects(t *testing.T) {
	u, err := program.ParseUpdate(ir.NewPool(), "x0:i32,x1:i32,y0:i32", "x0 + y0; select(x0 > 9, 3*x1*x0, x1 + 1)")
	if err != nil {
		t.Fatal(err)
	}
	a, err := rfactor.Match(t.Context(), u, rfactor.Options{})
	if err != nil || a.Status != rfactor.Staged {
		t.Fatal(a.Status, err)
	}
	for _, test := range []struct {
		a     *rfactor.Answer
		start []uint64
		steps []map[string]uint64
		slice int
		want  string
	}{
		{nil, nil, nil, 1, "no refusal"},
		{&rfactor.Answer{Status: rfactor.Refused}, nil, nil, 1, "no refusal"},
		{a, []uint64{1}, nil, 1, "a state of 1 components"},
		{a, []uint64{1, 2}, nil, 0, "slices of 0 steps"},
		{a, []uint64{1, 2}, []map[string]uint64{{}}, 1, "step 0 has no value of y0"},
	} {
		if _, err := runStaged(context.Background(), test.a, test.start, test.steps, test.slice); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, wanted %q", err, test.want)
		}
	}
}

// TestStagedIsScanned wants a staged update refused where partial results are asked for, with what it may have, and scanned
// where a schedule is chosen.
func TestStagedIsScanned(t *testing.T) {
	text := "ImageParam in(Int(32), 1); Func f; Var u; RVar ro, ri; RDom r(0, in.width());\nf() = {0, 1};\n" +
		"f() = {f()[0] + in(r), select(f()[0] > 9, 3*f()[1]*f()[0], f()[1] + 1)};\n"
	prog, err := program.ParseProgram(ir.NewPool(), "staged.rf", text+"f.update(0).split(r, ro, ri, 8).rfactor(ro, u);", ir.I32)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = Factor(t.Context(), prog, Options{}); err == nil || !strings.Contains(err.Error(), "it takes a scan before the reduction (staged:egraph:sum then lift:affine); scan(r, 65536) runs it in tiles") {
		t.Errorf("%v", err)
	}
	if prog, err = program.ParseProgram(ir.NewPool(), "staged.rf", text, ir.I32); err != nil {
		t.Fatal(err)
	}
	p, err := Factor(t.Context(), prog, Options{Auto: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Serial) != 0 || p.Stages[1].Scan == nil || len(p.Stages[1].Scan.Passes) != 2 || !p.Stages[1].Scan.Parallel {
		t.Errorf("left serial: %v\n%s", p.Serial, p)
	}
}

// TestStagedReductions runs the updates of all corpora that have a staged answer as programs, in tiles, and compares with the
// serial loop.
func TestStagedReductions(t *testing.T) {
	every := suite.Sample(suite.More(12, 5), 1)
	if testing.Short() {
		every = 29
	}
	rng := rand.New(rand.NewPCG(33, 4))
	ran, not := 0, map[string]int{}
	for _, l := range stagedLines(t, every) {
		text := l.Reduction() + fmt.Sprintf("f.update(0).scan(r, %d).parallel(r);\n", 1+rng.IntN(9))
		prog, err := program.ParseProgram(ir.NewPool(), l.Name, text, ir.I32)
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		p, err := Factor(t.Context(), prog, anything)
		if err != nil {
			_, reason, _ := strings.Cut(err.Error(), "scan: ")
			reason, _, _ = strings.Cut(reason, "\n")
			not[reason]++
			continue
		}
		exact := p.Answers[prog.Definitions()[0]].Assumes == 0
		for _, n := range []int{0, 1, 2, 9, 40} {
			in := &Inputs{}
			in.Arrays, in.Params = scans.Draw(rng, prog, n, exact)
			want, err := RunSerial(prog, anything, in)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if got, err := p.Run(in, rng.Uint64()); err != nil || nearlyEqual(got, want, exact) != "" {
				t.Errorf("%d elements: %v %s\n%s\n%s", n, err, nearlyEqual(got, want, exact), text, p)
				break
			}
		}
		ran++
	}
	t.Logf("%d ran; not run: %v", ran, not)
	if ran == 0 {
		t.Error("no staged answer ran")
	}
}

// stagedLines returns the lines of the corpora that have a staged answer, or a sample of them, as far as they read elements alone.
func stagedLines(t *testing.T, every int) (out []scans.Line) {
	n := 0
	for _, name := range corpora {
		f, err := os.Open("../../testdata/corpus/" + name + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		lines, err := program.ReadCorpus(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			if n++; n%every != 0 {
				continue
			}
			line := scans.Line{Name: l.Name, Types: l.Types, Update: l.Exprs}
			u, err := program.ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
			if err != nil || len(u.Types) < 2 || !line.Plain() {
				continue
			}
			if a, err := rfactor.Match(t.Context(), u, anything.Match); err != nil {
				t.Fatal(err)
			} else if a.Status == rfactor.Staged {
				out = append(out, line)
			}
		}
	}
	return out
}
