// Package tidy leaves out of emitted packages what nothing uses, and refuses what would not compile.
package tidy

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Files leaves the variables that nothing uses out of the files of a package, so that whoever writes a function need not know which of its names
// it takes. It is an error where some build of the package would not compile as far as its own names and types tell: what packages of the
// standard library have is not looked up. Spaces take the place of what is left out, so that all offsets stay.
func Files(files map[string]string) error {
	for _, build := range builds(files) {
		for {
			c := &checked{fset: token.NewFileSet(), info: types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}, unused: map[token.Pos]bool{}}
			if err := c.check(files, build); err != nil {
				return err
			}
			if len(c.unused) == 0 {
				break
			}
			for _, f := range c.files {
				name := c.fset.File(f.Pos()).Name()
				files[name] = c.without(f, files[name])
			}
		}
	}
	return nil
}

// builds lists the names of the files that each build of a package takes: in plain Go, and on vectors for amd64 and for other machines.
func builds(files map[string]string) (out [][]string) {
	leaves := [][]string{{"kernel_simd.go", "kernel_simd_amd64.go", "kernel_simd_other.go"}, {"kernel_plain.go", "kernel_simd_other.go"}, {"kernel_plain.go", "kernel_simd_amd64.go"}}
	if files["kernel_plain.go"] == "" {
		leaves = leaves[:1]
	}
	for _, leave := range leaves {
		names := slices.Sorted(maps.Keys(files))
		out = append(out, slices.DeleteFunc(names, func(name string) bool { return files[name] == "" || slices.Contains(leave, name) }))
	}
	return out
}

// checked is a build whose names and types are known.
type checked struct {
	fset   *token.FileSet
	files  []*ast.File
	info   types.Info
	unused map[token.Pos]bool // where variables are declared that nothing uses
}

func (c *checked) check(files map[string]string, build []string) (err error) {
	for _, name := range build {
		f, err := parser.ParseFile(c.fset, name, files[name], parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("emit: internal: %s does not parse: %w\n%s", name, err, files[name])
		}
		f.GoVersion = "" // of a build constraint, which may be above what this package is built with
		for _, i := range f.Imports {
			if i.Path.Value == `"math/rand/v2"` {
				i.Name = &ast.Ident{NamePos: i.Pos(), Name: "rand"} // which the path does not say
			}
		}
		c.files = append(c.files, f)
	}
	conf := types.Config{Importer: noImports{}, Error: func(e error) {
		var at types.Error
		switch errors.As(e, &at); {
		case strings.HasPrefix(at.Msg, "could not import "):
		case strings.HasPrefix(at.Msg, "declared and not used: "):
			c.unused[at.Pos] = true
		case err == nil:
			err = fmt.Errorf("emit: internal: %w", e)
		}
	}}
	_, _ = conf.Check("p", c.fset, c.files, &c.info) // its error is the first of those above
	return err
}

// noImports has no packages, of which go/types lets any name be selected.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not looked up") }

// without returns the text of a file without its unused variables: the names of some that are declared or assigned with others become blanks.
func (c *checked) without(f *ast.File, text string) string {
	out := []byte(text)
	blank := func(from, to token.Pos) {
		for i := c.fset.Position(from).Offset; i < c.fset.Position(to).Offset; i++ {
			out[i] = ' '
		}
	}
	leftOut := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		o := c.info.ObjectOf(id)
		return ok && (id.Name == "_" || o != nil && c.unused[o.Pos()])
	}
	all := func(list []ast.Expr) bool {
		return !slices.ContainsFunc(list, func(e ast.Expr) bool { return !leftOut(e) })
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if leftOut(n) {
				blank(n.Pos(), n.End())
				out[c.fset.Position(n.Pos()).Offset] = '_'
			}
		case *ast.AssignStmt:
			if all(n.Lhs) {
				blank(n.Pos(), n.End())
				return false
			}
		case *ast.ValueSpec:
			if len(n.Names) == 1 && leftOut(n.Names[0]) {
				blank(n.Names[0].Pos()-token.Pos(len("var ")), n.End())
				return false
			}
		case *ast.RangeStmt:
			if n.Value != nil && leftOut(n.Value) && !all([]ast.Expr{n.Key}) {
				blank(n.Key.End(), n.Value.End())
				n.Value = nil
			} else if n.Key != nil && leftOut(n.Key) && (n.Value == nil || leftOut(n.Value)) {
				blank(n.Key.Pos(), n.Range)
				n.Key, n.Value = nil, nil
			}
		}
		return true
	})
	return string(out)
}
