package program

import (
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Each word is what its list says: a call of a function that is not one gives another message.
func TestWords(t *testing.T) {
	words := Words()
	for _, name := range words["function"] {
		_, err := ParseUpdate(ir.NewPool(), "x0:i32,y0:i32", name+"()")
		if err == nil || !strings.Contains(err.Error(), "operand") && !strings.Contains(err.Error(), "expected") {
			t.Errorf("%s() is no call that lacks operands: %v", name, err)
		}
	}
	for _, name := range words["type"] {
		if ParseType(name) == ir.Invalid {
			t.Errorf("%s is no type", name)
		}
	}
	for _, want := range []struct{ list, word string }{{"function", "select"}, {"declaration", "RDom"}, {"type", "u8"}, {"literal", "inf"}} {
		if !slices.Contains(words[want.list], want.word) || !slices.IsSorted(words[want.list]) {
			t.Errorf("%s is not among %q, or these are not sorted", want.word, words[want.list])
		}
	}
}
