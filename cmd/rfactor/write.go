package main

import (
	"flag"
	"strings"

	"github.com/rfactor-go/rfactor/check"
	"github.com/rfactor-go/rfactor/check/forms"
	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

var writeVerb = verbs.Verb{
	Name:  "write",
	About: "writes a proven operator in the notation of OpenMP, C++, Rust, Futhark, StableHLO, JAX or SQL",
	Run:   with(runWrite),
	Usage: `-form FORM [flags] -types LIST OPERATOR | FILE | -

Examples:
  rfactor write -form openmp -name add -types x:i32,y:i32 'x + y'
  rfactor write -form rayon -types x0:u32,x1:u32,y0:u32,y1:u32 'x0*y0; x1*y0 + y1'
  rfactor write -form jax -assume +afn -types x:f32,y:f32 'max(x, y)'

The operator is given as to rfactor check, and its laws are proven first. A form whose runtime
combines in any order (openmp, cpp, stablehlo, sql) takes operators that commute, and one that starts
from a neutral element (all but cpp and jax) those that have one on both sides. What a language has
only in another meaning is refused, such as a maximum of floats that are not promised to be no NaN.
Exit code 0: written; 1: refused; 2: bad usage or input.`,
}

func runWrite(c *command, args []string) int {
	fs := cli.NewFlags()
	types := fs.String("types", "", "`LIST` of the operands' components, as of rfactor check")
	form := formFlag(fs)
	name := fs.String("name", "combined", "`NAME` of the operator")
	identity := cli.ExpressionFlag(fs, "identity", "`VALUES` of the neutral element, separated by semicolons; else one is looked for")
	assume := verbs.AssumeFlag(fs)
	units := verbs.EffortFlag(fs, "all proofs", check.DefaultEffort)
	rest, code, ok := c.Parse(fs, args, 1)
	switch {
	case !ok:
		return code
	case *form == "":
		return c.Errorf("-form is missing; the forms are %s", strings.Join(forms.Names(), ", "))
	case len(rest) == 0:
		return c.Errorf("an operator is missing: rfactor write -form openmp -types x:i32,y:i32 'max(x, y)'")
	}
	file, text, err := c.Source(rest[0])
	if err != nil {
		return c.Errorf("%v", err)
	}
	op, o, err := check.Parse(*types, text, check.Texts{Identity: *identity})
	if err != nil {
		if rest[0] != text {
			err = inFile(file, "operator", err)
		}
		return c.Errorf("%v", err)
	}
	o.Allowed, o.Effort = assume.Allowed, *units
	r, err := check.Operator(c.Ctx, op, o)
	switch {
	case c.Ctx.Err() != nil:
		return verbs.Interrupted
	case err != nil:
		return c.Errorf("%v", err)
	}
	written, err := forms.Write(*form, *name, r)
	if err != nil {
		c.Errorf("%v", err)
		return verbs.Refused
	}
	c.Stdout.Printf("%s", written)
	return verbs.Matched
}

// formFlag is a flag for the name of a notation.
func formFlag(fs *flag.FlagSet) *string {
	return cli.ChoiceFlag(fs, "form", "", "`FORM` to write,", forms.Names())
}
