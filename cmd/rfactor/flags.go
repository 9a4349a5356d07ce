package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

func newFlags() *flag.FlagSet {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// flagWord is what is read as a flag. Anything else is an argument, even if it begins with
// a minus, as updates may; after -- everything is an argument.
var flagWord = regexp.MustCompile(`^--?[a-z]+(=|$)`)

// parse reads flags before, between and after at most most arguments. Where it reports
// false, the verb ends with the code.
func (c *command) parse(fs *flag.FlagSet, args []string, most int) (rest []string, code int, ok bool) {
	if c.declared != nil {
		*c.declared = fs
		return nil, 0, false
	}
	for len(args) > 0 {
		word := args[0]
		if word == "--" {
			rest = append(rest, args[1:]...)
			break
		}
		if !flagWord.MatchString(word) {
			rest, args = append(rest, word), args[1:]
			continue
		}
		n, err := parseFlag(fs, args)
		if errors.Is(err, flag.ErrHelp) {
			c.stdout.printf("%s", c.verb.help(fs))
			return nil, exitMatched, false
		}
		if err != nil {
			return nil, c.errorf("%v", err), false
		}
		args = args[n:]
	}
	if len(rest) > most {
		hint := "put an update in quotes"
		if most == 1 && isFile(rest[0]) && isFile(rest[1]) {
			hint = "it takes one file at a time"
		}
		return nil, c.errorf("one argument too many: %s (%s)", quoteShort(rest[most]), hint), false
	}
	return rest, 0, true
}

// parseFlag reads the flag that args begins with, and answers how many words it has.
func parseFlag(fs *flag.FlagSet, args []string) (words int, err error) {
	name, _, hasValue := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
	if name == "h" || name == "help" {
		return 0, flag.ErrHelp
	}
	f := fs.Lookup(name)
	if f == nil {
		return 0, fmt.Errorf("unknown flag -%s%s; an update that looks like a flag goes after --", name, didYouMean("-"+name, flagNames(fs)))
	}
	b, _ := f.Value.(interface{ IsBoolFlag() bool })
	words = 1
	if !hasValue && (b == nil || !b.IsBoolFlag()) {
		words = 2
	}
	if words > len(args) {
		return 0, fmt.Errorf("flag -%s needs a value", name)
	}
	return words, fs.Parse(args[:words])
}

func flagNames(fs *flag.FlagSet) (names []string) {
	fs.VisitAll(func(f *flag.Flag) { names = append(names, "-"+f.Name) })
	return names
}

// assumption is what -assume says.
type assumption struct {
	allowed       ir.Assume
	uncompensated bool // reassoc is named, not only in a set
}

// effortFlag bounds the work of each match.
func effortFlag(fs *flag.FlagSet) *int {
	n := rfactor.DefaultEffort
	fs.Func("effort", fmt.Sprintf("`N` bounds the work of each match: what a 2-core x86-64 server does in N ms (default %d). Work is\ncounted, not timed: answers are the same on every machine", rfactor.DefaultEffort), func(s string) error {
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
	fs.Func("assume", "`LIST` of assumptions that may be used: "+ir.AllAssumptions.String()+",\nor the sets all, none, default (default is "+ir.DefaultAssumptions.String()+");\n+LIST adds to the default, so that +nsw is default,nsw. A sum that compensates for rounding is\nanswered as a plain sum only if reassoc is named", func(s string) (err error) {
		if a.allowed, err = ir.ParseAssume(s); err != nil {
			return err
		}
		a.uncompensated = slices.ContainsFunc(strings.Split(s, ","), func(word string) bool {
			return strings.TrimPrefix(strings.TrimSpace(word), "+") == ir.Reassoc.String()
		})
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
	return 0, fmt.Errorf("unknown matcher %s%s; they are %s", quoteShort(s), didYouMean(s, wayNames()), strings.Join(wayNames(), ", "))
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

func unknownType(s string) error {
	return fmt.Errorf("unknown type %s%s; they are %s", quoteShort(s), didYouMean(s, typeWords()), strings.Join(typeWords(), ", "))
}

// typeFlag is a flag for the type of inputs that nothing else gives a type.
func typeFlag(fs *flag.FlagSet) *ir.Type {
	t := ir.I32
	fs.Func("type", "`T` of inputs whose type nothing else decides (default i32)", func(s string) error {
		if t = program.ParseType(s); t == ir.Invalid {
			return unknownType(s)
		}
		return nil
	})
	return &t
}

// typesFlag is a flag that declares the variables of an abstract update.
func typesFlag(fs *flag.FlagSet) *string {
	return fs.String("types", "", "`LIST` of the variables of an abstract update, such as x0:i32,y0:u8,k0:i32,r:u31")
}
