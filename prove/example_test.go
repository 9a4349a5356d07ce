package prove_test

import (
	"context"
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// An equation is proven for all values, and the certificate checked by other code, or refuted.
func ExampleProve() {
	p := ir.NewPool()
	x, y := p.X(0, ir.U8), p.Y(0, ir.U8)
	saturated := ir.Make(ir.SatAdd, x, y)
	clamped := ir.AddOf(ir.MinOf(x, ir.SubOf(p.Int(ir.U8, 255), y)), y)
	for _, problem := range []proof.Problem{
		{Left: saturated, Right: clamped},
		{Left: saturated, Right: ir.AddOf(x, y)},
	} {
		switch a := prove.Prove(context.Background(), []proof.Problem{problem}, prove.Options{}); a.Status {
		case prove.Proved:
			certificate, err := prove.Certify(problem, a.Assumes, a.Proof())
			if err != nil {
				panic(err)
			}
			fmt.Println("proved; checked:", equation.Check(problem, a.Assumes, certificate) == nil)
		case prove.Refuted:
			fmt.Println("refuted; values differ:", a.Counter.Left != a.Counter.Right)
		default:
			fmt.Println("unknown")
		}
	}
	// Output:
	// proved; checked: true
	// refuted; values differ: true
}

// The laws of an operator are equations.
func ExampleProve_laws() {
	p := ir.NewPool()
	x, y := p.X(0, ir.I32), p.Y(0, ir.I32)
	k := p.K(0, ir.I32)
	op := proof.Operator{Types: []ir.Type{ir.I32}, Exprs: []ir.Expr{ir.MaxOf(ir.MinOf(x, k), y)}}
	for _, law := range [][]proof.Problem{op.Associativity(), op.Commutativity()} {
		fmt.Println(prove.Prove(context.Background(), law, prove.Options{}).Status)
	}
	// Output:
	// proved
	// refuted
}

// Characterise finds the laws of an operator with their proofs, and refutes the ones that fail.
func ExampleCharacterise() {
	p := ir.NewPool()
	x, y := p.X(0, ir.I32), p.Y(0, ir.I32)
	for _, e := range []ir.Expr{ir.MinOf(x, y), ir.SubOf(x, y)} {
		op := proof.Operator{Types: []ir.Type{ir.I32}, Exprs: []ir.Expr{e}}
		proven, associativity := prove.Characterise(context.Background(), op, prove.Options{})
		if proven == nil {
			fmt.Println(e, "is not associative:", associativity.Status)
			continue
		}
		fmt.Println(e, "is associative")
		fmt.Println("commutative", proven.Commutative, "idempotent", proven.Idempotent)
		fmt.Println("identity", ir.Strings(proven.Identity), "on side", proven.Side)
	}
	// Output:
	// min(x0, y0) is associative
	// commutative true idempotent true
	// identity tmax on side two
	// x0 - y0 is not associative: refuted
}
