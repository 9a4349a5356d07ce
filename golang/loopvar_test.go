package golang

import (
	"path/filepath"
	"strings"
	"testing"
)

// Before go1.22 a struct that is ranged over is read where no other step can see the variable.
func TestLoopVariables(t *testing.T) {
	const point = "package p\n\ntype point struct{ x, y int }\n\nfunc (p *point) at() *int { return &p.x }\n\ntype box struct{ parts [4]int }\n\n"
	for _, c := range []struct{ name, code, want string }{
		{"its own", "func f(a []point) (s int) { for _, v := range a { s += v.x * v.y }; return s }", "y0 = v.x*v.y"},
		{"a slice of it", "func f(a [][]int) (s int) { for _, v := range a { s += len(v[1:]) }; return s }", "sum"},
		{"the first one kept", "func f(n int) (s int) { var p *int; for i := 0; i < n; i++ { if p == nil { p = &i }; s += *p }; return s }", ""},
		{"a part kept", "func f(a []point) (s int) { p := new(int); for _, v := range a { s += *p; p = &v.x }; return s }", ""},
		{"kept by a method", "func f(a []point) (s int) { p := new(int); for _, v := range a { s += *p; p = v.at() }; return s }", ""},
		{"kept by a method value", "func f(a []point) (s int) { p := point.at1; for _, v := range a { s += *p(&v) }; return s }\nfunc (p point) at1(q *point) *int { return &q.x }", ""},
		{"kept by a slice", "func f(a []box) (s int) { var p []int; for _, v := range a { if p == nil { p = v.parts[:] }; s += p[0] }; return s }", ""},
		{"captured", "func f(a []point) (s int) { var g func() int; for _, v := range a { if g == nil { g = func() int { return v.x } }; s += g() }; return s }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			code := strings.ReplaceAll(c.code, "point.at1", "point{}.at1")
			writeChanges(t, []Change{{File: filepath.Join(dir, "go.mod"), After: []byte("module p\n\ngo 1.21\n")}, {File: filepath.Join(dir, "p.go"), After: []byte(point + code + "\n")}})
			for _, f := range inspectFolder(t, dir) {
				hasAnswer := f.Verdict == Reduction || f.Verdict == Lift
				if hasAnswer != (c.want != "") || hasAnswer && !strings.Contains(f.Message(), c.want) {
					t.Errorf("got %s: %s, want %q", f.Verdict, f.Message(), c.want)
				}
			}
			packages, _, err := Load(t.Context(), dir, false, ".")
			if err != nil {
				t.Fatal(err)
			}
			p := packages[0]
			if got := sharesLoopVariable(p.Files[0], p.Info); got != (c.want == "") {
				t.Errorf("a variable is shared: %v", got)
			}
		})
	}
}
