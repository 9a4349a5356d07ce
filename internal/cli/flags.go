package cli

import (
	"flag"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// lister is the value of a flag that may be given several times: each time says more.
type lister interface{ addsUp() }

// List is a flag whose values are collected.
type List []string

func (l *List) String() string     { return strings.Join(*l, " ") }
func (l *List) Set(s string) error { *l = append(*l, s); return nil }
func (l *List) addsUp()            {}

// ListFunc is a flag whose values are read one by one.
type ListFunc func(string) error

func (f ListFunc) String() string     { return "" }
func (f ListFunc) Set(s string) error { return f(s) }
func (f ListFunc) addsUp()            {}

// expressioner is the value of a flag that takes expressions, which may begin with a minus.
type expressioner interface{ isExpression() }

// Expressions is a flag that takes expressions, several times.
type Expressions struct{ List }

func (Expressions) isExpression() {}

// expression is a flag that takes an expression.
type expression string

func (e *expression) String() string     { return string(*e) }
func (e *expression) Set(s string) error { *e = expression(s); return nil }
func (e *expression) isExpression()      {}

// ExpressionFlag is a flag that takes expressions, which may begin with a minus.
func ExpressionFlag(fs *flag.FlagSet, name, usage string) *string {
	s := new(string)
	fs.Var((*expression)(s), name, usage)
	return s
}

// oneOf begins the last line of the usage of a flag whose values are some words, which help, completions and manual pages read.
const oneOf = "\none of "

// OneOf is the end of the usage of a flag whose value is one of some words, or a list of them.
func OneOf(words []string) string { return oneOf + strings.Join(words, ", ") }

// Choices lists the words that the usage of a flag ends with, if it does.
func Choices(f *flag.Flag) []string {
	_, list, ok := strings.Cut(f.Usage, oneOf)
	if list, _, _ = strings.Cut(list, "\n"); !ok {
		return nil
	}
	return strings.Split(list, ", ")
}

// ChoiceFlag is a flag whose value is one of some words.
func ChoiceFlag(fs *flag.FlagSet, name, standard, usage string, words []string) *string {
	fs.Func(name, usage+OneOf(words), func(s string) error {
		standard = s
		return CheckChoice(name, s, words)
	})
	return &standard
}

// CheckChoice is an error for a word that is none of some, which it lists.
func CheckChoice(what, word string, words []string) error {
	if slices.Contains(words, word) {
		return nil
	}
	return fmt.Errorf("unknown %s %s%s; they are %s", what, Quote(word), DidYouMean(word, words), strings.Join(words, ", "))
}

// NewFlags returns a set of flags that prints nothing by itself.
func NewFlags() *flag.FlagSet {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// flagWord is what is read as a flag. Anything else is an argument, even if it begins with
// a minus, as updates may; after -- everything is an argument.
var flagWord = regexp.MustCompile(`^--?[a-z]+(=|$)`)

// Parse reads flags before, between and after arguments, which it returns. The error is flag.ErrHelp where -h is given.
func Parse(fs *flag.FlagSet, args []string) (rest []string, err error) {
	given := map[string]bool{}
	for len(args) > 0 {
		word := args[0]
		if word == "--" {
			return append(rest, args[1:]...), nil
		}
		if !flagWord.MatchString(word) {
			rest, args = append(rest, word), args[1:]
			continue
		}
		n, err := parseFlag(fs, args, given)
		if err != nil {
			return nil, err
		}
		args = args[n:]
	}
	return rest, nil
}

// parseFlag reads the flag that args begins with, and answers how many words it has. given holds the flags so far.
func parseFlag(fs *flag.FlagSet, args []string, given map[string]bool) (words int, err error) {
	name, value, hasValue := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
	if name == "h" || name == "help" {
		return 0, flag.ErrHelp
	}
	f := fs.Lookup(name)
	if f == nil {
		return 0, fmt.Errorf("unknown flag -%s%s; an update that looks like a flag goes after --", name, DidYouMean("-"+name, flagNames(fs)))
	}
	b, _ := f.Value.(interface{ IsBoolFlag() bool })
	words = 1
	if !hasValue && (b == nil || !b.IsBoolFlag()) {
		words = 2
	}
	if words > len(args) {
		return 0, fmt.Errorf("flag -%s needs a value", name)
	}
	if words == 2 {
		value = args[1]
	}
	if err := checkValue(fs, f, value); err != nil {
		return 0, err
	}
	if _, several := f.Value.(lister); !several {
		for before := range given {
			if before == name {
				return 0, fmt.Errorf("flag -%s is given twice", name)
			}
			if sameValue(fs.Lookup(before), f) {
				return 0, fmt.Errorf("flag -%s is the same as -%s, and is given twice", name, before)
			}
		}
	}
	given[name] = true
	return words, fs.Parse(args[:words])
}

// sameValue reports whether two flags set one variable.
func sameValue(a, b *flag.Flag) bool {
	x, y := reflect.ValueOf(a.Value), reflect.ValueOf(b.Value)
	return x.Kind() == reflect.Pointer && y.Kind() == reflect.Pointer && x.Pointer() == y.Pointer()
}

// checkValue refuses a value that begins with a minus where a name is wanted: it was left out, and another flag
// follows. Expressions and numbers may begin with one, and a minus alone is standard input or output.
func checkValue(fs *flag.FlagSet, f *flag.Flag, value string) error {
	_, isExpression := f.Value.(expressioner)
	if isExpression || len(value) < 2 || value[0] != '-' || value[1] >= '0' && value[1] <= '9' {
		return nil
	}
	what, _ := flag.UnquoteUsage(f)
	if name, _, _ := strings.Cut(strings.TrimLeft(value, "-"), "="); fs.Lookup(name) != nil {
		return fmt.Errorf("flag -%s needs a value, %s, and %s is a flag", f.Name, what, Quote(value))
	}
	return fmt.Errorf("flag -%s needs a value, %s, and %s begins with a minus; a file of that name is %s", f.Name, what, Quote(value), Quote("./"+value))
}

func flagNames(fs *flag.FlagSet) (names []string) {
	fs.VisitAll(func(f *flag.Flag) { names = append(names, "-"+f.Name) })
	return names
}
