package run

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/beam"
	"github.com/rfactor-go/rfactor/rfactor"
)

const header = "ImageParam in(Int(32), 1);\nFunc f;\nRDom r(0, in.width());\n"

// The commands that rfactor lower writes pass the tests that it writes: a recurrence with a parameter and the
// index, and a tuple over two inputs.
func TestLowered(t *testing.T) {
	dir, err := os.MkdirTemp(".", "generated-") // inside of this module, whose packages they import
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		"recurrence": header + "Param<int> k;\nf() = 7;\nf() = f()*in(r) + r + k;\n",
		"weighted": "ImageParam in(Float(64), 1);\nImageParam by(Float(64), 1);\nFunc f;\nRDom r(0, in.width());\n" +
			"f() = {f64(0), f64(-1)};\nf() = {f()[0] + in(r)*by(r), max(f()[1], by(r))};\n",
	} {
		files, err := lowered(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		for file, src := range files {
			if err := os.WriteFile(filepath.Join(dir, name, file), src, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := exec.CommandContext(t.Context(), "go", "test", "./"+dir+"/...").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), "go", "run", "./"+filepath.Join(dir, "recurrence"), "-csv", filepath.Join(dir, "*.csv"), "-set", "k=1")
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte("in\n2\n3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	text, err := run.Output()
	if err != nil || !strings.Contains(string(text), "47\n") { // (7*2 + 0 + 1)*3 + 1 + 1
		t.Errorf("want 47, got %s, %v", text, err)
	}
}

func lowered(ctx context.Context, text string) (map[string][]byte, error) {
	prog, err := program.ParseProgram(ir.NewPool(), "program", text, ir.Invalid)
	if err != nil {
		return nil, err
	}
	return beam.Source(ctx, prog, rfactor.Options{Allowed: ir.DefaultAssumptions}, "")
}

func TestNotLowered(t *testing.T) {
	for text, want := range map[string]string{
		header + "f() = 0;\nf() = f()*f() + in(r);\n":                                                "f.update(0) is refused",
		header + "f() = in(0);\nf() += in(r);\n":                                                     "is no literal",
		header + "f() = 0;\nf() += in(r + 1);\n":                                                     "reads in(r + 1)",
		header + "Func g; g() = 0;\ng() += in(r);\nf() = 0;\nf() += in(r);\n":                        "one function with one update",
		"ImageParam in(Int(32), 1);\nFunc f;\nRDom r(1, in.width());\nf() = 0;\nf() += in(r);\n":     "must run from 0 on",
		"ImageParam in(Int(32), 1);\nFunc f;\nRDom r(0, in.width() - 1);\nf() = 0;\nf() += in(r);\n": "the extent of an input",
	} {
		if _, err := lowered(t.Context(), text); !errors.Is(err, beam.ErrRefused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, got %v", text, want, err)
		}
	}
}
