package golang

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/rfactor-go/rfactor/golang/internal/rewrite"
)

// SettleFixes type-checks packages as they would be with the fixes of findings, refuses those that do not compile, and returns the
// changes of the others, as Fixes does. Nothing is built: packages that were imported are known already.
func SettleFixes(ctx context.Context, dir string, findings []*Finding, tests bool) ([]Change, error) {
	for {
		changes, err := Fixes(findings, tests)
		if err != nil || len(changes) == 0 {
			return nil, err
		}
		problems, err := checkChanges(ctx, dir, findings, changes)
		if err != nil {
			return nil, err
		}
		if len(problems) == 0 {
			return changes, nil
		}
		for _, f := range findings {
			if f.fix != nil && problems[f.fix.File] != nil {
				f.refuseFix(problems[f.fix.File])
			}
		}
	}
}

// checkChanges type-checks the packages whose files change, and returns the first error in each file. An error in another file of a
// package counts for all that change.
func checkChanges(ctx context.Context, dir string, findings []*Finding, changes []Change) (problems map[string]error, err error) {
	after := map[string][]byte{}
	for _, c := range changes {
		after[c.File] = c.After
	}
	problems = map[string]error{}
	done := map[*Package]bool{}
	for _, f := range findings {
		if f.fix == nil || done[f.home] {
			continue
		}
		done[f.home] = true
		found, err := f.home.checkWith(ctx, dir, f.fix.ParPath(), after)
		if err != nil {
			return nil, err
		}
		for name, err := range found {
			problems[name] = err
		}
	}
	return problems, nil
}

// checkWith type-checks a package with other texts of some of its files.
func (p *Package) checkWith(ctx context.Context, dir, par string, after map[string][]byte) (problems map[string]error, err error) {
	var files []*ast.File
	var changed []string
	problems = map[string]error{}
	for _, old := range p.Files {
		name := p.Fset.PositionFor(old.Package, false).Filename
		text, ok := after[name]
		if !ok {
			files = append(files, old)
			continue
		}
		f, err := parser.ParseFile(p.Fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			problems[name] = err
			return problems, nil
		}
		files, changed = append(files, f), append(changed, name)
	}
	known := importer{ctx: ctx, dir: dir, known: map[string]*types.Package{"unsafe": types.Unsafe}}
	known.add(p.Types)
	delete(known.known, p.Types.Path())
	if known.known[par] == nil && strings.HasSuffix(par, "/internal/par") { // as it will be
		known.known[par] = stubOfPar(par)
	}
	config := types.Config{GoVersion: p.Types.GoVersion(), Sizes: p.Sizes, Importer: &known, Error: func(err error) {
		name := ""
		if e, ok := err.(types.Error); ok {
			name = e.Fset.PositionFor(e.Pos, false).Filename
		}
		if after[name] != nil && problems[name] == nil {
			problems[name] = err
		}
		for _, other := range changed {
			if after[name] == nil && problems[other] == nil {
				problems[other] = err
			}
		}
	}}
	config.Check(p.Types.Path(), p.Fset, files, nil)
	if known.err != nil {
		return nil, known.err
	}
	for _, name := range changed {
		words := []string{"par", "math"}
		for _, f := range files {
			if p.Fset.PositionFor(f.Package, false).Filename == name {
				words = append(words, rewrite.OwnNames(f)...)
			}
		}
		if word := declaredByTest(name, p.Types.Name(), words); word != "" && problems[name] == nil {
			problems[name] = fmt.Errorf("a test of the package declares %s", word)
		}
	}
	return problems, nil
}

// importer knows the packages that a package imports, and loads others.
type importer struct {
	ctx   context.Context
	dir   string
	known map[string]*types.Package
	err   error
}

func (i *importer) add(p *types.Package) {
	if i.known[p.Path()] != nil {
		return
	}
	i.known[p.Path()] = p
	for _, q := range p.Imports() {
		i.add(q)
	}
}

func (i *importer) Import(path string) (*types.Package, error) {
	if p := i.known[path]; p != nil {
		return p, nil
	}
	loaded, err := packages.Load(&packages.Config{Context: i.ctx, Dir: i.dir, Mode: packages.NeedName | packages.NeedTypes}, path)
	if err != nil {
		i.err = err
		return nil, err
	}
	if len(loaded) != 1 || len(loaded[0].Errors) > 0 {
		return nil, fmt.Errorf("package %s cannot be loaded", path)
	}
	i.known[path] = loaded[0].Types
	return loaded[0].Types, nil
}

// stubOfPar declares what fixes call: package par before it is written.
func stubOfPar(path string) *types.Package {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "par.go", parText, 0)
	if err != nil {
		panic("internal: package par does not parse")
	}
	f.Imports = nil
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		function, ok := d.(*ast.FuncDecl)
		return !ok || !function.Name.IsExported()
	})
	p, err := (&types.Config{IgnoreFuncBodies: true}).Check(path, fset, []*ast.File{f}, nil)
	if err != nil {
		panic("internal: " + err.Error())
	}
	return p
}

// declaredByTest returns one of some names that a test beside a file declares in the same package; empty where none does.
func declaredByTest(file, pkg string, words []string) string {
	tests, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*_test.go"))
	for _, name := range tests {
		text, err := os.ReadFile(name)
		if err != nil || strings.HasPrefix(string(text), rewrite.TestHeader) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil || f.Name.Name != pkg || f.Scope == nil {
			continue
		}
		for _, word := range words {
			if f.Scope.Lookup(word) != nil {
				return word
			}
		}
	}
	return ""
}
