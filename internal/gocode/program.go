// Package gocode is the command rfactor-go: the verbs that read, write and run code, lower, run and vet. The command rfactor, which runs
// rfactor-go for them, is half as large without: it matches, proves and verifies.
package gocode

import (
	"io"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/rfactor-go/rfactor/golang"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

// Program is the command rfactor-go.
var Program = &verbs.Program{
	Verbs:    []*verbs.Verb{does(verbs.Run, runRun), does(verbs.Lower, runLower), does(verbs.Vet, runVet), &verbs.Version},
	Overview: func() string { return overview },
}

const overview = `Rfactor-go does what the verbs run, lower and vet of the command rfactor do, which runs it, and is a tool for go vet:
  go vet -vettool=$(which rfactor-go) ./...
`

// command is what a verb works with.
type command struct{ *verbs.Command }

// does returns a verb that does something.
func does(v verbs.Verb, run func(c *command, args []string) int) *verbs.Verb {
	v.Run = func(c *verbs.Command, args []string) int { return run(&command{c}, args) }
	return &v
}

// Main runs rfactor-go, and returns the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if verbs.AsVetTool(args) {
		unitchecker.Main(golang.Analyzer)
	}
	return Program.Main(args, stdin, stdout, stderr)
}
