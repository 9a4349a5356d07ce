package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/internal/view"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/ndarray/npy"
)

const galleryDir = "../../docs/gallery"

// A shown reduction is a section of a page of docs/gallery: its program, and how it is matched.
type shown struct {
	domain, title string
	page, anchor  string
	file          string   // of the program, in docs/gallery
	flags         []string // of rfactor match
	saysRefused   bool     // in the words of the page

	// Filled in by the test:
	status, assumes string
	answer          any // without times and proofs
}

// galleryEntry is a heading of a page, and the first command below it.
var galleryEntry = regexp.MustCompile("(?ms)^## ([^\n]+)\n.*?^\\$ rfactor match (.*?)docs/gallery/(\\S+\\.rf)$")

// readGallery reads the pages in the order of the index.
func readGallery(t *testing.T) (all []*shown) {
	t.Helper()
	index, err := os.ReadFile(filepath.Join(galleryDir, "index.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range regexp.MustCompile(`(?m)^## \[([^\]]+)\]\((\S+\.md)\)$`).FindAllSubmatch(index, -1) {
		domain, page := string(link[1]), string(link[2])
		text, err := os.ReadFile(filepath.Join(galleryDir, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range galleryEntry.FindAllSubmatch(text, -1) {
			title := string(m[1])
			all = append(all, &shown{domain: domain, page: page, title: title, anchor: anchorOf(title), file: string(m[3]), flags: strings.Fields(string(m[2])),
				saysRefused: bytes.Contains(m[0], []byte("**Refused.**"))})
		}
	}
	return all
}

// anchorOf makes the anchor of a heading as GitHub does.
func anchorOf(title string) string {
	kept := regexp.MustCompile(`[^\p{L}\p{N}_ -]`).ReplaceAllString(strings.ToLower(title), "")
	return strings.ReplaceAll(kept, " ", "-")
}

// TestGallery matches each program of the gallery, replays its certificate, and runs it with its schedule beside
// the serial program on data that are made here, and asks for it as the playground does. Then it
// compares the tables of the index, and the playground's list, with the answers. What pages show of answers
// TestConsole compares.
func TestGallery(t *testing.T) {
	all := readGallery(t)
	t.Run("programs", func(t *testing.T) {
		for i, g := range all {
			t.Run(strings.TrimSuffix(g.file, ".rf"), func(t *testing.T) {
				t.Parallel()
				g.match(t)
				g.run(t, uint64(i))
				g.ask(t)
			})
		}
	})
	compareIndex(t, all)
	comparePlayground(t, all)
	countGallery(t, all)
}

// firstSteps is the domain of the playground's examples that are not of docs/gallery.
const firstSteps = "First steps"

// example is an entry of the playground's list.
type example struct {
	Domain string `json:"domain"`
	Name   string `json:"name"`
	view.Request
}

// comparePlayground compares the examples of the playground with the gallery: its first steps, and then all programs.
func comparePlayground(t *testing.T, all []*shown) {
	const name = "../../playground/gallery.json"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var examples []example
	if err := json.Unmarshal(text, &examples); err != nil {
		t.Fatal(err)
	}
	examples = slices.DeleteFunc(examples, func(e example) bool { return e.Domain != firstSteps })
	for _, g := range all {
		examples = append(examples, g.example(t))
	}
	out := []byte("[")
	for i, e := range examples {
		var line bytes.Buffer
		enc := json.NewEncoder(&line)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(e); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "\n  %s", bytes.TrimSpace(line.Bytes()))
	}
	rewritten(t, name, text, append(out, "\n]\n"...))
}

// example is what the playground asks for g: the whole program, so that the page shows its stages and the Go.
func (g *shown) example(t *testing.T) example {
	text, err := os.ReadFile(g.path())
	if err != nil {
		t.Fatal(err)
	}
	e := example{Domain: g.domain, Name: g.title, Request: view.Request{Text: string(text)}}
	for i, flag := range g.flags {
		if flag == "-assume" {
			e.Assume = g.flags[i+1]
		}
	}
	return e
}

// rewritten compares a file with what it should be, and writes that with -update.
func rewritten(t *testing.T, name string, old, text []byte) {
	t.Helper()
	switch {
	case bytes.Equal(old, text):
	case *update:
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Error(err)
		}
	default:
		t.Errorf("%s is not what the gallery says; go test ./cmd/rfactor -run Gallery -update writes\n%s", name, text)
	}
}

// path names the program from the folder of this test.
func (g *shown) path() string { return filepath.Join(galleryDir, g.file) }

// match asks for an answer and replays its certificate.
func (g *shown) match(t *testing.T) {
	var line, out bytes.Buffer
	inProcess(slices.Concat([]string{"match", "-json", "-proof"}, g.flags, []string{g.path()}), strings.NewReader(""), &line, &line)
	var answer struct {
		Status  string
		Assumes []string
	}
	if err := json.Unmarshal(line.Bytes(), &answer); err != nil {
		t.Fatalf("%v: %s", err, line.Bytes())
	}
	g.answer = bare(t, line.Bytes())
	if (answer.Status == "refused") != g.saysRefused {
		t.Errorf("%s: it is %s, and the text about %q says otherwise", g.page, answer.Status, g.title)
	}
	if code := inProcess([]string{"verify"}, &line, &out, &out); code != 0 {
		t.Errorf("verify: exit code %d: %s", code, out.Bytes())
	}
	g.status, g.assumes = answer.Status, strings.Join(answer.Assumes, ", ")
}

// ask asks as the playground does.
func (g *shown) ask(t *testing.T) {
	e := g.example(t)
	for _, u := range e.Answer(t.Context()).Updates {
		if got := bare(t, u.Answer); !reflect.DeepEqual(got, g.answer) {
			t.Errorf("the playground says\n%v\nand rfactor match\n%v", got, g.answer)
		}
	}
}

// bare is an answer's JSON without times and proofs.
func bare(t *testing.T, line []byte) (v any) {
	if err := json.Unmarshal(line, &v); err != nil {
		t.Fatal(err)
	}
	var strip func(v any)
	strip = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			delete(v, "micros")
			delete(v, "proof")
			for _, e := range v {
				strip(e)
			}
		case []any:
			for _, e := range v {
				strip(e)
			}
		}
	}
	strip(v)
	return v
}

// run runs a program by its schedule, or one that is found for it, and compares with the serial one. A refusal has no
// schedule.
func (g *shown) run(t *testing.T, seed uint64) {
	text, err := os.ReadFile(g.path())
	if err != nil {
		t.Fatal(err)
	}
	prog, err := program.ParseProgram(ir.NewPool(), g.file, string(text), ir.Invalid)
	if err != nil {
		t.Fatal(err)
	}
	args := slices.Concat([]string{"run", "-verify"}, g.flags, g.inputs(t, prog, rand.New(rand.NewPCG(seed, 1))), []string{g.path()})
	switch scheduled := len(prog.Schedule) > 0; {
	case g.status != "refused":
		if !scheduled {
			args = append(args, "-auto")
		}
	case scheduled:
		t.Errorf("%s has a schedule, though its answer is %s", g.file, g.status)
	default:
		return
	}
	var out bytes.Buffer
	if code := inProcess(args, strings.NewReader(""), &out, &out); code != 0 && !differsLittle(out.String()) {
		t.Errorf("rfactor %s: exit code %d: %s", strings.Join(args, " "), code, out.Bytes())
	}
}

var unbounded = regexp.MustCompile(`^verify: .*: not verified: .* differ, at most by (\S+) of (\S+), and no bound of their roundings is known$`)

// differsLittle reports whether all that -verify finds wrong is that it knows no bound, of differences below a hundredth or below a 2^40th of a result:
// exponentials of the state and filters whose bounds grow have none.
func differsLittle(verdicts string) bool {
	for line := range strings.Lines(strings.TrimSpace(verdicts)) {
		m := unbounded.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			if strings.HasSuffix(strings.TrimSpace(line), ": equal") {
				continue
			}
			return false
		}
		d, err := strconv.ParseFloat(m[1], 64)
		of, err2 := strconv.ParseFloat(m[2], 64)
		if err != nil || err2 != nil || !(d < 0.01 || d < 0x1p-40*of) {
			return false
		}
	}
	return true
}

// galleryLength is how many elements an input of one dimension has: several slices, and a ragged one.
const galleryLength = 2503

// inputs are the flags that give a program its data.
func (g *shown) inputs(t *testing.T, prog *program.Program, rng *rand.Rand) (flags []string) {
	dir := t.TempDir()
	for _, in := range prog.Inputs {
		dims := []ndarray.Range{{Extent: galleryLength}}
		if in.Dims == 2 {
			dims = []ndarray.Range{{Extent: 61}, {Extent: 43}}
		}
		a := ndarray.New(in.Types, dims...)
		var files []string
		for c, typ := range in.Types {
			elements := a.Elements(c)
			for i := range elements.Len() {
				elements.Set(i, randomValue(typ, rng))
			}
			name := filepath.Join(dir, fmt.Sprintf("%s.%d.npy", in.Name, c))
			if err := save.File(name, func(w io.Writer) error { return npy.Write(w, a, c) }); err != nil {
				t.Fatal(err)
			}
			files = append(files, name)
		}
		flags = append(flags, "-in", in.Name+"="+strings.Join(files, ","))
	}
	for _, k := range prog.Params {
		value := "3"
		if k.Name == "n" { // the extent of inputs that are functions
			value = strconv.Itoa(galleryLength)
		}
		flags = append(flags, "-param", k.Name+"="+value)
	}
	return flags
}

// bases and punctuation make half of all bytes.
const telling = "AACCGGTTN\"\\,()  \n09"

// randomValue is small enough that sums of a run do not overflow, which answers under nsw take for granted, and
// floats are in (0, 1/2], so that products of a run are finite.
func randomValue(t ir.Type, rng *rand.Rand) uint64 {
	switch {
	case t == ir.Bool:
		return rng.Uint64N(2)
	case t.IsFloat():
		return ir.FloatBits(t, (1+float64(rng.IntN(1<<16)))/(1<<17))
	case t.IsSigned():
		return uint64(int64(rng.IntN(201) - 100))
	case t == ir.U8 && rng.IntN(2) == 0:
		return uint64(telling[rng.IntN(len(telling))])
	}
	return rng.Uint64() >> (64 - t.Bits())
}

// statusWords are the words of the index for what answers are.
var statusWords = map[string]string{"associative": "operator", "lifted": "lift", "staged": "stages", "refused": "refused"}

// compareIndex compares the tables of docs/gallery/index.md, one below the heading of each domain, with the answers.
func compareIndex(t *testing.T, all []*shown) {
	name := filepath.Join(galleryDir, "index.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?m)(^## \[[^\]]+\]\((\S+)\)\n)(?:\n\|[^\n]*|\|[^\n]*\n|\n)*`)
	out := table.ReplaceAllFunc(text, func(old []byte) []byte {
		m := table.FindSubmatch(old)
		var b bytes.Buffer
		fmt.Fprintf(&b, "%s\n| reduction | answer | assumes |\n|---|---|---|\n", m[1])
		for _, g := range all {
			if g.page == string(m[2]) {
				fmt.Fprintf(&b, "| [%s](%s#%s) | %s | %s |\n", g.title, g.page, g.anchor, statusWords[g.status], g.assumes)
			}
		}
		b.WriteString("\n")
		return b.Bytes()
	})
	rewritten(t, name, text, append(bytes.TrimRight(out, "\n"), '\n'))
}

// countGallery looks whether each program is shown once, and whether there are enough of each kind.
func countGallery(t *testing.T, all []*shown) {
	files, err := filepath.Glob(filepath.Join(galleryDir, "*", "*.rf"))
	if err != nil {
		t.Fatal(err)
	}
	count, domains, pages := map[string]int{}, map[string]bool{}, map[string]int{}
	for _, g := range all {
		count[g.status]++
		domains[g.domain] = true
		pages[g.path()]++
	}
	for _, f := range files {
		if pages[f] != 1 {
			t.Errorf("%s is shown %d times", f, pages[f])
		}
	}
	if len(all) < 60 || len(domains) < 9 || count["lifted"] < 15 || count["staged"] < 5 || count["refused"] < 5 {
		t.Errorf("%d reductions of %d domains: %v", len(all), len(domains), count)
	}
	t.Logf("%d reductions of %d domains: %v", len(all), len(domains), count)
}
