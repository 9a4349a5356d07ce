package main

import (
	"bytes"
	"flag"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
)

var helpVerb = verb{
	name:  "help",
	about: "says how a command is used",
	usage: "[COMMAND]",
}

// Help lists the verbs, and is one: the loop is closed here.
func init() { helpVerb.run = runHelp }

// runHelp prints the overview, or asks the verb itself.
func runHelp(c *command, args []string) int {
	if c.declared != nil {
		return exitMatched
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		c.stdout.Printf("%s", overview())
		return exitMatched
	}
	if args[0] == "help" {
		c.stdout.Printf("%s", helpVerb.help(cli.NewFlags()))
		return exitMatched
	}
	return c.dispatch([]string{args[0], "-h"})
}

func overview() string {
	var b bytes.Buffer
	b.WriteString("Rfactor finds the associative operator behind a serial reduction, and proves it.\n\nCommands:\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "  %-10s %s\n", v.name, v.about)
	}
	b.WriteString(`
Example:
  rfactor match 'f() = select(P(r), f() + 1, f())'

Exit codes: 0 every update matched, 1 some were refused, 2 bad usage or input,
130 interrupted. "rfactor help COMMAND" says more.
`)
	return b.String()
}

// help is what -h prints.
func (v *verb) help(fs *flag.FlagSet) string {
	var b bytes.Buffer
	args, examples, _ := strings.Cut(v.usage, "\n\n")
	fmt.Fprintf(&b, "usage: rfactor %s %s\n\nrfactor %s %s.\n", v.name, args, v.name, v.about)
	any := false
	fs.VisitAll(func(*flag.Flag) { any = true })
	if any {
		b.WriteString("\nFlags:\n")
		fs.SetOutput(&b)
		fs.PrintDefaults()
	}
	if examples != "" {
		b.WriteString("\n" + examples + "\n")
	}
	return b.String()
}
