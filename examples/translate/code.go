package main

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
)

// A function of the compiler's own intermediate representation: instructions in the order in which they run, each with the
// numbers of those whose values it takes. It is of int64 throughout; a condition is 0 or 1.
type function struct {
	code    []instruction
	results []int
}

type instruction struct {
	op    string // "arg", "const", "add", …
	args  []int
	value int64 // of a constant; the number of an argument
}

// operators has this representation's name of each operator that it can express.
var operators = map[ir.Op]string{
	ir.Add: "add", ir.Sub: "sub", ir.Mul: "mul", ir.Neg: "neg", ir.Min: "min", ir.Max: "max", ir.Select: "select",
	ir.Lt: "lt", ir.Le: "le", ir.Eq: "eq", ir.Ne: "ne", ir.And: "and", ir.Or: "or", ir.Not: "not",
}

// translate makes a function of expressions. args are the variables and calls that are its arguments, in their order. Terms that
// occur several times are one expression of the pool, and become one instruction.
func translate(es, args []ir.Expr) (*function, error) {
	f, done := &function{}, map[ir.Expr]int{}
	for i, e := range args {
		done[e] = f.emit(instruction{op: "arg", value: int64(i)})
	}
	for _, e := range es {
		n, err := f.value(e, done)
		if err != nil {
			return nil, err
		}
		f.results = append(f.results, n)
	}
	return f, nil
}

func (f *function) emit(i instruction) int {
	f.code = append(f.code, i)
	return len(f.code) - 1
}

// value emits what computes an expression, and returns the number of the last instruction.
func (f *function) value(e ir.Expr, done map[ir.Expr]int) (int, error) {
	if n, ok := done[e]; ok {
		return n, nil
	}
	i := instruction{op: operators[e.Op()]}
	switch {
	case e.Type() != ir.I64 && e.Type() != ir.Bool:
		return 0, fmt.Errorf("no values of type %s here: %s", e.Type(), e)
	case e.Op() == ir.Const:
		i = instruction{op: "const", value: int64(e.Value())}
	case i.op == "": // a variable that is no argument, or an operator of later versions
		return 0, fmt.Errorf("no instruction for %s", e)
	}
	for k := range e.NumArgs() {
		n, err := f.value(e.Arg(k), done)
		if err != nil {
			return 0, err
		}
		i.args = append(i.args, n)
	}
	n := f.emit(i)
	done[e] = n
	return n, nil
}

// run executes a function.
func (f *function) run(args ...int64) []int64 {
	values := make([]int64, len(f.code))
	for n, i := range f.code {
		at := func(k int) int64 { return values[i.args[k]] }
		switch i.op {
		case "arg":
			values[n] = args[i.value]
		case "const":
			values[n] = i.value
		case "add":
			values[n] = at(0) + at(1)
		case "sub":
			values[n] = at(0) - at(1)
		case "mul":
			values[n] = at(0) * at(1)
		case "neg":
			values[n] = -at(0)
		case "min":
			values[n] = min(at(0), at(1))
		case "max":
			values[n] = max(at(0), at(1))
		case "select":
			if values[n] = at(2); at(0) != 0 {
				values[n] = at(1)
			}
		case "lt":
			values[n] = truth(at(0) < at(1))
		case "le":
			values[n] = truth(at(0) <= at(1))
		case "eq":
			values[n] = truth(at(0) == at(1))
		case "ne":
			values[n] = truth(at(0) != at(1))
		case "and":
			values[n] = at(0) & at(1)
		case "or":
			values[n] = at(0) | at(1)
		case "not":
			values[n] = 1 - at(0)
		default:
			panic("internal: no instruction " + i.op)
		}
	}
	out := make([]int64, len(f.results))
	for k, n := range f.results {
		out[k] = values[n]
	}
	return out
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
