package emit

import (
	"maps"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// GoType is the type of emitted code for a type of the notation.
func GoType(t ir.Type) string { return kernel.GoType[t] }

// Fragment writes expressions as Go for code that another program writes around them, and the functions that they call.
// A leaf is written as leaf says, with the type of GoType. The names of the functions begin with prefix. The code may import
// math and math/bits.
func Fragment(es []ir.Expr, leaf func(ir.Expr) string, prefix string) (texts []string, functions string) {
	used := uses{}
	w := &exprWriter{leaf: leaf, use: func(name string) string {
		used[name] = true
		if _, ok := helpers[name]; ok {
			return prefix + title(name)
		}
		return name
	}}
	for _, e := range es {
		texts = append(texts, w.typed(e))
	}
	called := helpersOf(used)
	for _, name := range slices.Sorted(maps.Keys(called)) {
		functions += "\n" + prefixed(helpers[name].code, prefix, called)
	}
	return texts, strings.TrimSpace(functions)
}

// prefixed is the text of a helper in which helpers have names that begin with prefix.
func prefixed(code, prefix string, called uses) string {
	var b strings.Builder
	for code != "" {
		w := word(code)
		code = code[len(w):]
		switch {
		case called[w]:
			b.WriteString(prefix + title(w))
		case w != "":
			b.WriteString(w)
		default:
			b.WriteByte(code[0])
			code = code[1:]
		}
	}
	return b.String()
}

// word returns the word that a text begins with, which is as long as it can be.
func word(text string) string {
	end := strings.IndexFunc(text, func(c rune) bool {
		return c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
	if end < 0 {
		return text
	}
	return text[:end]
}
