package main

import (
	"bytes"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

var checkVerb = verb{
	name:  "check",
	about: "proves or refutes the laws of an operator that you hand to a parallel reduction",
	run:   runCheck,
	usage: `[flags] -types LIST OPERATOR | -

Examples:
  rfactor check -types x:i32,y:i32,k:i32 'max(min(x, k), y)'
  rfactor check -types x:i32,y:i32 -identity 0 'max(x, y)'
  rfactor check -types x0:f64,x1:f64,y0:f64,y1:f64 'x0*y0 - x1*y1; x0*y1 + x1*y0'
  rfactor check -assume none -types x:f32,y:f32 'x + y'

The operands are x and y, or x0, x1, … and y0, y1, …; other names are constants. OpenMP,
Futhark, JAX, Triton, Beam and Spark take it on trust that such an operator is associative,
and some that it is commutative or that the neutral element given is one.
Exit code 0: associative, and -identity an identity if it is given; 1: not, or not proven;
2: bad usage or input.`,
}

func runCheck(c *command, args []string) int {
	fs := newFlags()
	types := fs.String("types", "", "`LIST` of the operands' components and the constants, such as x:i32,y:i32,k:i32")
	identity := fs.String("identity", "", "`VALUES` to examine as identity, separated by semicolons; over the constants")
	assume := assumeFlag(fs)
	asJSON := fs.Bool("json", false, "print one JSON object")
	rest, code, ok := c.parse(fs, args, 1)
	switch {
	case !ok:
		return code
	case *types == "":
		return c.errorf("-types is missing, such as -types x:i32,y:i32")
	case len(rest) == 0:
		return c.errorf("an operator is missing: rfactor check -types x:i32,y:i32 'max(x, y)'")
	}
	text := rest[0]
	if text == "-" {
		var err error
		if text, err = readAll(c.stdin); err != nil {
			return c.errorf("%v", err)
		}
		text = strings.TrimSpace(text)
	}
	u, err := program.ParseOperator(ir.NewPool(), *types, text)
	if err != nil {
		return c.errorf("%v", err)
	}
	var stated []ir.Expr
	if *identity != "" {
		if stated, err = constantValues(u, *identity); err != nil {
			return c.errorf("%v", err)
		}
	}
	k := &checker{ctx: c.ctx, op: proof.Operator{Types: u.Types, Exprs: u.Values}, allowed: assume.allowed, prover: new(prove.Prover)}
	k.run(stated)
	if c.ctx.Err() != nil {
		return exitInterrupted
	}
	if *asJSON {
		c.writeRecord(k.record())
	} else {
		var b bytes.Buffer
		writeUpdate(&b, text)
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
