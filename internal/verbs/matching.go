package verbs

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Matching is what the flags say that every verb has which matches updates.
type Matching struct {
	assume   *Assumption
	effort   *int
	matchers *rfactor.Matchers
	Given    *cli.List
	table    *string
	own      *pattern.Own // what -table names, once ParseMatching has read it
	file     *string
	rules    *rfactor.Rules // what -rules names
}

func MatchingFlags(fs *flag.FlagSet) *Matching {
	return &Matching{assume: AssumeFlag(fs), effort: EffortFlag(fs, "each match", rfactor.DefaultEffort), matchers: MatchersFlag(fs), Given: GivenFlag(fs), table: TableFlag(fs), file: RulesFlag(fs)}
}

// TableFlag is a flag for a folder of operators beside the embedded tables.
func TableFlag(fs *flag.FlagSet) *string {
	return fs.String("table", "", "`DIR` of operators beside those of the program, in files such as i32-i32.txt with lines\n'name : expression; expression'. Each is proven first; answers name it DIR/name")
}

// ReadTable reads and proves the operators of a folder; nil where the name is empty.
func (c *Command) ReadTable(dir string) (*pattern.Own, error) {
	if dir == "" {
		return nil, nil
	}
	own, err := pattern.ReadOwn(c.Ctx, os.DirFS(dir), filepath.Base(filepath.Clean(dir)))
	if err != nil {
		return nil, fmt.Errorf("-table %s: %w", dir, err)
	}
	return own, nil
}

func GivenFlag(fs *flag.FlagSet) *cli.List {
	c := new(cli.Expressions)
	fs.Var(c, "given", "`CONDITIONS` that hold of the state before every step, or of inputs,\nsuch as 'x0 <= x1 && k0 > 0'; of several -given all hold")
	return &c.List
}

// Options are those of a match of the function name.
func (m *Matching) Options(name string) rfactor.Options {
	return rfactor.Options{Name: name, Allowed: m.assume.Allowed, Named: m.assume.Named, Matchers: *m.matchers, Effort: *m.effort, Table: m.own, Rules: m.rules}
}

// ParseMatching is Parse for a verb with the flags of matching: it reads what they name, too.
func (c *Command) ParseMatching(fs *flag.FlagSet, m *Matching, args []string) (rest []string, code int, ok bool) {
	if rest, code, ok = c.Parse(fs, args, 1); !ok {
		return nil, code, false
	}
	var err error
	if m.own, err = c.ReadTable(*m.table); c.Ctx.Err() != nil {
		return nil, Interrupted, false
	} else if err != nil {
		return nil, c.Errorf("%v", err), false
	}
	if m.rules, err = c.ReadRules(*m.file); c.Ctx.Err() != nil {
		return nil, Interrupted, false
	} else if err != nil {
		return nil, c.Errorf("%v", err), false
	}
	return rest, 0, true
}

// RulesFlag is a flag for a file of rewrite rules beside those of the program.
func RulesFlag(fs *flag.FlagSet) *string {
	return fs.String("rules", "", "`FILE` of rewrite rules beside those of the program, as rfactor rules lists them:\n'name [classes] : lhs => rhs'. Each is proven first; answers name those that were applied FILE/name")
}

// ReadRules reads and proves the rules of a file; nil where the name is empty.
func (c *Command) ReadRules(file string) (*rfactor.Rules, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("-rules: %w", err)
	}
	r, err := rfactor.ReadRules(c.Ctx, string(text), strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	if err != nil {
		return nil, fmt.Errorf("-rules %s: %w", file, err)
	}
	return r, nil
}
