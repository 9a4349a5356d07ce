package emit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
)

// named lists the packages and helpers that a file of Go names, by its syntax tree, and the helpers that it declares.
func named(t *testing.T, text string) (packageNames, imported, called, declared gosrc.Uses) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	packageNames, imported, called, declared = gosrc.Uses{}, gosrc.Uses{}, gosrc.Uses{}, gosrc.Uses{}
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		p := gosrc.Packages[slices.IndexFunc(gosrc.Packages[:], func(p [2]string) bool { return p[1] == path })]
		imported[p[0]] = true
	}
	known := func(name string) bool {
		return slices.ContainsFunc(gosrc.Packages[:], func(p [2]string) bool { return p[0] == name })
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			declared[d.Name.Name] = d.Recv == nil
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					declared[v.Names[0].Name] = true
				} else if t, ok := s.(*ast.TypeSpec); ok {
					declared[t.Name.Name] = true
				}
			}
		}
	}
	maps.DeleteFunc(declared, func(name string, _ bool) bool { _, ok := gosrc.Helpers[name]; return !ok })
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Obj == nil && known(x.Name) {
				packageNames[x.Name] = true
			}
		case *ast.Ident:
			if _, ok := gosrc.Helpers[n.Name]; ok && (n.Obj == nil || n.Obj.Decl == nil || isGlobal(f, n.Obj)) {
				called[n.Name] = true
			}
		}
		return true
	})
	return packageNames, imported, called, declared
}

// isGlobal reports whether a name is one of the file's own.
//
//lint:ignore SA1019 scopes do for what is asked here, and types are not at hand of files that import simd
func isGlobal(f *ast.File, o *ast.Object) bool { return f.Scope.Lookup(o.Name) == o }

// checkNames checks that the names which were noted while a package was written are those that its files have: each file imports what it
// names, and the package declares the helpers that it calls, and no others.
func checkNames(t *testing.T, name string, files map[string][]byte) {
	t.Helper()
	called, declared := gosrc.Uses{}, gosrc.Uses{}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		in, imported, calls, declares := named(t, string(files[file]))
		if !maps.Equal(in, imported) {
			t.Errorf("%s, %s: imports %v, and names %v", name, file, slices.Sorted(maps.Keys(imported)), slices.Sorted(maps.Keys(in)))
		}
		for helper := range declares {
			if declared[helper] {
				t.Errorf("%s, %s: %s is declared twice", name, file, helper)
			}
			declared[helper] = true
			if !strings.Contains(string(files[file]), gosrc.Helpers[helper].Code) {
				t.Errorf("%s, %s: %s is another function", name, file, helper)
			}
		}
		maps.Copy(called, calls)
	}
	if !maps.Equal(called, declared) {
		t.Errorf("%s: helpers %v are declared, and %v called", name, slices.Sorted(maps.Keys(declared)), slices.Sorted(maps.Keys(called)))
	}
}

// Helpers say what they use.
func TestHelpersUse(t *testing.T) {
	table := maps.Clone(gosrc.Helpers)
	maps.Copy(table, comparers)
	for name, h := range table {
		packageNames, _, called, _ := named(t, "package p\n"+h.Code)
		delete(called, name)
		maps.Copy(packageNames, called)
		if got, want := slices.Sorted(maps.Keys(packageNames)), slices.Sorted(slices.Values(h.Uses)); !slices.Equal(got, want) {
			t.Errorf("%s uses %v, and says %v", name, got, want)
		}
	}
}
