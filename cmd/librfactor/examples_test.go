package main

import (
	"os"
	"os/exec"
	"path/filepath"
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

func TestClang(t *testing.T) {
	path := built(t, "clang++-14", "clang-14", "llvm-config-14")
	plugin := filepath.Join(t.TempDir(), "plugin.so")
	flags := strings.Fields(run(t, "clang", nil, "llvm-config-14", "--cxxflags"))
	run(t, "clang", nil, append(append([]string{"clang++-14", "-fPIC", "-shared", "-fno-rtti"}, flags...), "plugin.cpp", "-o", plugin)...)
	out := run(t, "clang", []string{"RFACTOR_LIBRARY=" + path}, "clang-14", "-O2", "-g", "-fpass-plugin="+plugin,
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
