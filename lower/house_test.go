package lower_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readsText says which functions of package strings look into a text.
var readsText = strings.Fields("Contains ContainsAny ContainsFunc HasPrefix HasSuffix Cut CutPrefix CutSuffix Index IndexAny IndexByte IndexFunc LastIndex LastIndexAny " +
	"Fields FieldsFunc Lines Split SplitN SplitSeq Count Replace ReplaceAll Map TrimSuffix TrimPrefix NewReplacer")

// reads says what functions look into: texts that were not generated.
var reads = map[string]string{
	"a variable": "the list of reserved words", "baseName": "the name of a file", "newGenerator": "the name of a file", "document": "the text of the program",
	"check": "an error of the type checker", "extent": "the name of an expression", "bufferExtents": "the name of an array", "sameShape": "a template", "ViewType": "a template", "Apart": "a name of the program",
}

// Nothing that was generated is read back: generators ask data what a text has in it.
func TestNothingReadBack(t *testing.T) {
	var got []string
	for _, file := range sources(t, "emit", "kernel") {
		got = append(got, textReaders(t, file)...)
	}
	for _, name := range got {
		if reads[name] == "" {
			t.Errorf("%s looks into a text", name)
		}
	}
	for name := range reads {
		if !slices.Contains(got, name) {
			t.Errorf("%s looks into a text no longer: the table need not have it", name)
		}
	}
}

// textReaders lists the functions of a file that look into a text.
func textReaders(t *testing.T, file string) (out []string) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		name := "a variable"
		if fn, ok := d.(*ast.FuncDecl); ok {
			name = fn.Name.Name
		}
		ast.Inspect(d, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "strings" && slices.Contains(readsText, sel.Sel.Name) && !slices.Contains(out, name) {
				out = append(out, name)
			}
			return true
		})
	}
	return out
}

// sources lists the files of packages in some folders, without their tests.
func sources(t *testing.T, dirs ...string) (files []string) {
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.Name() == "testdata":
				return fs.SkipDir
			case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// No type has more methods than a reader holds in mind: what is about other data has a type of its own.
func TestMethods(t *testing.T) {
	const most = 40
	methods := map[string]int{}
	for _, file := range sources(t, ".") {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				recv := fn.Recv.List[0].Type
				if star, ok := recv.(*ast.StarExpr); ok {
					recv = star.X
				}
				methods[filepath.Dir(file)+"."+receiver(recv)]++
			}
		}
	}
	for name, n := range methods {
		if n > most {
			t.Errorf("%s has %d methods, more than %d", name, n, most)
		}
	}
}

// receiver is the name of the type of a method, which may have type parameters.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

// Packages are rooms that a reader can walk through.
func TestSizes(t *testing.T) {
	const most = 4500 // lines without tests
	lines := map[string]int{}
	for _, file := range sources(t, ".") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines[filepath.Dir(file)] += bytes.Count(text, []byte("\n"))
	}
	for dir, n := range lines {
		if n > most {
			t.Errorf("%s has %d lines, more than %d", dir, n, most)
		}
	}
}
