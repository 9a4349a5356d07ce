package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rfactor-go/rfactor/internal/targets"
)

// newcomer are questions of someone who opens the tree for the first time: the section that answers, and what it
// has to name there. Names in that section that are commands or paths have to be in the tree.
var newcomer = []struct{ question, heading, names string }{
	{"where is a rule added", "Add a rule", `^rules/theory$`},
	{"what is trusted", "What an ok rests on", `^verify/equation$`},
	{"how do I run the tests of one family", "Run the tests of one family", `^go test \./rfactor -run `},
	{"how do I measure one kernel", "Measure one kernel", `bench.* -only `},
	{"what may I delete", "What may be deleted", `^bin/$`},
}

// Each question is answered within two links from README.md.
func TestNewcomer(t *testing.T) {
	pages, err := within(os.DirFS(root), "README.md", 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range newcomer {
		section := ""
		for _, page := range pages {
			if s := sectionOf(page.text, q.heading); s != "" {
				section = s
				t.Logf("%s? %s, %d links away: %s", q.question, page.path, page.links, q.heading)
				break
			}
		}
		if section == "" {
			t.Errorf("%s? No page within two links of README.md has a section %q", q.question, q.heading)
			continue
		}
		names := named(section)
		if !slices.ContainsFunc(names, regexp.MustCompile(q.names).MatchString) {
			t.Errorf("%s? The section %q names nothing like %s", q.question, q.heading, q.names)
		}
		for _, name := range names {
			if err := resolves(name); err != nil {
				t.Errorf("%s? The section %q: %v", q.question, q.heading, err)
			}
		}
	}
}

// TestNewcomerNotices gives the newcomer's test pages that are too far and names that nothing has.
func TestNewcomerNotices(t *testing.T) {
	tree := fstest.MapFS{
		"README.md": {Data: []byte("# R\n[a](docs/a.md)")}, "docs/a.md": {Data: []byte("# A\n[b](b.md#b) [site](https://example.org)")},
		"docs/b.md": {Data: []byte("# B\n[c](../c.md) [tree](../x.go)")}, "c.md": {Data: []byte("# C\n## Answer\n`x`\n## Other\n`y`")},
	}
	for links, want := range []int{1, 2, 3, 4} {
		if pages, err := within(tree, "README.md", links); err != nil || len(pages) != want {
			t.Errorf("%d pages within %d links, not %d (%v)", len(pages), links, want, err)
		}
	}
	if names := named(sectionOf("# C\n## Answer\n`x`\n```sh\nmake y # why\n```\n## Other\n`z`", "Answer")); !slices.Equal(names, []string{"make y", "x"}) {
		t.Errorf("the section names %q", names)
	}
	for _, name := range []string{
		"make -s bench-nothing", "cd beam && make nothing", "go -C nothing run . x", "go run ./cmd/nothing -x", "go test ./rules -run 'Nothing'", "go test ./nothing", "rfactor nothing", "rules/nothing",
	} {
		if resolves(name) == nil {
			t.Errorf("%q is taken for something that is there", name)
		}
	}
}

// A near page is a page that some links away is reached.
type nearPage struct {
	path, text string
	links      int
}

// within returns the pages that at most so many links away are reached from a page, the nearest first.
func within(tree fs.FS, from string, most int) (pages []nearPage, err error) {
	next := []nearPage{{path: from}}
	seen := map[string]bool{from: true}
	for len(next) > 0 {
		p := next[0]
		next = next[1:]
		source, err := fs.ReadFile(tree, p.path)
		if err != nil {
			return nil, err
		}
		p.text = string(source)
		pages = append(pages, p)
		if p.links == most {
			continue
		}
		for _, l := range links(parse(p.path, source).doc) {
			name, _, _ := strings.Cut(string(l.Destination), "#")
			to := path.Join(path.Dir(p.path), name)
			if strings.Contains(name, "://") || path.Ext(to) != ".md" || seen[to] {
				continue
			}
			seen[to] = true
			next = append(next, nearPage{path: to, links: p.links + 1})
		}
	}
	return pages, nil
}

// sectionOf returns the text below a heading, up to the next one.
func sectionOf(text, heading string) string {
	_, below, ok := strings.Cut("\n"+text, "# "+heading+"\n")
	if !ok {
		return ""
	}
	section, _, _ := strings.Cut(below, "\n#")
	return section
}

var (
	shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")
	anyBlock   = regexp.MustCompile("(?ms)^```.*?^```")
	codeSpan   = regexp.MustCompile("`([^`]+)`")
)

// named lists the lines of a section's shell blocks and its words in code font.
func named(section string) (names []string) {
	for _, b := range shellBlock.FindAllStringSubmatch(section, -1) {
		for line := range strings.Lines(b[1]) {
			command, _, _ := strings.Cut(line, "#")
			names = append(names, strings.TrimSpace(command))
		}
	}
	for _, m := range codeSpan.FindAllStringSubmatch(anyBlock.ReplaceAllString(section, ""), -1) {
		names = append(names, strings.ReplaceAll(m[1], `\|`, "|"))
	}
	return names
}

// resolves returns an error that says what a command or a path names and the tree does not have; nil if it has all, and of
// any other text. A command may begin with cd FOLDER && or go -C FOLDER.
func resolves(name string) error {
	base, words := root, strings.Fields(strings.ReplaceAll(name, "'", ""))
	switch {
	case len(words) > 3 && words[0] == "cd" && words[2] == "&&":
		base, words = filepath.Join(root, words[1]), words[3:]
	case len(words) > 3 && words[0] == "go" && words[1] == "-C":
		base, words = filepath.Join(root, words[2]), append([]string{"go"}, words[3:]...)
	}
	switch {
	case len(words) == 0 || strings.Contains(name, "…") || strings.HasPrefix(name, "bin/"): // targets make what is in bin
		return nil
	case words[0] == "make":
		return target(base, words[len(words)-1])
	case words[0] == "go" && len(words) > 2 && words[1] == "run":
		_, err := os.Stat(filepath.Join(base, words[2]))
		return err
	case words[0] == "go" && len(words) > 2 && words[1] == "test":
		return tests(base, words[2:])
	case words[0] == "bench": // the command of the module of that name
		_, err := os.Stat(filepath.Join(root, "bench"))
		return err
	case words[0] == "rfactor" && len(words) > 1:
		return verb(words[1])
	case len(words) == 1 && strings.Contains(name, "/"):
		_, err := os.Stat(filepath.Join(root, name))
		return err
	}
	return nil
}

// target looks for a target of make.
func target(base, name string) error {
	has, err := targets.Has(base, name)
	if err == nil && !has {
		err = fmt.Errorf("make has no target %s", name)
	}
	return err
}

// verb looks for a verb of the command.
func verb(name string) error {
	files, err := filepath.Glob(filepath.Join(root, "cmd/rfactor/*.go"))
	for _, f := range append(files, filepath.Join(root, "internal/verbs/gocode.go")) {
		if text, err := os.ReadFile(f); err == nil && regexp.MustCompile(`Name:\s+"`+regexp.QuoteMeta(name)+`"`).Match(text) {
			return nil
		}
	}
	return errors.Join(err, fmt.Errorf("rfactor has no verb %s", name))
}

// tests looks for the packages of go test, and for a test or a benchmark for each pattern of -run and -bench.
func tests(base string, args []string) error {
	var dirs []string
	for i, word := range args {
		switch {
		case strings.HasPrefix(word, "./"):
			dir := filepath.Join(base, strings.TrimSuffix(word, "/..."))
			if _, err := os.Stat(dir); err != nil {
				return err
			}
			dirs = append(dirs, dir)
		case (word == "-run" || word == "-bench") && args[i+1] != "-":
			for pattern := range strings.SplitSeq(args[i+1], "|") {
				if !declares(dirs, pattern) {
					return fmt.Errorf("go test %s: no test is called %s", strings.Join(args, " "), pattern)
				}
			}
		}
	}
	return nil
}

// declares tells whether the tests in some directories have a function whose name matches.
func declares(dirs []string, pattern string) bool {
	re := regexp.MustCompile(pattern)
	for _, dir := range dirs {
		files, _ := filepath.Glob(dir + "/*_test.go")
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				continue
			}
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if ok && regexp.MustCompile(`^(Test|Benchmark)`).MatchString(fn.Name.Name) && re.MatchString(fn.Name.Name) {
					return true
				}
			}
		}
	}
	return false
}
