package pattern

import (
	"os"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// TestFamiliarSpellings: the ways in which programmers write an update are one operator.
func TestFamiliarSpellings(t *testing.T) {
	text, err := os.ReadFile("testdata/spellings.tsv")
	if err != nil {
		t.Fatal(err)
	}
	s := canon.NewSession()
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		u, err := program.ParseUpdate(ir.NewPool(), cells[1], cells[2])
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		u.NonNeg = nil
		for _, v := range u.Vars {
			if v.Kind() == ir.Coord {
				u.NonNeg = append(u.NonNeg, v)
			}
		}
		a, ok := matchPart(s, u, u.Types, u.Values, worlds(u.Types))
		switch {
		case !ok:
			t.Errorf("%s: no match", line)
		case a.name != cells[0]:
			t.Errorf("%s: matched %s: %s", line, a.name, describe([]answer{a}))
		default:
			if err := checkAnswer(u, a, a.assumes&(ir.NSW|ir.NUW) != 0); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}
