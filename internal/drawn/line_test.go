package drawn_test

import (
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/ir"
)

// TestLineCoversLanguage draws lines: each function and operator of the reference of the language is in some, and
// each operator of ir.
func TestLineCoversLanguage(t *testing.T) {
	reference, err := os.ReadFile("../../docs/language.md")
	if err != nil {
		t.Fatal(err)
	}
	_, functions, _ := strings.Cut(string(reference), "\n## Operators\n")
	functions, _, _ = strings.Cut(functions, "\n## Programs\n")
	words := map[string]bool{"let": true, ":=": true, "?": true, "cast": true}
	for _, row := range regexp.MustCompile("(?m)^\\|( `.*?) \\| ").FindAllStringSubmatch(functions, -1) {
		for _, code := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			word, _, _ := strings.Cut(code[1], "(")
			words[strings.ReplaceAll(word, "\\", "")] = true
		}
	}
	delete(words, "c ? a : b")
	if len(words) < 55 {
		t.Fatalf("the reference has %d words: %v", len(words), words)
	}
	ops, types := map[ir.Op]bool{ir.Const: true, ir.Var: true, ir.Call: true}, map[string]int{}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		_, text := drawn.Line(rng)
		for word := range words {
			if strings.Contains(text, word) {
				delete(words, word)
			}
		}
		u := drawn.Update(rng)
		ir.Walk(u.Values, func(e ir.Expr) { ops[e.Op()] = true })
		for _, of := range u.Types {
			types[of.String()]++
		}
	}
	for word := range words {
		t.Errorf("%s is in no line", word)
	}
	for op := range ir.Op(ir.NumOps) {
		if !ops[op] {
			t.Errorf("%s is in no update", op)
		}
	}
	if len(types) != 11 {
		t.Errorf("components have the types %v", types)
	}
}
