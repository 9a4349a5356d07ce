package main

import (
	"bytes"
	"strings"

	"github.com/rfactor-go/rfactor/check"
	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/ir/program"
)

var checkVerb = verbs.Verb{
	Name:  "check",
	About: "proves or refutes the laws of an operator that you hand to a parallel reduction",
	Run:   with(runCheck),
	Usage: `[flags] -types LIST OPERATOR | FILE | -

Examples:
  rfactor check -types x:i32,y:i32,k:i32 'max(min(x, k), y)'
  rfactor check -types x:i32,y:i32 -identity 0 'max(x, y)'
  rfactor check -types x0:f64,x1:f64,y0:f64,y1:f64 'x0*y0 - x1*y1; x0*y1 + x1*y0'
  rfactor check -assume none 'x:f32, y:f32; x + y'
  rfactor check -given '0 <= x' -types x:i32,y:i32 -identity 0 'max(abs(x), abs(y))'
  rfactor check -is 'x + y' -types x:f32,y:f32 'x + f32(i32(y))'

The operands are x and y, or x0, x1, … and y0, y1, …; other names are constants. OpenMP,
Futhark, JAX, Triton, Beam and Spark take it on trust that such an operator is associative,
and some that it is commutative or that the neutral element given is one.
Where -effort ends a proof the law is neither proven nor refuted.
Exit code 0: associative, and of -identity, -is and -given what is named holds; 1: not, or not
proven; 2: bad usage or input.`,
}

func runCheck(c *command, args []string) int {
	fs := cli.NewFlags()
	types := fs.String("types", "", "`LIST` of the operands' components and the constants, such as x:i32,y:i32,k:i32, unless the operator\nbegins with it")
	identity := cli.ExpressionFlag(fs, "identity", "`VALUES` to examine as identity, separated by semicolons; over the constants")
	meant := cli.ExpressionFlag(fs, "is", "`OPERATOR` that is meant, over x and y as the operator is: is it that one?")
	given := new(cli.Expressions)
	fs.Var(given, "given", "`CONDITIONS` on x and constants that every operand has, such as 'x0 <= x1 && k > 0';\nof several -given all hold")
	assume := verbs.AssumeFlag(fs)
	units := verbs.EffortFlag(fs, "all proofs", check.DefaultEffort)
	asJSON := fs.Bool("json", false, "print one JSON object")
	rest, code, ok := c.Parse(fs, args, 1)
	switch {
	case !ok:
		return code
	case len(rest) == 0:
		return c.Errorf("an operator is missing: rfactor check -types x:i32,y:i32 'max(x, y)'")
	}
	name, text, err := c.Notation(rest[0])
	if err != nil {
		return c.Errorf("%v", err)
	}
	op, o, err := check.Parse(*types, text, check.Texts{Identity: *identity, Is: *meant, Given: given.List})
	if err != nil {
		if rest[0] != text {
			err = inFile(name, "operator", err)
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
	case *asJSON:
		c.WriteRecord(r)
	default:
		var b bytes.Buffer
		_, text = program.CutTypes(text)
		writeReport(&b, strings.TrimSpace(text), r)
		c.Stdout.Write(b.Bytes())
	}
	if !r.Sound() {
		return verbs.Refused
	}
	return verbs.Matched
}

// writeReport writes what is known of an operator for people.
func writeReport(b *bytes.Buffer, text string, r *check.Report) {
	writeUpdate(b, text)
	lines := &report{}
	for _, l := range r.Lines() {
		lines.add(l.Label, l.Text, "")
	}
	lines.write(b)
}
