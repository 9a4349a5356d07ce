package verbs

import (
	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/identity"
)

// Version is the verb version.
var Version = Verb{
	Name:  "version",
	About: "says which version this is: its commit, a digest of its rules and tables, its Go",
	Run:   runVersion,
	Usage: `[-json]

Examples:
  rfactor version
  rfactor version -json

Answers depend on the version alone, and of it on the commit. The digest is of the rules and operator tables in the
program: two programs with one digest match by the same rules against the same operators.`,
}

func runVersion(c *Command, args []string) int {
	fs := cli.NewFlags()
	asJSON := fs.Bool("json", false, "print one JSON object")
	if _, code, ok := c.Parse(fs, args, 0); !ok {
		return code
	}
	if r := identity.This(); *asJSON {
		c.WriteRecord(r)
	} else {
		c.Stdout.Printf("%s", r)
	}
	return Matched
}
