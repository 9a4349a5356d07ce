package verify_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/verify"
)

// Staged lines that tests tamper with: values before and after the step, three stages of which one reads both others, an
// assumption of one stage alone, a condition that is given.
var stagedLines = map[string]func() string{
	"after": matched("x0:i32,x1:i32,y0:i32", "x0 + y0; select(x0 + y0 > 9, 3*x1, x1 + y0)", "none", ""),
	"three": matched("x0:i32,x1:i32,x2:i32,y0:i32", "x0 + y0; select(x0 > 9, 3*x1*x0, x1 + 1); select(x0*x1 > 5, x2*x1, x2 - x0)", "none", ""),
	"nsw":   matched("x0:i32,x1:i32,y0:i32", "max(x0 + y0, 0); select(x0 > 9, 3*x1*x0, x1 + 1)", "nsw", ""),
	"given": matched("x0:i32,x1:i32,r:i32", "select(x0 < 0, 0, max(x0, r)); select(x0 > 9, 3*x1*x0, x1 + 1)", "none", "x0 >= 0"),
}

// Fields that are no claim: docs/trust.md lists them.
var noClaim = []string{"name", "text", "via", "micros"}

// TestStagedTampered changes each field of staged lines, one at a time: it is deleted, a number is another, a flag its
// opposite, a text another text under the same key, an item of a list is dropped or there twice. No such line is accepted. Of
// the changes within certificates of stages, which are as those of other answers, it makes one in five.
func TestStagedTampered(t *testing.T) {
	n := 0
	for name, line := range stagedLines {
		d := json.NewDecoder(strings.NewReader(line()))
		d.UseNumber()
		var root any
		if err := d.Decode(&root); err != nil {
			t.Fatal(err)
		}
		texts := map[string][]string{}
		visit(root, nil, func(path []string, v any) {
			if s, ok := v.(string); ok && !slices.Contains(texts[keyOf(path)], s) {
				texts[keyOf(path)] = append(texts[keyOf(path)], s)
			}
		})
		visit(root, nil, func(path []string, v any) {
			if slices.Contains(noClaim, keyOf(path)) || len(path) == 0 {
				return
			}
			for _, value := range others(path, v, texts) {
				if n++; n%5 != 0 && slices.Contains(path, "certificate") {
					continue
				}
				changed := apply(t, line(), edit{strings.Join(path, "."), value})
				if _, err := verify.Check([]byte(changed)); err == nil && !isHarmless(path, value) {
					t.Errorf("%s with %s = %s is accepted", name, strings.Join(path, "."), value)
				}
			}
		})
	}
	t.Logf("%d changes", n)
}

// visit visits each value of a tree with its path.
func visit(v any, path []string, f func(path []string, v any)) {
	f(path, v)
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			visit(v[k], append(slices.Clip(path), k), f)
		}
	case []any:
		for i, e := range v {
			visit(e, append(slices.Clip(path), strconv.Itoa(i)), f)
		}
	}
}

// keyOf returns the last key of a path that is no number.
func keyOf(path []string) string {
	for _, k := range slices.Backward(path) {
		if _, err := strconv.Atoi(k); err != nil {
			return k
		}
	}
	return ""
}

// others lists JSON values that may stand in the place of one; "" deletes it.
func others(path []string, v any, texts map[string][]string) (out []string) {
	encode := func(v any) {
		b, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		out = append(out, string(b))
	}
	if _, err := strconv.Atoi(path[len(path)-1]); err != nil {
		out = append(out, "")
	}
	switch v := v.(type) {
	case string:
		for _, s := range texts[keyOf(path)] {
			if s != v {
				encode(s)
			}
		}
	case json.Number:
		i, _ := v.Int64()
		encode(i + 1)
		encode(i - 1)
	case bool:
		encode(!v)
	case []any:
		for i, e := range v {
			encode(slices.Delete(slices.Clone(v), i, i+1))
			encode(append(slices.Clone(v), e))
		}
	}
	return out
}

// isHarmless reports whether what a field says is true with a value as well: an equation of two sides that are the same
// needs no proof, extrema prove what equal proves, a fact may be there twice, and other products of steps may show that a
// lift is least, or that there is no operator.
func isHarmless(path []string, value string) bool {
	if slices.Contains(path, "no_operator") || slices.Contains(path, "least") && slices.Contains(path, "certificate") && keyOf(path) != "least" {
		return true
	}
	switch keyOf(path) {
	case "cases":
		return value == "" && slices.Contains(path, "simpler")
	case "kind":
		return value == `"extrema"`
	case "given", "nonneg", "why":
		return strings.HasPrefix(value, "[")
	}
	return false
}

// TestStagedRejects names the clause that a changed line fails.
func TestStagedRejects(t *testing.T) {
	const one = "stages.1."
	for _, test := range []struct {
		line  string
		edits []edit
		want  string
	}{
		{"after", []edit{{"passes", `3`}}, "passes: 3, but by the proofs it is 2"},
		{"after", []edit{{"operator", `{"types":["i32"],"exprs":["x0"],"identity_side":"none","commutative":false,"idempotent":false}`}}, "an operator for each stage, and none for the whole"},
		{"after", []edit{{"stages", `[]`}}, "0 stages"},
		{"after", []edit{{"proof.steps", `2`}}, "steps: 2, but by the proofs it is 1"},
		{"after", []edit{{"update.1", `"select(x0 + y0 > 9, 3*x1, x1 - y0)"`}}, "stage 1: its component 0 becomes select(x0 + y0 > 9, 3*x1, x1 + y0)"},
		{"after", []edit{{"update.0", `"x0 - y0"`}}, "stage 0: its component 0 becomes x0 + y0"},
		{"after", []edit{{one + "reads.0.when", `"before"`}}, "stage 1: its component 0 becomes select(x0 > 9, 3*x1, x1 + y0)"},
		{"after", []edit{{one + "reads.0.when", `"between"`}}, `stage 1: y1 is read "between"`},
		{"after", []edit{{one + "reads.0.component", `1`}}, "stage 1: y1 is component 1, which no earlier stage has"},
		{"after", []edit{{one + "reads.0.leaf", `"y0"`}}, "stage 1: y0 is no input of the stage alone"},
		{"after", []edit{{one + "reads", `[]`}}, "stage 1: its leaf y1 is none of the tuple's"},
		{"after", []edit{{one + "components", `[0]`}}, "stage 1: components [0]"},
		{"after", []edit{{one + "stores", `[1]`}}, "stage 1: stores: [1], but [] is read"},
		{"after", []edit{{"stages.0.stores", `[]`}}, "stage 0: stores: [], but [0] is read"},
		{"after", []edit{{one + "answer.status", `"refused"`}}, "stage 1: it has no answer in one pass"},
		{"after", []edit{{one + "answer.schema", `1`}}, "stage 1: schema 1, not 2"},
		{"after", []edit{{one + "answer.leaves.y1.type", `"u32"`}}, "stage 1:"},
		{"after", []edit{{one + "answer.inject.0", `"3"`}}, "stage 1:"},
		{"nsw", []edit{{"assumes", `[]`}}, "assumes: none, but by the proofs it is nsw"},
		{"nsw", []edit{{"assumes", `[]`}, {"stages.0.answer.assumes", `[]`}}, "stage 0:"},
		{"given", []edit{{"given", `[]`}}, "stage 0: x0 >= 0 is not given"},
		{"given", []edit{{"given", `["x0 >= 0","x1 >= 0"]`}}, "no stage uses the given condition x1 >= 0"},
		{"three", []edit{{"stages.2.reads.1.component", `0`}}, "stage 2: its component 0 becomes"},
	} {
		line := apply(t, stagedLines[test.line](), test.edits...)
		if _, err := verify.Check([]byte(line)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with %v: %v, want %s", test.line, test.edits, err, test.want)
		}
	}
}
