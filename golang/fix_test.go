package golang

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

var update = flag.Bool("update", false, "write the expected files of testdata/fix anew")

// inspectFolder returns the findings of the package in a folder.
func inspectFolder(t *testing.T, folder string) []*Finding {
	t.Helper()
	packages, problems, err := Load(t.Context(), folder, false, ".")
	if err != nil || len(problems) > 0 || len(packages) != 1 {
		t.Fatal(err, problems, len(packages))
	}
	var in Inspector
	findings, _, err := in.Inspect(t.Context(), packages[0])
	if err != nil {
		t.Fatal(err)
	}
	return findings
}

// TestFixDecisions compares which loops can be replaced with the comments on their lines.
func TestFixDecisions(t *testing.T) {
	source, err := os.ReadFile("testdata/fix/loops.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(source), "\n")
	for _, f := range inspectFolder(t, "testdata/fix") {
		_, want, _ := strings.Cut(lines[f.Pos.Line-1], "// ")
		words, isRefused := strings.CutPrefix(want, "refused: ")
		switch {
		case want == "":
			if f.Fix != "" {
				t.Errorf("%s: nothing is said of this loop: %s", f.Pos, f.Fix)
			}
		case want == "fixed" && f.fix == nil || isRefused && (f.fix != nil || !strings.Contains(f.Fix, words)):
			t.Errorf("%s: want %q, got %q (%s)", f.Pos, want, f.Fix, f.Message())
		}
		lines[f.Pos.Line-1] = ""
	}
	for i, line := range lines {
		if strings.Contains(line, "// fixed") || strings.Contains(line, "// refused: ") {
			t.Errorf("loops.go:%d: this loop was not seen", i+1)
		}
	}
}

func writeChanges(t *testing.T, changes []Change) {
	t.Helper()
	for _, c := range changes {
		if err := os.MkdirAll(filepath.Dir(c.File), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(c.File, c.After, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// fixFolder replaces the loops of the package in a folder, and returns how many.
func fixFolder(t *testing.T, folder string) (n int) {
	t.Helper()
	findings := inspectFolder(t, folder)
	changes, err := SettleFixes(t.Context(), folder, findings, true)
	if err != nil {
		t.Fatal(err)
	}
	writeChanges(t, changes)
	for _, f := range findings {
		if f.HasFix() {
			n++
		}
	}
	return n
}

func runIn(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// TestFixes replaces loops in a copy of a package. The files are those that are expected, nothing is left to do, go vet has no
// complaint, and the tests beside the functions pass under the race detector.
func TestFixes(t *testing.T) {
	dir := t.TempDir()
	source, err := os.ReadFile("testdata/fix/loops.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"go.mod": []byte("module fix\n\ngo 1.24\n"), "loops.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if n := fixFolder(t, dir); n != strings.Count(string(source), "// fixed\n") {
		t.Errorf("%d loops were replaced", n)
	}
	for name, golden := range map[string]string{"loops.go": "loops.go.golden", "rfactor_dot_gen_test.go": "dot_test.go.golden"} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata/fix", golden)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s is not %s; go test -run TestFixes -update writes it anew:\n%s", name, path, got)
		}
	}
	if n := fixFolder(t, dir); n != 0 {
		t.Errorf("%d loops were replaced when it was done again", n)
	}
	if out, err := exec.Command("gofmt", "-l", dir).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("gofmt: %v %s", err, out)
	}
	runIn(t, dir, "go", "test", "-race", "-vet=all", "./...")
}

// TestSuggestedFixes applies the edits that an editor is offered for a file, all at once, and loads the result.
func TestSuggestedFixes(t *testing.T) {
	packages, _, err := Load(t.Context(), "testdata/fix", false, ".")
	if err != nil {
		t.Fatal(err)
	}
	in := Inspector{Par: "github.com/rfactor-go/rfactor/golang/par"}
	findings, _, err := in.Inspect(t.Context(), packages[0])
	if err != nil {
		t.Fatal(err)
	}
	file := packages[0].Fset.File(packages[0].Files[0].Pos())
	source, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	var edits []analysis.TextEdit
	for _, f := range findings {
		for _, fix := range suggested(f) {
			edits = append(edits, fix.TextEdits...)
		}
	}
	slices.SortStableFunc(edits, func(a, b analysis.TextEdit) int { return int(b.Pos - a.Pos) })
	seen, last := map[string]bool{}, packages[0].Files[0].FileEnd
	for _, e := range edits {
		if seen[string(e.NewText)] && e.Pos == e.End {
			continue
		}
		if e.End > last {
			t.Fatalf("edits overlap at %s", file.Position(e.Pos))
		}
		seen[string(e.NewText)], last = true, e.Pos
		source = slices.Concat(source[:file.Offset(e.Pos)], e.NewText, source[file.Offset(e.End):])
	}
	problems, err := checkChanges(t.Context(), "testdata/fix", findings, []Change{{File: file.Name(), After: source}})
	if err != nil || len(problems) > 0 || len(edits) < 20 {
		t.Error(err, problems, len(edits))
	}
}

// TestFixOfOthers has no fix for a package of the standard library.
func TestFixOfOthers(t *testing.T) {
	packages, _, err := Load(t.Context(), ".", false, "hash/adler32", "sort", "math/big")
	if err != nil {
		t.Fatal(err)
	}
	var in Inspector
	n := 0
	for _, p := range packages {
		findings, _, err := in.Inspect(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			if f.Fix != "" {
				n++
				if f.Fix != "refused: the package is of another module" {
					t.Errorf("%s: %s", f.Pos, f.Fix)
				}
			}
		}
	}
	if n == 0 {
		t.Error("no loop has an answer")
	}
}
