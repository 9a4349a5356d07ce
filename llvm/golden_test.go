package llvm

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/check"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

var (
	update = flag.Bool("update", false, "write what samples are answered with")
	every  = flag.Bool("every-compiler", false, "TestCompilers compiles all samples anew, not two of them")
)

func parsed(t testing.TB, name string) *Module {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(name, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// summary has a line for each loop and each operator.
func summary(t *testing.T, m *Module) string {
	t.Helper()
	var b strings.Builder
	for _, l := range m.Loops() {
		a, err := l.Match(context.Background(), rfactor.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "loop %s: %s\n", l.Func, said(&l.Finding, a))
	}
	for _, op := range m.Operators() {
		r, err := op.Check(context.Background(), check.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "operator %s: ", op.Func)
		if r == nil {
			fmt.Fprintln(&b, op.Obstacles[0].Kind, op.Obstacles[0].Detail)
			continue
		}
		fmt.Fprintln(&b, ir.Strings(op.Update.Values))
		for _, line := range r.Lines() {
			fmt.Fprintf(&b, "  %s: %s\n", line.Label, line.Text)
		}
	}
	return b.String()
}

func said(f *Finding, a *rfactor.Answer) string {
	switch {
	case a == nil:
		return strings.TrimSpace("not read, " + f.Obstacles[0].Kind + " " + f.Obstacles[0].Detail)
	case a.Status == rfactor.Refused:
		return fmt.Sprintf("%s; granted %s; refused, %s", ir.Strings(f.Update.Values), f.Allowed, a.Code)
	case a.Status == rfactor.Lifted:
		return fmt.Sprintf("%s; granted %s; lifted under %s", ir.Strings(f.Update.Values), f.Allowed, a.Assumes)
	case a.Status == rfactor.Staged:
		return fmt.Sprintf("%s; granted %s; staged under %s", ir.Strings(f.Update.Values), f.Allowed, a.Assumes)
	}
	return fmt.Sprintf("%s; granted %s; %s under %s", ir.Strings(f.Update.Values), f.Allowed, ir.Strings(a.Operator.Exprs), a.Assumes)
}

// TestSamples compares what is said of samples that compilers of LLVM 14 to 22 made with what was said before.
func TestSamples(t *testing.T) {
	samples, err := filepath.Glob("testdata/*.ll")
	if err != nil || len(samples) < 8 {
		t.Fatalf("%d samples, %v", len(samples), err)
	}
	for _, name := range samples {
		golden := strings.TrimSuffix(name, ".ll") + ".golden"
		got := summary(t, parsed(t, name))
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want, err := os.ReadFile(golden); err != nil || string(want) != got {
			t.Errorf("%s: %v\n%s", name, err, difference(string(want), got))
		}
	}
}

// difference lists the lines of two texts that differ.
func difference(want, got string) string {
	var b strings.Builder
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		a, c := "", ""
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			c = g[i]
		}
		if a != c {
			fmt.Fprintf(&b, "- %s\n+ %s\n", a, c)
		}
	}
	return b.String()
}

// TestShare counts how many of the loops that are read have an answer, strictly and with fast-math.
func TestShare(t *testing.T) {
	for _, sample := range []struct {
		name string
		more ir.Assume
		want int // of a hundred
	}{{"testdata/loops-16.ll", 0, 85}, {"testdata/loops-19.ll", ir.Reassoc | ir.NNaN | ir.NSZ, 95}} {
		read, answered := 0, 0
		for _, l := range parsed(t, sample.name).Loops() {
			a, err := l.Match(context.Background(), rfactor.Options{Allowed: sample.more})
			if err != nil {
				t.Fatal(err)
			}
			if a != nil {
				read++
			}
			if a != nil && a.Status != rfactor.Refused {
				answered++
			}
		}
		t.Logf("%s: %d read, %d answered", sample.name, read, answered)
		if 100*answered < sample.want*read {
			t.Errorf("%s: of %d loops that are read %d are answered", sample.name, read, answered)
		}
	}
}

// compilers are the commands that make the samples, by version of LLVM.
var compilers = []struct{ command, source, sample string }{
	{"clang-14 -O1 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -S -emit-llvm -o - loops.c", "loops.c", "loops-14"},
	{"clang-15 -O1 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -S -emit-llvm -o - loops.c", "loops.c", "loops-15"},
	{"clang-16 -O1 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -S -emit-llvm -o - loops.c", "loops.c", "loops-16"},
	{"clang-19 -O1 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -S -emit-llvm -o - loops.c", "loops.c", "loops-19"},
	{"clang++-14 -fopenmp=libomp -O0 -S -emit-llvm -o - combiners.cc", "combiners.cc", "combiners-14"},
	{"clang++-16 -fopenmp=libomp -O0 -S -emit-llvm -o - combiners.cc", "combiners.cc", "combiners-16"},
	{"clang++-19 -fopenmp=libomp -O0 -S -emit-llvm -o - combiners.cc", "combiners.cc", "combiners-19"},
}

// TestCompilers compiles the sources of samples where the compilers are, and compares the answers.
func TestCompilers(t *testing.T) {
	if testing.Short() {
		t.Skip("runs compilers")
	}
	ran := 0
	for i, c := range compilers {
		if !*every && i%4 != 2 {
			continue
		}
		words := strings.Fields(c.command)
		if _, err := exec.LookPath(words[0]); err != nil {
			t.Logf("%s is not on the path", words[0])
			continue
		}
		ran++
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir = "testdata"
		text, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v", c.command, err)
			continue
		}
		m, err := Parse(c.sample, string(text))
		if err != nil {
			t.Errorf("%s: %v", c.command, err)
			continue
		}
		want, err := os.ReadFile("testdata/" + c.sample + ".golden")
		if got := summary(t, m); err != nil || got != string(want) {
			t.Errorf("%s: %v\n%s", c.command, err, difference(string(want), got))
		}
	}
	if ran == 0 {
		t.Skip("no clang is on the path")
	}
}
