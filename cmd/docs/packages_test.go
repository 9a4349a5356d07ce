package main

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"strings"
	"testing"
)

// Every package that others can import has a package comment and an example that runs, and what it exports is
// documented: functions, methods of exported types, types, and groups of values.
func TestPackages(t *testing.T) {
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}}{{"\t"}}{{.Name}}{{"\t"}}{{.Dir}}`, "./...")
	cmd.Dir = root
	list, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(list)) {
		words := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		path, name, dir := words[0], words[1], words[2]
		if name == "main" || strings.Contains(path, "/internal/") || strings.Contains(path, "/cmd/") {
			continue
		}
		checked++
		p := documented(t, path, dir)
		if !strings.HasPrefix(p.Doc, "Package "+name+" ") {
			t.Errorf("%s has no package comment", path)
		}
		for _, what := range undocumented(p) {
			t.Errorf("%s: %s has no comment", path, what)
		}
		if !exemplified(p) {
			t.Errorf("%s has no example with its output", path)
		}
	}
	if checked < 20 {
		t.Errorf("only %d packages were checked", checked)
	}
}

func documented(t *testing.T, path, dir string) *doc.Package {
	t.Helper()
	files := token.NewFileSet()
	//lint:ignore SA1019 build tags do not matter here: every file is wanted
	parsed, err := parser.ParseDir(files, dir, func(fs.FileInfo) bool { return true }, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var all []*ast.File
	for _, p := range parsed {
		for _, f := range p.Files {
			all = append(all, f)
		}
	}
	p, err := doc.NewFromFiles(files, all, path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func undocumented(p *doc.Package) (names []string) {
	funcs := func(of string, list []*doc.Func) {
		for _, f := range list {
			if f.Doc == "" {
				names = append(names, of+f.Name)
			}
		}
	}
	values := func(list []*doc.Value) {
		for _, v := range list {
			for _, spec := range v.Decl.Specs {
				if s := spec.(*ast.ValueSpec); v.Doc == "" && s.Doc == nil && s.Comment == nil {
					names = append(names, s.Names[0].Name)
				}
			}
		}
	}
	funcs("", p.Funcs)
	values(append(p.Consts, p.Vars...))
	for _, t := range p.Types {
		if t.Doc == "" {
			names = append(names, t.Name)
		}
		funcs("", t.Funcs)
		funcs(t.Name+".", t.Methods)
		values(append(t.Consts, t.Vars...))
	}
	return names
}

// exemplified reports whether a package has an example that runs.
func exemplified(p *doc.Package) bool {
	found := func(list []*doc.Example) bool {
		for _, e := range list {
			if e.Output != "" || e.EmptyOutput {
				return true
			}
		}
		return false
	}
	ok := found(p.Examples)
	for _, f := range p.Funcs {
		ok = ok || found(f.Examples)
	}
	for _, t := range p.Types {
		ok = ok || found(t.Examples)
		for _, f := range append(t.Funcs, t.Methods...) {
			ok = ok || found(f.Examples)
		}
	}
	return ok
}
