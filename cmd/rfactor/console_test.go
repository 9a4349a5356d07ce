package main

import (
	"bytes"
	"flag"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ndarray/npy"
)

var update = flag.Bool("update", false, "rewrite the console blocks of the documents with what the commands print")

// block is a fenced block of a document: its language, the name of the file that it is, and its text.
var block = regexp.MustCompile("(?ms)^```([a-z]+)(?: file=(\\S+))?(?: from=\\S+)?\n(.*?)^```")

// changing is what differs from run to run.
var changing = regexp.MustCompile(`in \d+ µs|"micros":[0-9.]+|\t[0-9.]+s\n|\t\(cached\)\n`)

// TestConsole runs the commands in the console blocks of the documents, and compares what they print.
// Commands name files from the root of the tree; those of a page that has blocks with file=NAME run in an empty
// folder, into which these are written. With -short those of README.md run alone.
func TestConsole(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, page := range documents(t, root) {
		t.Run(page, func(t *testing.T) {
			if testing.Short() && page != "README.md" {
				t.Skip("its commands run without -short")
			}
			name := filepath.Join(root, page)
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(root)
			if bytes.Contains(text, []byte(" file=")) {
				t.Chdir(t.TempDir())
			}
			out := block.ReplaceAllFunc(text, func(b []byte) []byte {
				m := block.FindSubmatch(b)
				language, file, shown := string(m[1]), string(m[2]), string(m[3])
				if file != "" {
					place(t, file, shown)
				}
				if language != "console" {
					return b
				}
				commands += strings.Count("\n"+shown, "\n$ ")
				printed := runConsole(t, shown)
				if changing.ReplaceAllString(shown, "…") == changing.ReplaceAllString(printed, "…") {
					return b
				}
				if !*update {
					t.Errorf("%s shows\n%s\nbut the commands print\n%s\nrun go test ./cmd/rfactor -run Console -update", page, shown, printed)
				}
				return []byte("```console\n" + printed + "```")
			})
			if check := afterwards[page]; check != nil {
				check(t)
			}
			if *update && !bytes.Equal(out, text) {
				if err := os.WriteFile(name, out, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if commands == 0 {
		t.Error("no document shows a command")
	}
}

// afterwards are checks of what the commands of a page leave in its folder.
var afterwards = map[string]func(*testing.T){"docs/tutorial.md": checkHistograms}

// checkHistograms counts the pixels of the tutorial's picture, and compares the counts that its commands wrote.
func checkHistograms(t *testing.T) {
	f, err := os.Open("picture.png")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]int32, 256)
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			if r != g || g != b {
				t.Fatalf("the pixel (%d, %d) is not gray", x, y)
			}
			want[r>>8]++
		}
	}
	for _, name := range []string{"counts.npy", "rows.npy"} {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		got, err := npy.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Data[0], want) {
			t.Errorf("%s has %d, not %d", name, got.Data[0], want)
		}
	}
}

// documents lists the Markdown files of the root and of docs, relative to the root.
func documents(t *testing.T, root string) []string {
	t.Helper()
	files, err := fs.Glob(os.DirFS(root), "*.md")
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(os.DirFS(root), "docs", func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".md") {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// place writes a file of a page.
func place(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// runConsole runs the lines of a block that begin with $, and returns what the block should be. It takes other
// lines for output.
func runConsole(t *testing.T, shown string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(shown) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			b.WriteString(line + runPipe(t, strings.TrimSuffix(command, "\n")))
		}
	}
	return b.String()
}

// foreign are the commands, beside rfactor, that documents may run.
var foreign = []string{"go", "cat", "ls"}

// runPipe runs commands joined by |, and returns standard output and errors of the last.
func runPipe(t *testing.T, line string) string {
	t.Helper()
	in := ""
	for stage := range strings.SplitSeq(line, " | ") {
		words := shellWords(stage)
		if strings.HasPrefix(stage, "go run ./cmd/rfactor ") {
			words = words[2:]
		}
		var out bytes.Buffer
		switch {
		case words[0] == "rfactor" || words[0] == "./cmd/rfactor":
			inProcess(words[1:], strings.NewReader(in), &out, &out)
		case slices.Contains(foreign, words[0]):
			cmd := exec.Command(words[0], words[1:]...)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &out, &out
			if err := cmd.Run(); err != nil {
				t.Logf("%s: %v", stage, err)
			}
		default:
			t.Fatalf("this test runs rfactor and %s, not %s", strings.Join(foreign, ", "), words[0])
		}
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
