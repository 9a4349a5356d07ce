package golang

import (
	"go/token"
	"os/exec"
	"regexp"
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
		if !ok {
			t.Errorf("%s: nothing was wanted: %s", f.Pos, f.Message())
		}
		delete(want, at)
		got := strings.TrimSpace(string(f.Verdict)+" "+f.Exit) + " | " + f.Message()
		for _, w := range words {
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
		if f.Outer {
			outer++
		}
	}
	if sum.Carried != len(findings)-outer+1 || sum.Outer != outer { // one is ignored
		t.Errorf("%d loops carry values, %d around others, and %d were found, %d around others", sum.Carried, sum.Outer, len(findings), outer)
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
