package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// trusted is a row of the table of docs/trust.md, of what an ok rests on: package, lines, words.
var trusted = regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\| ([0-9]+) \\|(.*)$")

// TestTrustTable compares the table of trusted packages in docs/trust.md with what verify depends on.
// Lines may be a tenth off.
func TestTrustTable(t *testing.T) {
	const name, module = "../../docs/trust.md", "github.com/rfactor-go/rfactor/"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	list, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{.Dir}} {{join .GoFiles \" \"}}", module+"verify").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	for row := range strings.Lines(string(list)) {
		words := strings.Fields(row)
		if pkg, ok := strings.CutPrefix(words[0], module); ok {
			for _, file := range words[2:] {
				source, err := os.ReadFile(filepath.Join(words[1], file))
				if err != nil {
					t.Fatal(err)
				}
				lines[pkg] += bytes.Count(source, []byte("\n"))
			}
		}
	}
	shown := map[string]bool{}
	out := trusted.ReplaceAllFunc(text, func(row []byte) []byte {
		m := trusted.FindSubmatch(row)
		pkg := string(m[1])
		shown[pkg] = true
		n, _ := strconv.Atoi(string(m[2]))
		if off := n - lines[pkg]; max(off, -off)*10 > lines[pkg] && !*update {
			t.Errorf("docs/trust.md says that %s has %d lines; it has %d. Run go test ./cmd/rfactor -run TrustTable -update", pkg, n, lines[pkg])
		}
		return fmt.Appendf(nil, "| `%s` | %d |%s", pkg, lines[pkg], m[3])
	})
	for pkg := range lines {
		if !shown[pkg] {
			t.Errorf("docs/trust.md does not name %s, which verify depends on", pkg)
		}
		delete(shown, pkg)
	}
	for pkg := range shown {
		t.Errorf("docs/trust.md names %s, on which verify does not depend", pkg)
	}
	if *update {
		if err := os.WriteFile(name, out, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func Example_exitCodes() {
	for _, update := range []string{"f() = f() + in(r)", "f() = f()*f() + in(r)", "f() = f( + in(r)"} {
		var out bytes.Buffer
		fmt.Println(inProcess([]string{"match", update}, strings.NewReader(""), &out, &out))
	}
	// Output:
	// 0
	// 1
	// 2
}
