package golang

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/rfactor-go/rfactor/golang/internal/read"
	"github.com/rfactor-go/rfactor/golang/internal/rewrite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// fixer finds how the loops of a package can be replaced.
type fixer struct {
	p   *Package
	pkg *rewrite.Package
}

func newFixer(p *Package) *fixer {
	purity := read.NewStrictPurity(p.Sizes)
	source := p.Read
	if source == nil {
		source = os.ReadFile
	}
	known := map[string][]byte{}
	return &fixer{p, &rewrite.Package{Fset: p.Fset, Types: p.Types, Info: p.Info, Sizes: p.Sizes, Pure: purity.Has,
		Read: func(name string) ([]byte, error) {
			if text, ok := known[name]; ok {
				return text, nil
			}
			text, err := source(name)
			known[name] = text
			return text, err
		},
		Taken: func(name string) bool {
			_, err := os.Lstat(name)
			return !os.IsNotExist(err)
		}}}
}

// fix notes how the loop of a finding can be replaced, or why it cannot.
func (x *fixer) fix(f *Finding, l *read.Loop, a *rfactor.Answer, granted ir.Assume) {
	if x.p.foreign {
		f.Fix = "refused: the package is of another module"
		return
	}
	if slices.ContainsFunc(l.Parts, func(p read.Part) bool { return p != read.All }) {
		f.Fix = "refused: the state is complex"
		return
	}
	var file *ast.File
	for _, candidate := range x.p.Files {
		if candidate.FileStart <= l.Pos() && l.Pos() < candidate.FileEnd {
			file = candidate
		}
	}
	r, err := x.pkg.Of(&rewrite.Loop{Loop: l.Loop, File: file, States: l.States, Cells: len(l.Cells) > 0, Stores: l.Stores, Counted: l.Exit == read.Counted,
		OverMap: l.OverMap, Floats: l.Floats, Assumes: f.Assumes, Granted: granted, Answer: a, Title: f.title()})
	if err != nil {
		f.Fix = "refused: " + err.Error()
		return
	}
	f.Fix, f.fix = r.Name, r
}

// Change is a file that a fix writes.
type Change struct {
	File   string
	Before []byte // nil of a new file
	After  []byte
}

// Fixes returns the changes that replace all loops of findings for which there is a fix: the files with the loops, and for
// each loop one with the function and one with its test. Files that were there are changed only where the loops are, and where
// they import what nothing else uses.
func Fixes(findings []*Finding) (list []Change, err error) {
	byFile := map[string][]*rewrite.Rewrite{}
	var files []string
	for _, f := range findings {
		if f.fix == nil {
			continue
		}
		if byFile[f.fix.File] == nil {
			files = append(files, f.fix.File)
		}
		byFile[f.fix.File] = append(byFile[f.fix.File], f.fix)
	}
	for _, name := range files {
		before, after, err := rewrite.Apply(byFile[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, Change{name, before, after})
		for _, r := range byFile[name] {
			code, err := r.Generated()
			if err != nil {
				return nil, fmt.Errorf("%s: internal: %w", r.GeneratedFile(), err)
			}
			list = append(list, Change{File: r.GeneratedFile(), After: code})
			test, err := r.Test()
			if err != nil {
				return nil, fmt.Errorf("%s: internal: %w", r.TestFile(), err)
			}
			if test != nil {
				list = append(list, Change{File: r.TestFile(), After: test})
			}
		}
	}
	return list, nil
}

// SettleFixes type-checks packages as they would be with the fixes of findings, refuses those that do not compile, and returns the
// changes of the others, as Fixes does.
func SettleFixes(ctx context.Context, dir string, findings []*Finding) ([]Change, error) {
	for {
		changes, err := Fixes(findings)
		if err != nil || len(changes) == 0 {
			return nil, err
		}
		problems, err := checkChanges(ctx, dir, changes)
		if err != nil {
			return nil, err
		}
		if len(problems) == 0 {
			return changes, nil
		}
		refused := false
		for _, f := range findings { // first those in whose own files there are errors
			if f.fix != nil {
				if err := cmp.Or(problems[f.fix.GeneratedFile()], problems[f.fix.TestFile()]); err != nil {
					f.refuseFix(err)
					refused = true
				}
			}
		}
		for name, err := range problems {
			for _, f := range findings {
				if !refused && f.fix != nil && filepath.Dir(f.fix.File) == filepath.Dir(name) {
					f.refuseFix(err)
				}
			}
		}
	}
}

// checkChanges loads the packages of changed files with their tests as they would be, and returns the first error in each
// file.
func checkChanges(ctx context.Context, dir string, changes []Change) (problems map[string]error, err error) {
	overlay := map[string][]byte{}
	var patterns []string
	for _, c := range changes {
		overlay[c.File] = c.After
		if folder := filepath.Dir(c.File); !slices.Contains(patterns, folder) {
			patterns = append(patterns, folder)
		}
	}
	loaded, err := packages.Load(&packages.Config{Context: ctx, Dir: dir, Tests: true, Overlay: overlay, Mode: packages.LoadSyntax}, patterns...)
	if err != nil {
		return nil, err
	}
	problems, seen := map[string]error{}, map[string]bool{}
	for _, p := range loaded {
		for _, f := range p.CompiledGoFiles {
			seen[f] = true
		}
		for _, e := range p.Errors {
			if file, _, _ := strings.Cut(e.Pos, ":"); overlay[file] != nil && problems[file] == nil {
				problems[file] = e
			}
		}
	}
	for _, c := range changes {
		if !seen[c.File] && problems[c.File] == nil {
			problems[c.File] = fmt.Errorf("%s would not be built", c.File)
		}
	}
	return problems, nil
}

// HasFix reports whether the loop can be replaced.
func (f *Finding) HasFix() bool { return f.fix != nil }

// refuseFix takes the fix of a finding back.
func (f *Finding) refuseFix(why error) { f.fix, f.Fix = nil, "refused: "+why.Error() }
