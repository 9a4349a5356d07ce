package main

import (
	"bytes"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/lab"
)

var diffVerb = verb{
	name: "diff",
	run:  runDiff,
	usage: `[flags] A[:CONFIG] B[:CONFIG]

Examples:
  rfactor-lab diff before after
  rfactor-lab diff -html diff.html before after
  rfactor-lab diff out:lift 'out:lift without rule select-add'

It prints verdicts that were gained and lost from the results in A to those in B, and times.
Exit code 0; 1 where a verdict was lost; 2 bad usage or input.`,
}

func runDiff(c *command, args []string) int {
	fs := cli.NewFlags()
	page := fs.String("html", "", "write a page to `FILE` as well")
	rest, code, ok := c.parse(fs, args, 2)
	switch {
	case !ok:
		return code
	case len(rest) != 2:
		return c.errorf("diff compares two directories: rfactor-lab diff A B")
	}
	compared, err := lab.Compare(rest[0], rest[1])
	if err == nil && *page != "" {
		err = writePage(*page, compared)
	}
	if err != nil {
		return c.errorf("%v", err)
	}
	compared.Text(c.stdout)
	if len(compared.Lost) > 0 {
		return exitFailed
	}
	return exitDone
}

func writePage(file string, compared *lab.Comparison) error {
	var b bytes.Buffer
	if err := compared.HTML(&b); err != nil {
		return err
	}
	return save.Text(file, b.Bytes())
}
