package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The list of rooms in the architecture has every package once, and a package imports only those of rows above its own, or of its own.
func TestRooms(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	row, names := map[string]int{}, regexp.MustCompile("`([^`]+)`")
	_, rooms, _ := strings.Cut(string(text), "\n## The rooms\n")
	rooms, _, _ = strings.Cut(rooms, "\n## ")
	for i, line := range strings.Split(rooms, "\n") {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		for _, m := range names.FindAllStringSubmatch(strings.Split(line, "|")[1], -1) {
			if row[m[1]] > 0 {
				t.Errorf("%s stands in two rows", m[1])
			}
			row[m[1]] = i
		}
	}
	const module = "github.com/rfactor-go/rfactor/"
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	cmd.Dir = "../.."
	list, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	own := func(path string) (string, bool) { return strings.CutPrefix(path, module) }
	packages := 0
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		name, _ := own(words[0])
		if packages++; row[name] == 0 {
			t.Errorf("%s stands in no row", name)
			continue
		}
		for _, path := range words[1:] {
			if imported, ok := own(path); ok && row[imported] > row[name] {
				t.Errorf("%s imports %s, which stands below it", name, imported)
			}
		}
	}
	if packages < 50 {
		t.Errorf("only %d packages were looked up", packages)
	}
}
