// Package golang finds the reductions in Go programs: it reads the innermost loops of a package in SSA form, asks package
// rfactor for the operator behind each, and reports it at the loop.
//
// Analyzer does so for drivers of golang.org/x/tools/go/analysis; Load and Inspect do so for a command of its own.
// docs/golang.md says what is read, what stops the reader, and what a report claims.
//
// A Finding is one loop: a reduction with its operator, a lift, or a refusal with the reason. A loop that was not read
// is a Finding with the obstacles that stopped the reader. Packages that do not compile are left out, and Load returns
// their errors.
package golang

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
	"github.com/rfactor-go/rfactor/golang/internal/read"
)

// Package is a package that was parsed and type-checked.
type Package struct {
	Fset  *token.FileSet
	Files []*ast.File
	Types *types.Package
	Info  *types.Info
	Sizes types.Sizes
	Read  func(name string) ([]byte, error) // reads a source file; nil for os.ReadFile

	mode    ssa.BuilderMode
	dir     string           // in which the package was named
	foreign bool             // of the standard library, or of a module that is only required
	module  *packages.Module // nil where it is not known

	imports   []*Package // those that were loaded with it
	facts     *read.Facts
	once      sync.Once
	mutex     sync.Mutex
	functions []*ssa.Function // until they were looked at
	err       error
}

// Load loads the packages that patterns name, as the go command does in a directory, with their syntax. A
// package with errors is left out, and its errors are returned.
func Load(ctx context.Context, dir string, tests bool, patterns ...string) (list []*Package, problems []error, err error) {
	return load(ctx, dir, tests, &read.Facts{}, patterns)
}

func load(ctx context.Context, dir string, tests bool, facts *read.Facts, patterns []string) (list []*Package, problems []error, err error) {
	loaded, err := packages.Load(&packages.Config{Context: ctx, Dir: dir, Tests: tests, Mode: packages.LoadSyntax | packages.NeedModule}, patterns...)
	if err != nil {
		return nil, nil, err
	}
	of := map[*packages.Package]*Package{}
	packages.Visit(loaded, nil, func(p *packages.Package) { // imports come first
		if len(p.Syntax) == 0 || len(p.Errors) > 0 || p.IllTyped {
			return
		}
		made := &Package{Fset: p.Fset, Files: p.Syntax, Types: p.Types, Info: p.TypesInfo, Sizes: p.TypesSizes, foreign: p.Module == nil || !p.Module.Main, module: p.Module, facts: facts}
		for _, imported := range p.Imports {
			if i := of[imported]; i != nil {
				made.imports = append(made.imports, i)
			}
		}
		of[p] = made
	})
	for _, p := range loaded {
		if len(p.Errors) > 0 || p.IllTyped {
			problems = append(problems, fmt.Errorf("%s is left out: %s", p.PkgPath, reasons(p)))
			continue
		}
		if made := of[p]; made != nil {
			list = append(list, made)
		}
	}
	return list, problems, nil
}

// reasons writes the first error of a package that has a position, and how many there are besides.
func reasons(p *packages.Package) string {
	if len(p.Errors) == 0 {
		return "a package that it imports has errors"
	}
	first, more := p.Errors[0], len(p.Errors)-1
	for _, e := range p.Errors { // the go command repeats what the compiler says, without a position
		if e.Kind != packages.ListError && first.Kind == packages.ListError {
			first, more = e, more-1
		}
	}
	text, _, _ := strings.Cut(first.Error(), "\n")
	if more > 0 {
		return fmt.Sprintf("%s (and %d more errors)", text, more)
	}
	return text
}

// build makes the SSA form of a package and records what is known of its functions, after those of its imports. It
// may be called by several goroutines.
func (p *Package) build() {
	p.once.Do(func() {
		for _, imported := range p.imports {
			imported.build()
		}
		if p.functions, p.err = functionsOf(p); p.err == nil && p.facts != nil {
			read.NewPurity(p.facts, p.Sizes).Record(p.functions)
		}
		p.imports = nil // they are not needed any more
	})
}

// readLoops reads the innermost loops of a package, and those outer ones that can be read, in the order of their positions. It
// counts all loops.
func readLoops(p *Package, notes directives) (list []*read.Loop, seen int, err error) {
	p.build()
	p.mutex.Lock()
	functions := p.functions
	p.functions = nil
	p.mutex.Unlock()
	if p.err != nil {
		return nil, 0, p.err
	}
	if functions == nil {
		if functions, err = functionsOf(p); err != nil { // it was looked at before
			return nil, 0, err
		}
	}
	purity := read.NewPurity(p.facts, p.Sizes)
	promised := func(pos token.Pos) bool { return notes.at(p.Fset.Position(pos)).pure }
	for _, f := range functions {
		for _, l := range read.OverFunctions(f, p.Info, p.Sizes, purity, promised) {
			if seen++; l.Innermost {
				list = append(list, l)
			}
		}
		for _, l := range loops.Of(f) {
			seen++
			if got := read.Of(l, p.Sizes, purity, promised(l.Pos())); l.Innermost || got.Update != nil {
				list = append(list, got)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *read.Loop) int { // files are parsed in any order, and have positions in that order
		x, y := p.Fset.Position(a.Pos()), p.Fset.Position(b.Pos())
		return cmp.Or(cmp.Compare(x.Filename, y.Filename), cmp.Compare(x.Offset, y.Offset))
	})
	return list, seen, nil
}

// functionsOf builds the functions of a package in SSA form, with function literals.
func functionsOf(p *Package) (list []*ssa.Function, err error) {
	defer func() {
		if r := recover(); r != nil { // the builder panics on code that it does not expect
			err = fmt.Errorf("%s is left out: its SSA form cannot be built: %v", p.Types.Path(), r)
		}
	}()
	program := ssa.NewProgram(p.Fset, p.mode)
	for _, imported := range p.Types.Imports() {
		program.CreatePackage(imported, nil, nil, true)
	}
	pkg := program.CreatePackage(p.Types, p.Files, newerLoops(p.Files, p.Info), false)
	pkg.Build()
	var add func(f *ssa.Function)
	add = func(f *ssa.Function) {
		list = append(list, f)
		for _, g := range f.AnonFuncs {
			add(g)
		}
	}
	for _, file := range p.Files {
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if object, ok := p.Info.Defs[d.Name].(*types.Func); ok {
				if f := program.FuncValue(object); f != nil {
					add(f)
				}
			}
		}
	}
	if f := pkg.Func("init"); f != nil { // function literals in variables
		for _, g := range f.AnonFuncs {
			add(g)
		}
	}
	return list, nil
}
