package verbs

import (
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Parse reads flags before, between and after at most most arguments. Where it reports
// false, the verb ends with the code.
func (c *Command) Parse(fs *flag.FlagSet, args []string, most int) (rest []string, code int, ok bool) {
	if c.Declared != nil {
		*c.Declared = fs
		return nil, 0, false
	}
	rest, err := cli.Parse(fs, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		c.Stdout.Printf("%s", c.Verb.Help(fs))
		return nil, Matched, false
	case err != nil:
		return nil, c.Errorf("%v", err), false
	case len(rest) > most:
		hint := "put an update in quotes"
		if most == 1 && isFile(rest[0]) && isFile(rest[1]) {
			hint = "it takes one file at a time"
		}
		return nil, c.Errorf("one argument too many: %s (%s)", cli.Quote(rest[most]), hint), false
	}
	return rest, 0, true
}

// Assumption is what -assume says.
type Assumption struct {
	Allowed ir.Assume
	Named   ir.Assume // one by one, and not in a set
}

// EffortFlag bounds some work.
func EffortFlag(fs *flag.FlagSet, of string, standard int) *int {
	n := standard
	fs.Func("effort", fmt.Sprintf("`N` bounds the work of %s: what a 2-core x86-64 server does in N ms (default %d). Work is\ncounted, not timed: answers are the same on every machine", of, standard), func(s string) error {
		v, err := strconv.Atoi(s)
		if err != nil || v < 1 || v > rfactor.MaxEffort {
			return fmt.Errorf("%q is no effort from 1 to %d", s, rfactor.MaxEffort)
		}
		n = v
		return nil
	})
	return &n
}

// AssumeFlag is a flag for a set of Assumptions.
func AssumeFlag(fs *flag.FlagSet) *Assumption {
	a := &Assumption{Allowed: ir.DefaultAssumptions}
	fs.Func("assume", "`LIST` of assumptions that may be used, or the sets all, none, default (default is "+ir.DefaultAssumptions.String()+");\n+LIST adds to the default, so that +nsw is default,nsw. A sum that compensates for rounding is\nanswered as a plain sum only if reassoc is named, and whether something is NaN, or what else an update asks, is answered\nonly by what is named;"+cli.OneOf(append([]string{"all", "none", "default"}, ir.AllAssumptions.Names()...)), func(s string) (err error) {
		if a.Allowed, err = ir.ParseAssume(s); err != nil {
			return err
		}
		a.Named = rfactor.Named(s)
		return nil
	})
	return a
}

// ways are the names of matchers.
var ways = []struct {
	name string
	set  rfactor.Matchers
}{
	{"egraph", rfactor.EGraph},
	{"probe", rfactor.Probe},
	{"direct", rfactor.Direct},
	{"greedy", rfactor.Greedy},
	{"all", rfactor.AllMatchers},
}

func WayNames() (names []string) {
	for _, w := range ways {
		names = append(names, w.name)
	}
	return names
}

func ParseWay(s string) (rfactor.Matchers, error) {
	for _, w := range ways {
		if w.name == s {
			return w.set, nil
		}
	}
	return 0, cli.CheckChoice("matcher", s, WayNames())
}

// MatchersFlag is a flag for a set of ways to find an operator.
func MatchersFlag(fs *flag.FlagSet) *rfactor.Matchers {
	set := rfactor.AllMatchers
	fs.Func("matchers", "`LIST` of ways to find an operator (default all, which is the first three);"+cli.OneOf(WayNames()), func(s string) error {
		set = 0
		for name := range strings.SplitSeq(s, ",") {
			w, err := ParseWay(strings.TrimSpace(name))
			if err != nil {
				return err
			}
			set |= w
		}
		return nil
	})
	return &set
}
