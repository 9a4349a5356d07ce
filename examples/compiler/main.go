// Compiler is a compiler in miniature that asks for the operator of each loop that it meets, and chooses
// how to run the loop by the answer:
//
//	associative   slices are reduced apart, and their results are combined by the operator
//	lifted        slices compose the parameters of their steps, which are then applied to the state
//	else          the loop stays serial, and the compiler says why
//
// The loops are of the compiler's own language, here a struct with Go functions that build terms. A real one
// walks its own tree instead.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// loop is a reduction as the compiler has it: one variable of a type, and its new value in a step that reads
// the element a[i].
type loop struct {
	name string
	typ  ir.Type
	step func(p *ir.Pool, s, a ir.Expr) ir.Expr
}

var loops = []loop{
	{"count positive", ir.I64, func(p *ir.Pool, s, a ir.Expr) ir.Expr {
		return ir.SelectOf(ir.LtOf(p.Int(ir.I64, 0), a), ir.AddOf(s, p.Int(ir.I64, 1)), s)
	}},
	{"digits", ir.I64, func(p *ir.Pool, s, a ir.Expr) ir.Expr { return ir.AddOf(ir.MulOf(s, p.Int(ir.I64, 10)), a) }},
	{"sum of floats", ir.F64, func(p *ir.Pool, s, a ir.Expr) ir.Expr { return ir.AddOf(s, a) }},
	{"logistic", ir.I64, func(p *ir.Pool, s, a ir.Expr) ir.Expr { return ir.SubOf(ir.MulOf(s, s), a) }},
}

func main() {
	for _, l := range loops {
		// The compiler's users allow no assumption here; one with a flag such as -ffast-math would pass
		// ir.Reassoc and others under Allowed.
		a, err := ask(context.Background(), l, rfactor.Options{})
		if err != nil { // the context ended, or the update is not well formed: a mistake of the compiler
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%s: %s\n", l.name, plan(a))
	}
}

// ask matches a loop. The pool is dropped with the answer.
func ask(ctx context.Context, l loop, opts rfactor.Options) (*rfactor.Answer, error) {
	p := ir.NewPool()
	element := p.Call(l.typ, "a", 0, p.R("i", ir.I32)) // opaque: a[i]
	u := &ir.Update{Pool: p, Types: []ir.Type{l.typ}, Values: []ir.Expr{l.step(p, p.X(0, l.typ), element)}}
	return rfactor.Match(ctx, u, opts)
}

// plan says how a loop is run.
func plan(a *rfactor.Answer) string {
	switch r := a.Result().(type) {
	case *rfactor.ByOperator:
		start := "its first element"
		if r.Operator.Identity != nil {
			start = ir.Strings(r.Operator.Identity)
		}
		return fmt.Sprintf("reduce %s from %s, and combine slices by %s", ir.Strings(r.Inject), start, ir.Strings(r.Operator.Exprs))
	case *rfactor.ByLift:
		return fmt.Sprintf("compose steps (%s) by (%s), then apply %s", ir.Strings(r.Inject), ir.Strings(r.Operator.Exprs), ir.Strings(r.Lift.Apply))
	case *rfactor.ByStages:
		return fmt.Sprintf("serial, though it could run in %d stages", len(r.Stages))
	case *rfactor.Refusal:
		return fmt.Sprintf("serial, %s", r.Code) // r.Reason is for the compiler's user
	}
	return "serial: " + string(a.Status) // not reached: the variants are all
}
