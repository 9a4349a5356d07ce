package program

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Everybody's mistakes are answered with what to write, which the parser takes: testdata/mistakes.txt.
func TestMistakes(t *testing.T) {
	text, err := os.ReadFile("testdata/mistakes.txt")
	if err != nil {
		t.Fatal(err)
	}
	written := regexp.MustCompile(`write (.*)$`)
	checked := regexp.MustCompile(`rfactor check -types (\S+) '(.*)'`)
	lines := 0
	for line := range strings.Lines(string(text)) {
		mistake, names, ok := strings.Cut(strings.TrimSpace(line), "  ⇒  ")
		if !ok {
			continue
		}
		lines++
		err := readAny(mistake)
		var list ir.ErrorList
		if !errors.As(err, &list) {
			t.Errorf("%s: %v is no list of errors", mistake, err)
			continue
		}
		msg := list[0].Msg
		if !strings.Contains(msg, names) || !strings.Contains(list[0].Error(), "^") {
			t.Errorf("%s: %s\nwant %s", mistake, msg, names)
		}
		if m := checked.FindStringSubmatch(msg); m != nil {
			if _, err := ParseOperator(ir.NewPool(), m[1], m[2]); err != nil {
				t.Errorf("%s: %v", mistake, err)
			}
		} else if m := written.FindStringSubmatch(msg); m != nil && !strings.Contains(mistake, "Func ") {
			if err := readAny(m[1]); err != nil && !strings.Contains(err.Error(), "the types are missing: -types") {
				t.Errorf("%s: %v", mistake, err)
			}
		}
	}
	if lines < 100 {
		t.Errorf("only %d mistakes", lines)
	}
}

// readAny reads a text as the command does, and returns its errors.
func readAny(text string) (err error) {
	if IsAbstract(text) {
		_, err = ParseUpdate(ir.NewPool(), "", text)
	} else {
		_, err = ParseProgram(ir.NewPool(), "update", text, ir.I32)
	}
	return err
}
