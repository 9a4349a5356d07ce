package main

// The verbs of the laboratory, each of which runs it: a command of its own that is next to this one or on the path.

var labVerb = verb{
	name:  "lab",
	about: "runs an experiment on matching coverage, and reports it",
	run:   inLaboratory(),
	tidy:  true,
	usage: `[flags] EXPERIMENT.json | diff A[:CONFIG] B[:CONFIG]

Examples:
  rfactor lab -out out experiment.json
  rfactor lab diff before after

It runs the command rfactor-lab, which is next to this one or on the path, and which is installed by itself: see docs/experiments.md.
rfactor-lab -h lists its flags.`,
}

var serveVerb = verb{
	name:  "serve",
	about: "opens the playground on this machine",
	run:   inLaboratory("serve"),
	tidy:  true,
	usage: `[flags] [DIR]

Examples:
  make playground && rfactor serve

It runs the command rfactor-lab serve: rfactor-lab is next to this command or on the path, and is installed by itself.
rfactor-lab serve -h lists its flags.`,
}

var tablegenVerb = verb{
	name:  "tablegen",
	about: "makes the operator tables: enumerates functions, keeps the associative ones, proves them",
	run:   inLaboratory("tablegen"),
	tidy:  true,
	usage: `[flags] [PART… | TABLE.txt…]

Examples:
  rfactor tablegen -leaves 5 -out tables
  rfactor tablegen -verify

It runs the command rfactor-lab tablegen: rfactor-lab is next to this command or on the path, and is installed by itself.
rfactor-lab tablegen -h lists its flags.`,
}
