package rfactor

import (
	"os"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// The page that explains the names of lifts has each name, and an update that is answered so beside those that it explains.
func TestNamesOfLifts(t *testing.T) {
	skipShort(t)
	t.Parallel()
	text, err := os.ReadFile("../docs/lifts.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range FamilyNames() {
		if name != "product" && !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("the page has not the name %s", name)
		}
	}
	rows := 0
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
		if len(cells) != 7 || !strings.Contains(cells[1], "`") {
			continue
		}
		code := func(cell string) []string {
			return strings.Split(strings.ReplaceAll(strings.TrimSpace(cell), "\x00", "|"), "`")
		}
		name, assume, types, update := code(cells[1])[1], code(cells[3])[1], code(cells[4])[1], code(cells[5])
		allowed, err := ir.ParseAssume(assume)
		if err != nil {
			t.Fatal(err)
		}
		u, err := program.ParseUpdate(ir.NewPool(), types, update[1])
		if err == nil && len(update) > 3 {
			u.Given, err = program.ParseGiven(u, update[3])
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		a, err := Match(t.Context(), u, Options{Allowed: allowed})
		if err != nil {
			t.Fatal(err)
		}
		rows++
		if a.Via() != "lift:"+name {
			t.Errorf("%s: %s is %s by %q %s", name, update[1], a.Status, a.Via(), a.Reason)
		}
	}
	if rows < 30 {
		t.Errorf("the page has %d rows", rows)
	}
}
