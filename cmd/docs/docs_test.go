package main

import (
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

const root = "../.."

func loaded(t *testing.T) *site {
	t.Helper()
	s, err := load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every page is rendered, and all that a rendered page links to is there.
func TestSite(t *testing.T) {
	dir := t.TempDir()
	s := loaded(t)
	if err := s.write(dir); err != nil {
		t.Fatal(err)
	}
	href := regexp.MustCompile(`(?:href|src)="([^"#]+)[^"]*"`)
	for name, p := range s.pages {
		html, err := os.ReadFile(filepath.Join(dir, p.out()))
		if err != nil {
			t.Error(err)
		}
		if p.title == "" {
			t.Errorf("%s has no title", name)
		}
		for _, m := range href.FindAllStringSubmatch(string(html), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(dir, filepath.Dir(p.out()), m[1])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// A tree with a wrong link, a wrong anchor, or a page that nothing links to is refused by name.
func TestLinksThatLeadNowhere(t *testing.T) {
	good := "# Index\n\n- [A](a.md#two-words)\n- [B](../B.md)\n"
	for _, c := range []struct{ index, want string }{
		{good, ""},
		{good + "- [C](c.md)\n", "docs/index.md: stat"},
		{good + "- [C](a.md#three)\n", "docs/index.md: a.md#three: docs/a.md has no heading of that name"},
		{"# Index\n\n- [B](../B.md)\n", "docs/a.md: no link leads from docs/index.md to it"},
		{good + "![](a.svg)\n", "docs/index.md: stat"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"docs/index.md": c.index, "docs/a.md": "# A\n\n## Two `words`!\n\n[here](#a) and [B](../B.md)\n", "B.md": "# B\n",
		} {
			if err := writeFile(filepath.Join(dir, name), []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		_, err := load(os.DirFS(dir))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v, not %q", c.index, err, c.want)
		}
	}
}

// Every fenced block is of a language that some test knows how to check, and holds what it should.
func TestBlocks(t *testing.T) {
	var programs []string // main packages, built at once
	dir := t.TempDir()
	for _, p := range loaded(t).ordered() {
		for _, b := range fences(p) {
			at := p.path + ":\n" + b.text
			switch {
			case b.from != "":
				if file, err := os.ReadFile(filepath.Join(root, b.from)); err != nil || !strings.Contains(unindented(string(file)), unindented(b.text)) {
					t.Errorf("%s\nis no excerpt of %s (%v)", at, b.from, err)
				}
			case b.file != "": // the page's commands use it
			case b.language == "go":
				name := filepath.Join(dir, "p"+string(rune('a'+len(programs))), "main.go")
				if err := writeFile(name, []byte(b.text)); err != nil {
					t.Fatal(err)
				}
				programs = append(programs, name)
			case b.language == "json":
				if !json.Valid([]byte(b.text)) {
					t.Errorf("%s\nis no JSON", at)
				}
			case b.language == "rf":
				if _, err := program.ParseProgram(ir.NewPool(), "program", b.text, ir.Invalid); err != nil {
					t.Errorf("%s\n%v", at, err)
				}
			default:
				if !elsewhere[b.language] {
					t.Errorf("%s\nis of the language %q: see CONTRIBUTING.md", at, b.language)
				}
			}
		}
	}
	for _, name := range programs {
		cmd := exec.Command("go", "vet", name)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// elsewhere are the languages of blocks that other tests check (TestConsole, TestLanguageReference,
// TestDocumentedProofs), and those that are shown alone.
var elsewhere = map[string]bool{"console": true, "update": true, "program": true, "proof": true, "sh": true, "text": true}

func fences(p *page) (all []fence) {
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch b := n.(type) {
		case *ast.FencedCodeBlock:
			if entering {
				all = append(all, readFence(b, p.source))
			}
		case *ast.CodeBlock: // indented: it has no language
			if entering {
				all = append(all, fence{text: string(b.Lines().Value(p.source))})
			}
		}
		return ast.WalkContinue, nil
	})
	return all
}

// unindented is a text without the white space at the ends of its lines.
func unindented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}

// What pages say of Halide's verdicts is what the corpus and the file of verdicts say.
func TestVerdicts(t *testing.T) {
	updates, verdicts := column(t, "updates.tsv", 3), column(t, "halide-verdicts.tsv", 1)
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| `([\\w.]+)` \\| (assoc|not-assoc) \\|$")
	rows := 0
	for _, p := range loaded(t).ordered() {
		for _, m := range row.FindAllStringSubmatch(string(p.source), -1) {
			rows++
			if update, name := strings.ReplaceAll(m[1], `\|`, "|"), m[2]; updates[name] != update || verdicts[name] != m[3] {
				t.Errorf("%s: %q is %q in the corpus, and Halide's verdict %q", p.path, m[0], updates[name], verdicts[name])
			}
		}
	}
	if rows == 0 {
		t.Error("no page has a verdict")
	}
}

// column reads a column of a corpus, by the names in the first.
func column(t *testing.T, file string, n int) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "testdata/corpus", file))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if words := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(words) > n {
			all[words[0]] = words[n]
		}
	}
	return all
}

// A page states no speed or time that neither BENCHMARKS.md nor a series of measurements states.
func TestFigures(t *testing.T) {
	stated := ""
	files, err := filepath.Glob(seriesDir + "/*.tsv")
	for _, name := range append(files, filepath.Join(root, "BENCHMARKS.md")) {
		text, readErr := os.ReadFile(name)
		err = errors.Join(err, readErr)
		stated += string(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	figure := regexp.MustCompile(`[0-9][0-9.,]* ?(?:ns|µs|ms|GB/s|MB/s)\b`)
	for _, p := range loaded(t).ordered() {
		if !strings.HasPrefix(p.path, "docs/") {
			continue
		}
		prose := regexp.MustCompile("(?ms)^```.*?^```").ReplaceAllString(string(p.source), "")
		for _, f := range figure.FindAllString(prose, -1) {
			if !strings.Contains(stated, f) {
				t.Errorf("%s says %q, which is no figure of BENCHMARKS.md or of testdata/bench", p.path, f)
			}
		}
	}
}

// Programs of the gallery open in a playground that has an address, with the text that the page shows, which leaves out the schedule.
func TestPlaygroundLinks(t *testing.T) {
	s, err := load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	p := s.pages["docs/gallery/text.md"]
	for _, c := range []struct {
		playground string
		links      bool
	}{{"", false}, {"http://host/#", true}} {
		s.playground = strings.TrimSuffix(c.playground, "#")
		text, err := s.render(p)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`<a href="http://host/#text=([^"]*)">Open in the playground</a>`).FindAllSubmatch(text, -1)
		if (len(found) > 0) != c.links {
			t.Fatalf("with the address %q there are %d links", c.playground, len(found))
		}
		if !c.links {
			continue
		}
		program, err := url.QueryUnescape(string(found[0][1]))
		if want, _ := os.ReadFile(root + "/docs/gallery/text/words.rf"); err != nil || !strings.HasPrefix(string(want), strings.TrimSpace(program)) || program == "" || len(found) != len(p.inside) {
			t.Errorf("%d links of %d programs, the first to %q, %v", len(found), len(p.inside), program, err)
		}
	}
}
