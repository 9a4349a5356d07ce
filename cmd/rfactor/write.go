package main

import (
	"flag"
	"strings"

	"github.com/rfactor-go/rfactor/check"
	"github.com/rfactor-go/rfactor/check/forms"
	"github.com/rfactor-go/rfactor/internal/cli"
)

var writeVerb = verb{
	name:  "write",
	about: "writes a proven operator in the notation of OpenMP, C++, Rust, Futhark, StableHLO, JAX or SQL",
	run:   runWrite,
	usage: `-form FORM [flags] -types LIST OPERATOR | FILE | -

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
	assume := assumeFlag(fs)
	units := effortFlag(fs, "all proofs", check.DefaultEffort)
	rest, code, ok := c.parse(fs, args, 1)
	switch {
	case !ok:
		return code
	case *form == "":
		return c.errorf("-form is missing; the forms are %s", strings.Join(forms.Names(), ", "))
	case len(rest) == 0:
		return c.errorf("an operator is missing: rfactor write -form openmp -types x:i32,y:i32 'max(x, y)'")
	}
	file, text, err := c.source(rest[0])
	if err != nil {
		return c.errorf("%v", err)
	}
	op, o, err := check.Parse(*types, text, check.Texts{Identity: *identity})
	if err != nil {
		if rest[0] != text {
			err = inFile(file, "operator", err)
		}
		return c.errorf("%v", err)
	}
	o.Allowed, o.Effort = assume.allowed, *units
	r, err := check.Operator(c.ctx, op, o)
	switch {
	case c.ctx.Err() != nil:
		return exitInterrupted
	case err != nil:
		return c.errorf("%v", err)
	}
	written, err := forms.Write(*form, *name, r)
	if err != nil {
		c.errorf("%v", err)
		return exitRefused
	}
	c.stdout.Printf("%s", written)
	return exitMatched
}

// formFlag is a flag for the name of a notation.
func formFlag(fs *flag.FlagSet) *string {
	return fs.String("form", "", "`FORM` to write: "+strings.Join(forms.Names(), ", "))
}
