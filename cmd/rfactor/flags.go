package main

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

// parse reads flags before, between and after at most most arguments. Where it reports
// false, the verb ends with the code.
func (c *command) parse(fs *flag.FlagSet, args []string, most int) (rest []string, code int, ok bool) {
	if c.declared != nil {
		*c.declared = fs
		return nil, 0, false
	}
	rest, err := cli.Parse(fs, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		c.stdout.Printf("%s", c.verb.help(fs))
		return nil, exitMatched, false
	case err != nil:
		return nil, c.errorf("%v", err), false
	case len(rest) > most:
		hint := "put an update in quotes"
		if most == 1 && isFile(rest[0]) && isFile(rest[1]) {
			hint = "it takes one file at a time"
		}
		return nil, c.errorf("one argument too many: %s (%s)", cli.Quote(rest[most]), hint), false
	}
	return rest, 0, true
}

// assumption is what -assume says.
type assumption struct {
	allowed ir.Assume
	named   ir.Assume // one by one, and not in a set
}

// effortFlag bounds some work.
func effortFlag(fs *flag.FlagSet, of string, standard int) *int {
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

// assumeFlag is a flag for a set of assumptions.
func assumeFlag(fs *flag.FlagSet) *assumption {
	a := &assumption{allowed: ir.DefaultAssumptions}
	fs.Func("assume", "`LIST` of assumptions that may be used: "+ir.AllAssumptions.String()+",\nor the sets all, none, default (default is "+ir.DefaultAssumptions.String()+");\n+LIST adds to the default, so that +nsw is default,nsw. A sum that compensates for rounding is\nanswered as a plain sum only if reassoc is named, and whether something is NaN, or what else an update asks, is answered\nonly by what is named", func(s string) (err error) {
		if a.allowed, err = ir.ParseAssume(s); err != nil {
			return err
		}
		a.named = rfactor.Named(s)
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

func wayNames() (names []string) {
	for _, w := range ways {
		names = append(names, w.name)
	}
	return names
}

func parseWay(s string) (rfactor.Matchers, error) {
	for _, w := range ways {
		if w.name == s {
			return w.set, nil
		}
	}
	return 0, fmt.Errorf("unknown matcher %s%s; they are %s", cli.Quote(s), cli.DidYouMean(s, wayNames()), strings.Join(wayNames(), ", "))
}

// matchersFlag is a flag for a set of ways to find an operator.
func matchersFlag(fs *flag.FlagSet) *rfactor.Matchers {
	set := rfactor.AllMatchers
	fs.Func("matchers", "`LIST` of ways to find an operator: egraph, probe, direct, greedy, or all\n(default all, which is the first three)", func(s string) error {
		set = 0
		for name := range strings.SplitSeq(s, ",") {
			w, err := parseWay(strings.TrimSpace(name))
			if err != nil {
				return err
			}
			set |= w
		}
		return nil
	})
	return &set
}

// typeFlag is a flag for the type of inputs that nothing else gives a type.
func typeFlag(fs *flag.FlagSet) *ir.Type {
	t := ir.I32
	fs.Func("type", "`T` of inputs whose type nothing else decides (default i32)", func(s string) (err error) {
		t, err = cli.ParseType(s)
		return err
	})
	return &t
}

// typesFlag is a flag that declares the variables of an abstract update.
func typesFlag(fs *flag.FlagSet) *string {
	return fs.String("types", "", "`LIST` of the variables of an abstract update, such as x0:i32,y0:u8,k0:i32,r:u31,\nunless the update begins with it")
}
