package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

var manVerb = verbs.Verb{
	Name:  "man",
	About: "prints manual pages, for man and groff",
	Usage: `[COMMAND] | -out DIR

Examples:
  rfactor man | man -l -
  rfactor man match | man -l -
  rfactor man -out ~/.local/share/man/man1

Without a command the page is of the program. With -out every page is written to a file in DIR.`,
}

func init() { manVerb.Run = with(runMan) }

func runMan(c *command, args []string) int {
	fs := cli.NewFlags()
	dir := fs.String("out", "", "write all pages to `DIR`, which is made where it is missing")
	rest, code, ok := c.Parse(fs, args, 1)
	switch {
	case !ok:
		return code
	case *dir != "" && len(rest) > 0:
		return c.Errorf("-out writes all pages: unexpected argument %s", cli.Quote(rest[0]))
	case *dir != "":
		return c.writeManual(*dir)
	case len(rest) == 0:
		c.Stdout.Printf("%s", overviewPage())
		return verbs.Matched
	}
	for _, v := range rfactorCommand.Verbs {
		if v.Name == rest[0] {
			c.Stdout.Printf("%s", page(v))
			return verbs.Matched
		}
	}
	return c.Errorf("unknown command %s%s; see rfactor help", cli.Quote(rest[0]), cli.DidYouMean(rest[0], rfactorCommand.Names()))
}

func (c *command) writeManual(dir string) int {
	pages := map[string]string{"rfactor.1": overviewPage()}
	for _, v := range rfactorCommand.Verbs {
		pages["rfactor-"+v.Name+".1"] = page(v)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return c.Errorf("%v", err)
	}
	for name, text := range pages {
		err := save.File(filepath.Join(dir, name), func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
		if err != nil {
			return c.Errorf("%v", err)
		}
	}
	c.Stdout.Printf("%d pages in %s\n", len(pages), dir)
	return verbs.Matched
}

const exitCodes = `.SH EXIT STATUS
.TP
0
every update matched, or the command did what it was asked
.TP
1
some update was refused, or a certificate does not hold
.TP
2
bad usage, or input that cannot be read
.TP
130
interrupted
`

// overviewPage is the manual page of the program.
func overviewPage() string {
	var b strings.Builder
	b.WriteString(".TH RFACTOR 1\n.SH NAME\nrfactor \\- finds the associative operator behind a serial reduction, and proves it\n.SH SYNOPSIS\n.B rfactor\n.I COMMAND\n[flags] [argument]\n.SH COMMANDS\n")
	for _, v := range rfactorCommand.Verbs {
		fmt.Fprintf(&b, ".TP\n.BR rfactor\\-%s (1)\n%s\n", v.Name, roff(v.About))
	}
	return b.String() + exitCodes
}

// page is the manual page of a verb: its usage, and its flags.
func page(v *verbs.Verb) string {
	var b strings.Builder
	args, rest, _ := strings.Cut(v.Usage, "\n\n")
	fmt.Fprintf(&b, ".TH RFACTOR\\-%s 1\n.SH NAME\nrfactor\\-%s \\- %s\n.SH SYNOPSIS\n", strings.ToUpper(v.Name), v.Name, roff(v.About))
	for line := range strings.SplitSeq(args, "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "rfactor "+v.Name+" ")
		fmt.Fprintf(&b, ".B rfactor %s\n%s\n.br\n", v.Name, roff(line))
	}
	var examples, text string
	for part := range strings.SplitSeq(rest, "\n\n") {
		if list, ok := strings.CutPrefix(part, "Examples:\n"); ok {
			examples = ".SH EXAMPLES\n.nf\n" + roff(list) + "\n.fi\n"
		} else if part != "" {
			text += ".PP\n" + roff(part) + "\n"
		}
	}
	if text != "" {
		b.WriteString(".SH DESCRIPTION\n" + text)
	}
	options := ""
	v.Flags().VisitAll(func(f *flag.Flag) {
		name, usage := flag.UnquoteUsage(f)
		if isSwitch(f) {
			name = ""
		}
		options += strings.TrimRight(fmt.Sprintf(".TP\n.B \\-%s %s", roff(f.Name), roff(name)), " ") + "\n" + roff(usage) + "\n"
	})
	if options != "" {
		b.WriteString(".SH OPTIONS\n" + options)
	}
	return b.String() + examples + exitCodes + ".SH SEE ALSO\n.BR rfactor (1)\n"
}

// roff escapes text for a manual page.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
