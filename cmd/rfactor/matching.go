package main

import (
	"flag"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// matching is what the flags say that every verb has which matches updates.
type matching struct {
	assume   *assumption
	effort   *int
	matchers *rfactor.Matchers
	given    *string
}

func matchingFlags(fs *flag.FlagSet) *matching {
	return &matching{assume: assumeFlag(fs), effort: effortFlag(fs), matchers: matchersFlag(fs), given: givenFlag(fs)}
}

func givenFlag(fs *flag.FlagSet) *string {
	return fs.String("given", "", "`CONDITIONS` that hold of the state before every step, or of inputs,\nsuch as 'x0 <= x1 && k0 > 0'")
}

// options are those of a match of the function name.
func (m *matching) options(name string) rfactor.Options {
	return rfactor.Options{Name: name, Allowed: m.assume.allowed, Uncompensated: m.assume.uncompensated, Matchers: *m.matchers, Effort: *m.effort}
}

// sourceFlags are where updates come from, and the types of what they read.
type sourceFlags struct {
	typ   *ir.Type
	types *string
}

func newSourceFlags(fs *flag.FlagSet) *sourceFlags {
	return &sourceFlags{typ: typeFlag(fs), types: typesFlag(fs)}
}

// updates reads the updates that the verb's only argument names, with what is given of all of them.
func (c *command) updates(rest []string, s *sourceFlags, given string) ([]job, error) {
	js, err := c.read(rest, *s.types, *s.typ)
	if err != nil || given == "" {
		return js, err
	}
	for _, j := range js {
		if j.update.Given, err = program.ParseGiven(j.update, given); err != nil {
			return nil, err
		}
	}
	return js, nil
}
