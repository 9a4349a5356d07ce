package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

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
		doMain(shellWords(c.command), strings.NewReader(""), &out, &errs)
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
