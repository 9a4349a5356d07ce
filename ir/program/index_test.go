package program

import (
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// An index behind a name that abbreviates one expression is an error, not a crash.
func TestIndexOfExpression(t *testing.T) {
	_, err := ParseProgram(ir.NewPool(), "index", "Expr v = 3; Func f; f() = 0; f() = f() + v[1];", ir.Invalid)
	if err == nil || !strings.Contains(err.Error(), "v is no tuple") {
		t.Errorf("got %v", err)
	}
}
