package program

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Every example of the reference of the language means what stands behind it, and every word of the
// parser occurs in one. Programs that are files of the page are run by its commands.
func TestLanguageReference(t *testing.T) {
	raw, err := os.ReadFile("../../docs/language.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(raw), `\|`, "|")
	var all strings.Builder // the examples
	p := ir.NewPool()
	for _, m := range regexp.MustCompile("`([^`]+)` = `([^`]+)`").FindAllStringSubmatch(text, -1) {
		all.WriteString(m[1] + "\n")
		e, err := ParseExpr(p, Scope{}, ir.Invalid, m[1])
		if err != nil {
			t.Errorf("%v", err)
		} else if got := p.Const(e.Type(), ir.Eval(e, nil)); bare(got) != m[2] {
			t.Errorf("%s is %s, not %s", m[1], bare(got), m[2])
		}
	}
	for _, m := range regexp.MustCompile("(?s)```(update|program)\n(.*?)\n= (.*?)\n```").FindAllStringSubmatch(text, -1) {
		all.WriteString(m[2] + "\n")
		if got, err := meaning(p, m[1], m[2]); err != nil {
			t.Errorf("%v", err)
		} else if got != m[3] {
			t.Errorf("%s\nis  %s\nnot %s", m[2], got, m[3])
		}
	}
	for _, m := range regexp.MustCompile("(?s)```rf file=\\S+\n(.*?)```").FindAllStringSubmatch(text, -1) {
		all.WriteString(m[1])
	}
	examples := all.String()
	for _, word := range words() {
		found := strings.Contains(examples, word)
		if isLetter(word[0]) {
			found = regexp.MustCompile(`\b` + word + `\b`).MatchString(examples)
		}
		if !found {
			t.Errorf("docs/language.md has no example of %s", word)
		}
		if !strings.Contains(text, "`"+word) && isLetter(word[0]) {
			t.Errorf("docs/language.md does not explain %s", word)
		}
	}
}

// meaning is the update that a text stands for.
func meaning(p *ir.Pool, kind, text string) (string, error) {
	if kind == "update" {
		u, err := ParseUpdate(p, "", text)
		if err != nil {
			return "", err
		}
		return ir.Strings(u.Values), nil
	}
	pr, err := ParseProgram(p, "example", text, ir.I32)
	if err != nil {
		return "", err
	}
	return ir.Strings(pr.Definitions()[0].Matched().Values), nil
}

// bare is how a literal prints where its type is known; the limits of its type as numbers.
func bare(e ir.Expr) string {
	if e.Type().IsInt() {
		if e.Type().IsUnsigned() {
			return ir.NewPool().Const(ir.U64, e.Value()).String()
		}
		return ir.NewPool().Const(ir.I64, e.Value()).String()
	}
	return e.String()
}

// words are those that the parser knows.
func words() []string {
	w := []string{"let", "in", ":=", "true", "false", "cast", "UInt", "Int", "Float", "Bool", "type_of", "Tuple", "-", "!", "~", "+", "?", "where", "update", "until"}
	for _, names := range [][]string{
		slices.Collect(maps.Keys(builtins)), slices.Collect(maps.Keys(infix)), slices.Collect(maps.Keys(limitNames)),
		slices.Collect(maps.Keys(declarations)), slices.Collect(maps.Keys(directives)), slices.Collect(maps.Keys(cTypes)), sizes,
	} {
		w = append(w, names...)
	}
	for t := ir.Bool; t <= ir.F64; t++ {
		w = append(w, t.String())
	}
	return w
}

// The table of operators lists those that bind equally in one row, the tightest first.
func TestPrecedence(t *testing.T) {
	raw, err := os.ReadFile("../../docs/language.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(strings.ReplaceAll(string(raw), `\|`, "|"), "\n## Operators\n")
	section, _, _ = strings.Cut(section, "\n## ")
	before, listed := 100, 0
	for _, row := range regexp.MustCompile("(?m)^\\| ((?:`[^`]+` ?)+)\\|").FindAllStringSubmatch(section, -1) {
		prec := -1
		for _, symbol := range strings.Fields(strings.ReplaceAll(row[1], "`", "")) {
			op, ok := infix[symbol]
			if !ok {
				break // c ? a : b
			}
			if listed++; prec != -1 && op.Prec() != prec {
				t.Errorf("%s binds like none of its row", symbol)
			}
			if prec = op.Prec(); prec >= before {
				t.Errorf("%s binds no less than the row above it", symbol)
			}
		}
		before = prec
	}
	if listed != len(infix) {
		t.Errorf("%d operators are listed, of %d", listed, len(infix))
	}
}
