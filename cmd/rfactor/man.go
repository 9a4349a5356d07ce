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

const exitCodes = ".SH EXIT STATUS\n.TP\n0\nevery update matched, or the command did what it was asked\n.TP\n1\nsome update was refused, or a certificate does not hold\n" +
	".TP\n2\nbad usage, or input that cannot be read\n.TP\n130\ninterrupted\n"

// overviewPage is the manual page of the program.
func overviewPage() string {
	text := ".TH RFACTOR 1\n.SH NAME\nrfactor \\- finds the associative operator behind a serial reduction, and proves it\n.SH SYNOPSIS\n.B rfactor\n.I COMMAND\n[flags] [argument]\n.SH COMMANDS\n"
	for _, v := range rfactorCommand.Verbs {
		text += fmt.Sprintf(".TP\n.BR rfactor\\-%s (1)\n%s\n", v.Name, roff(v.About))
	}
	return text + exitCodes
}

// page is the manual page of a verb: its flags, and the paragraphs of its usage as they stand.
func page(v *verbs.Verb) string {
	parts := strings.Split(v.Usage, "\n\n")
	text := fmt.Sprintf(".TH RFACTOR\\-%s 1\n.SH NAME\nrfactor\\-%s \\- %s\n.SH SYNOPSIS\n.nf\nrfactor %s %s\n.fi\n.SH DESCRIPTION\n",
		strings.ToUpper(v.Name), v.Name, roff(v.About), v.Name, roff(parts[0]))
	for _, part := range parts[1:] {
		text += ".PP\n.nf\n" + roff(part) + "\n.fi\n"
	}
	v.Flags().VisitAll(func(f *flag.Flag) {
		if !strings.Contains(text, ".SH OPTIONS") {
			text += ".SH OPTIONS\n"
		}
		name, usage := flag.UnquoteUsage(f)
		if isSwitch(f) {
			name = ""
		}
		text += strings.TrimRight(fmt.Sprintf(".TP\n.B \\-%s %s", roff(f.Name), roff(name)), " ") + "\n" + roff(usage) + "\n"
	})
	return text + exitCodes + ".SH SEE ALSO\n.BR rfactor (1)\n"
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
