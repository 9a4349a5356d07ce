package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The list names each command once, in one line, and each says what it measures where it is asked.
func TestCommands(t *testing.T) {
	var listed strings.Builder
	if code := doMain(t.Context(), nil, &listed, os.Stderr); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	seen := map[string]bool{}
	for _, g := range groups {
		for _, k := range g.commands {
			if seen[k.Name] || strings.Contains(k.About, "\n") || strings.HasSuffix(k.About, ".") || !strings.Contains(listed.String(), "\n  "+k.Name+" ") {
				t.Errorf("%s is listed wrongly: %q", k.Name, k.About)
			}
			seen[k.Name] = true
			var out, errs strings.Builder
			if code := k.Run(t.Context(), []string{"-h"}, &out, &errs); code != 0 || !strings.Contains(errs.String(), "usage: bench "+k.Name) || !strings.Contains(errs.String(), "-o TSV") {
				t.Errorf("bench %s -h: exit code %d\n%s", k.Name, code, errs.String())
			}
		}
	}
}

func TestUnknown(t *testing.T) {
	var out, errs strings.Builder
	if code := doMain(t.Context(), []string{"nothing"}, &out, &errs); code != 2 || !strings.Contains(errs.String(), `no command "nothing"`) {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
}

// Commands run in the root, wherever in the tree they are started, and nowhere else.
func TestRoot(t *testing.T) {
	t.Chdir("internal/command")
	if err := toRoot(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join("testdata", "corpus")); err != nil {
		t.Error(err)
	}
	t.Chdir(t.TempDir())
	if err := toRoot(); err == nil || !strings.Contains(err.Error(), "there is none of rfactor") {
		t.Errorf("outside of a tree: %v", err)
	}
}
