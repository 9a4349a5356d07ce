package rfactor_test

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify"
)

// A compiler builds the update with the constructors of package ir. This is also the
// program in testdata/importer, a module of its own.
func Example() {
	// The update select(in(r) > k, x + 1, x): how many inputs are above a threshold?
	p := ir.NewPool()
	x := p.X(0, ir.I32)
	in := p.Call(ir.I32, "in", 0, p.R("r", ir.I32))
	k := p.Var(ir.Param, "k", 0, ir.I32)
	count := ir.SelectOf(ir.LtOf(k, in), ir.AddOf(x, p.Int(ir.I32, 1)), x)
	update := &ir.Update{Pool: p, Types: []ir.Type{ir.I32}, Values: []ir.Expr{count}}

	a, err := rfactor.Match(context.Background(), update, rfactor.Options{Allowed: ir.DefaultAssumptions})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(a.Status)
	switch r := a.Result().(type) {
	case *rfactor.ByOperator:
		fmt.Println("x0 ⊕ y0 =", ir.Strings(r.Operator.Exprs))
		fmt.Println("identity", ir.Strings(r.Operator.Identity), "on side", r.Operator.Side)
		fmt.Println("inject  ", ir.Strings(r.Inject))
	case *rfactor.ByLift: // the operator is one on parameters of steps
		fmt.Println("compose ", ir.Strings(r.Operator.Exprs))
		fmt.Println("inject  ", ir.Strings(r.Inject))
		fmt.Println("apply   ", ir.Strings(r.Lift.Apply))
	case *rfactor.ByStages:
		fmt.Println(len(r.Stages), "stages, in", a.Passes(), "passes")
	case *rfactor.Refusal:
		fmt.Println(r.Code, r.Reason)
	}
	for _, l := range a.Leaves {
		fmt.Println("where   ", l.Var, "is", l.Text)
	}
	// Output:
	// associative
	// x0 ⊕ y0 = x0 + y0
	// identity 0 on side two
	// inject   select(k0 < y0, 1, 0)
	// where    k0 is k
	// where    y0 is in(r)
}

// An update without an operator has an answer, too: its code is one of a closed list, the reason is
// for people, and the hint says what would give an operator.
func ExampleMatch_refusal() {
	// max(min(k - x, y), x) is associative over the unbounded integers, and not where k - x wraps.
	p := ir.NewPool()
	x, y, k := p.X(0, ir.I32), p.Y(0, ir.I32), p.K(0, ir.I32)
	update := &ir.Update{Pool: p, Types: []ir.Type{ir.I32}, Values: []ir.Expr{ir.MaxOf(ir.MinOf(ir.SubOf(k, x), y), x)}}

	a, err := rfactor.Match(context.Background(), update, rfactor.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Status)
	if a.Status != rfactor.Refused {
		return
	}
	fmt.Println(a.Code)
	fmt.Println(a.Reason)
	if a.Code != rfactor.NeedsAssumption {
		return
	}
	a, err = rfactor.Match(context.Background(), update, rfactor.Options{Allowed: a.Hint.Assume})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Status, "under", a.Assumes)
	// Output:
	// refused
	// needs-assumption
	// matches only under nsw (-assume nsw): max(min(k0 - x0, y0), x0)
	// associative under nsw
}

// Seconds that carry into minutes are the digits of one number, and two of them add up.
func ExampleMatch_digits() {
	p := ir.NewPool()
	seconds, minutes, one := p.X(0, ir.U32), p.X(1, ir.U32), p.Int(ir.U32, 1)
	full := ir.Make(ir.Eq, seconds, p.Int(ir.U32, 59))
	update := &ir.Update{Pool: p, Types: []ir.Type{ir.U32, ir.U32}, Values: []ir.Expr{
		ir.SelectOf(full, p.Int(ir.U32, 0), ir.AddOf(seconds, one)),
		ir.SelectOf(full, ir.AddOf(minutes, one), minutes),
	}, Given: []ir.Expr{ir.LtOf(seconds, p.Int(ir.U32, 60))}}

	a, err := rfactor.Match(context.Background(), update, rfactor.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Status, "by", a.Via())
	for _, e := range a.Operator.Exprs {
		fmt.Println(e)
	}
	fmt.Println("inject", ir.Strings(a.Inject))
	// Output:
	// associative by positional
	// x0 + y0 - select(60 <= x0 + y0, 60, 0)
	// x1 + y1 + select(60 <= x0 + y0, 1, 0)
	// inject 1; 0
}

// The steps of a recurrence compose, although no operator on its state exists: partial results hold
// the parameters of composed steps.
func ExampleMatch_lift() {
	p := ir.NewPool()
	x, y, k := p.X(0, ir.I32), p.Y(0, ir.I32), p.K(0, ir.I32)
	update := &ir.Update{Pool: p, Types: []ir.Type{ir.I32}, Values: []ir.Expr{ir.AddOf(ir.MulOf(x, k), y)}}

	a, err := rfactor.Match(context.Background(), update, rfactor.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Status)
	if a.Status != rfactor.Lifted {
		fmt.Println(a.Reason)
		return
	}
	fmt.Println("a step is", ir.Strings(a.Inject))
	fmt.Println("steps compose by", ir.Strings(a.Operator.Exprs))
	fmt.Println("the state becomes", ir.Strings(a.Lift.Apply))
	fmt.Println("at the cost of", a.LiftCost())
	// Output:
	// lifted
	// a step is k0; y0
	// steps compose by x0*y0; x1*y0 + y1
	// the state becomes x0*p0 + p1
	// at the cost of 2 parameters, 2 multiplications a step
}

// An answer is checked again from its line of JSON alone, by code that shares nothing with the
// search.
func ExampleAnswer_JSON() {
	p := ir.NewPool()
	update := &ir.Update{Pool: p, Types: []ir.Type{ir.I32}, Values: []ir.Expr{ir.SubOf(p.X(0, ir.I32), p.Y(0, ir.I32))}}

	a, err := rfactor.Match(context.Background(), update, rfactor.Options{Name: "balance"})
	if err != nil {
		fmt.Println(err)
		return
	}
	line, err := a.JSON(true) // with its certificate
	if err != nil {
		fmt.Println(err)
		return
	}
	record, err := verify.Check(line)
	if err != nil {
		fmt.Println(err) // the clause that does not follow
		return
	}
	if record.Status == verify.Associative {
		fmt.Println(record.Name, "is a reduction by", record.Operator.Exprs)
	}

	_, err = verify.Check(bytes.Replace(line, []byte(`"inject":["-y0"]`), []byte(`"inject":["y0"]`), 1))
	fmt.Println(err)
	// Output:
	// balance is a reduction by [x0 + y0]
	// inject: [y0], but by the proofs it is [-y0]
}
