package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// module is the path under which packages of the tree import one another: those of the main module, and of the modules in it.
const module = "github.com/rfactor-go/rfactor/"

// tree is the packages of a folder, by their own folders.
type tree struct {
	packages map[string]*pkg
	comments []comment // in the order of the files
}

// pkg is what a package has, for every system.
type pkg struct {
	counts
	command bool
	imports []string // folders of the tree
}

// read reads the source below a folder. Generated files import, and count for nothing.
func read(root string) (*tree, error) {
	t := &tree{packages: map[string]*pkg{}}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || path == filepath.Join(root, "bin") || strings.HasPrefix(name, ".") && len(name) > 2):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		return t.add(filepath.ToSlash(dir), path)
	})
	return t, err
}

func (t *tree) add(dir, path string) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	p := t.packages[dir]
	if p == nil {
		p = &pkg{}
		t.packages[dir] = p
	}
	p.command = p.command || f.Name.Name == "main"
	for _, i := range f.Imports {
		if name, err := strconv.Unquote(i.Path.Value); err == nil {
			if name, ok := strings.CutPrefix(name, module); ok {
				p.imports = append(p.imports, name)
			}
		}
	}
	if ast.IsGenerated(f) {
		return nil
	}
	for _, doc := range p.count(src, f) {
		t.comments = append(t.comments, comment{files.Position(doc.Pos()), doc.Text()})
	}
	return nil
}

// support tells which packages tests, bench and lab alone import: internal ones, and those whose names end in test, which nothing that
// is run or imported from outside reaches.
func (t *tree) support() map[string]bool {
	reached := map[string]bool{}
	var reach func(dir string)
	reach = func(dir string) {
		if p := t.packages[dir]; p != nil && !reached[dir] {
			reached[dir] = true
			for _, i := range p.imports {
				reach(i)
			}
		}
	}
	hidden := func(dir string) bool {
		return slices.Contains(strings.Split(dir, "/"), "internal") || strings.HasSuffix(dir, "test")
	}
	measures := func(dir string) bool { return first(dir, 1) == "bench" || first(dir, 1) == "lab" }
	for dir, p := range t.packages {
		if !measures(dir) && (p.command || !hidden(dir)) {
			reach(dir)
		}
	}
	out := map[string]bool{}
	for dir := range t.packages {
		out[dir] = !measures(dir) && !reached[dir]
	}
	return out
}
