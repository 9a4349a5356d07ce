package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// library builds the library once for all tests.
var library = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "librfactor")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "librfactor.so")
	out, err := exec.Command("go", "build", "-buildmode=c-shared", "-o", path, ".").CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
	}
	return path, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := library(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// built returns the library, or skips where one of some commands is not on the path.
func built(t *testing.T, commands ...string) string {
	t.Helper()
	for _, name := range commands {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not on the path", name)
		}
	}
	path, err := library()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a command in a folder of examples, and returns what it prints.
func run(t *testing.T, folder string, env []string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = filepath.Join("../../examples", folder), append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	return string(out)
}

// shown is the block of text that the README of an example shows.
func shown(t *testing.T, folder string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../examples", folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(text), "```text\n")
	block, _, _ = strings.Cut(block, "```")
	return block
}

func TestPython(t *testing.T) {
	path := built(t, "python3")
	if got := run(t, "python", []string{"PYTHONDONTWRITEBYTECODE=1"}, "python3", "example.py", path); got != shown(t, "python") {
		t.Errorf("%s", got)
	}
}

func TestRust(t *testing.T) {
	path := built(t, "rustc")
	dir := filepath.Dir(path)
	program := filepath.Join(t.TempDir(), "main")
	run(t, "rust", nil, "rustc", "-O", "-L", dir, "main.rs", "-o", program)
	if got := run(t, "rust", []string{"LD_LIBRARY_PATH=" + dir}, program); got != shown(t, "rust") {
		t.Errorf("%s", got)
	}
}

// plugin builds the plug-in of clang.
func plugin(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plugin.so")
	flags := strings.Fields(run(t, "clang", nil, "llvm-config-14", "--cxxflags"))
	run(t, "clang", nil, append(append([]string{"clang++-14", "-fPIC", "-shared", "-fno-rtti"}, flags...), "plugin.cpp", "-o", path)...)
	return path
}

func TestClang(t *testing.T) {
	path := built(t, "clang++-14", "clang-14", "llvm-config-14")
	out := run(t, "clang", []string{"RFACTOR_LIBRARY=" + path}, "clang-14", "-O2", "-g", "-fpass-plugin="+plugin(t),
		"-Rpass-analysis=rfactor", "-Rpass-missed=rfactor", "-c", "sum.c", "-o", os.DevNull)
	got := ""
	for line := range strings.Lines(out) {
		if strings.Contains(line, "remark:") {
			got += line
		}
	}
	if got != shown(t, "clang") {
		t.Errorf("%s", got)
	}
}

// TestRewrite compiles loops with the rewriting of the plug-in and without it, and compares what they compute.
func TestRewrite(t *testing.T) {
	path := built(t, "clang++-14", "clang-14", "llvm-config-14")
	const kernels = "../../bench/llvm/testdata/kernels.c"
	source, err := os.ReadFile(kernels)
	if err != nil {
		t.Fatal(err)
	}
	dir, plain := t.TempDir(), []string{"clang-14", "-O2", "-w", "-g", "-fPIC", "-shared", kernels, "-o"}
	args := []string{}
	for _, m := range regexp.MustCompile(`(?m)^(?:INT|UNS)\((\w+),`).FindAllStringSubmatch(string(source), -1) {
		if m[1] != "i_gather" { // whose elements are indices
			args = append(args, m[1])
		}
	}
	run(t, "clang", nil, "clang-14", "run.c", "-ldl", "-o", filepath.Join(dir, "run"))
	run(t, "clang", nil, append(plain, filepath.Join(dir, "serial.so"))...)
	remarks := run(t, "clang", []string{"RFACTOR_LIBRARY=" + path, "RFACTOR_REWRITE=1"}, append(plain, filepath.Join(dir, "steps.so"), "-fpass-plugin="+plugin(t), "-Rpass-analysis=rfactor")...)
	if n := strings.Count(remarks, "8 steps at once"); n < 9 {
		t.Errorf("only %d loops are rewritten", n)
	}
	serial := strings.Split(run(t, "clang", nil, append([]string{filepath.Join(dir, "run"), filepath.Join(dir, "serial.so")}, args...)...), "\n")
	steps := strings.Split(run(t, "clang", nil, append([]string{filepath.Join(dir, "run"), filepath.Join(dir, "steps.so")}, args...)...), "\n")
	if len(serial) != 101*len(args)+1 || len(serial) != len(steps) {
		t.Fatalf("%d results, and %d", len(serial), len(steps))
	}
	for i, want := range serial {
		if steps[i] != want {
			t.Errorf("%s, but rewritten it is %s", want, steps[i])
		}
	}
}
