package main

import (
	"bytes"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify/proof"
)

var checkVerb = verb{
	name:  "check",
	about: "proves or refutes the laws of an operator that you hand to a parallel reduction",
	run:   runCheck,
	usage: `[flags] -types LIST OPERATOR | FILE | -

Examples:
  rfactor check -types x:i32,y:i32,k:i32 'max(min(x, k), y)'
  rfactor check -types x:i32,y:i32 -identity 0 'max(x, y)'
  rfactor check -types x0:f64,x1:f64,y0:f64,y1:f64 'x0*y0 - x1*y1; x0*y1 + x1*y0'
  rfactor check -assume none 'x:f32, y:f32; x + y'

The operands are x and y, or x0, x1, … and y0, y1, …; other names are constants. OpenMP,
Futhark, JAX, Triton, Beam and Spark take it on trust that such an operator is associative,
and some that it is commutative or that the neutral element given is one.
Where -effort ends a proof the law is neither proven nor refuted.
Exit code 0: associative, and -identity an identity if it is given; 1: not, or not proven;
2: bad usage or input.`,
}

// checkEffort is the effort of check where -effort names none: ten times that of a match, which asks for a few of these
// proofs of many operators.
const checkEffort = 10 * rfactor.DefaultEffort

func runCheck(c *command, args []string) int {
	fs := cli.NewFlags()
	types := fs.String("types", "", "`LIST` of the operands' components and the constants, such as x:i32,y:i32,k:i32, unless the operator\nbegins with it")
	identity := cli.ExpressionFlag(fs, "identity", "`VALUES` to examine as identity, separated by semicolons; over the constants")
	assume := assumeFlag(fs)
	units := effortFlag(fs, "all proofs", checkEffort)
	asJSON := fs.Bool("json", false, "print one JSON object")
	rest, code, ok := c.parse(fs, args, 1)
	switch {
	case !ok:
		return code
	case len(rest) == 0:
		return c.errorf("an operator is missing: rfactor check -types x:i32,y:i32 'max(x, y)'")
	}
	name, text, err := c.source(rest[0])
	if err != nil {
		return c.errorf("%v", err)
	}
	u, err := program.ParseOperator(ir.NewPool(), *types, text)
	if err != nil {
		if rest[0] != text {
			err = inFile(name, "operator", err)
		}
		return c.errorf("%v", err)
	}
	var stated []ir.Expr
	if *identity != "" {
		if stated, err = constantValues(u, *identity); err != nil {
			return c.errorf("%v", err)
		}
	}
	k := &checker{ctx: c.ctx, op: proof.Operator{Types: u.Types, Exprs: u.Values}, allowed: assume.allowed, prover: new(prove.Prover)}
	k.start(*units)
	k.run(stated)
	if c.ctx.Err() != nil {
		return exitInterrupted
	}
	if *asJSON {
		c.writeRecord(k.record())
	} else {
		var b bytes.Buffer
		_, text = program.CutTypes(text)
		writeUpdate(&b, strings.TrimSpace(text))
		r := k.report()
		r.write(&b)
		c.stdout.Write(b.Bytes())
	}
	if !k.associative().holds() || stated != nil && k.side == proof.NoSide {
		return exitRefused
	}
	return exitMatched
}

// constantValues reads one value for each component, over the operator's constants.
func constantValues(u *ir.Update, text string) ([]ir.Expr, error) {
	return program.ParseExprs(u.Pool, program.Scope{Var: func(name string) (ir.Expr, bool) {
		for _, v := range u.Vars {
			if v.Kind() == ir.Param && v.Name() == name {
				return v, true
			}
		}
		return ir.Expr{}, false
	}}, "identity", u.Types, text)
}
