// Package blocks runs the programs that bench lower measures in the block executor. The command
// that bench lower emits imports it, so that both ways to run a program meet the same arrays.
package blocks

import (
	"context"
	"os"

	"github.com/rfactor-go/rfactor/bench/lower/timing"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Parse reads a program.
func Parse(file string) (*program.Program, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return program.ParseProgram(ir.NewPool(), file, string(text), ir.Invalid)
}

// Factor allows nsw, which an update assumes only where nothing else serves.
func Factor(ctx context.Context, prog *program.Program, opts plan.Options) (*plan.Plan, error) {
	opts.Match = rfactor.Options{Allowed: ir.DefaultAssumptions | ir.NSW}
	return plan.Factor(ctx, prog, opts)
}

// Call is a run of a program on so many goroutines. Columns are the components of its inputs,
// one after another; extents and parameters are those of n elements.
func Call(file string, n, goroutines int, columns []any) (func() error, error) {
	ctx := context.Background()
	prog, err := Parse(file)
	if err != nil {
		return nil, err
	}
	p, err := Factor(ctx, prog, plan.Options{})
	if err != nil {
		return nil, err
	}
	program, err := lower.Compile(p, lower.RunOptions{Goroutines: goroutines})
	if err != nil {
		return nil, err
	}
	in := inputs(prog, n, columns)
	return func() error {
		_, err := program.Run(ctx, in)
		return err
	}, nil
}

// inputs gives every input the columns that are its own and, as the command does, every
// parameter the extent of the last input.
func inputs(prog *program.Program, n int, columns []any) *plan.Inputs {
	in := &plan.Inputs{Arrays: map[string]*ndarray.Array{}, Params: map[string]uint64{}}
	side := n
	for _, d := range prog.Inputs {
		side = timing.Root(n, d.Dims)
		a := &ndarray.Array{Data: columns[:len(d.Types)]}
		columns = columns[len(d.Types):]
		for range d.Dims {
			a.Dims = append(a.Dims, ndarray.Range{Extent: side})
		}
		in.Arrays[d.Name] = a
	}
	for _, p := range prog.Params {
		in.Params[p.Name] = p.Var.Type().Wrap(uint64(side))
	}
	return in
}
