package lower

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Emitted code gives what the serial loop gives under chains of directives, and refuses no valid size.
func TestEmittedChains(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	rng := lowertest.Rand(53)
	count := suite.More(3, 8)
	if lowertest.Full() {
		count = 150
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module emitted\n\ngo 1.26.0\n")
	var imports, calls strings.Builder
	for i := range count {
		c := drawProgram(rng)
		text, p := drawChain(t, rng, c)
		pkg := fmt.Sprintf("p%d", i)
		files, err := Source(p, SourceOptions{Package: pkg})
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		for name, of := range files {
			if !strings.HasSuffix(name, "_test.go") {
				write(filepath.Join(pkg, name), string(of))
			}
		}
		fmt.Fprintf(&imports, "\t%q\n", "emitted/"+pkg)
		fmt.Fprintf(&calls, "_ = %s.F\n", pkg)
		for range 6 {
			calls.WriteString(chainCall(p, c, pkg, text, rng))
		}
	}
	write("chain_test.go", "package emitted\n\nimport (\n\t\"slices\"\n\t\"testing\"\n"+imports.String()+")\n\nfunc TestChains(t *testing.T) {\n"+calls.String()+"}\n"+chainHelpers)
	for _, env := range [][]string{nil, {"GOTOOLCHAIN=go1.27.4", "GOEXPERIMENT=simd", "GOPROXY=off"}}[:suite.More(1, 2)] {
		run := func(args ...string) ([]byte, error) {
			cmd := exec.Command("go", args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
			return cmd.CombinedOutput()
		}
		if out, err := run("version"); err != nil {
			t.Logf("no toolchain with package simd: %s", out)
		} else if out, err := run("test", "-vet=off", "."); err != nil {
			t.Errorf("%v: %v\n%s", env, err, out)
		}
	}
}

const chainHelpers = `
func check(t *testing.T, name string, err error, same ...bool) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
	} else if slices.Contains(same, false) {
		t.Errorf("%s: differs", name)
	}
}
`

// chainCall returns a statement that compares one call of an emitted function with the serial loop; none where the serial loop reads outside.
func chainCall(p *plan.Plan, c chainCase, pkg, text string, rng *rand.Rand) string {
	n := c.extents(rng)
	in := c.draw(p.Program, rng, n)
	want, err := plan.RunSerial(p.Program, lowertest.Defaults(), in)
	if err != nil {
		return ""
	}
	var args, got, same []string
	for _, d := range p.Program.Inputs {
		a, typ := in.Arrays[d.Name], kernel.GoType[d.Types[0]]
		if n := a.Dims; len(n) == 1 {
			args = append(args, fmt.Sprintf("[]%s{%s}", typ, strings.Join(literals(a, 0), ", ")))
			continue
		}
		pix, stride := padded(a)
		switch n := a.Dims; len(n) {
		case 2:
			args = append(args, fmt.Sprintf("%s.Image[%s]{Pix: []%s{%s}, Stride: %d, Width: %d, Height: %d}", pkg, typ, typ, pix, stride[1], n[0].Extent, n[1].Extent))
		case 3:
			args = append(args, fmt.Sprintf("%s.Array3[%s]{Pix: []%s{%s}, Extent: [3]int{%d, %d, %d}, Stride: [3]int{1, %d, %d}}", pkg, typ, typ, pix,
				n[0].Extent, n[1].Extent, n[2].Extent, stride[1], stride[2]))
		}
	}
	for _, k := range p.Program.Params {
		args = append(args, fmt.Sprint(in.Params[k.Name]))
	}
	f := want["f"]
	for i, typ := range f.Types() {
		g := fmt.Sprintf("got%d", i)
		got = append(got, g)
		if len(f.Dims) == 0 {
			same = append(same, fmt.Sprintf("%s == %s", g, literals(f, i)[0]))
		} else {
			same = append(same, fmt.Sprintf("slices.Equal(%s, []%s{%s})", g, kernel.GoType[typ], strings.Join(literals(f, i), ", ")))
		}
	}
	return fmt.Sprintf("{\n%s, err := %s.F(%s)\ncheck(t, %q, err, %s)\n}\n", strings.Join(got, ", "), pkg, strings.Join(args, ", "), fmt.Sprintf("%v\n%s", n, text), strings.Join(same, ", "))
}

// padded lists the elements of an array in rows that are longer than its own, without what lies behind the last element, with the strides.
func padded(a *ndarray.Array) (pix string, stride [3]int) {
	list, size := literals(a, 0), 1
	for d, n := range a.Dims {
		stride[d] = size
		size *= n.Extent + 2
	}
	zero := "0"
	if a.Types()[0] == ir.Bool {
		zero = "false"
	}
	var out []string
	for i, e := range list {
		at, rest := 0, i
		for d, n := range a.Dims {
			at += rest % n.Extent * stride[d]
			rest /= n.Extent
		}
		for len(out) < at {
			out = append(out, zero)
		}
		out = append(out, e)
	}
	return strings.Join(out, ", "), stride
}

// literals lists the elements of a component as Go has them.
func literals(a *ndarray.Array, c int) (list []string) {
	e, typ := a.Elements(c), a.Types()[c]
	for i := range e.Len() {
		switch v := e.At(i); {
		case typ == ir.Bool:
			list = append(list, fmt.Sprint(v != 0))
		case typ.IsFloat():
			list = append(list, fmt.Sprintf("%g", ir.Float(typ, v)))
		case typ.IsSigned():
			list = append(list, fmt.Sprint(int64(v)))
		default:
			list = append(list, fmt.Sprint(v))
		}
	}
	return list
}
