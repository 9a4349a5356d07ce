package emit

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// module is a Go module of emitted packages. Their tests are called from one program, since
// linking one for each package takes most of the time.
type module struct {
	dir            string
	imports, calls strings.Builder
	tested, given  int
}

func newModule(t *testing.T) *module {
	if testing.Short() {
		t.Skip("builds a module")
	}
	m := &module{dir: t.TempDir()}
	m.write(t, "", map[string][]byte{"go.mod": []byte("module emitted\n\ngo 1.26.0\n")})
	return m
}

// write writes the files of a package as they are.
func (m *module) write(t *testing.T, path string, files map[string][]byte) {
	t.Helper()
	writePackage(t, filepath.Join(m.dir, path), files)
}

// withoutTests writes a package without the tests that were emitted with it.
func (m *module) withoutTests(t *testing.T, path string, files map[string][]byte) {
	t.Helper()
	rest := map[string][]byte{}
	for name, text := range files {
		if !strings.HasSuffix(name, "_test.go") {
			rest[name] = text
		}
	}
	m.write(t, path, rest)
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(\w+ \*testing\.T\) \{`)

// add writes a package whose tests the module's program calls: their files lose the suffix
// _test, by which the go command would keep them from it. In ordinary tests it takes every fifth package of a group: TestFrozen finds what is
// emitted differently.
func (m *module) add(t *testing.T, path string, files map[string][]byte) {
	t.Helper()
	if m.given++; m.given%suite.More(5, 1) != 0 && strings.Contains(path, "/") && !lowertest.Full() {
		return
	}
	renamed := map[string][]byte{}
	for name, text := range files {
		base, is := strings.CutSuffix(name, "_test.go")
		if !is {
			renamed[name] = text
			continue
		}
		renamed[base+"_tests.go"] = text
		fmt.Fprintf(&m.imports, "\tp%d \"emitted/%s\"\n", m.tested, path)
		for _, f := range testFunc.FindAllSubmatch(text, -1) {
			fmt.Fprintf(&m.calls, "\tt.Run(%q, p%d.%s)\n", path+"/"+string(f[1]), m.tested, f[1])
		}
		m.tested++
	}
	if arch := files["kernel_simd_amd64.go"]; bytes.Contains(arch, []byte("var vectors256 ")) {
		name := regexp.MustCompile(`(?m)^package (\w+)`).FindSubmatch(arch)[1]
		wide := ""
		if bytes.Contains(arch, []byte("var vectors512 ")) {
			wide = "\t\tvectors512 = false\n"
		}
		for _, bits := range []string{"256", "512"} {
			if bytes.Contains(arch, []byte("var atLeast"+bits+" ")) {
				wide += "\t\tatLeast" + bits + " = false\n"
			}
		}
		renamed["portable_amd64.go"] = fmt.Appendf(nil, "//go:build %s\n\npackage %s\n\nimport \"os\"\n\nfunc init() {\n\tif os.Getenv(%q) != \"\" {\n\t\tvectors256 = false\n%s\t}\n}\n", simdTag, name, portableVectors, wide)
	}
	m.write(t, path, renamed)
}

// portableVectors is the environment variable with which packages of a module leave kernels on archsimd out.
const portableVectors = "PORTABLE_VECTORS"

// program writes the program that calls all tests.
func (m *module) program(t *testing.T) {
	t.Helper()
	if m.tested == 0 {
		t.Fatal("no package has tests")
	}
	m.write(t, "", map[string][]byte{"all_test.go": []byte("package emitted\n\nimport (\n\t\"testing\"\n" + m.imports.String() + ")\n\nfunc TestAll(t *testing.T) {\n" + m.calls.String() + "}\n")})
}

// trimmed are the settings with which what a run builds is found again by the next, since -trimpath leaves the name of the directory out. In
// ordinary tests packages are few, and the standard library would be built another time.
var trimmed = suite.More([]string{"GOFLAGS=-vet=off"}, []string{"GOFLAGS=-trimpath"})

// run runs the go command in the module.
func (m *module) run(t *testing.T, env []string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = m.dir, slices.Concat(os.Environ(), trimmed, env)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// simdEnv is the environment in which package simd is there.
var simdEnv = []string{"GOTOOLCHAIN=go1.27.4", "GOEXPERIMENT=simd"}

// needSIMD skips a test where no toolchain at hand has package simd.
func needSIMD(t *testing.T) {
	t.Helper()
	cmd := exec.Command("go", "version")
	cmd.Env = append(os.Environ(), append(simdEnv, "GOPROXY=off")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("no toolchain with package simd: %s", out)
	}
}

// asIs lists the packages whose tests stay in files of tests; none where only other groups were added.
func (m *module) asIs() []string {
	if _, err := os.Stat(filepath.Join(m.dir, "asis")); err != nil {
		return nil
	}
	return []string{"./asis/..."}
}

var machine = flag.String("machine", "", "run emitted code as programs for `GOARCH [EMULATOR]` alone")

// inBoth vets and tests the module without and with package simd; an ordinary test compiles and runs it once.
func (m *module) inBoth(t *testing.T) {
	if arch, emulator, _ := strings.Cut(*machine, " "); arch != "" {
		m.run(t, []string{"GOARCH=" + arch}, append([]string{"test", "-exec", emulator, "."}, m.asIs()...)...)
		return
	}
	if suite.More(true, false) && !lowertest.Full() {
		m.run(t, nil, "test", ".")
		return
	}
	t.Run("plain", func(t *testing.T) {
		m.run(t, nil, "vet", "./...")
		m.run(t, nil, append([]string{"test", "."}, m.asIs()...)...)
	})
	t.Run("simd", func(t *testing.T) {
		needSIMD(t)
		m.run(t, simdEnv, "vet", "./...")
		m.run(t, simdEnv, append([]string{"test", "."}, m.asIs()...)...)
		m.run(t, append(slices.Clone(simdEnv), portableVectors+"=1"), "test", ".")
		if info, _ := os.ReadFile("/proc/cpuinfo"); bytes.Contains(info, []byte(" avx512f ")) { // else vectors have 256 bits above
			m.run(t, append(slices.Clone(simdEnv), "GODEBUG=simd=256"), "test", ".")
		}
	})
	t.Run("targets", func(t *testing.T) {
		if !lowertest.Full() {
			t.Skip("vets for other machines in the long suite")
		}
		needSIMD(t)
		for _, target := range []string{"GOARCH=arm64", "GOARCH=386", "GOOS=js GOARCH=wasm"} {
			env := strings.Fields(target)
			m.run(t, env, "vet", "./...")
			m.run(t, append(env, simdEnv...), "vet", "./...")
		}
	})
}

// sampled reports whether the i-th package of a suite is emitted: all where the suites run
// whole, else one of a few, and in ordinary tests of three times as many.
func sampled(i, few int) bool { return lowertest.Full() || i%(few*suite.More(3, 1)) == 0 }

// All that is emitted in one module: packages compile, vet likes them, and their tests pass,
// without and with package simd.
func TestEmitted(t *testing.T) {
	m := newModule(t)
	for _, emit := range []struct {
		name string
		add  func(*testing.T, *module)
	}{
		{"programs", addPrograms},
		{"lifts", addLifts},
		{"table", addTable},
		{"evaluator", addEvaluator},
		{"refusals", addRefusals},
		{"oddities", addOddities},
		{"draws", addDraws},
		{"into", addInto},
		{"lent", addLent},
		{"float search", addFloatSearch},
		{"masks", addMasked},
		{"rows", addRows},
		{"dense", addDense},
		{"forms", addForms},
		{"histograms", addHistograms},
		{"scans", addScans},
		{"staged", addStaged},
		{"placed", addPlaced},
		{"watched", addWatched},
		{"finds", addFinds},
		{"guards", addGuards},
		{"recurrent", addRecurrent},
		{"near misses", addNear},
	} {
		t.Run(emit.name, func(t *testing.T) { emit.add(t, m) })
	}
	m.program(t)
	m.inBoth(t)
}
