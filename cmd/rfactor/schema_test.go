package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSummarySchema validates what coverage writes besides.
func TestSummarySchema(t *testing.T) {
	s, err := jsonschema.NewCompiler().Compile("schema/coverage-summary.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	corpus, file := filepath.Join(dir, "corpus.tsv"), filepath.Join(dir, "summary.json")
	if err := os.WriteFile(corpus, []byte("sum\there\tx0:i32,y0:i32\tx0 + y0\tassoc\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if code := inProcess([]string{"coverage", "-json", "-summary", file, "-matchers", "greedy,all", corpus}, strings.NewReader(""), &out, &out); code != 0 {
		t.Fatal(out.String())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = s.Validate(v)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestSchemas validates what verbs print with -json. Answers have a schema of their own in
// verify/schema.
func TestSchemas(t *testing.T) {
	for _, c := range []struct {
		schema  string
		command string
		lines   int // at least
	}{
		{"check", "check -json -types x:i32,y:i32,k:i32 'max(min(x, k), y)'", 1},
		{"check", "check -json -types x:f32,y:f32 'select(x > y, x, y)'", 1},
		{"check", "check -json -types x:i32,y:i32 -identity 0 'max(x, y)'", 1},
		{"check", "check -json -types x:i8,y:i8 'x - y'", 1},
		{"check", "check -json -given '0 <= x' -is 'max(x, y)' -types x:i32,y:i32 'max(abs(x), abs(y))'", 1},
		{"check", "check -json -assume all -identity -inf -types x:f32,y:f32 'max(x, y) + log1p(exp(min(x, y) - max(x, y)))'", 1},
		{"llvm", "llvm -json ../../llvm/testdata/combiners-16.ll", 8},
		{"llvm", "llvm -json ../../llvm/testdata/lib-22.ll", 9},
		{"explain", "explain -json 'f() = select(P(r), f() + 1, f())'", 1},
		{"explain", "explain -json -types x0:i32,y0:i32 'max(x0, y0)'", 1},
		{"explain", "explain -json -assume nsw -types x0:i32,y0:i32 'max(x0 + y0, 0)'", 1},
		{"explain", "explain -json 'f() = f()*f() + in(r)'", 1},
		{"factor", "factor -json ../../testdata/programs/argmin2d.rf", 1},
		{"factor", "factor -json ../../testdata/programs/matmul.rf", 1},
		{"factor", "factor -json -assume nsw ../../testdata/programs/mss.rf", 1},
		{"factor", "factor -json 'ImageParam a(Int(32), 1); Func f; f() = 0; RDom r(0, a.width()); f() = f()*f() + a(r);'", 1},
		{"factor-graph", "factor -graph -json ../../testdata/programs/histogram-by-hand.rf", 2},
		{"run", "run -json -auto 'Func f; f() = 0; RDom r(0, 9); f() = f()*f() + r;'", 1},
		{"lower", "lower -json -auto -out OUT 'Func f; f() = 0; RDom r(0, 9); f() = f()*f() + r;'", 1},
		{"version", "version -json", 1},
		{"verify", "verify -json", 2},
		{"rules", "rules -json", 100},
		{"table", "table -json", 10},
		{"table", "table -json -types f32", 10},
		{"table", "table -json -types i32,i32 -assume nsw", 10},
	} {
		s, err := jsonschema.NewCompiler().Compile("schema/" + c.schema + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		inProcess(shellWords(strings.ReplaceAll(c.command, "OUT", t.TempDir())), strings.NewReader("nothing\n"), &out, &errs)
		n := 0
		for line := range strings.Lines(out.String()) {
			n++
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
			if err == nil {
				err = s.Validate(v)
			}
			if err != nil {
				t.Errorf("rfactor %s: %v\n%s", c.command, err, line)
			}
		}
		if n < c.lines {
			t.Errorf("rfactor %s prints %d lines: %s", c.command, n, errs.String())
		}
	}
}
