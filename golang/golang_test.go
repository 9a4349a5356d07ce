package golang

import (
	"go/token"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const ownLoops = "testdata/loops"

// TestFindings compares what is said of the loops of testdata with the comments at them.
func TestFindings(t *testing.T) {
	packages, problems, err := Load(t.Context(), ownLoops, false, "./...")
	if err != nil || len(problems) > 0 || len(packages) != 1 {
		t.Fatal(err, problems)
	}
	p := packages[0]
	var in Inspector
	findings, sum, err := in.Inspect(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	want := wanted(p)
	for _, f := range findings {
		at := lineOf(f.Pos)
		words, ok := want[at]
		if !ok && f.Verdict != Search {
			t.Errorf("%s: nothing was wanted: %s", f.Pos, f.Message())
		}
		delete(want, at)
		got := strings.TrimSpace(string(f.Verdict)+" "+f.Exit) + " | " + f.Message()
		for _, w := range words {
			if not, ok := strings.CutPrefix(w, "without: "); ok {
				if strings.Contains(got, not) {
					t.Errorf("%s: %q is in: %s", f.Pos, not, got)
				}
				continue
			}
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q is not in: %s", f.Pos, w, got)
			}
		}
	}
	for at := range want {
		t.Errorf("%s:%d: nothing was found", at.Filename, at.Line)
	}
	outer := 0
	for _, f := range findings {
		if f.Outer || f.Verdict == Search {
			outer++
		}
	}
	if sum.Carried != len(findings)-outer+1 || sum.Outer != outer { // one is ignored
		t.Errorf("%d loops carry values, %d around others, and %d were found, %d around others", sum.Carried, sum.Outer, len(findings), outer)
	}
}

// TestStrict leaves no answer that needs noalias, and all others as they are.
func TestStrict(t *testing.T) {
	packages, _, err := Load(t.Context(), ownLoops, false, "./...")
	if err != nil {
		t.Fatal(err)
	}
	var all []*Finding
	for _, strict := range []bool{false, true} {
		in := Inspector{Strict: strict}
		findings, _, err := in.Inspect(t.Context(), packages[0])
		if err != nil {
			t.Fatal(err)
		}
		if !strict {
			all = findings
			continue
		}
		refused := 0
		for i, f := range findings {
			needs := slices.Contains(all[i].Assumes, "noalias")
			if needs {
				refused++
			}
			if want := all[i].Verdict; needs && f.Verdict != Refused || !needs && f.Verdict != want {
				t.Errorf("%s: %s, and without -strict %s under %v", f.Pos, f.Verdict, want, all[i].Assumes)
			}
		}
		if refused < 5 {
			t.Errorf("%d answers need noalias", refused)
		}
	}
}

// TestWords compares what is said of loops with what a reader of the source calls things.
func TestWords(t *testing.T) {
	for _, f := range inspectFolder(t, "testdata/words") {
		_, want, _ := strings.Cut(f.Source, "// ")
		got := strings.Join(f.State, ", ") + " by " + strings.Join(f.Inject, ", ")
		if f.Verdict == Search {
			got = "while " + f.Update[0]
		}
		if want != got {
			t.Errorf("%s: want %q, got %q", f.Pos, want, got)
		}
	}
}

// wanted reads the comments of a package.
func wanted(p *Package) map[token.Position][]string {
	found := map[token.Position][]string{}
	for _, file := range p.Files {
		for _, group := range file.Comments {
			for _, c := range group.List {
				if text, ok := strings.CutPrefix(c.Text, "// want: "); ok {
					found[lineOf(p.Fset.Position(c.Pos()))] = strings.Split(text, " | ")
				}
			}
		}
	}
	return found
}

// TestImports holds what other compilers import free of the packages that only this one needs.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "../rfactor/...", "../verify/...", "../lower/...", "../simd/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`(?m)^golang\.org/x/(tools|mod|sync).*$`).FindAllString(string(out), -1); found != nil {
		t.Errorf("the library depends on %v", found)
	}
}
