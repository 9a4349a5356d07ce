package golang

import (
	"flag"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/rfactor-go/rfactor/internal/suite"
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

// fixFiles are the files of testdata/fix.
var fixFiles = []string{"loops.go", "searches.go", "reductions.go", "counters.go"}

// TestFixDecisions compares which loops can be replaced with the comments on their lines.
func TestFixDecisions(t *testing.T) {
	lines := map[string][]string{}
	for _, name := range fixFiles {
		lines[name] = strings.Split(readFile(t, filepath.Join("testdata/fix", name)), "\n")
	}
	for _, f := range inspectFolder(t, "testdata/fix") {
		lines := lines[filepath.Base(f.Pos.Filename)]
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
	for name, lines := range lines {
		for i, line := range lines {
			if strings.Contains(line, "// fixed") || strings.Contains(line, "// refused: ") {
				t.Errorf("%s:%d: this loop was not seen", name, i+1)
			}
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

// races is how tests of fixed code run: CI has the race detector, and all of go vet, which takes a standard library built for it.
var races = suite.More([]string{"test", "-vet=off"}, []string{"test", "-race", "-vet=all"})

// TestFixes replaces loops in a copy of a package. The files are those that are expected, nothing is left to do, go vet has no
// complaint, and the tests beside the functions pass, in CI under the race detector, and with blocks of the full length as well.
func TestFixes(t *testing.T) {
	dir := t.TempDir()
	files, fixed := map[string]string{"go.mod": "module fix\n\ngo 1.24\n"}, 0
	for _, name := range fixFiles {
		source := readFile(t, filepath.Join("testdata/fix", name))
		fixed += strings.Count(source, "// fixed\n")
		files[name], files["before/"+name] = source, source
	}
	files["same/same_test.go"] = readFile(t, "testdata/fix/same/same_test.go")
	for name, text := range files {
		writeChanges(t, []Change{{File: filepath.Join(dir, name), After: []byte(text)}})
	}
	if n := fixFolder(t, dir); n != fixed {
		t.Errorf("%d loops were replaced", n)
	}
	goldens := map[string]string{"rfactor_dot_gen_test.go": "dot_test.go.golden"}
	for _, name := range fixFiles {
		goldens[name] = name + ".golden"
	}
	for name, golden := range goldens {
		got, path := readFile(t, filepath.Join(dir, name)), filepath.Join("testdata/fix", golden)
		if *update {
			writeChanges(t, []Change{{File: path, After: []byte(got)}})
		}
		if want := readFile(t, path); got != want {
			t.Errorf("%s is not %s; go test -run TestFixes -update writes it anew:\n%s", name, path, got)
		}
	}
	if n := fixFolder(t, dir); n != 0 {
		t.Errorf("%d loops were replaced when it was done again", n)
	}
	if out, err := exec.Command("gofmt", "-l", dir).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("gofmt: %v %s", err, out)
	}
	if suite.More(false, true) {
		runIn(t, dir, "go", append(races, ".")...)
	}
	for _, name := range fixFiles {
		name = filepath.Join(dir, name)
		writeChanges(t, []Change{{File: name, After: []byte(shorten(readFile(t, name)))}})
	}
	runIn(t, dir, "go", append(races, ".", "./same")...)
}

// shorten makes blocks of a fix shorter by 2^10, so that loops of few steps run in blocks.
func shorten(source string) string {
	return regexp.MustCompile(`1<<1\d|1<<2\d`).ReplaceAllStringFunc(source, func(power string) string {
		n, _ := strconv.Atoi(power[3:])
		return fmt.Sprintf("1<<%d", n-10)
	})
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSuggestedFixes applies the edits that an editor is offered for each file, all at once, and type-checks the result.
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
	var changes []Change
	for _, syntax := range packages[0].Files {
		changes = append(changes, suggestedIn(t, packages[0].Fset.File(syntax.Pos()), findings))
	}
	problems, err := checkChanges(t.Context(), "testdata/fix", findings, changes)
	if err != nil || len(problems) > 0 {
		t.Error(err, problems)
	}
}

// suggestedIn applies what is suggested for a file.
func suggestedIn(t *testing.T, file *token.File, findings []*Finding) Change {
	t.Helper()
	source, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	var edits []analysis.TextEdit
	for _, f := range findings {
		if f.Pos.Filename != file.Name() {
			continue
		}
		for _, fix := range suggested(f) {
			edits = append(edits, fix.TextEdits...)
		}
	}
	if len(edits) < 10 {
		t.Errorf("%s: %d edits", file.Name(), len(edits))
	}
	slices.SortStableFunc(edits, func(a, b analysis.TextEdit) int { return int(b.Pos - a.Pos) })
	seen, last := map[string]bool{}, file.Pos(file.Size())
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
	return Change{File: file.Name(), After: source}
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
