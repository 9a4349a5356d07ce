package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Edit replaces the bytes of a source from Start to End.
type Edit struct {
	Start, End int
	Text       string
}

// Apply returns one file before and after its loops are replaced by calls. Imports that only they used are removed. A
// file that was gofmt'd stays so.
func Apply(list []*Rewrite) (source, edited []byte, err error) {
	source = list[0].source
	var edits []Edit
	for _, r := range list {
		edits = append(edits, r.Replacement())
	}
	edited = apply(source, edits)
	unused, err := unusedImports(source, edited)
	if err != nil {
		return nil, nil, err
	}
	if edited = apply(edited, unused); isFormatted(source) {
		edited, err = format.Source(edited)
	}
	return source, edited, err
}

// Replacement puts the call in the place of the loop.
func (r *Rewrite) Replacement() Edit {
	return Edit{r.offset(r.loop.Stmt.Pos()), r.offset(r.loop.Stmt.End()), r.Call()}
}

func isFormatted(source []byte) bool {
	f, err := format.Source(source)
	return err == nil && bytes.Equal(f, source)
}

func apply(source []byte, edits []Edit) (out []byte) {
	slices.SortFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
	at := 0
	for _, e := range edits {
		out = append(append(out, source[at:e.Start]...), e.Text...)
		at = e.End
	}
	return append(out, source[at:]...)
}

// unusedImports removes the imports that are used before a change and not after it.
func unusedImports(before, after []byte) (edits []Edit, err error) {
	old, err := parser.ParseFile(token.NewFileSet(), "", before, 0)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", after, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("internal: the rewritten file does not parse: %w", err)
	}
	was, is := packagesUsed(old), packagesUsed(f)
	for _, d := range f.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			continue
		}
		var gone []*ast.ImportSpec
		for _, s := range d.Specs {
			s := s.(*ast.ImportSpec)
			if name := importName(s, was); name != "" && was[name] && !is[name] {
				gone = append(gone, s)
			}
		}
		if len(gone) == len(d.Specs) && len(gone) > 0 {
			edits = append(edits, line(after, fset, d.Pos(), d.End()))
			continue
		}
		for _, s := range gone {
			edits = append(edits, line(after, fset, s.Pos(), s.End()))
		}
	}
	return edits, nil
}

// importName is the name by which a file calls an import: a word of its path that is used.
func importName(s *ast.ImportSpec, used map[string]bool) string {
	if s.Name != nil {
		return s.Name.Name
	}
	path, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return ""
	}
	words := bytes.Split([]byte(path), []byte("/"))
	for _, w := range slices.Backward(words) {
		if used[string(w)] {
			return string(w)
		}
	}
	return ""
}

// line is the whole lines on which a node stands.
func line(source []byte, fset *token.FileSet, from, to token.Pos) Edit {
	start, end := fset.Position(from).Offset, fset.Position(to).Offset
	for start > 0 && source[start-1] != '\n' {
		start--
	}
	for end < len(source) && source[end] != '\n' {
		end++
	}
	return Edit{Start: start, End: min(end+1, len(source))}
}

// PosEdit replaces what stands between two positions.
type PosEdit struct {
	Pos, End token.Pos
	Text     string
}

// InPlace returns the edits that replace the loop and write the functions at the end of the same file. Each import is an edit
// of its own, so that those of several loops are the same.
func (r *Rewrite) InPlace() ([]PosEdit, error) {
	code, err := format.Source([]byte("package p\n\n" + r.Functions()))
	if err != nil {
		return nil, err
	}
	imports, err := r.importsOf(r.Functions())
	if err != nil {
		return nil, err
	}
	f := r.loop.File
	edits := []PosEdit{{r.loop.Stmt.Pos(), r.loop.Stmt.End(), r.Call()}}
	last := f.Name.End()
	for _, d := range f.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			last = d.End()
		}
	}
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		if r.hasImport(path, imports[path]) {
			continue
		}
		if !slices.ContainsFunc(own, func(o [2]string) bool { return o == [2]string{path, imports[path]} }) {
			return nil, fmt.Errorf("%s is not imported", path)
		}
		edits = append(edits, PosEdit{last, last, "\n\nimport " + strconv.Quote(path)})
	}
	return append(edits, PosEdit{f.FileEnd, f.FileEnd, strings.TrimPrefix(string(code), "package p\n")}), nil
}

// hasImport reports whether the file imports a path by a name.
func (r *Rewrite) hasImport(path, name string) bool {
	for _, s := range r.loop.File.Imports {
		if p, err := strconv.Unquote(s.Path.Value); err == nil && p == path {
			o := r.pkg.Info.Implicits[s]
			if s.Name != nil {
				o = r.pkg.Info.Defs[s.Name]
			}
			return o != nil && o.Name() == name
		}
	}
	return false
}
