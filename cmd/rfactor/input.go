package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// job is one update to work on.
type job struct {
	name   string // of the function; empty for an abstract update
	text   string // as the user wrote it
	update *ir.Update
}

// maxInput is how many bytes of a file or of standard input are read: a little more than
// the parser takes, so that the parser's own message names the limit.
const maxInput = ir.MaxSource + 1

// source reads the verb's argument: a file, standard input, or the text itself.
func (c *command) source(arg string) (name, text string, err error) {
	switch {
	case arg == "-":
		text, err = readAll(c.stdin)
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
func (c *command) isPiped() bool {
	f, ok := c.stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && (info.Mode()&os.ModeNamedPipe != 0 || info.Mode().IsRegular())
}

// missing is the error for an argument that is not there.
func (c *command) missing(what string) error {
	err := fmt.Errorf("%s is missing: rfactor %s %s", what, c.verb.name, strings.SplitN(c.verb.usage, "\n", 2)[0])
	if c.isPiped() {
		err = fmt.Errorf("%w\nStandard input is read where the argument is -: rfactor %s -", err, c.verb.name)
	}
	return err
}

// readAll reads text, without the byte-order mark that some editors put before it.
func readAll(r io.Reader) (string, error) {
	var b strings.Builder
	_, err := io.Copy(&b, io.LimitReader(r, maxInput))
	return strings.TrimPrefix(b.String(), "\ufeff"), err
}

// jobs are the updates in a source: an abstract one where types are given or stand in front, else those of a
// program.
func jobs(name, text, types string, typ ir.Type) ([]job, error) {
	pool := ir.NewPool()
	if types != "" || program.IsAbstract(text) {
		u, err := program.ParseUpdate(pool, types, text)
		if err != nil {
			return nil, inFile(name, "update", err)
		}
		_, text = program.CutTypes(text)
		return []job{{text: strings.TrimSpace(text), update: u}}, nil
	}
	prog, err := program.ParseProgram(pool, name, text, typ)
	if err != nil {
		return nil, err
	}
	var out []job
	for _, d := range prog.Definitions() {
		out = append(out, job{d.Func.Name, strings.TrimSpace(d.Text()), d.Matched()})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: there is no update in it", name)
	}
	return out, nil
}

// inFile gives errors of a text that the parser calls what the name of the file that has it.
func inFile(name, what string, err error) error {
	var list ir.ErrorList
	if errors.As(err, &list) {
		for _, e := range list {
			if e.Name == what {
				e.Name = name
			}
		}
	}
	return err
}

// read reads the updates that the verb's only argument names. Where it reports false, the
// verb ends with bad input.
func (c *command) read(rest []string, types string, typ ir.Type) (js []job, err error) {
	collectLess()
	if len(rest) == 0 {
		return nil, c.missing("an update")
	}
	name, text, err := c.source(rest[0])
	if err != nil {
		return nil, err
	}
	return jobs(name, text, types, typ)
}

// collectLess lets garbage pile up to four times what is in use. Compiling tables makes most of it,
// and the process ends soon after: a first match takes a quarter less of the processor's time.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
