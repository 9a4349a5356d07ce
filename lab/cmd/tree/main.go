// Tree counts what the source of a folder has: lines, methods and exported names of Go files that are no tests, not
// generated, and outside of simd and testdata. With -comments it draws doc comments instead, to be judged by a reader.
//
//	go -C lab run ./cmd/tree [-comments N] [-seed S] ..
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// counts are what files have.
type counts struct{ files, lines, methods, exported int }

// comment is the doc comment of a declaration.
type comment struct {
	at   token.Position
	text string
}

func main() {
	comments := flag.Int("comments", 0, "draw `N` doc comments")
	seed := flag.Uint64("seed", 1, "of the drawing")
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	c, all, err := walk(root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "tree:", err)
		os.Exit(2)
	}
	if *comments == 0 {
		fmt.Printf("files\tlines\tmethods\texported\n%d\t%d\t%d\t%d\n", c.files, c.lines, c.methods, c.exported)
		return
	}
	draw := rand.New(rand.NewPCG(*seed, 0))
	for _, i := range draw.Perm(len(all))[:min(*comments, len(all))] {
		fmt.Printf("%s:%d\n%s\n", all[i].at.Filename, all[i].at.Line, all[i].text)
	}
}

// walk counts what the files below a folder have, and lists their doc comments in the order of the files.
func walk(root string) (c counts, all []comment, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || name == "simd" && filepath.Dir(path) == filepath.Clean(root) || strings.HasPrefix(name, ".") && len(name) > 2):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || ast.IsGenerated(f) {
			return err
		}
		c.files++
		c.lines += bytes.Count(src, []byte("\n"))
		for _, decl := range f.Decls {
			doc := c.count(decl)
			if doc.Text() != "" { // a directive has none
				all = append(all, comment{files.Position(doc.Pos()), doc.Text()})
			}
		}
		return nil
	})
	return c, all, err
}

// count counts a declaration, and returns its doc comment; nil where it has none.
func (c *counts) count(decl ast.Decl) *ast.CommentGroup {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv != nil {
			c.methods++
		}
		if decl.Name.IsExported() {
			c.exported++
		}
		return decl.Doc
	case *ast.GenDecl:
		for _, s := range decl.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					c.exported++
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() {
						c.exported++
					}
				}
			}
		}
		return decl.Doc
	}
	return nil
}
