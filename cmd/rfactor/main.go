// Rfactor finds the associative operator behind a serial reduction, proves it, and says
// why. Each verb has a file of its own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/guard"
)

// Exit codes.
const (
	exitMatched     = 0   // every update matched; or the verb did what it was asked
	exitRefused     = 1   // some update was refused, or a certificate does not hold
	exitBadInput    = 2   // bad usage, or input that cannot be read
	exitInterrupted = 130 // stopped by Ctrl-C, as shells count it: 128 + SIGINT
)

func main() {
	if !asVetTool(os.Args[1:]) {
		os.Exit(doMain(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
}

// verb is one command of the program.
type verb struct {
	name  string
	about string // one line
	usage string // arguments, and examples below them
	run   func(c *command, args []string) int
	tidy  bool // an interrupt leaves it time to write down what it has
}

// verbs are the commands in the order of the overview.
var verbs = []*verb{&matchVerb, &explainVerb, &checkVerb, &llvmVerb, &rpcVerb, &writeVerb, &verifyVerb, &egraphVerb, &coverageVerb, &labVerb, &serveVerb, &rulesVerb, &tableVerb, &tablegenVerb, &factorVerb, &runVerb, &lowerVerb, &vetVerb, &versionVerb, &completionVerb, &manVerb, &helpVerb}

// command is what a verb works with.
type command struct {
	verb   *verb
	ctx    context.Context
	stdin  io.Reader
	stdout *cli.Output
	stderr io.Writer

	declared **flag.FlagSet // takes the verb's flags, which is all that is asked for; nil elsewhere
}

func doMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c := &command{ctx: ctx, stdin: stdin, stdout: cli.NewOutput(stdout), stderr: stderr}
	code := make(chan int, 1)
	go func() { code <- c.guarded(func() int { return c.dispatch(args) }) }()
	select {
	case n := <-code:
		return c.finish(n)
	case <-ctx.Done():
		if stop(); isTidy(args) { // a second interrupt ends it at once
			return c.finish(<-code)
		}
		// The verb may be in a stretch that does not look at the context, such as a read of
		// the terminal. What it has printed is whole lines, so it is left where it is.
		c.stdout.Close()
		fmt.Fprintln(stderr, "rfactor: interrupted")
		return exitInterrupted
	}
}

// guarded returns the exit code of f. A panic in it, which is a broken invariant of the program, is an error that is
// reported, so that what was printed before is not lost. Verbs that work on many lines guard each of them, and
// go on with the next.
func (c *command) guarded(f func() int) (code int) {
	err := guard.Call(func() error {
		code = f()
		return nil
	})
	if err != nil {
		return c.errorf("%v", err)
	}
	return code
}

// finish writes out what is still buffered.
func (c *command) finish(code int) int {
	err := c.stdout.Close()
	if err != nil && !errors.Is(err, syscall.EPIPE) && code != exitBadInput {
		return c.errorf("%v", err)
	}
	return code
}

func (c *command) dispatch(args []string) int {
	if len(args) == 0 {
		fmt.Fprint(c.stderr, overview())
		return exitBadInput
	}
	name := args[0]
	if name == "-h" || name == "-help" || name == "--help" {
		name = "help"
	} else if name == "-version" || name == "--version" {
		name = "version"
	}
	for _, v := range verbs {
		if v.name == name {
			c.verb = v
			return v.run(c, args[1:])
		}
	}
	return c.errorf("unknown command %s%s; see rfactor help", cli.Quote(name), cli.DidYouMean(name, verbNames()))
}

// errorf reports bad usage or input and answers its exit code.
func (c *command) errorf(format string, args ...any) int {
	name := "rfactor"
	if c.verb != nil {
		name += " " + c.verb.name
	}
	fmt.Fprintf(c.stderr, "%s: %s\n", name, fmt.Sprintf(format, args...))
	return exitBadInput
}

// isTidy reports whether the verb ends by itself where it is interrupted.
func isTidy(args []string) bool {
	return slices.ContainsFunc(verbs, func(v *verb) bool { return v.tidy && len(args) > 0 && v.name == args[0] })
}

func verbNames() []string {
	var names []string
	for _, v := range verbs {
		names = append(names, v.name)
	}
	return names
}
