package emit

import (
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// GoType is the type of emitted code for a type of the notation.
func GoType(t ir.Type) string { return goTypes[t] }

// Fragment writes expressions as Go for code that another program writes around them, and the functions that they call.
// A leaf is written as leaf says, with the type of GoType. The names of the functions begin with prefix. The code may import
// math and math/bits.
func Fragment(es []ir.Expr, leaf func(ir.Expr) string, prefix string) (texts []string, functions string) {
	w := &exprWriter{leaf: leaf}
	for _, e := range es {
		texts = append(texts, w.typed(e))
	}
	used := helpersOf(texts)
	functions = helperCode(used)
	for name := range used {
		to := prefix + title(name)
		for i := range texts {
			texts[i] = renamed(texts[i], name, to)
		}
		functions = renamed(functions, name, to)
	}
	return texts, strings.TrimSpace(functions)
}
