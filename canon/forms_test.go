package canon

import (
	"testing"

	"github.com/rfactor-go/rfactor/rules"
)

func TestForms(t *testing.T) {
	rs, err := rules.Load("t", "f [int] : select(p, a + b, a + c) => a + select(p, b, c)\ng [int] : min(a, b) + max(a, b) => a + b")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(Forms(rs[0])); n != 4 {
		t.Errorf("%d forms of the first rule, want 4", n)
	}
	if n := len(Forms(rs[1])); n != 4 {
		t.Errorf("%d forms of the second rule, want 4", n)
	}
}
