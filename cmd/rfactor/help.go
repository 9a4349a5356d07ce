package main

import (
	"bytes"
	"flag"
	"fmt"
	"strconv"
	"strings"
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
		c.stdout.printf("%s", overview())
		return exitMatched
	}
	if args[0] == "help" {
		c.stdout.printf("%s", helpVerb.help(newFlags()))
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

// quoteShort quotes a word of the user's, at most so much of it that a line holds it.
func quoteShort(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}

// didYouMean is the end of a message about an unknown word, or nothing.
func didYouMean(word string, known []string) string {
	for most := 1; most <= 2; most++ {
		for _, k := range known {
			if len(word) > most && editDistance(word, k) <= most {
				return " (did you mean " + k + "?)"
			}
		}
	}
	return ""
}

// editDistance counts letters inserted, removed or replaced; long words are far from all.
func editDistance(a, b string) int {
	if len(a) > 20 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
