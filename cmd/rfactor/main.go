// Rfactor finds the associative operator behind a serial reduction, proves it, and says
// why. Each verb has a file of its own.
package main

import (
	"io"
	"os"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

func main() { os.Exit(doMain(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// rfactorCommand is this program: its verbs in the order of the overview.
var rfactorCommand = &verbs.Program{
	Verbs: []*verbs.Verb{&matchVerb, &explainVerb, &checkVerb, &llvmVerb, &rpcVerb, &writeVerb, &verifyVerb, &egraphVerb, &coverageVerb, &labVerb, &serveVerb, &rulesVerb, &tableVerb, &tablegenVerb, &factorVerb, &runVerb, &lowerVerb, &vetVerb, &verbs.Version, &completionVerb, &manVerb, &helpVerb},
}

// command is what a verb works with.
type command struct{ *verbs.Command }

// with returns what a verb runs.
func with(run func(c *command, args []string) int) func(*verbs.Command, []string) int {
	return func(c *verbs.Command, args []string) int { return run(&command{c}, args) }
}

func doMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if verbs.AsVetTool(args) {
		return goCode.run(&verbs.Command{Verb: &vetVerb, Stdin: stdin, Stdout: cli.NewOutput(stdout), Stderr: stderr}, args)
	}
	return rfactorCommand.Main(args, stdin, stdout, stderr)
}
