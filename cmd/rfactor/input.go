package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// job is one update to work on.
type job struct {
	name   string // of the function; empty for an abstract update
	text   string // as the user wrote it
	update *ir.Update
}

// sourceFlags are where updates come from, and the types of what they read.
type sourceFlags struct {
	typ   *ir.Type
	types *string
}

func newSourceFlags(fs *flag.FlagSet) *sourceFlags {
	return &sourceFlags{typ: typeFlag(fs), types: typesFlag(fs)}
}

// typeFlag is a flag for the type of inputs that nothing else gives a type.
func typeFlag(fs *flag.FlagSet) *ir.Type {
	t := ir.I32
	fs.Func("type", "`T` of inputs whose type nothing else decides (default i32);"+cli.OneOf(cli.TypeNames()), func(s string) (err error) {
		t, err = cli.ParseType(s)
		return err
	})
	return &t
}

// typesFlag is a flag that declares the variables of an abstract update.
func typesFlag(fs *flag.FlagSet) *string {
	return fs.String("types", "", "`LIST` of the variables of an abstract update, such as x0:i32,y0:u8,k0:i32,r:u31,\nunless the update begins with it")
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

// jobs are the updates in a source: an abstract one where types are given or stand in front, else those of a
// program.
func jobs(name, text, types string, typ ir.Type) ([]job, error) {
	pool := ir.NewPool()
	if types != "" || program.IsAbstract(text) {
		u, err := program.ParseUpdate(pool, types, text)
		if err != nil {
			return nil, inFile(name, "update", err)
		}
		_, text = program.CutTypes(text)
		return []job{{text: strings.TrimSpace(text), update: u}}, nil
	}
	prog, err := program.ParseProgram(pool, name, text, typ)
	if err != nil {
		return nil, err
	}
	var out []job
	for _, d := range prog.Definitions() {
		out = append(out, job{d.Func.Name, strings.TrimSpace(d.Text()), d.Matched()})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: there is no update in it", name)
	}
	return out, nil
}

// inFile gives errors of a text that the parser calls what the name of the file that has it.
func inFile(name, what string, err error) error {
	var list ir.ErrorList
	if errors.As(err, &list) {
		for _, e := range list {
			if e.Name == what {
				e.Name = name
			}
		}
	}
	return err
}

// read reads the updates that the verb's only argument names. Where it reports false, the
// verb ends with bad input.
func (c *command) read(rest []string, types string, typ ir.Type) (js []job, err error) {
	verbs.CollectLess()
	if len(rest) == 0 {
		return nil, c.Missing("an update")
	}
	name, text, err := c.Notation(rest[0])
	if err != nil {
		return nil, err
	}
	return jobs(name, text, types, typ)
}
