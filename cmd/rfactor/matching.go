package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor"
)

// matching is what the flags say that every verb has which matches updates.
type matching struct {
	assume   *assumption
	effort   *int
	matchers *rfactor.Matchers
	given    *cli.List
	table    *string
	own      *pattern.Own // what -table names, once parseMatching has read it
	file     *string
	rules    *rfactor.Rules // what -rules names
}

func matchingFlags(fs *flag.FlagSet) *matching {
	return &matching{assume: assumeFlag(fs), effort: effortFlag(fs, "each match", rfactor.DefaultEffort), matchers: matchersFlag(fs), given: givenFlag(fs), table: tableFlag(fs), file: rulesFlag(fs)}
}

// tableFlag is a flag for a folder of operators beside the embedded tables.
func tableFlag(fs *flag.FlagSet) *string {
	return fs.String("table", "", "`DIR` of operators beside those of the program, in files such as i32-i32.txt with lines\n'name : expression; expression'. Each is proven first; answers name it DIR/name")
}

// readTable reads and proves the operators of a folder; nil where the name is empty.
func (c *command) readTable(dir string) (*pattern.Own, error) {
	if dir == "" {
		return nil, nil
	}
	own, err := pattern.ReadOwn(c.ctx, os.DirFS(dir), filepath.Base(filepath.Clean(dir)))
	if err != nil {
		return nil, fmt.Errorf("-table %s: %w", dir, err)
	}
	return own, nil
}

func givenFlag(fs *flag.FlagSet) *cli.List {
	c := new(cli.Expressions)
	fs.Var(c, "given", "`CONDITIONS` that hold of the state before every step, or of inputs,\nsuch as 'x0 <= x1 && k0 > 0'; of several -given all hold")
	return &c.List
}

// options are those of a match of the function name.
func (m *matching) options(name string) rfactor.Options {
	return rfactor.Options{Name: name, Allowed: m.assume.allowed, Named: m.assume.named, Matchers: *m.matchers, Effort: *m.effort, Table: m.own, Rules: m.rules}
}

// sourceFlags are where updates come from, and the types of what they read.
type sourceFlags struct {
	typ   *ir.Type
	types *string
}

func newSourceFlags(fs *flag.FlagSet) *sourceFlags {
	return &sourceFlags{typ: typeFlag(fs), types: typesFlag(fs)}
}

// parseMatching is parse for a verb with the flags of matching: it reads what they name, too.
func (c *command) parseMatching(fs *flag.FlagSet, m *matching, args []string) (rest []string, code int, ok bool) {
	if rest, code, ok = c.parse(fs, args, 1); !ok {
		return nil, code, false
	}
	var err error
	if m.own, err = c.readTable(*m.table); c.ctx.Err() != nil {
		return nil, exitInterrupted, false
	} else if err != nil {
		return nil, c.errorf("%v", err), false
	}
	if m.rules, err = c.readRules(*m.file); c.ctx.Err() != nil {
		return nil, exitInterrupted, false
	} else if err != nil {
		return nil, c.errorf("%v", err), false
	}
	return rest, 0, true
}

// rulesFlag is a flag for a file of rewrite rules beside those of the program.
func rulesFlag(fs *flag.FlagSet) *string {
	return fs.String("rules", "", "`FILE` of rewrite rules beside those of the program, as rfactor rules lists them:\n'name [classes] : lhs => rhs'. Each is proven first; answers name those that were applied FILE/name")
}

// readRules reads and proves the rules of a file; nil where the name is empty.
func (c *command) readRules(file string) (*rfactor.Rules, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("-rules: %w", err)
	}
	r, err := rfactor.ReadRules(c.ctx, string(text), strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	if err != nil {
		return nil, fmt.Errorf("-rules %s: %w", file, err)
	}
	return r, nil
}

// updates reads the updates that the verb's only argument names, with what is given of all of them.
func (c *command) updates(rest []string, s *sourceFlags, given cli.List) ([]job, error) {
	js, err := c.read(rest, *s.types, *s.typ)
	if err != nil || len(given) == 0 {
		return js, err
	}
	for _, j := range js {
		if j.update.Given, err = program.ParseGiven(j.update, given...); err != nil {
			return nil, err
		}
	}
	return js, nil
}
