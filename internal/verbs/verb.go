// Package verbs is what the verbs of the commands rfactor and rfactor-go work with: how they are called, end and help,
// what they read, and the flags of matches and schedules.
package verbs

import (
	"bytes"
	"context"
	"encoding/json"
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
	Matched     = 0   // every update matched; or the verb did what it was asked
	Refused     = 1   // some update was refused, or a certificate does not hold
	BadInput    = 2   // bad usage, or input that cannot be read
	Interrupted = 130 // stopped by Ctrl-C, as shells count it: 128 + SIGINT
)

// Verb is a verb of a command.
type Verb struct {
	Name  string
	About string // one line
	Usage string // arguments, and examples below them
	Run   func(c *Command, args []string) int
	Tidy  bool // an interrupt leaves it time to write down what it has
}

// Program is a command: its verbs in the order of the overview, which is what it prints without arguments.
type Program struct {
	Verbs    []*Verb
	Overview func() string
}

// Command is what a verb works with.
type Command struct {
	Program *Program
	Verb    *Verb
	Ctx     context.Context
	Stdin   io.Reader
	Stdout  *cli.Output
	Stderr  io.Writer

	Declared **flag.FlagSet // takes the verb's flags, which is all that is asked for; nil elsewhere
}

// Main runs the verb that args name, and returns the exit code.
func (p *Program) Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c := &Command{Program: p, Ctx: ctx, Stdin: stdin, Stdout: cli.NewOutput(stdout), Stderr: stderr}
	code := make(chan int, 1)
	go func() { code <- c.Guarded(func() int { return c.Dispatch(args) }) }()
	select {
	case n := <-code:
		return c.Finish(n)
	case <-ctx.Done():
		if stop(); p.isTidy(args) { // a second interrupt ends it at once
			return c.Finish(<-code)
		}
		// The verb may be in a stretch that does not look at the context, such as a read of
		// the terminal. What it has printed is whole lines, so it is left where it is.
		c.Stdout.Close()
		fmt.Fprintln(stderr, "rfactor: interrupted")
		return Interrupted
	}
}

// Guarded returns the exit code of f. A panic in it, which is a broken invariant of the program, is an error that is
// reported, so that what was printed before is not lost. Verbs that work on many lines guard each of them, and
// go on with the next.
func (c *Command) Guarded(f func() int) (code int) {
	err := guard.Call(func() error {
		code = f()
		return nil
	})
	if err != nil {
		return c.Errorf("%v", err)
	}
	return code
}

// Finish writes out what is still buffered.
func (c *Command) Finish(code int) int {
	err := c.Stdout.Close()
	if err != nil && !errors.Is(err, syscall.EPIPE) && code != BadInput {
		return c.Errorf("%v", err)
	}
	return code
}

// Dispatch runs the verb that args name.
func (c *Command) Dispatch(args []string) int {
	if len(args) == 0 {
		fmt.Fprint(c.Stderr, c.Program.Overview())
		return BadInput
	}
	name := args[0]
	if name == "-h" || name == "-help" || name == "--help" {
		name = "help"
	} else if name == "-version" || name == "--version" {
		name = "version"
	}
	for _, v := range c.Program.Verbs {
		if v.Name == name {
			c.Verb = v
			return v.Run(c, args[1:])
		}
	}
	return c.Errorf("unknown command %s%s; see rfactor help", cli.Quote(name), cli.DidYouMean(name, c.Program.Names()))
}

// Errorf reports bad usage or input and answers its exit code.
func (c *Command) Errorf(format string, args ...any) int {
	name := "rfactor"
	if c.Verb != nil {
		name += " " + c.Verb.Name
	}
	fmt.Fprintf(c.Stderr, "%s: %s\n", name, fmt.Sprintf(format, args...))
	return BadInput
}

// WriteRecord prints a value as one line of JSON.
func (c *Command) WriteRecord(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("rfactor: internal: " + err.Error())
	}
	c.Stdout.Write(b.Bytes())
}

// isTidy reports whether the verb ends by itself where it is interrupted.
func (p *Program) isTidy(args []string) bool {
	return slices.ContainsFunc(p.Verbs, func(v *Verb) bool { return v.Tidy && len(args) > 0 && v.Name == args[0] })
}

// Names lists the names of the verbs.
func (p *Program) Names() (names []string) {
	for _, v := range p.Verbs {
		names = append(names, v.Name)
	}
	return names
}

// Flags lists the flags of a verb. The verb itself is asked: it stops as soon as it has declared them.
func (v *Verb) Flags() *flag.FlagSet {
	fs := cli.NewFlags()
	c := &Command{Verb: v, Stdout: cli.NewOutput(io.Discard), Stderr: io.Discard, Declared: &fs}
	v.Run(c, nil)
	return fs
}

// Help is what -h prints.
func (v *Verb) Help(fs *flag.FlagSet) string {
	var b bytes.Buffer
	args, examples, _ := bytes.Cut([]byte(v.Usage), []byte("\n\n"))
	fmt.Fprintf(&b, "usage: rfactor %s %s\n\nrfactor %s %s.\n", v.Name, args, v.Name, v.About)
	any := false
	fs.VisitAll(func(*flag.Flag) { any = true })
	if any {
		b.WriteString("\nFlags:\n")
		fs.SetOutput(&b)
		fs.PrintDefaults()
	}
	if len(examples) > 0 {
		fmt.Fprintf(&b, "\n%s\n", examples)
	}
	return b.String()
}
