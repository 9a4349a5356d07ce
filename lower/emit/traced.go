package emit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Traced is Source, with the places of the plan that lines of the files stem from: places of a file has one for each
// of its lines, the zero Place of lines that stem from none.
func Traced(p *plan.Plan, pkg string) (files map[string][]byte, places map[string][]plan.Place, err error) {
	files, g, err := source(p, pkg)
	if err != nil {
		return nil, nil, err
	}
	places = map[string][]plan.Place{}
	for name, text := range files {
		if places[name], err = placesIn(g.written[name], g.raw[name], text); err != nil {
			return nil, nil, err
		}
	}
	return files, places, nil
}

// placesIn gives the places of the lines of a file, which has the same syntax tree before it is formatted and after. A nil unit has none.
func placesIn(u *scope.Unit, raw string, formatted []byte) ([]plan.Place, error) {
	_, before, err := marks(raw)
	if err != nil {
		return nil, err
	}
	file, after, err := marks(formatted)
	switch {
	case err != nil:
		return nil, err
	case len(before) != len(after):
		return nil, fmt.Errorf("emit: internal: %d marks are %d behind formatting", len(before), len(after))
	}
	out := make([]plan.Place, file.LineCount())
	if u == nil {
		return out, nil
	}
	var ofOffset []plan.Place // behind the beginning of the unit
	for _, p := range u.Pieces {
		for range len(p.Text) {
			ofOffset = append(ofOffset, p.At)
		}
	}
	for i, offset := range before {
		if at := offset - u.From; at >= 0 && at < len(ofOffset) {
			if line := &out[file.Line(file.Pos(after[i]))-1]; *line == (plan.Place{}) {
				*line = ofOffset[at]
			}
		}
	}
	return out, nil
}

// marks lists the offsets in a file of Go at which nodes and comments begin, in the order of the syntax tree, and behind these those of their last
// characters. Imports, which formatting sorts, are left out.
func marks(text any) (file *token.File, offsets []int, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	file = fset.File(f.FileStart)
	var ends []int
	add := func(n ast.Node) {
		if !n.Pos().IsValid() { // results that a function has not
			return
		}
		offsets, ends = append(offsets, file.Offset(n.Pos())), append(ends, file.Offset(n.End())-1)
	}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if n != nil {
				add(n)
			}
			return true
		})
	}
	for _, c := range f.Comments {
		for _, line := range c.List {
			add(line)
		}
	}
	return file, append(offsets, ends...), nil
}
