package main

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/rfactor-go/rfactor/cmd/bench-lower/timing"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/rfactor"
)

// runBlocks times the block executor on the inputs that the emitted packages get.
func runBlocks(ctx context.Context, o *options, stdout, _ io.Writer) error {
	reductions, err := readAll(o)
	if err != nil {
		return err
	}
	for _, n := range o.sizes {
		for _, r := range reductions {
			if err := r.timeBlocks(ctx, o, n, stdout); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			runtime.GC()
		}
	}
	return nil
}

func (r *reduction) timeBlocks(ctx context.Context, o *options, n int, stdout io.Writer) error {
	plan, err := factor(ctx, r.prog)
	if err != nil {
		return err
	}
	in := r.inputs(n)
	for _, p := range o.procs {
		runtime.GOMAXPROCS(p)
		program, err := lower.Compile(plan, lower.RunOptions{Goroutines: p})
		if err != nil {
			return err
		}
		ms, err := timing.Best(func() error {
			_, err := program.Run(ctx, in)
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s\t%d\t%d\tblock\t%g\n", r.name, n, p, ms[0])
	}
	return nil
}

// inputs are about n elements; every parameter is an extent.
func (r *reduction) inputs(n int) *lower.Inputs {
	in := &lower.Inputs{Arrays: map[string]*lower.Array{}, Params: map[string]uint64{}}
	side := n
	for _, d := range r.prog.Inputs {
		side = timing.Root(n, d.Dims)
		a := &lower.Array{}
		for range d.Dims {
			a.Dims = append(a.Dims, rfactor.FixedExtent{Extent: side})
		}
		for i, t := range d.Types {
			a.Data = append(a.Data, column(t, a.Dims.Len(), i))
		}
		in.Arrays[d.Name] = a
	}
	for _, p := range r.prog.Params {
		in.Params[p.Name] = p.Var.Type().Wrap(uint64(side))
	}
	return in
}

// column is the values of one component.
func column(t ir.Type, n, component int) any {
	switch t {
	case ir.I8:
		return timing.Values[int8](n, component)
	case ir.I16:
		return timing.Values[int16](n, component)
	case ir.I32:
		return timing.Values[int32](n, component)
	case ir.I64:
		return timing.Values[int64](n, component)
	case ir.U8:
		return timing.Values[uint8](n, component)
	case ir.U16:
		return timing.Values[uint16](n, component)
	case ir.U32:
		return timing.Values[uint32](n, component)
	case ir.U64:
		return timing.Values[uint64](n, component)
	case ir.F32:
		return timing.Values[float32](n, component)
	case ir.F64:
		return timing.Values[float64](n, component)
	}
	return nil
}
