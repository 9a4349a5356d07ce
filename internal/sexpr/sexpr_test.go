package sexpr_test

import (
	"fmt"
	"testing"

	"github.com/rfactor-go/rfactor/egraph"
	. "github.com/rfactor-go/rfactor/internal/sexpr"
)

// Rules that are not good are a panic of the package.
func TestMustCompile(t *testing.T) {
	defer func() {
		if got := fmt.Sprint(recover()); got != `sexpr: rule 0 needs a name of its own, not ""` {
			t.Error(got)
		}
	}()
	MustCompile(make([]egraph.Rule, 1))
}

// A text that cannot be read is an error that says where.
func TestParseErrors(t *testing.T) {
	var s Symbols
	for text, want := range map[string]string{
		"": "term ends too early", ")": "unexpected )", "(": "want an operator after (", "(+ a": "missing )",
		"(+ a))": `")" after the end of "(+ a))"`, "a b": `"b" after the end of "a b"`, "()": "want an operator after (",
		"((f) a)": "want an operator after (", "(?f a)": "want an operator after (",
		"?x": "a term has no variables, but has number 0",
	} {
		if _, err := s.ParseTerm(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"a => b":     `line 1: want name: lhs => rhs, have "a => b"`,
		"n: a":       `line 1: want name: lhs => rhs, have "n: a"`,
		"n: (f => b": "line 1: missing )",
		"n: a => (f": "line 1: missing )",
	} {
		if _, err := s.ParseRules(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := s.ParseRules("# rules\nnonsense"); err == nil || err.Error() != `line 2: want name: lhs => rhs, have "nonsense"` {
		t.Error(err)
	}
	if p, err := s.ParsePattern("(f ?a)", nil); err != nil || p.Kids[0].Var != 0 || s.Name(99) != "op99" {
		t.Error(p, err, s.Name(99))
	}
}
