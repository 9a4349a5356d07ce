package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

var helpVerb = verbs.Verb{
	Name:  "help",
	About: "says how a command is used",
	Usage: "[COMMAND]",
}

// Help lists the verbs, and is one: the loop is closed here.
func init() {
	helpVerb.Run, rfactorCommand.Overview = with(runHelp), overview
}

// runHelp prints the overview, or asks the verb itself.
func runHelp(c *command, args []string) int {
	if c.Declared != nil {
		return verbs.Matched
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		c.Stdout.Printf("%s", overview())
		return verbs.Matched
	}
	if args[0] == "help" {
		c.Stdout.Printf("%s", helpVerb.Help(cli.NewFlags()))
		return verbs.Matched
	}
	return c.Dispatch([]string{args[0], "-h"})
}

func overview() string {
	var b bytes.Buffer
	b.WriteString("Rfactor finds the associative operator behind a serial reduction, and proves it.\n\nCommands:\n")
	for _, v := range rfactorCommand.Verbs {
		fmt.Fprintf(&b, "  %-10s %s\n", v.Name, v.About)
	}
	b.WriteString(`
Example:
  rfactor match 'f() = select(P(r), f() + 1, f())'

Exit codes: 0 every update matched, 1 some were refused, 2 bad usage or input,
130 interrupted. "rfactor help COMMAND" says more.
`)
	return b.String()
}
