// Tree counts what the source of a folder has, by room: lines, methods and exported names of Go files that are no tests, not
// generated, and outside of testdata. A room is a top-level folder, and of a large one each folder in it. What tests, bench and lab
// alone import stands apart. With -comments it draws doc comments instead, to be judged by a reader.
//
//	go -C lab run ./cmd/tree .. [-comments N] [-seed S]
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
)

func main() { os.Exit(doMain(os.Args[1:], os.Stdout, os.Stderr)) }

func doMain(args []string, stdout, stderr io.Writer) int {
	flags := cli.NewFlags()
	comments := flags.Int("comments", 0, "draw `N` doc comments")
	seed := flags.Uint64("seed", 1, "`NUMBER` of the drawing")
	rest, err := cli.Parse(flags, args)
	if err == nil && len(rest) != 1 {
		err = errors.New("expected a folder")
	}
	var t *tree
	if err == nil {
		t, err = read(rest[0])
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(stdout, "usage: tree FOLDER [-comments N] [-seed NUMBER]")
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "tree:", err)
		return 2
	case *comments > 0:
		t.draw(stdout, *comments, *seed)
	default:
		t.print(stdout)
	}
	return 0
}

// counts are what files have.
type counts struct{ files, lines, methods, exported int }

func (c *counts) add(d counts) {
	c.files, c.lines, c.methods, c.exported = c.files+d.files, c.lines+d.lines, c.methods+d.methods, c.exported+d.exported
}

// large is from how many lines on a top-level folder is shown by its own folders.
const large = 5000

// print writes a row for each room, and the sums.
func (t *tree) print(w io.Writer) {
	support := t.support()
	rooms, top := map[string]counts{}, map[string]int{}
	var product, apart counts
	for dir, p := range t.packages {
		if support[dir] {
			apart.add(p.counts)
			continue
		}
		product.add(p.counts)
		top[first(dir, 1)] += p.lines
	}
	for dir, p := range t.packages {
		if support[dir] {
			continue
		}
		room := first(dir, 1)
		if top[room] > large {
			room = first(dir, 2)
		}
		c := rooms[room]
		c.add(p.counts)
		rooms[room] = c
	}
	row := func(name string, c counts) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\n", name, c.files, c.lines, c.methods, c.exported)
	}
	fmt.Fprintln(w, "room\tfiles\tlines\tmethods\texported")
	for _, room := range slices.Sorted(maps.Keys(rooms)) {
		row(room, rooms[room])
	}
	row("product", product)
	row("test support", apart)
}

// product counts the lines that are no test support.
func (t *tree) product() (lines int) {
	support := t.support()
	for dir, p := range t.packages {
		if !support[dir] {
			lines += p.lines
		}
	}
	return lines
}

// first returns the first n folders of a path.
func first(dir string, n int) string {
	words := strings.Split(dir, "/")
	return strings.Join(words[:min(n, len(words))], "/")
}

// draw writes doc comments in a random order.
func (t *tree) draw(w io.Writer, n int, seed uint64) {
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(t.comments))
	for _, i := range order[:min(n, len(order))] {
		fmt.Fprintf(w, "%s:%d\n%s\n", t.comments[i].at.Filename, t.comments[i].at.Line, t.comments[i].text)
	}
}

// comment is the doc comment of a declaration.
type comment struct {
	at   token.Position
	text string
}

// count counts a file.
func (c *counts) count(src []byte, f *ast.File) (docs []*ast.CommentGroup) {
	c.files++
	c.lines += bytes.Count(src, []byte("\n"))
	for _, decl := range f.Decls {
		if doc := c.declared(decl); doc.Text() != "" { // a directive has none
			docs = append(docs, doc)
		}
	}
	return docs
}

// declared counts a declaration, and returns its doc comment; nil where it has none.
func (c *counts) declared(decl ast.Decl) *ast.CommentGroup {
	export := func(names ...*ast.Ident) {
		for _, n := range names {
			if n.IsExported() {
				c.exported++
			}
		}
	}
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv != nil {
			c.methods++
		}
		export(decl.Name)
		return decl.Doc
	case *ast.GenDecl:
		for _, s := range decl.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				export(s.Name)
			case *ast.ValueSpec:
				export(s.Names...)
			}
		}
		return decl.Doc
	}
	return nil
}
