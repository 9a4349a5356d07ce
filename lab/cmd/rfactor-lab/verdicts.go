package main

import (
	"io"
	"os"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lab"
)

var verdictsVerb = verb{
	name: "verdicts",
	run:  runVerdicts,
	usage: `FILE

Examples:
  rfactor-lab verdicts mine.csv > mine.tsv && rfactor-lab -out out -verdicts mine.tsv experiment.json
  my-matcher corpus.tsv | rfactor-lab verdicts - > mine.tsv

It reads lines with the name of an update, whether a matcher accepts it, and the operator that it found, if any: apart by tabs, or as
CSV. Whether it accepts is said by true or false, yes or no, 1 or 0, matched or refused, assoc or not-assoc. It prints what -verdicts reads.
Exit code 0; 2 bad usage, or lines that are wrong, which are reported and left out.`,
}

func runVerdicts(c *command, args []string) int {
	rest, code, ok := c.parse(cli.NewFlags(), args, 1)
	switch {
	case !ok:
		return code
	case len(rest) == 0:
		return c.errorf("a file is missing, or - for standard input: rfactor-lab verdicts FILE")
	}
	s := &ir.Source{Name: rest[0]}
	var text []byte
	var err error
	if rest[0] == "-" {
		s.Name = "stdin"
		text, err = io.ReadAll(c.stdin)
	} else {
		text, err = os.ReadFile(rest[0])
	}
	if err != nil {
		return c.errorf("%v", err)
	}
	s.Text = string(text)
	bad, err := lab.ConvertVerdicts(c.stdout, s)
	if err != nil {
		return c.errorf("%v", err)
	}
	for _, why := range bad {
		code = c.errorf("left out: %v", why)
	}
	return code
}
