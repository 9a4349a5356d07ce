// Rfactor-lab measures which updates a matcher recognises, and serves the playground: what of rfactor has plots, pages and
// a server in it. Rfactor lab and rfactor serve run it.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/guard"
	"github.com/rfactor-go/rfactor/internal/identity"
)

// Exit codes, which are those of rfactor.
const (
	exitDone        = 0
	exitFailed      = 1   // a verdict was lost, or a table is not what is proven
	exitBadInput    = 2   // bad usage, or input that cannot be read
	exitInterrupted = 130 // stopped by Ctrl-C, as shells count it: 128 + SIGINT
)

// verb is what the command does. The verb without a name runs an experiment.
type verb struct {
	name  string
	usage string // arguments, and text below them
	run   func(c *command, args []string) int
}

var verbs = []*verb{&experimentVerb, &diffVerb, &verdictsVerb, &tablegenVerb, &serveVerb, &versionVerb}

// command is what a verb works with.
type command struct {
	verb   *verb
	ctx    context.Context
	stdin  io.Reader
	stdout *cli.Output
	stderr io.Writer
}

func main() { os.Exit(doMain(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func doMain(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends it at once
	c := &command{ctx: ctx, stdin: stdin, stdout: cli.NewOutput(stdout), stderr: stderr, verb: &experimentVerb}
	if len(args) > 0 {
		for _, v := range verbs[1:] {
			if v.name == args[0] {
				c.verb, args = v, args[1:]
				break
			}
		}
	}
	if err := guard.Call(func() error { code = c.verb.run(c, args); return nil }); err != nil {
		code = c.errorf("%v", err)
	}
	if err := c.stdout.Close(); err != nil && !errors.Is(err, syscall.EPIPE) && code != exitBadInput {
		return c.errorf("%v", err)
	}
	return code
}

// errorf reports bad usage or input and answers its exit code.
func (c *command) errorf(format string, args ...any) int {
	fmt.Fprintf(c.stderr, "%s: %s\n", c.verb.command(), fmt.Sprintf(format, args...))
	return exitBadInput
}

// command is how the verb is called.
func (v *verb) command() string {
	if v.name == "" {
		return "rfactor-lab"
	}
	return "rfactor-lab " + v.name
}

// parse reads flags before, between and after at most most arguments. Where it reports false, the verb ends with the code.
func (c *command) parse(fs *flag.FlagSet, args []string, most int) (rest []string, code int, ok bool) {
	rest, err := cli.Parse(fs, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		c.stdout.Printf("%s", c.verb.help(fs))
		return nil, exitDone, false
	case err != nil:
		return nil, c.errorf("%v", err), false
	case len(rest) > most:
		return nil, c.errorf("one argument too many: %s", cli.Quote(rest[most])), false
	}
	return rest, 0, true
}

// help is what -h prints.
func (v *verb) help(fs *flag.FlagSet) string {
	var b bytes.Buffer
	args, text, _ := bytes.Cut([]byte(v.usage), []byte("\n\n"))
	fmt.Fprintf(&b, "usage: %s %s\n", v.command(), args)
	any := false
	fs.VisitAll(func(*flag.Flag) { any = true })
	if any {
		b.WriteString("\nFlags:\n")
		fs.SetOutput(&b)
		fs.PrintDefaults()
	}
	fmt.Fprintf(&b, "\n%s\n", text)
	return b.String()
}

var versionVerb = verb{
	name: "version",
	usage: `

It prints what rfactor version prints: the version, and a digest of the rules and tables that verdicts depend on.`,
	run: func(c *command, args []string) int {
		if _, code, ok := c.parse(cli.NewFlags(), args, 0); !ok {
			return code
		}
		c.stdout.Printf("%s", identity.This())
		return exitDone
	},
}
