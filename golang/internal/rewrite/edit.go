package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Edit replaces the bytes of a source from Start to End.
type Edit struct {
	Start, End int
	Text       string
}

// Apply returns one file before and after its loops are replaced. It imports what the replacements need; imports that only the loops used
// are removed. A file that was gofmt'd stays so.
func Apply(list []*Rewrite) (source, edited []byte, err error) {
	source = list[0].source
	edits, added := []Edit{}, map[string]bool{}
	for _, r := range list {
		edits = append(edits, Edit{r.offset(r.loop.Stmt.Pos()), r.offset(r.loop.Stmt.End()), r.Replacement()})
		if own := r.appended(); own.Text != "" {
			edits = append(edits, Edit{r.offset(own.Pos), r.offset(own.End), own.Text})
		}
		for _, path := range r.missing() {
			if !added[path] {
				added[path] = true
				edits = append(edits, r.importing(path))
			}
		}
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

// missing lists the packages that the replacement needs and the file does not import.
func (r *Rewrite) missing() (list []string) {
	needed := map[string]bool{r.pkg.Par: true, "math": r.usesMath}
	for _, s := range r.loop.File.Imports {
		if path, err := strconv.Unquote(s.Path.Value); err == nil && (s.Name == nil || s.Name.Name == filepath.Base(path)) {
			delete(needed, path)
		}
	}
	for _, path := range []string{"math", r.pkg.Par} {
		if needed[path] {
			list = append(list, path)
		}
	}
	return list
}

// importing is the edit that imports a package: of the standard library in the first group of imports, any other in the last one.
func (r *Rewrite) importing(path string) Edit {
	f := r.loop.File
	for _, d := range f.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT || !d.Lparen.IsValid() || len(d.Specs) == 0 {
			continue
		}
		if path == "math" {
			at := r.offset(d.Specs[0].Pos())
			if doc := d.Specs[0].(*ast.ImportSpec).Doc; doc != nil {
				at = r.offset(doc.Pos())
			}
			return Edit{at, at, strconv.Quote(path) + "\n\t"}
		}
		last := d.Specs[len(d.Specs)-1].(*ast.ImportSpec)
		gap := "\n\t"
		if text, err := strconv.Unquote(last.Path.Value); err == nil && !strings.Contains(strings.Split(text, "/")[0], ".") && strings.Contains(strings.Split(path, "/")[0], ".") {
			gap = "\n\n\t" // a group of its own
		}
		at := r.offset(last.End())
		if last.Comment != nil {
			at = r.offset(last.Comment.End())
		}
		return Edit{at, at, gap + strconv.Quote(path)}
	}
	at := r.offset(f.Name.End())
	for _, d := range f.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			at = r.offset(d.End())
		}
	}
	return Edit{at, at, "\n\nimport " + strconv.Quote(path)}
}

func isFormatted(source []byte) bool {
	f, err := format.Source(source)
	return err == nil && bytes.Equal(f, source)
}

func apply(source []byte, edits []Edit) (out []byte) {
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
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

// InPlace returns the edits that Apply makes for one loop. Each import is an edit of its own, so that those of several loops are the same.
func (r *Rewrite) InPlace() (list []PosEdit) {
	file := r.pkg.Fset.File(r.Pos)
	list = []PosEdit{{r.loop.Stmt.Pos(), r.loop.Stmt.End(), r.Replacement()}}
	if own := r.appended(); own.Text != "" {
		list = append(list, own)
	}
	for _, path := range r.missing() {
		e := r.importing(path)
		list = append(list, PosEdit{file.Pos(e.Start), file.Pos(e.End), e.Text})
	}
	return list
}

// packagesUsed names what stands before a dot and is declared nowhere in the file.
func packagesUsed(f *ast.File) map[string]bool {
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && id.Obj == nil {
				used[id.Name] = true
			}
		}
		return true
	})
	return used
}

// IsParallel reports whether a statement is a loop that a fix wrote: one inside of an argument of a function of package par, or one of an if
// statement that runs one loop where it is short and otherwise calls such a function, itself or by a function of the file.
func (p *Package) IsParallel(file *ast.File, loop ast.Stmt) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || n.Pos() > loop.Pos() || n.End() < loop.End() || found {
			return false
		}
		choice, ok := n.(*ast.IfStmt)
		switch {
		case p.callsPar(n):
			found = true
		case ok && choice.Else != nil && len(choice.Body.List) == 1:
			ast.Inspect(choice.Else, func(n ast.Node) bool {
				found = found || p.callsPar(n) || p.callsOwn(file, n)
				return !found
			})
		}
		return !found
	})
	return found
}

// callsPar reports whether a node is a call of a function of package par.
func (p *Package) callsPar(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := f.X.(*ast.Ident)
	if !ok {
		return false
	}
	name, ok := p.Info.Uses[id].(*types.PkgName)
	return ok && filepath.Base(name.Imported().Path()) == parName
}

// callsOwn reports whether a node is a call of a function of the file that calls package par.
func (p *Package) callsOwn(file *ast.File, n ast.Node) (found bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fun.(*ast.Ident)
	if !ok || !strings.Contains(id.Name, ownSuffix) {
		return false
	}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && p.Info.Defs[d.Name] != nil && p.Info.Defs[d.Name] == p.Info.Uses[id] {
			ast.Inspect(d, func(n ast.Node) bool {
				found = found || p.callsPar(n)
				return !found
			})
		}
	}
	return found
}
