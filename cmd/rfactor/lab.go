package main

import "github.com/rfactor-go/rfactor/internal/verbs"

// The verbs of the laboratory, each of which runs it: a command of its own that is next to this one or on the path.

var labVerb = verbs.Verb{
	Name:  "lab",
	About: "runs an experiment on matching coverage, and reports it",
	Run:   laboratory.does(),
	Tidy:  true,
	Usage: `[flags] EXPERIMENT.json | diff A[:CONFIG] B[:CONFIG]

Examples:
  rfactor lab -out out experiment.json
  rfactor lab diff before after

It runs the command rfactor-lab, which is next to this one or on the path, and which is installed by itself: see docs/experiments.md.
rfactor-lab -h lists its flags.`,
}

var serveVerb = verbs.Verb{
	Name:  "serve",
	About: "opens the playground on this machine",
	Run:   laboratory.does("serve"),
	Tidy:  true,
	Usage: `[flags] [DIR]

Examples:
  make playground && rfactor serve

It runs the command rfactor-lab serve: rfactor-lab is next to this command or on the path, and is installed by itself.
rfactor-lab serve -h lists its flags.`,
}

var tablegenVerb = verbs.Verb{
	Name:  "tablegen",
	About: "makes the operator tables: enumerates functions, keeps the associative ones, proves them",
	Run:   laboratory.does("tablegen"),
	Tidy:  true,
	Usage: `[flags] [PART… | TABLE.txt…]

Examples:
  rfactor tablegen -leaves 5 -out tables
  rfactor tablegen -verify

It runs the command rfactor-lab tablegen: rfactor-lab is next to this command or on the path, and is installed by itself.
rfactor-lab tablegen -h lists its flags.`,
}
