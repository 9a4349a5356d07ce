package main

import (
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/identity"
)

// laboratory is the command that does the verbs lab, serve and tablegen. It is a module of its own, since it has plots, fonts, a
// server and the generator of tables in it.
const laboratory = "rfactor-lab"

// inLaboratory returns what a verb does that the laboratory does, where words stand before the arguments.
func inLaboratory(words ...string) func(c *command, args []string) int {
	return func(c *command, args []string) int {
		if c.declared != nil {
			*c.declared = laboratoryFlags(words)
			return exitMatched
		}
		return c.companion(slices.Concat(words, args)...)
	}
}

// flagOfHelp reads a flag in what package flag prints: its name, that of its value if it has one, and the first line about it.
var flagOfHelp = regexp.MustCompile(`(?m)^  -(\S+)(?: (\S.*))?\n    \t(.*)$`)

// laboratoryFlags lists the flags of a verb of the laboratory, which says them in its help. There are none where it is not installed.
func laboratoryFlags(words []string) *flag.FlagSet {
	fs := cli.NewFlags()
	path := findLaboratory()
	if path == "" {
		return fs
	}
	help, err := exec.Command(path, slices.Concat(words, []string{"-h"})...).Output()
	if err != nil {
		return fs
	}
	for _, f := range flagOfHelp.FindAllStringSubmatch(string(help), -1) {
		if name, value, about := f[1], f[2], f[3]; value == "" {
			fs.Bool(name, false, about)
		} else {
			fs.String(name, "", strings.Replace(about, value, "`"+value+"`", 1))
		}
	}
	return fs
}

// companion runs the laboratory with some arguments. Where the system can replace a process by another, this one becomes
// the laboratory, so that signals and the exit code are its own.
func (c *command) companion(args ...string) int {
	path := findLaboratory()
	if path == "" {
		return c.errorf("%s", whyNoLaboratory())
	}
	if c.stdin == io.Reader(os.Stdin) && c.stdout.To() == io.Writer(os.Stdout) {
		if err := replace(path, append([]string{laboratory}, args...)); !errors.Is(err, errors.ErrUnsupported) {
			return c.errorf("%s: %v", path, err)
		}
	}
	run := exec.Command(path, args...)
	run.Stdin, run.Stdout, run.Stderr = c.stdin, c.stdout.To(), c.stderr
	err := run.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return c.errorf("%v", err)
	}
	return run.ProcessState.ExitCode()
}

// findLaboratory returns where the laboratory is: next to this program, or on the path. It is "" where it is not.
func findLaboratory() string {
	if self, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), laboratory)); err == nil {
			return path
		}
	}
	path, err := exec.LookPath(laboratory)
	if err != nil {
		return ""
	}
	return path
}

// whyNoLaboratory says in a line that the laboratory is not installed, and how it is.
func whyNoLaboratory() string {
	return laboratory + " is a command of its own, which is not installed: " + howToInstall(identity.This().Version)
}

// howToInstall says how the laboratory of a version is installed. What was built in a clone has no version that
// a proxy knows.
func howToInstall(version string) string {
	if strings.HasPrefix(version, "v") && !strings.Contains(version, "+") {
		return "go install github.com/rfactor-go/rfactor/lab/cmd/" + laboratory + "@" + version
	}
	return "go install -C lab ./cmd/" + laboratory + ", in a clone"
}
