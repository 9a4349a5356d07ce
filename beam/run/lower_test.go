package run

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/beam"
	"github.com/rfactor-go/rfactor/rfactor"
)

const header = "ImageParam in(Int(32), 1);\nFunc f;\nRDom r(0, in.width());\n"

// keyed has no r.where, which stands below it.
const keyed = "ImageParam in(Int(32), 1);\nImageParam key(UInt(8), 1);\nFunc f;\nVar x;\nRDom r(0, in.width());\n"

// The commands that rfactor lower writes pass the tests that it writes: a recurrence with a parameter and the
// index, a tuple over two inputs, and the last value of each key, in order, over a domain with conditions.
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
		"last": keyed + "Param<int> k;\nr.where(in(r) != k && r < 90);\nf(x) = {-1, 5};\n" +
			"f(cast<int>(key(r))) = {in(r), f(cast<int>(key(r)))[1] + in(r)};\n",
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
	bin := t.TempDir() + "/"
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "./"+dir+"/recurrence", "./"+dir+"/last").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), filepath.Join(bin, "recurrence"), "-csv", filepath.Join(dir, "*.csv"), "-set", "k=1")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a.csv", "in,key\n2,3\n3,250\n")
	text, err := run.Output()
	if err != nil || !strings.Contains(string(text), "47\n") { // (7*2 + 0 + 1)*3 + 1 + 1
		t.Errorf("want 47, got %s, %v", text, err)
	}
	write("keys", "4\n3\n4\n")
	write("none", "4\n256\n")
	for _, c := range []struct {
		args []string
		want string // sorted lines, or what an error says
	}{
		{nil, "250\t-1\t5 3\t2\t7"}, // the element of key 250 is not in the domain, and changes nothing
		{[]string{"-keys", filepath.Join(dir, "keys")}, "250\t-1\t5 3\t2\t7 4\t-1\t5"},
		{[]string{"-keys", filepath.Join(dir, "none")}, `none:2: "256" is no key, which is u8`},
		{[]string{"-set", "j=1"}, "the reduction uses no parameter j"},
	} {
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "last"), append([]string{"-csv", filepath.Join(dir, "*.csv"), "-set", "k=3"}, c.args...)...)
		var said strings.Builder
		cmd.Stderr = &said
		text, err := cmd.Output()
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		slices.Sort(lines)
		if got := strings.Join(lines, " "); err == nil && got != c.want || err != nil && !strings.Contains(said.String(), c.want) {
			t.Errorf("%s: want %q, got %q, %v, %s", c.args, c.want, got, err, said.String())
		}
	}
}

func lowered(ctx context.Context, text string) (map[string][]byte, error) {
	prog, err := program.ParseProgram(ir.NewPool(), "program", text, ir.Invalid)
	if err != nil {
		return nil, err
	}
	return beam.Source(ctx, prog, rfactor.Options{Allowed: ir.DefaultAssumptions})
}

func TestNotLowered(t *testing.T) {
	for text, want := range map[string]string{
		header + "f() = 0;\nf() = f()*f() + in(r);\n":                                                "f.update(0) is refused",
		header + "f() = in(0);\nf() += in(r);\n":                                                     "is no literal",
		header + "f() = 0;\nf() += in(r + 1);\n":                                                     "reads in(r + 1)",
		header + "Func g; g() = 0;\ng() += in(r);\nf() = 0;\nf() += in(r);\n":                        "one function with one update",
		keyed + "f(x) = 0;\nf(key(r + 1)) += 1;\n":                                                   "the key i32(key(r + 1)) is no element",
		keyed + "f(x) = 0;\nf(in(r) % 7) += 1;\n":                                                    "is no element in(r) of an input of integers",
		"ImageParam in(Int(32), 1);\nFunc f;\nRDom r(1, in.width());\nf() = 0;\nf() += in(r);\n":     "must run from 0 on",
		"ImageParam in(Int(32), 1);\nFunc f;\nRDom r(0, in.width() - 1);\nf() = 0;\nf() += in(r);\n": "the extent of an input",
	} {
		if _, err := lowered(t.Context(), text); !errors.Is(err, beam.ErrRefused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, got %v", text, want, err)
		}
	}
}
