package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/identity"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

// companion is a command that does verbs of this one, which is small and soon compiled without it.
type companion struct {
	name   string
	module string // its folder in a clone; "." for the module of this command
	verbs  string // as a sentence lists them
}

var (
	// laboratory is a module of its own, since it has plots, fonts, a server and the generator of tables in it.
	laboratory = &companion{"rfactor-lab", "lab", "lab, serve and tablegen"}
	// goCode has what emits and runs programs in it, and what reads Go.
	goCode = &companion{"rfactor-go", ".", "run, lower and vet"}
)

// does returns what a verb does that a companion does, where words stand before the arguments.
func (p *companion) does(words ...string) func(c *verbs.Command, args []string) int {
	return func(c *verbs.Command, args []string) int {
		if c.Declared != nil {
			*c.Declared = p.flags(words)
			return verbs.Matched
		}
		return p.run(c, slices.Concat(words, args))
	}
}

// flagOfHelp reads a flag in what package flag prints: its name, that of its value if it has one, and the lines about it.
var flagOfHelp = regexp.MustCompile(`(?m)^  -(\S+)(?: (\S.*))?\n    \t(.*(?:\n    \t.*)*)$`)

// flags lists the flags of a verb of a companion, which says them in its help. There are none where it is not installed.
func (p *companion) flags(words []string) *flag.FlagSet {
	fs := cli.NewFlags()
	path := p.find()
	if path == "" {
		return fs
	}
	help, _ := exec.Command(path, slices.Concat(words, []string{"-h"})...).Output() // nothing of what does not run
	for _, f := range flagOfHelp.FindAllStringSubmatch(string(help), -1) {
		if name, value, about := f[1], f[2], strings.ReplaceAll(f[3], "\n    \t", "\n"); value == "" {
			fs.Bool(name, false, about)
		} else {
			fs.String(name, "", strings.Replace(about, value, "`"+value+"`", 1))
		}
	}
	return fs
}

// run runs a companion with some arguments. Where the system can replace a process by another, this one becomes
// the companion, so that signals and the exit code are its own.
func (p *companion) run(c *verbs.Command, args []string) int {
	path := p.find()
	if path == "" {
		var err error
		if path, err = p.build(); err != nil {
			return c.Errorf("%v", err)
		}
	}
	if c.Stdin == io.Reader(os.Stdin) && c.Stdout.To() == io.Writer(os.Stdout) {
		if err := replace(path, append([]string{p.name}, args...)); !errors.Is(err, errors.ErrUnsupported) {
			return c.Errorf("%s: %v", path, err)
		}
	}
	run := exec.Command(path, args...)
	run.Stdin, run.Stdout, run.Stderr = c.Stdin, c.Stdout.To(), c.Stderr
	err := run.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return c.Errorf("%v", err)
	}
	return run.ProcessState.ExitCode()
}

// find returns where a companion is: next to this program, or on the path. It is "" where it is not.
func (p *companion) find() string {
	if self, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), p.name)); err == nil {
			return path
		}
	}
	path, err := exec.LookPath(p.name)
	if err != nil {
		return ""
	}
	return path
}

// build compiles a companion in the clone from which this program was compiled, and returns where it is: in the folder bin, where make build
// puts it as well. The go command compiles nothing that has not changed. Elsewhere, and of other modules, the error says how it is installed.
func (p *companion) build() (path string, err error) {
	_, self, _, _ := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(filepath.Dir(filepath.FromSlash(self))))
	_, err = os.Stat(filepath.Join(root, "cmd", p.name))
	if p.module != "." || err != nil || strings.Contains(root, "@") || !filepath.IsAbs(root) { // with an @ it is in the cache of modules
		return "", errors.New(p.missing())
	}
	path = filepath.Join(root, "bin", p.name)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if out, err := exec.Command("go", "build", "-C", root, "-o", path, "./cmd/"+p.name).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/%s: %v\n%s", p.name, err, out)
	}
	return path, nil
}

// missing says in a line that a companion is not installed, and how it is.
func (p *companion) missing() string {
	return p.name + " is a command of its own, which is not installed: " + p.howToInstall(identity.This().Version)
}

// howToInstall says how a companion of a version is installed. What was built in a clone has no version that
// a proxy knows.
func (p *companion) howToInstall(version string) string {
	if strings.HasPrefix(version, "v") && !strings.Contains(version, "+") {
		return "go install " + strings.Replace("github.com/rfactor-go/rfactor/"+p.module, "/.", "", 1) + "/cmd/" + p.name + "@" + version
	}
	return "go install -C " + p.module + " ./cmd/" + p.name + ", in a clone"
}
