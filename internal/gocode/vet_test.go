package gocode

import (
	_ "embed"
	"encoding/json"
	"errors"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rfactor-go/rfactor/golang"
)

// sarifSchema is the schema of SARIF 2.1.0 with errata 01, as OASIS published it: https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas.
// Copyright © OASIS Open 2023; it may be copied as it is.
//
//go:embed testdata/sarif/sarif-schema-2.1.0.json
var sarifSchema string

// foundExamples are findings of each verdict.
func foundExamples() []*golang.Finding {
	at := func(name string, line int) token.Position {
		return token.Position{Filename: name, Line: line, Column: 2}
	}
	return []*golang.Finding{
		{Pos: at("a b.go", 3), Func: "F", Verdict: golang.Reduction, State: []string{"s"}, Operator: []string{"x0 + y0"}, Inject: []string{"a[i]"}, Names: []string{"sum"}, Fix: "refused: <why>"},
		{Pos: at("/elsewhere/c.go", 4), Func: "G", Verdict: golang.Stopped, Obstacles: []golang.Stop{{Kind: "goroutine & <b>"}}},
		{Pos: at("d.go", 5), Func: "H", Verdict: golang.Refused, Reason: "none"},
		{Pos: at("d.go", 6), Func: "I", Verdict: golang.Lift, State: []string{"s"}, Apply: []string{"x0*p0 + p1"}, Names: []string{"affine"}},
		{Pos: at("d.go", 7), Func: "J", Verdict: golang.Search, Update: []string{"a[i] != x"}},
		{Pos: at("d.go", 8), Func: "K", Verdict: golang.Histogram, State: []string{"h[v]"}, Operator: []string{"x0 + y0"}, Inject: []string{"1"}, Names: []string{"sum"}},
	}
}

func TestSarif(t *testing.T) {
	text, err := sarif(foundExamples())
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(sarifSchema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("sarif.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	log, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(log); err != nil {
		t.Error(err)
	}
	for right, wrong := range map[string]string{`"text"`: `"txt"`, `"version": "2.1.0"`: `"version": "2.2.0"`, `"driver"`: `"drive"`, `"startLine": 3`: `"startLine": 0`} {
		broken := strings.Replace(string(text), right, wrong, 1)
		log, err := jsonschema.UnmarshalJSON(strings.NewReader(broken))
		if err != nil || broken == string(text) || compiled.Validate(log) == nil {
			t.Errorf("a log with %s is valid: %v", wrong, err)
		}
	}
	var is sarifLog
	if err := json.Unmarshal(text, &is); err != nil {
		t.Fatal(err)
	}
	for i, uri := range []string{"a%20b.go", "file:///elsewhere/c.go", "d.go", "d.go", "d.go", "d.go"} {
		r := is.Runs[0].Results[i]
		if got := r.Locations[0].Physical.Artifact.URI; got != uri {
			t.Errorf("result %d is at %s, not %s", i, got, uri)
		}
		if is.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("result %d has the index of another rule", i)
		}
	}
}

func TestVetPage(t *testing.T) {
	s := &survey{Findings: foundExamples(), Sum: golang.Summary{Loops: 9, Innermost: 8, Carried: 4, Read: 3, Answered: 2, Lifted: 1}, LeftOut: []string{"m/bad is left out: <it>"},
		results: []*golang.Result{{Path: "m/good", Summary: golang.Summary{Loops: 9, Innermost: 8, Carried: 4, Read: 3, Answered: 2, Lifted: 1}}, {Path: "m/bad", Err: errors.New("bad")}}}
	page := vetHTML(s)
	for _, want := range []string{"9 loops were seen", "1 are reductions, 1 have steps that compose", "<td>m/good</td><td class=\"n\" data-name=\"loops\">9</td>", "goroutine &amp; &lt;b&gt;", "refused: &lt;why&gt;", "<code>s = s + s′</code>", "<h3>/elsewhere <span class=\"count\">1 loop</span></h3>", "left out: &lt;it&gt;"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page has no %q:\n%s", want, page)
		}
	}
	for _, not := range []string{"m/bad</td>", "<it>", "http"} {
		if strings.Contains(string(page), not) {
			t.Errorf("the page has %q", not)
		}
	}
}

// A page shows the lines of a loop, to its closing brace, and of a file that has changed the line that was found.
func TestLoopOfPage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	text := "func f(a []int) (s int) {\n\t// sums\n\tfor _, v := range a {\n\t\tif v > 0 {\n\t\t\ts += v\n\t\t}\n\t}\n\treturn s\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	f := &golang.Finding{Pos: token.Position{Filename: file, Line: 3}, Source: "for _, v := range a {"}
	before, loop := sourceFiles{}.loop(f)
	if before != "\t// sums\n" || loop != "\tfor _, v := range a {\n\t\tif v > 0 {\n\t\t\ts += v\n\t\t}\n\t}" {
		t.Errorf("%q, %q", before, loop)
	}
	f.Source = "for i := range a {"
	if before, loop := (sourceFiles{}).loop(f); before != "" || loop != f.Source {
		t.Errorf("of a file that has changed: %q, %q", before, loop)
	}
	for _, c := range []struct {
		f    golang.Finding
		want string
	}{
		{golang.Finding{Verdict: golang.Reduction, State: []string{"lo", "hi"}, Operator: []string{"min(x0, y0)", "max(x1, y1)"}}, "lo = min(lo, lo′); hi = max(hi, hi′)"},
		{golang.Finding{Verdict: golang.Reduction, State: []string{"s"}, Operator: []string{"x0 + y1"}}, ""},
		{golang.Finding{Verdict: golang.Lift, State: []string{"s"}, Operator: []string{"x0 * y0"}}, ""},
	} {
		if got := inGo(&c.f); got != c.want {
			t.Errorf("%q: %q, want %q", c.f.Operator, got, c.want)
		}
	}
}
