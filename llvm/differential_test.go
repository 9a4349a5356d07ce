package llvm

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	run "github.com/rfactor-go/rfactor/llvm/internal/exec"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
	"github.com/rfactor-go/rfactor/rfactor"
)

var (
	calls   = flag.Int("calls", 30, "calls of each loop that TestCompiled and TestKernels compare")
	seed    = flag.Uint64("seed", 1, "seed of these calls")
	sampled = flag.Int("kernels-every", suite.More(8, 4), "TestKernels compares one loop in as many")
)

// kernels are the loops that bench llvm counts.
const kernels = "../bench/llvm/testdata/kernels.c"

// TestCompiled runs each loop of loops.c that is answered: as compiled code, as its IR, and cut into slices that its operator merges.
// The results are one, exactly where no flag and no assumption allows another one.
func TestCompiled(t *testing.T) {
	m := parsed(t, "testdata/loops-16.ll")
	differential(t, m.Loops(), m, "testdata/loops.c", 41)
}

// TestKernels does the same with the loops that are counted, and whatever clang is on the path.
func TestKernels(t *testing.T) {
	compiler := onPath("clang", "clang-14", "clang-15", "clang-16", "clang-19")
	if compiler == "" {
		t.Skip("no clang is on the path")
	}
	out, err := exec.Command(compiler, "-O1", "-fno-vectorize", "-fno-unroll-loops", "-ffp-contract=off", "-w", "-S", "-emit-llvm", "-o", "-", kernels).Output()
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse("kernels.ll", string(out))
	if err != nil {
		t.Fatal(err)
	}
	var some []*Loop
	for i, l := range m.Loops() {
		if i%*sampled == 0 {
			some = append(some, l)
		}
	}
	differential(t, some, m, kernels, 100 / *sampled)
}

func onPath(names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// compared are calls of functions with their results.
type compared struct {
	funcs   []*syntax.Func
	input   bytes.Buffer
	results []result
}

type result struct {
	f *syntax.Func
	v run.Value
	c *call
}

// differential compares loops of a module with what a C compiler makes of their source; at least some must be compared.
func differential(t *testing.T, loops []*Loop, m *Module, source string, atLeast int) {
	all := &compared{}
	exact, nearly, staged, refused := 0, 0, 0, 0
	for _, l := range loops {
		strict := true
		a, err := l.Match(context.Background(), rfactor.Options{})
		if err == nil && a != nil && a.Status == rfactor.Refused {
			strict = false
			a, err = l.Match(context.Background(), rfactor.Options{Allowed: ir.Reassoc | ir.NSZ | ir.NNaN})
		}
		switch {
		case err != nil:
			t.Fatal(err)
		case a == nil || a.Status == rfactor.Refused:
			refused++
			continue
		case a.Status == rfactor.Staged:
			staged++
			continue
		case strict:
			exact++
		default:
			nearly++
		}
		k := newCutter(m, l, a)
		if k.nested {
			t.Errorf("%s: a loop in a loop", l.Func)
			continue
		}
		h := fnv.New64a()
		h.Write([]byte(l.Func)) // so that other loops change nothing
		rng := rand.New(rand.NewPCG(*seed, h.Sum64()))
		cs, results, err := k.compare(rng, *calls, !strict)
		if err != nil {
			t.Errorf("%s: %v", l.Func, err)
		}
		for i, c := range cs {
			encode(&all.input, len(all.funcs), c)
			all.results = append(all.results, result{k.of, results[i], c})
		}
		all.funcs = append(all.funcs, k.of)
	}
	t.Logf("%d loops are compared exactly, %d but for rounding, in %d calls; %d are staged, %d have no answer", exact, nearly, len(all.results), staged, refused)
	if exact+nearly < atLeast {
		t.Errorf("only %d loops are compared", exact+nearly)
	}
	all.compile(t, source)
}

// compile runs all calls in a program that a C compiler makes, and compares the results.
func (all *compared) compile(t *testing.T, source string) {
	cc := onPath("gcc", "clang", "clang-14")
	if cc == "" {
		t.Skip("no C compiler is on the path")
	}
	dir := t.TempDir()
	path, _ := filepath.Abs(source)
	if err := os.WriteFile(filepath.Join(dir, "main.c"), []byte(all.program(path)), 0o666); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "main")
	if out, err := exec.Command(cc, "-O1", "-fwrapv", "-ffp-contract=off", "-w", "-o", program, filepath.Join(dir, "main.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(program)
	cmd.Stdin = &all.input
	out, err := cmd.Output()
	if err != nil || len(out) != 8*len(all.results) {
		t.Fatalf("%v; %d bytes of %d results", err, len(out), len(all.results))
	}
	for i, r := range all.results {
		if got := (run.Value{Bits: binary.LittleEndian.Uint64(out[8*i:])}); !agree(r.f.Ret, got, r.v, false) {
			t.Errorf("%s of %v: compiled %x, but %x as IR", r.f.Name, r.c.args, got.Bits, r.v.Bits)
		}
	}
}

// program is a C program that reads calls of functions of a source and writes the bits of the results.
func (all *compared) program(source string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#include %q\n#include <stdio.h>\n#include <string.h>\n", source)
	b.WriteString("static unsigned long head[6], bits; static unsigned char memory[4096];\n")
	b.WriteString("#define ARG(T, i) ({ T v; memcpy(&v, &head[2 + i], sizeof v); v; })\n")
	b.WriteString("int main(void) {\n  while (fread(head, sizeof head, 1, stdin) == 1) {\n    if (fread(memory, head[1], 1, stdin) != 1) return 1;\n    bits = 0;\n    switch (head[0]) {\n")
	for i, f := range all.funcs {
		var args []string
		for j, p := range f.Params {
			switch p.Type.Kind {
			case syntax.Pointer:
				args = append(args, fmt.Sprintf("(void *)(memory + (head[%d] - %d))", 2+j, run.Base))
			case syntax.Integer:
				args = append(args, fmt.Sprintf("head[%d]", 2+j))
			default:
				args = append(args, fmt.Sprintf("ARG(%s, %d)", p.Type, j))
			}
		}
		fmt.Fprintf(&b, "    case %d: { __auto_type r = %s(%s); memcpy(&bits, &r, sizeof r); break; }\n", i, f.Name, strings.Join(args, ", "))
	}
	b.WriteString("    }\n    fwrite(&bits, sizeof bits, 1, stdout);\n  }\n  return 0;\n}\n")
	return b.String()
}
