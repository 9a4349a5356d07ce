package emit

import (
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

// mapWords replaces the words of a text by what a function gives for each, and for what comes after it.
func mapWords(text string, to func(word, after string) string) string {
	var b strings.Builder
	for text != "" {
		w := word(text)
		if w == "" {
			b.WriteByte(text[0])
			text = text[1:]
			continue
		}
		text = text[len(w):]
		b.WriteString(to(w, text))
	}
	return b.String()
}

// renamed replaces a word of a text.
func renamed(text, from, to string) string {
	return mapWords(text, func(word, _ string) string {
		if word == from {
			return to
		}
		return word
	})
}
