// Package ssatest builds small packages in SSA form, for tests.
package ssatest

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// Package is a package of one file.
type Package struct {
	*ssa.Package
	Fset  *token.FileSet
	File  *ast.File
	Info  *types.Info
	Sizes types.Sizes
	Text  string // of the file, whose name is p.go
}

// Build returns a package of the file with these declarations. It has no imports.
func Build(t testing.TB, declarations string) *Package {
	t.Helper()
	p := &Package{Fset: token.NewFileSet(), Sizes: types.SizesFor("gc", "amd64"), Text: "package p\n\n" + declarations}
	var err error
	if p.File, err = parser.ParseFile(p.Fset, "p.go", p.Text, parser.ParseComments); err != nil {
		t.Fatal(err)
	}
	conf := &types.Config{Importer: importer.Default(), Sizes: p.Sizes}
	mode := ssa.SanityCheckFunctions | ssa.GlobalDebug
	if p.Package, p.Info, err = ssautil.BuildPackage(conf, p.Fset, types.NewPackage("p", "p"), []*ast.File{p.File}, mode); err != nil {
		t.Fatal(err)
	}
	return p
}
