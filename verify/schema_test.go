package verify_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// answerSchema compiles verify/schema/answer.schema.json and the schema that it refers to.
func answerSchema(t testing.TB) *jsonschema.Schema {
	c := jsonschema.NewCompiler()
	c.AssertContent()
	for _, name := range []string{"answer.schema.json", "certificate.schema.json"} {
		f, err := os.Open("schema/" + name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource("https://github.com/rfactor-go/rfactor/verify/schema/"+name, doc); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.Compile("https://github.com/rfactor-go/rfactor/verify/schema/answer.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(s *jsonschema.Schema, line string) error {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// answerLine matches an abstract update and returns the answer as a line of JSON.
func answerLine(t testing.TB, l program.CorpusLine, allowed ir.Assume, certificate bool) string {
	u, err := program.ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
	if err == nil && l.Pre != "" {
		u.Given, err = program.ParseGiven(u, l.Pre)
	}
	a := &rfactor.Answer{Name: l.Name, Status: rfactor.Failed}
	if err != nil {
		a.Reason = err.Error()
	} else if a, err = rfactor.Match(context.Background(), u, rfactor.Options{Name: l.Name, Allowed: allowed, Describe: certificate}); err != nil {
		t.Fatal(err)
	}
	line, err := a.JSON(certificate)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// TestSchemaOfCorpus validates the answers of every tenth line of each corpus.
func TestSchemaOfCorpus(t *testing.T) {
	s := answerSchema(t)
	statuses := map[string]int{}
	for _, name := range []string{"updates", "unseen", "unseen_lift"} {
		f, err := os.Open("../testdata/corpus/" + name + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		lines, err := program.ReadCorpus(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(lines); i += suite.More(30, 10) {
			for _, allowed := range []ir.Assume{ir.AllAssumptions, ir.DefaultAssumptions} {
				line := answerLine(t, lines[i], allowed, true)
				if err := validate(s, line); err != nil {
					t.Errorf("%s under %s: %v\n%.2000s", lines[i].Name, allowed, err, line)
				}
				_, rest, _ := strings.Cut(line, `"status":"`)
				status, _, _ := strings.Cut(rest, `"`)
				statuses[status]++
			}
		}
	}
	for _, status := range []string{"associative", "lifted", "refused"} {
		if statuses[status] == 0 {
			t.Errorf("no line of the sample is %s", status)
		}
	}
}

// TestSchemaOfKinds validates answers of every form, and that they have what they are here for.
func TestSchemaOfKinds(t *testing.T) {
	s := answerSchema(t)
	for _, c := range []struct {
		line    program.CorpusLine
		assume  ir.Assume
		contain string
	}{
		{program.CorpusLine{Types: "x0:i32", Exprs: "x0 +"}, 0, `"status":"error"`},
		{program.CorpusLine{Types: "x0:i32,y0:i32", Exprs: "x0*x0 + y0"}, 0, `"counterexample"`},
		{program.CorpusLine{Types: "x0:f32,y0:f32", Exprs: "x0*x0 + y0"}, 0, `"counterexample"`},
		{program.CorpusLine{Types: "x0:i8,y0:i8", Exprs: "x0 ^ (x0 & y0) ^ max(x0, y0)"}, 0, `"nearest"`},
		{program.CorpusLine{Types: "x0:i32,y0:i32", Exprs: "max(x0 + y0, 0)"}, ir.NSW, `"parameter_types"`},
		{program.CorpusLine{Types: "x0:f64,y0:f64", Exprs: "(2.0*x0 + y0)/(x0 + y0)"}, ir.AllAssumptions, `"lift"`},
		{program.CorpusLine{Types: "x0:i32,x1:i32,y0:i32", Exprs: "min(x0, y0); max(min(x1, y0), x0)", Pre: "x0 <= x1"}, 0, `"closed"`},
		{program.CorpusLine{Types: "x0:i32,x1:i32,y0:i32", Exprs: "x0 + y0; max(x1, y0)"}, 0, `"groups":[[0],[1]]`},
		{program.CorpusLine{Types: "x0:u8,x1:i32,x2:i32,y0:u8,y1:i32,y2:i32", Exprs: "min(x0, y0); select(x0 < y0, x1, y1); select(x0 < y0, x2, y2)"}, 0, `"overlaps"`},
		{program.CorpusLine{Types: "x0:u32,y0:u8", Exprs: "(x0 << 8) ^ u32(y0)"}, 0, `"bits"`},
	} {
		line := answerLine(t, c.line, c.assume, true)
		if err := validate(s, line); err != nil {
			t.Errorf("%s: %v\n%s", c.line.Exprs, err, line)
		}
		if !strings.Contains(line, c.contain) {
			t.Errorf("%s: there is no %s in\n%s", c.line.Exprs, c.contain, line)
		}
	}
}

// TestSchemaRefuses changes valid answers and validates that the schema refuses each.
func TestSchemaRefuses(t *testing.T) {
	s := answerSchema(t)
	matched := answerLine(t, program.CorpusLine{Name: "max", Types: "x0:i32,y0:i32", Exprs: "max(x0, y0)"}, 0, true)
	lifted := answerLine(t, program.CorpusLine{Name: "clamp", Types: "x0:i32,y0:i32", Exprs: "max(x0 + y0, 0)"}, ir.NSW, true)
	refused := answerLine(t, program.CorpusLine{Name: "square", Types: "x0:i32,y0:i32", Exprs: "x0*x0 + y0"}, 0, true)
	unread := answerLine(t, program.CorpusLine{Name: "unread", Types: "x0:i32", Exprs: "x0 +"}, 0, true)
	for _, c := range []struct{ line, old, new string }{
		{matched, `"schema":2`, `"schema":1`},
		{matched, `"schema":2,`, ``},
		{matched, `"status":"associative"`, `"status":"proven"`},
		{matched, `"status":"associative"`, `"status":"lifted"`},
		{matched, `"status":"associative"`, `"status":"refused"`},
		{matched, `"status":"associative"`, `"status":"error"`},
		{matched, `"types":["i32"]`, `"types":["int"]`},
		{matched, `"types":["i32"]`, `"types":[]`},
		{matched, `"update":[`, `"update":[1,`},
		{matched, `"leaves":{"y0"`, `"leaves":{"x0"`},
		{matched, `"leaves":{"y0"`, `"leaves":{"p7"`},
		{matched, `"leaves":{"y0"`, `"leaves":{"y 0"`},
		{matched, `"text":"y0"`, `"text":"y0","nonneg":false`},
		{matched, `{"type":"i32","text":"y0"`, `{"type":"f32","text":"y0","nonneg":true`},
		{matched, `"identity_side":"two"`, `"identity_side":"both"`},
		{matched, `"identity_side":"two"`, `"identity_side":"none"`},
		{matched, `"identity":["tmin"],`, ``},
		{matched, `"commutative":true`, `"commutative":"yes"`},
		{matched, `"assumes":[]`, `"assumes":["fast"]`},
		{matched, `"assumes":[]`, `"assumes":["nsw","nsw"]`},
		{matched, `"assumes":[],`, ``},
		{matched, `"inject":["y0"],`, ``},
		{matched, `"groups":[[0]]`, `"groups":[[-1]]`},
		{matched, `"groups":[[0]],`, ``},
		{matched, `"steps":1`, `"steps":-1`},
		{matched, `"steps":1`, `"steps":0.5`},
		{matched, `"kind":"split"`, `"kind":"guess"`},
		{matched, `"kind":"split"`, `"kind":"equal"`},
		{matched, `"kind":"equal"`, `"kind":"split"`},
		{matched, `{"kind":"equal"}`, `{"kind":"equal","note":""}`},
		{matched, `{"kind":"equal"}`, `null`},
		{matched, `{"kind":"equal"}`, `{}`},
		{matched, `"using":[0,1,2]`, `"using":[-1]`},
		{matched, `"why":[{"using":[0,1,2]}]`, `"why":[]`},
		{matched, `"associative":[{`, `"associated":[{`},
		{matched, `"operator_assumes":[],`, ``},
		{matched, `"micros":`, `"micros":-`},
		{matched, `"micros":`, `"reason":"none","micros":`},
		{matched, `"micros":`, `"counterexample":{"left":"0","right":"1"},"micros":`},
		{lifted, `"status":"lifted"`, `"status":"associative"`},
		{lifted, `"commutative":false`, `"commutative":true`},
		{lifted, `"apply":`, `"applies":`},
		{lifted, `"cost":`, `"costs":`},
		{lifted, `"parameters":2`, `"parameters":0`},
		{lifted, `"parameter_types":["i64","i64"]`, `"parameter_types":["i128","i64"]`},
		{lifted, `"certificate":{"lift":`, `"certificate":{"lifted":`},
		{lifted, `"action":`, `"actions":`},
		{refused, `"refutes":`, `"refute":`},
		{refused, `"counterexample":`, `"example":`},
		{refused, `"left":"4"`, `"left":4`},
		{refused, `"left":"4"`, `"left":"four"`},
		{refused, `"left":"4",`, ``},
		{refused, `"reason":`, `"reasons":`},
		{refused, `"micros":`, `"inject":["y0"],"micros":`},
		{refused, `"component":0`, `"component":64`},
		{unread, `"reason":`, `"reasons":`},
		{unread, `"update":[]`, `"update":["x0"]`},
		{unread, `"status":"error"`, `"status":"refused"`},
	} {
		if !strings.Contains(c.line, c.old) {
			t.Errorf("there is no %s in\n%s", c.old, c.line)
			continue
		}
		changed := strings.Replace(c.line, c.old, c.new, 1)
		if validate(s, changed) == nil {
			t.Errorf("%s instead of %s is valid:\n%s", c.new, c.old, changed)
		}
	}
	// Fields that a later version adds are no error at the top.
	if err := validate(s, strings.Replace(matched, `"schema":2`, `"schema":2,"depth":3`, 1)); err != nil {
		t.Errorf("a new field: %v", err)
	}
}
