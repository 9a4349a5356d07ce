package main

import (
	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/lab"
)

var diffVerb = verb{
	name: "diff",
	run:  runDiff,
	usage: `A[:CONFIG] B[:CONFIG]

Examples:
  rfactor-lab diff before after
  rfactor-lab diff out:lift 'out:lift without rule select-add'

It prints verdicts that were gained and lost from the results in A to those in B, and times.
Exit code 0; 1 where a verdict was lost; 2 bad usage or input.`,
}

func runDiff(c *command, args []string) int {
	rest, code, ok := c.parse(cli.NewFlags(), args, 2)
	switch {
	case !ok:
		return code
	case len(rest) != 2:
		return c.errorf("diff compares two directories: rfactor-lab diff A B")
	}
	losses, err := lab.Diff(c.stdout, rest[0], rest[1])
	switch {
	case err != nil:
		return c.errorf("%v", err)
	case losses > 0:
		return exitFailed
	}
	return exitDone
}
