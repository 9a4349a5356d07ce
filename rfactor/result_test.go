package rfactor

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Each kind of answer has the result that its status names, and nothing of the other variants.
func TestResult(t *testing.T) {
	for _, c := range []struct {
		name, types, exprs string
		want               Result
	}{
		{"operator", "x0:i32,y0:i32", "x0 + y0", &ByOperator{}},
		{"operator of several groups", "x0:i32,x1:i32,y0:i32", "x0 + y0; max(x1, y0)", &ByOperator{}},
		{"nothing changes", "x0:i32,y0:i32", "x0", &ByOperator{}},
		{"lift", "x0:i32,y0:i32", "3*x0 + y0", &ByLift{}},
		{"stages", "x0:i32,x1:i32,y0:i32", "x0 + y0; select(x0 > 9, 3*x1, x1 + 1)", &ByStages{}},
		{"not associative", "x0:i32,y0:i32", "x0*x0 - y0", &Refusal{}},
		{"needs an assumption", "x0:f32,y0:f32", "x0 + y0", &Refusal{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := match(t, c.types, c.exprs, "", AllMatchers)
			got := a.Result()
			if reflect.TypeOf(got) != reflect.TypeOf(c.want) {
				t.Fatalf("%T, want %T", got, c.want)
			}
			if err := ofOneVariant(a); err != nil {
				t.Error(err)
			}
			if r, ok := got.(*Refusal); ok && (r.Code != a.Code || r.Reason == "") {
				t.Errorf("refusal %q %q of an answer with the code %q", r.Code, r.Reason, a.Code)
			}
		})
	}
}

// ofOneVariant returns an error for an answer that has fields of another variant than its result, or lacks one of its own.
func ofOneVariant(a *Answer) error {
	var set []string
	for _, field := range []struct {
		name string
		is   bool
	}{
		{"operator", a.Operator != nil},
		{"inject", a.Inject != nil},
		{"groups", a.Groups != nil},
		{"lift", a.Lift != nil},
		{"stages", a.Stages != nil},
		{"refusal", !reflect.ValueOf(a.Refusal).IsZero()},
	} {
		if field.is {
			set = append(set, field.name)
		}
	}
	var want string
	switch a.Result().(type) {
	case *ByOperator:
		want = "operator inject groups"
	case *ByLift:
		want = "operator inject lift"
	case *ByStages:
		want = "stages"
	case *Refusal:
		want = "refusal"
	}
	if got := strings.Join(set, " "); got != want {
		return fmt.Errorf("a %s answer has %s, want %s", a.Status, got, want)
	}
	return nil
}

// An answer that Match did not give has no result.
func TestResultOfNothing(t *testing.T) {
	for _, s := range []Status{"", Failed} {
		func() {
			defer func() {
				if got, want := recover(), "rfactor: an answer that Match did not give has no result"; got != want {
					t.Errorf("%q: panic %v, want %q", s, got, want)
				}
			}()
			(&Answer{Status: s}).Result()
		}()
	}
}

// The variants of Result are those that its comment lists, and importers switch over all of them.
func TestResultIsListed(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "result.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var variants, listed []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == "result" {
				variants = append(variants, d.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name)
			}
		case *ast.GenDecl:
			if s, ok := d.Specs[0].(*ast.TypeSpec); ok && s.Name.Name == "Result" {
				for _, line := range strings.Split(d.Doc.Text(), "\n") {
					if rest, ok := strings.CutPrefix(line, "\t*"); ok {
						listed = append(listed, strings.Fields(rest)[0])
					}
				}
			}
		}
	}
	if len(variants) == 0 || !slices.Equal(variants, listed) {
		t.Errorf("the comment of Result lists %q, and the variants are %q", listed, variants)
	}
	for _, file := range []string{"../testdata/importer/main.go", "../examples/compiler/main.go", "example_test.go"} {
		if cases := switched(t, file); !slices.Equal(cases, variants) {
			t.Errorf("%s switches over %q, want %q", file, cases, variants)
		}
	}
}

// switched returns the types of the cases of the first switch over types in a file.
func switched(t *testing.T, file string) (cases []string) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.TypeSwitchStmt)
		if !ok || cases != nil {
			return true
		}
		for _, c := range s.Body.List {
			for _, e := range c.(*ast.CaseClause).List {
				if p, ok := e.(*ast.StarExpr); ok {
					cases = append(cases, p.X.(*ast.SelectorExpr).Sel.Name)
				}
			}
		}
		return true
	})
	return cases
}
