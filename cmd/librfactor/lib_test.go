package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// TestLibrary builds the library and a program in C that uses it.
func TestLibrary(t *testing.T) {
	path := built(t, "cc")
	program := filepath.Join(t.TempDir(), "use")
	for _, command := range [][]string{
		{"cc", "-Wall", "-Werror", "-o", program, "testdata/use.c", path, "-lpthread", "-Wl,-rpath," + filepath.Dir(path)},
		{program},
	} {
		out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", command, err, out)
		}
		if command[0] == program && string(out) != "ok\n" {
			t.Errorf("%s", out)
		}
	}
}

// TestHeader compares the version in the header.
func TestHeader(t *testing.T) {
	header, err := os.ReadFile("rfactor.h")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`RFACTOR_ABI_VERSION (\d+)`).FindSubmatch(header)
	if m == nil || string(m[1]) != strconv.Itoa(abiVersion) {
		t.Errorf("the header is of version %s, and the library of %d", m[1], abiVersion)
	}
}
