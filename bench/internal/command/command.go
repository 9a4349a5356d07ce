// Package command is what all commands of bench share: their flags, where their tables go, and exit codes.
package command

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/rfactor-go/rfactor/internal/save"
)

// Command is a measurement that people start by name. Its table goes to standard output, as tab-separated
// values with a line of names, and progress to standard error.
type Command struct {
	Name  string
	About string // one line, for the list
	Doc   string // what the help says beyond the flags: the columns, and what they mean
	Args  string // behind the flags, as the usage has it
	Setup func(f *Flags) func(c *Call) error
}

// Call is one run of a command.
type Call struct {
	Context        context.Context
	Args           []string // behind the flags
	Stdout, Stderr io.Writer
}

// Flags are those of one command. Flags that several commands have are declared by the methods, so that
// they have one name and one meaning.
type Flags struct{ *flag.FlagSet }

// Long declares -long, which measures the whole, and not a sample. Both are described.
func (f *Flags) Long(whole, sample string) *bool {
	return f.Bool("long", false, "measure "+whole+", and not "+sample)
}

// Update declares -update, which writes a file of the tree anew.
func (f *Flags) Update(file string) *bool { return f.Bool("update", false, "write "+file+" anew") }

// Seed declares -seed, on which what is drawn depends.
func (f *Flags) Seed(of string) *uint64 {
	return f.Uint64("seed", 1, "draw other "+of+": the same number draws the same ones")
}

// IsSet reports whether a flag was given.
func (f *Flags) IsSet(name string) (set bool) {
	f.Visit(func(one *flag.Flag) { set = set || one.Name == name })
	return set
}

// Usage is an error in how a command was called.
type Usage string

func (u Usage) Error() string { return string(u) }

// ErrFailed is the error of a command that measured, printed its table, and found something wrong that it has said.
var ErrFailed = errors.New("")

// Run runs the command and returns its exit code: 0, 1 where it fails or finds something wrong, or 2 where it
// was called wrongly.
func (k *Command) Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f := &Flags{flag.NewFlagSet("bench "+k.Name, flag.ContinueOnError)}
	f.SetOutput(stderr)
	file := f.String("o", "", "write the table to `TSV`, and not to standard output")
	f.Usage = func() {
		fmt.Fprintln(stderr, strings.TrimSpace("usage: bench "+k.Name+" [flags] "+k.Args))
		fmt.Fprintf(stderr, "\nIt %s.\n", k.About)
		if k.Doc != "" {
			fmt.Fprintln(stderr, strings.TrimSpace(k.Doc))
		}
		fmt.Fprintln(stderr, "\nFlags:")
		f.PrintDefaults()
	}
	run := k.Setup(f)
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	c := &Call{Context: ctx, Args: f.Args(), Stdout: stdout, Stderr: stderr}
	var table bytes.Buffer
	if *file != "" {
		c.Stdout = &table
	}
	err := run(c)
	if *file != "" && (err == nil || errors.Is(err, ErrFailed)) {
		err = errors.Join(err, save.Text(*file, table.Bytes()))
	}
	var usage Usage
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "bench %s: %s\n\n", k.Name, usage)
		f.Usage()
		return 2
	case errors.Is(err, ErrFailed):
		if text := strings.TrimSpace(err.Error()); text != "" {
			fmt.Fprintf(stderr, "bench %s: %s\n", k.Name, text)
		}
		return 1
	}
	fmt.Fprintf(stderr, "bench %s: %v\n", k.Name, err)
	return 1
}

// Preset is the command with other defaults: of flags, as -name=value or -name, and of its arguments.
func (k *Command) Preset(name, about string, flags, args []string) *Command {
	preset := *k
	preset.Name, preset.About = name, about
	preset.Doc = strings.TrimSpace("It is `bench " + strings.Join(append(append([]string{k.Name}, flags...), args...), " ") + "`.\n\n" + k.Doc)
	preset.Setup = func(f *Flags) func(c *Call) error {
		run := k.Setup(f)
		for _, text := range flags {
			name, value, hasValue := strings.Cut(strings.TrimPrefix(text, "-"), "=")
			if !hasValue {
				value = "true"
			}
			one := f.Lookup(name)
			if one == nil || one.Value.Set(value) != nil {
				panic("internal: bench " + k.Name + " has no flag " + text)
			}
			one.DefValue = value
		}
		return func(c *Call) error {
			if len(c.Args) == 0 {
				c.Args = args
			}
			return run(c)
		}
	}
	return &preset
}
