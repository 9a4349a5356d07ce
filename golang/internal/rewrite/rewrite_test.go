package rewrite

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
	"github.com/rfactor-go/rfactor/golang/internal/read"
	"github.com/rfactor-go/rfactor/golang/internal/ssatest"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// rewritten returns what replaces the loop of the function f, or why nothing does.
func rewritten(t *testing.T, code string) (*Rewrite, error) {
	t.Helper()
	p := ssatest.Build(t, code)
	purity := read.NewStrictPurity(nil, p.Sizes)
	pkg := &Package{Fset: p.Fset, Types: p.Pkg, Info: p.Info, Sizes: p.Sizes, Pure: purity.Has, Ends: purity.Ends, Panics: purity.Panics, Words: purity.Words,
		Read: func(name string) ([]byte, error) { return []byte(p.Text), nil }, Par: "example.org/m/internal/par"}
	for _, in := range loops.Of(p.Func("f")) {
		if !in.Innermost {
			continue
		}
		l := read.Of(in, p.Sizes, purity, false)
		if l.Update == nil {
			t.Fatalf("is not read: %v", l.Obstacles)
		}
		a, err := rfactor.Match(context.Background(), l.Update, rfactor.Options{Allowed: ir.Reassoc})
		if err != nil {
			t.Fatal(err)
		}
		return pkg.Of(&Loop{Loop: l.Loop, File: p.File, States: l.States, Parts: l.Parts, Cells: len(l.Cells) > 0, Stores: l.Stores, StoresState: l.StoresState,
			Compacts: l.Compacts, Scatters: l.Scatters, Rereads: l.Rereads, Counted: l.Exit == read.Counted, OverMap: l.OverMap, Floats: l.Floats,
			Search: l.Search, Histogram: l.Histogram, Assumes: a.Assumes.Names(), Answer: a, Title: "sum"})
	}
	t.Fatal("f has no loop")
	return nil, nil
}

// A loop becomes one call, in a file that imports package par.
func TestApply(t *testing.T) {
	r, err := rewritten(t, `func f(a []int) int {
	s := 0
	for _, v := range a { // adds
		s += v
	}
	return s
}
`)
	if err != nil {
		t.Fatal(err)
	}
	source, edited, err := Apply([]*Rewrite{r})
	if err != nil {
		t.Fatal(err)
	}
	if r.Function() != "Reduce" || r.ParPath() != "example.org/m/internal/par" {
		t.Errorf("calls %s of %s", r.Function(), r.ParPath())
	}
	if diff := cmp.Diff(applied, string(edited)); diff != "" {
		t.Errorf("the edited file (-want +got):\n%s", diff)
	}
	if strings.Contains(string(source), "par.") {
		t.Error("the source is changed")
	}
}

const applied = `package p

import "example.org/m/internal/par"

func f(a []int) int {
	s := 0
	if n := len(a); n < 1<<19 {
		for _, v := range a { // adds
			s += v
		}
	} else {
		s = fParallel(a, s, n)
	}
	return s
}

// fParallel is the loop in f where it is long: sum.
func fParallel(a []int, s, n int) int {
	return par.Reduce(n, 1<<18, s, 0, func(lo, hi int, s int) int {
		for _, v := range a[lo:hi] { // adds
			s += v
		}
		return s
	}, func(x, y int) int { return x + y })
}
`

// A loop of which somebody could tell the difference is refused, with the reason.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"no operator", "func f(a []int) (s int) { for _, v := range a { s = s*s - v }; return s }", "there is no operator"},
		{"floats round", "func f(a []float64) (s float64) { for _, v := range a { s += v }; return s }", "the answer assumes reassoc"},
		{"panics by the state", "func f(a []int) (s int) { for _, v := range a { s += v; _ = a[s] }; return s }", "the state decides whether a step panics (bounds)"},
		{"a call that may not end", "func g(x int) int { for x != 1 { x *= 3 }; return x }\nfunc f(a []int) (s int) { for _, v := range a { s += g(v) }; return s }", "calls g, which is not known to end"},
		{"state in memory", "func f(a []int, p *int) { for _, v := range a { *p += v } }", "the state is a variable in memory"},
		{"ends by the state", "func f(a []int) (s int) { for _, v := range a { if s > 9 { break }; s += v }; return s }", "the state, decides where the loop ends"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := rewritten(t, c.code)
			if err == nil {
				t.Fatalf("is replaced by %s", r.Replacement())
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("refused: %v, want %q", err, c.want)
			}
		})
	}
}

// Edits are made from the beginning of a source to its end, in whatever order they are listed.
func TestEdits(t *testing.T) {
	got := apply([]byte("abcdef"), []Edit{{4, 6, "Z"}, {0, 1, ""}, {2, 2, "-"}})
	if string(got) != "b-cdZ" {
		t.Errorf("got %q", got)
	}
}

// An import is removed where only what was replaced used it.
func TestUnusedImports(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"used still", "package p\nimport \"math\"\nvar a, b = math.Pi, math.E\n", "package p\nimport \"math\"\nvar a, b = math.Pi, 1\n", "package p\nimport \"math\"\nvar a, b = math.Pi, 1\n"},
		{"alone", "package p\nimport \"math\"\nvar a = math.Pi\n", "package p\nimport \"math\"\nvar a = 1\n", "package p\nvar a = 1\n"},
		{"one of two", "package p\nimport (\n\t\"math\"\n\t\"os\"\n)\nvar a, b = math.Pi, os.Args\n", "package p\nimport (\n\t\"math\"\n\t\"os\"\n)\nvar a, b = 1, os.Args\n", "package p\nimport (\n\t\"os\"\n)\nvar a, b = 1, os.Args\n"},
		{"under another name", "package p\nimport m \"math\"\nvar a = m.Pi\n", "package p\nimport m \"math\"\nvar a = 1\n", "package p\nvar a = 1\n"},
		{"for its effects", "package p\nimport _ \"math\"\nvar a = 2\n", "package p\nimport _ \"math\"\nvar a = 1\n", "package p\nimport _ \"math\"\nvar a = 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			edits, err := unusedImports([]byte(c.before), []byte(c.after))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(apply([]byte(c.after), edits))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
