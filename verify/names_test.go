package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/verify"
)

// maxOf is a record of max(x0, LEAF), whose claims hold for every leaf of a proper name.
const maxOf = `{"schema":2,"name":"","status":"associative","types":["i32"],"update":["max(x0, LEAF)"],` +
	`"leaves":{"LEAF":{"type":"i32","text":""}},"operator":{"types":["i32"],"exprs":["max(x0, y0)"],` +
	`"identity_side":"none","commutative":false,"idempotent":false},"inject":["LEAF"],"assumes":[],"given":[],` +
	`"groups":[[0]],"proof":{"steps":1,"certificate":{"groups":[{"components":[0],"operator":["max(x0, y0)"],` +
	`"identity_side":"none","inject":["LEAF"],"operator_assumes":[],"commutative":false,"idempotent":false,` +
	`"properties":{"associative":[{"kind":"extrema"}]},"update":[{"cases":{"kind":"extrema"}}]}]}},"micros":0}`

// A leaf has a name that can be read as nothing else.
func TestLeafNames(t *testing.T) {
	for name, want := range map[string]bool{
		"y0": true, "k3": true, "r": true, "r.x": true, "in": true, "y01": true,
		"": false, " ": false, "a b": false, "1": false, "2x": false, ".": false, "x0": false, "p7": false, "q1": false,
		"z2": false, "tmin": false, "tmax": false, "inf": false, "nan": false, "true": false, "min": false,
		"select": false, "i32": false, "f64": false, "bool": false, "+": false, "é": false, "(y0)": false,
	} {
		_, err := verify.Check([]byte(strings.ReplaceAll(maxOf, "LEAF", name)))
		if (err == nil) != want {
			t.Errorf("a leaf called %q: %v", name, err)
		}
	}
}

// An answer has no more parts than can be checked in reasonable time.
func TestBounds(t *testing.T) {
	leaves := &strings.Builder{}
	for i := range 5000 {
		fmt.Fprintf(leaves, `"a%d":{"type":"i32","text":""},`, i)
	}
	fine := strings.ReplaceAll(maxOf, "LEAF", "y0")
	lifted := strings.Replace(fine, `"associative","types"`, `"lifted","types"`, 1)
	group := fine[strings.Index(fine, `{"components"`) : len(fine)-len(`]}},"micros":0}`)]
	lifted = strings.NewReplacer(`"groups":[[0]],`, "", `"groups":[`+group+`]`, `"lift":{"assumes":[],"update":[],"action":[],"step":[],"simpler":[]}`).Replace(lifted)
	const lemma = `{"type":"i32","from":"x0","to":"x0"}`
	for _, test := range []struct{ line, old, new, want string }{
		{fine, `"leaves":{`, `"leaves":{` + leaves.String(), "5001 leaves"},
		{fine, `"types":["i32"],"update"`, `"types":["i32"` + strings.Repeat(`,"i32"`, 64) + `],"update"`, "65 components"},
		{fine, group, group + strings.Repeat(`,`+group, 5000), "5001 groups"},
		{fine, `"update":[{`, `"lemmas":[` + lemma + strings.Repeat(`,`+lemma, 5000) + `],"update":[{`, "5001 lemmas"},
		{lifted, `"operator":{"types":["i32"`, `"operator":{"types":["i32"` + strings.Repeat(`,"i32"`, 64), "65 components"},
	} {
		line := strings.Replace(test.line, test.old, test.new, 1)
		if _, err := verify.Check([]byte(line)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.want, err)
		}
	}
}

// Letters beyond ASCII that encoding/json takes for letters in it make no second field.
func TestFoldedFields(t *testing.T) {
	fine := strings.ReplaceAll(maxOf, "LEAF", "y0")
	for _, key := range []string{"\u017ftatus", "ſtatus", "STATUS"} {
		line := strings.Replace(fine, `"status"`, `"`+key+`":"lifted","status"`, 1)
		if _, err := verify.Check([]byte(line)); err == nil || !strings.Contains(err.Error(), "is there twice") {
			t.Errorf("%s: %v", key, err)
		}
	}
}
