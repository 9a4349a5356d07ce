// Translate walks answers into another intermediate representation, function by function, and runs loops by it: what
// each element is turned into, how two partial results are combined, and for a lift what parameters do to the state.
//
// The representation is a toy, in code.go: its functions are lists of instructions on int64.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// loop is a reduction as the compiler has it: the state's first value, and its new value in a step that reads the
// elements a[i] and b[i].
type loop struct {
	name  string
	start int64
	step  func(p *ir.Pool, s, a, b ir.Expr) ir.Expr
}

var loops = []loop{
	{"dot product of positive elements", 0, func(p *ir.Pool, s, a, b ir.Expr) ir.Expr {
		return ir.SelectOf(ir.LtOf(p.Int(ir.I64, 0), a), ir.AddOf(s, ir.MulOf(a, b)), s)
	}},
	{"least difference", 1 << 40, func(p *ir.Pool, s, a, b ir.Expr) ir.Expr { return ir.MinOf(ir.SubOf(a, b), s) }},
	{"digits", 7, func(p *ir.Pool, s, a, b ir.Expr) ir.Expr { return ir.AddOf(ir.MulOf(s, p.Int(ir.I64, 10)), a) }},
	{"last of a that is over b", -1, func(p *ir.Pool, s, a, b ir.Expr) ir.Expr { return ir.SelectOf(ir.LtOf(b, a), a, s) }},
	{"logistic", 1, func(p *ir.Pool, s, a, b ir.Expr) ir.Expr { return ir.SubOf(ir.MulOf(s, s), a) }},
}

// parallel is a loop in the compiler's representation, ready to be cut.
type parallel struct {
	reads   []ir.Expr // what inject takes: the loads, as the compiler built them
	inject  *function // of an element's loads: the operand, or the parameters of a step
	combine *function // of two partial results
	apply   *function // of the state and parameters; nil where partial results are states
}

func main() {
	a, b := make([]int64, 1000), make([]int64, 1000)
	for i := range a {
		a[i], b[i] = int64(i*i%17-5), int64(i*7%23-9)
	}
	for _, l := range loops {
		p := ir.NewPool()
		index := p.R("i", ir.I32)
		loads := map[ir.Expr][]int64{p.Call(ir.I64, "a", 0, index): a, p.Call(ir.I64, "b", 1, index): b}
		step := l.step(p, p.X(0, ir.I64), p.Call(ir.I64, "a", 0, index), p.Call(ir.I64, "b", 1, index))
		answer, err := rfactor.Match(context.Background(), &ir.Update{Pool: p, Types: []ir.Type{ir.I64}, Values: []ir.Expr{step}}, rfactor.Options{})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		q, err := compile(answer)
		if err != nil {
			fmt.Printf("%s: stays serial: %v\n", l.name, err)
			continue
		}
		serial, cut := l.serial(p, step, loads, len(a)), l.inSlices(q, loads, len(a))
		fmt.Printf("%s: inject %d, combine %d instructions; serial %d, in slices %d\n", l.name, len(q.inject.code), len(q.combine.code), serial, cut)
	}
}

// compile translates an answer. An error says why the loop stays serial.
func compile(a *rfactor.Answer) (*parallel, error) {
	switch {
	case a.Operator == nil: // a refusal, a staged answer, or what later versions add
		return nil, errors.New(string(a.Code))
	case a.Assumes != 0:
		return nil, fmt.Errorf("it holds under %s", a.Assumes)
	}
	var leaves []ir.Expr
	q := &parallel{}
	for _, l := range a.Leaves { // Var is what the answer calls it, and Source what we built
		leaves, q.reads = append(leaves, l.Var), append(q.reads, l.Source)
	}
	x, y, _ := a.Operator.Operands()
	var err, failed error
	if q.inject, err = translate(a.Inject, leaves); err != nil {
		failed = err
	}
	if q.combine, err = translate(a.Operator.Exprs, append(x, y...)); err != nil {
		failed = err
	}
	if a.Lift != nil {
		if q.apply, err = translate(a.Lift.Apply, append([]ir.Expr{a.Pool().X(0, ir.I64)}, a.Lift.Params...)); err != nil {
			failed = err
		}
	}
	return q, failed
}

// serial runs the loop as it was written.
func (l loop) serial(p *ir.Pool, step ir.Expr, loads map[ir.Expr][]int64, n int) int64 {
	s := l.start
	for i := range n {
		s = int64(ir.Eval(step, &ir.Env{Var: func(ir.Expr) uint64 { return uint64(s) },
			Call: func(e ir.Expr, _ []uint64) uint64 { return uint64(loads[e][i]) }}))
	}
	return s
}

// inSlices runs the loop in four slices. Each begins with its first element, so that no identity is needed; a compiler would run
// them at the same time.
func (l loop) inSlices(q *parallel, loads map[ir.Expr][]int64, n int) int64 {
	element := func(i int) []int64 {
		var args []int64
		for _, e := range q.reads {
			args = append(args, loads[e][i])
		}
		return q.inject.run(args...)
	}
	var whole []int64
	for slice := range 4 {
		from, to := slice*n/4, (slice+1)*n/4
		partial := element(from)
		for i := from + 1; i < to; i++ {
			partial = q.combine.run(append(partial, element(i)...)...)
		}
		if whole == nil {
			whole = partial
		} else {
			whole = q.combine.run(append(whole, partial...)...)
		}
	}
	if q.apply != nil {
		return q.apply.run(append([]int64{l.start}, whole...)...)[0]
	}
	return q.combine.run(append([]int64{l.start}, whole...)...)[0]
}
