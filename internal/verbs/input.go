package verbs

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// maxInput is how many bytes of a file or of standard input are read: a little more than
// the parser takes, so that the parser's own message names the limit.
const maxInput = ir.MaxSource + 1

// Source reads the verb's argument: a file, standard input, or the text itself.
func (c *Command) Source(arg string) (name, text string, err error) {
	switch {
	case arg == "-":
		text, err = readAll(c.Stdin)
		return "stdin", text, err
	case isFolder(arg):
		return "", "", fmt.Errorf("%s is a folder: expected an update, a file such as %s, or - for standard input", arg, filepath.Join(arg, "NAME.rf"))
	case isFile(arg):
		f, err := os.Open(arg)
		if err != nil {
			return "", "", err
		}
		defer f.Close()
		text, err = readAll(f)
		return arg, text, err
	}
	return "update", arg, nil
}

// elsewhere are files of other languages: how their names end, how they begin, and what is done with them.
var elsewhere = []struct{ names, begins, what string }{
	{".go", "package ", "is Go: rfactor vet %s finds its reductions"},
	{".ll", "; ModuleID", "is LLVM IR: rfactor llvm %s finds its reductions"},
	{".c .cc .cpp .cxx .cu .h", "#include", "is C: clang -O1 -S -emit-llvm -o - %s | rfactor llvm - finds its reductions"},
	{".rs", "fn main", "is Rust: rustc -O --emit llvm-ir %s, and rfactor llvm finds its reductions"},
	{".py .js .ts .java .sql .jl .f90", "import ", "is no update: write what a step of its loop does, f() = f() + in(r) for s += a[i]%.0s"},
	{".npy .png .jpg .jpeg", "\x93NUMPY", "is data: rfactor run 'f() = f() + in(r)' -in in=%s"},
}

// Notation is Source for a program, an update or an operator. Of a text of another language the error says which verb reads it.
func (c *Command) Notation(arg string) (name, text string, err error) {
	name, text, err = c.Source(arg)
	for _, e := range elsewhere {
		ext := filepath.Ext(name)
		if err != nil || !(ext != "" && slices.Contains(strings.Fields(e.names), ext)) && !strings.HasPrefix(strings.TrimSpace(text), e.begins) {
			continue
		}
		file := name
		if ext == ".go" {
			file = "./" + filepath.Dir(name)
		} else if name == "update" {
			file = "FILE"
		}
		return "", "", fmt.Errorf("%s %s", name, fmt.Sprintf(e.what, file))
	}
	return name, text, err
}

// isFile reports whether an argument names a file rather than being an update: it ends
// as programs do, or a file of that name is there.
func isFile(arg string) bool {
	if strings.HasSuffix(arg, ".rf") {
		return true
	}
	if len(arg) > 1024 || strings.ContainsAny(arg, "=\n\x00") {
		return false
	}
	info, err := os.Stat(arg)
	return err == nil && info.Mode().IsRegular()
}

func isFolder(arg string) bool {
	info, err := os.Stat(arg)
	return len(arg) <= 1024 && err == nil && info.IsDir()
}

// isPiped reports whether standard input is a pipe or a file, which a user may have meant to be read.
func (c *Command) isPiped() bool {
	f, ok := c.Stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && (info.Mode()&os.ModeNamedPipe != 0 || info.Mode().IsRegular())
}

// Missing is the error for an argument that is not there.
func (c *Command) Missing(what string) error {
	err := fmt.Errorf("%s is missing: rfactor %s %s", what, c.Verb.Name, strings.SplitN(c.Verb.Usage, "\n", 2)[0])
	if c.isPiped() {
		err = fmt.Errorf("%w\nStandard input is read where the argument is -: rfactor %s -", err, c.Verb.Name)
	}
	return err
}

// readAll reads text, without the byte-order mark that some editors put before it.
func readAll(r io.Reader) (string, error) {
	var b strings.Builder
	_, err := io.Copy(&b, io.LimitReader(r, maxInput))
	return strings.TrimPrefix(b.String(), "\ufeff"), err
}

// CollectLess lets garbage pile up to four times what is in use. Compiling tables makes most of it,
// and the process ends soon after: a first match takes a quarter less of the processor's time.
func CollectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
