package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the console blocks of README.md with what the command prints")

// console is a block of README.md that shows commands and what they print.
var console = regexp.MustCompile("(?s)```console\n(.*?)```")

// changing is what differs from run to run.
var changing = regexp.MustCompile(`in \d+ µs|"micros":[0-9.]+`)

// TestREADME runs the commands in the console blocks of README.md and compares.
func TestREADME(t *testing.T) {
	const name = "../../README.md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..") // files are named from the root
	blocks := 0
	out := console.ReplaceAllFunc(text, func(block []byte) []byte {
		blocks++
		shown := string(console.FindSubmatch(block)[1])
		printed := runConsole(t, shown)
		if changing.ReplaceAllString(shown, "…") == changing.ReplaceAllString(printed, "…") {
			return block
		}
		if !*update {
			t.Errorf("README.md shows\n%s\nbut the commands print\n%s\nrun go test ./cmd/rfactor -run README -update", shown, printed)
		}
		return []byte("```console\n" + printed + "```")
	})
	if blocks == 0 {
		t.Error("README.md has no console block")
	}
	if *update {
		if err := os.WriteFile("README.md", out, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// trusted is a row of README.md's table of what an ok rests on: package, lines, words.
var trusted = regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\| ([0-9]+) \\|(.*)$")

// TestREADMETrust compares README.md's table of trusted packages with what verify depends on.
// Lines may be a tenth off.
func TestREADMETrust(t *testing.T) {
	const name, module = "../../README.md", "github.com/rfactor-go/rfactor/"
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
			t.Errorf("README.md says that %s has %d lines; it has %d. Run go test ./cmd/rfactor -run README -update", pkg, n, lines[pkg])
		}
		return fmt.Appendf(nil, "| `%s` | %d |%s", pkg, lines[pkg], m[3])
	})
	for pkg := range lines {
		if !shown[pkg] {
			t.Errorf("README.md does not name %s, which verify depends on", pkg)
		}
		delete(shown, pkg)
	}
	for pkg := range shown {
		t.Errorf("README.md names %s, on which verify does not depend", pkg)
	}
	if *update {
		if err := os.WriteFile(name, out, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// runConsole runs the lines of a block that begin with $, and answers what the block
// should be. Other lines are taken to be output.
func runConsole(t *testing.T, block string) string {
	var b strings.Builder
	for line := range strings.Lines(block) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			b.WriteString(line + runPipe(t, strings.TrimSuffix(command, "\n")))
		}
	}
	return b.String()
}

// runPipe runs rfactor commands joined by |, standard output and errors together.
func runPipe(t *testing.T, line string) string {
	in := ""
	for stage := range strings.SplitSeq(line, " | ") {
		words := shellWords(stage)
		if strings.HasPrefix(stage, "go run ./cmd/rfactor ") {
			words = words[2:]
		} else if words[0] != "rfactor" {
			t.Fatalf("README.md: this test runs only rfactor, not %s", words[0])
		}
		var out bytes.Buffer
		doMain(words[1:], strings.NewReader(in), &out, &out)
		in = out.String()
	}
	return in
}

// shellWords splits a command at spaces outside of single quotes.
func shellWords(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

func Example_exitCodes() {
	for _, update := range []string{"f() = f() + in(r)", "f() = f()*f() + in(r)", "f() = f( + in(r)"} {
		var out bytes.Buffer
		fmt.Println(doMain([]string{"match", update}, strings.NewReader(""), &out, &out))
	}
	// Output:
	// 0
	// 1
	// 2
}
