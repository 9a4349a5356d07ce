//go:build unix

package save_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	. "github.com/rfactor-go/rfactor/internal/save"
)

// Links are followed, devices and pipes stay what they are, and files keep their permissions.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(at("script"), []byte("old"), 0o755))
	must(os.Symlink("script", at("link")))
	must(os.Symlink(at("link"), at("link to a link")))
	must(os.Symlink("not there", at("dangling")))
	must(syscall.Mkfifo(at("pipe"), 0o600))
	must(os.Symlink("pipe", at("link to a pipe")))
	must(os.Symlink("/dev/null", at("null")))
	read := make(chan string)
	go func() {
		for range 2 {
			text, _ := os.ReadFile(at("pipe"))
			read <- string(text)
		}
	}()
	for _, c := range []struct{ name, file, mode string }{
		{"new", "new", "-rw-r--r--"}, {"script", "script", "-rwxr-xr-x"}, {"link", "script", "-rwxr-xr-x"}, {"link to a link", "script", "-rwxr-xr-x"}, {"dangling", "not there", ""},
		{"pipe", "", "prw-------"}, {"link to a pipe", "", ""}, {"null", "", ""},
	} {
		was, _ := os.Lstat(at(c.name))
		must(Text(at(c.name), []byte(c.name)))
		is, err := os.Lstat(at(c.name))
		must(err)
		if was != nil && was.Mode() != is.Mode() || c.mode != "" && is.Mode().Type()&os.ModeSymlink == 0 && is.Mode().String() != c.mode {
			t.Errorf("%s has become %s", c.name, is.Mode())
		}
		text := ""
		switch {
		case c.file != "":
			b, err := os.ReadFile(at(c.file))
			must(err)
			text = string(b)
		case c.name == "null":
			continue
		default:
			text = <-read
		}
		if text != c.name {
			t.Errorf("%s holds %q", c.name, text)
		}
	}
	if err := Text(dir, nil); err == nil || !strings.Contains(err.Error(), "this is a folder") {
		t.Error(err)
	}
	err := File(at("new"), func(io.Writer) error { return io.ErrShortWrite })
	if text, _ := os.ReadFile(at("new")); err == nil || string(text) != "new" {
		t.Errorf("a failure left %q, %v", text, err)
	}
	if left, _ := filepath.Glob(at(".rfactor-*")); len(left) > 0 {
		t.Error(left)
	}
}

// No other package makes or replaces files.
func TestAlone(t *testing.T) {
	out, err := exec.Command("git", "-C", "../..", "ls-files", "cmd", "lab", "bench", "golang", "internal", "playground", "tablegen").Output()
	if err != nil {
		t.Skip(err)
	}
	makes := regexp.MustCompile(`\bos\.(WriteFile|Create|Rename)\(`)
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == "internal/save/save.go" || strings.Contains(name, "testdata/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			continue // it is deleted, and git does not know yet
		}
		if at := makes.Find(text); at != nil {
			t.Errorf("%s: %s…): use save.File, which knows links and devices", name, at)
		}
	}
}
