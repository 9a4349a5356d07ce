package verify_test

import (
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/verify"
)

// Under nuw the operands of ⊕ are natural numbers. Laws that hold of these say nothing of a
// partial result below zero: of the first row, 3 and then 7 take the state from 0 to 2, and
// together, as −2 ⊕ 2 = 0, to 0.
func TestCheckRejectsBelowZero(t *testing.T) {
	for _, test := range []struct{ update, operator, inject, want string }{
		{"select(y0 >= 5, x0 + (y0 - 5), select(x0 + y0 >= 5, x0 + y0 - 5, 0))", "max(x0 + y0, 0)", "y0 - 5", "inject may be below zero"},
		{"x0 + (y0 - 5)", "x0 + y0", "-(5 - y0)", "inject may be below zero"},
		{"x0 + y0 - 5", "x0 + y0 - 5", "y0", "x ⊕ y may be below zero"},
		{"max(x0 + y0 + 5, 0) - 10", "max(x0 + y0 + 5, 0) - 10", "y0", "x ⊕ y may be below zero"},
	} {
		line := apply(t, lines["capped"](), edit{"update", quoted(test.update)}, edit{"operator.exprs", quoted(test.operator)}, edit{"inject", quoted(test.inject)},
			edit{group + ".operator", quoted(test.operator)}, edit{group + ".inject", quoted(test.inject)}, edit{"operator.commutative", "false"}, edit{group + ".commutative", "false"},
			edit{group + ".properties.associative.0", associative[test.operator]})
		if _, err := verify.Check([]byte(line)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.update, err, test.want)
		}
	}
}

// associative has proofs that operators are associative over the natural numbers.
var associative = map[string]string{
	"x0 + y0":     `{"kind":"equal"}`,
	"x0 + y0 - 5": `{"kind":"equal"}`,
	"max(x0 + y0, 0)": `{"kind":"split","then":{"kind":"absurd","why":[{"using":[0],"lines":[[0,1,1,1],[3,1,2,1]]}]},"else":{"kind":"split","then":{"kind":"absurd","why":[{"using":[0,1],"lines":[[1,1,4,1],[5,1,0,1]]}]},
		"else":{"kind":"split","then":{"kind":"absurd","why":[{"using":[2],"lines":[[0,1,1,1],[3,1,2,1]]}]},"else":{"kind":"equal"}}}}`,
	"max(x0 + y0 + 5, 0) - 10": `{"kind":"split","then":{"kind":"absurd","why":[{"using":[0],"lines":[[0,1,1,1],[3,1,2,1]]}]},"else":{"kind":"split","then":{"kind":"absurd","why":[{"using":[1],"lines":[[0,1,1,1],[4,1,2,1],[5,1,3,1]]}]},
		"else":{"kind":"split","then":{"kind":"absurd","why":[{"using":[2],"lines":[[0,1,1,1],[3,1,2,1]]}]},"else":{"kind":"equal"}}}}`,
}

func quoted(text string) string { return `["` + text + `"]` }
