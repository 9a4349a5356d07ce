package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfactor-go/rfactor/internal/targets"
	"github.com/rfactor-go/rfactor/pattern"
)

func hasTarget(t *testing.T, root, target string) bool {
	t.Helper()
	has, err := targets.Has(root, target)
	if err != nil {
		t.Fatal(err)
	}
	return has
}

// Every folder, file, target of make and identifier in code font in the documents for developers is there.
func TestNamesInDocuments(t *testing.T) {
	const root = "../.."
	declared, qualified := declarations(t, root)
	code, word := regexp.MustCompile("`([^`]+)`"), regexp.MustCompile(`^[A-Za-z][\w.]*$`)
	for _, document := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(filepath.Join(root, document))
		if err != nil {
			t.Fatal(err)
		}
		prose := regexp.MustCompile("(?s)```.*?```").ReplaceAll(text, nil)
		checked := 0
		for _, m := range code.FindAllSubmatch(prose, -1) {
			name := string(m[1])
			switch target, isTarget := strings.CutPrefix(name, "make "); {
			case isTarget:
				if !strings.Contains(name, "…") && !strings.Contains(name, "NAME") && !hasTarget(t, root, target) {
					t.Errorf("%s: there is no target %q", document, target)
				}
			case strings.HasPrefix(name, "bin/"):
				continue // made by a target
			case strings.Contains(name, "/") && !strings.Contains(name, " "):
				if _, err := os.Stat(filepath.Join(root, name)); err != nil {
					t.Errorf("%s: %v", document, err)
				}
			case !word.MatchString(name):
				continue // a formula
			default:
				_, err := os.Stat(filepath.Join(root, name))
				if err != nil && !qualified[name] && !declared[name] && !notation[name] {
					t.Errorf("%s: nothing is called %q", document, name)
				}
			}
			checked++
		}
		if checked < 10 {
			t.Errorf("%s: only %d names were looked up", document, checked)
		}
	}
}

// The documents that count the operators of the tables agree with the tables.
func TestEntriesInDocuments(t *testing.T) {
	n := 0
	for _, types := range pattern.Signatures() {
		n += len(pattern.Entries(types))
	}
	grouped := fmt.Sprintf("%d,%03d", n/1000, n%1000)
	for document, want := range map[string]string{
		"testdata/tables/REPORT.md": fmt.Sprintf("\n%d entries in all.", n),
		"BENCHMARKS.md":             fmt.Sprintf("there are %s now", grouped),
	} {
		text, err := os.ReadFile(filepath.Join("../..", document))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), want) {
			t.Errorf("%s does not say %q", document, want)
		}
	}
}

// The certificate that docs/certificates.md reads through is the one that the command before it prints.
func TestDocumentedCertificate(t *testing.T) {
	text, err := os.ReadFile("../../docs/certificates.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```text\nrfactor (match -json -proof [^\n]*)\n```.*?```json\n(.*?)```").FindSubmatch(text)
	if m == nil {
		t.Fatal("docs/certificates.md shows no certificate")
	}
	var out, errs bytes.Buffer
	inProcess(shellWords(string(m[1])), strings.NewReader(""), &out, &errs)
	var shown, printed map[string]any
	if err := json.Unmarshal(m[2], &shown); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &printed); err != nil {
		t.Fatal(err, errs.String())
	}
	delete(shown, "micros")
	delete(printed, "micros")
	if d := cmp.Diff(shown, printed); d != "" {
		t.Errorf("shown (-) and printed (+):\n%s", d)
	}
}

// notation are words of the language, of answers, of blocks in documents, and commands.
var notation = map[string]bool{
	"nsw": true, "reassoc": true, "sum": true, "via": true,
	"console": true, "json": true, "rf": true, "sh": true, "cat": true, "go": true, "ls": true,
}

// declarations lists what is declared at top level in the module, and fields and methods: names, and
// names behind those of their packages and types.
func declarations(t *testing.T, root string) (names, qualified map[string]bool) {
	names, qualified = map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		add := func(id *ast.Ident, of string) {
			names[id.Name] = true
			qualified[f.Name.Name+"."+of+id.Name] = true
		}
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				add(decl.Name, receiver(decl))
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						add(spec.Name, "")
						if s, ok := spec.Type.(*ast.StructType); ok {
							for _, field := range s.Fields.List {
								for _, id := range field.Names {
									add(id, spec.Name.Name+".")
								}
							}
						}
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							add(id, "")
						}
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names, qualified
}

// receiver returns the type of a method and a dot; nothing of a function.
func receiver(decl *ast.FuncDecl) string {
	if decl.Recv == nil {
		return ""
	}
	e := decl.Recv.List[0].Type
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name + "."
	}
	return ""
}
