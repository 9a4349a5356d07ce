package lower

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// RunOptions say how a Program runs. The zero value is what most want.
type RunOptions struct {
	Block      int // elements that an operation treats at once; 2048 where it is 0
	Grain      int // least number of bytes that a goroutine reads; 256 KiB where it is 0
	Goroutines int // as many as the machine has processors where it is 0

	// Progress, if set, is told how many stages have ended, and how far the next one is.
	// Calls do not overlap.
	Progress func(done float64, stages int)
}

func (o RunOptions) withDefaults() RunOptions {
	if o.Block <= 0 {
		o.Block = 2048
	}
	if o.Grain <= 0 {
		o.Grain = 256 << 10
	}
	if o.Goroutines <= 0 {
		o.Goroutines = runtime.GOMAXPROCS(0)
	}
	return o
}

// Program is a plan that runs in this process. Several goroutines may run it at once.
type Program struct {
	plan  *rfactor.Plan
	opts  RunOptions
	nests []*prepared
}

// Compile prepares the stages of a plan. It adds to the pool of the plan's program; runs only
// read it.
func Compile(plan *rfactor.Plan, opts RunOptions) (*Program, error) {
	p := &Program{plan: plan, opts: opts.withDefaults()}
	for _, s := range plan.Stages {
		n, err := newPrepared(plan, s)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", s.Role, s.Buffer.Name, err)
		}
		p.nests = append(p.nests, n)
	}
	return p, nil
}

// Run runs the stages one after another. The outputs are new arrays; where something is
// wrong there are none.
func (p *Program) Run(ctx context.Context, in *Inputs) (map[string]*Array, error) {
	if err := in.Check(p.plan.Program); err != nil {
		return nil, err
	}
	run, err := p.start(ctx, in)
	if err != nil {
		return nil, err
	}
	for i, n := range p.nests {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		run.stage = i
		if err := run.nest(n); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, fmt.Errorf("%s of %s: %w", n.stage.Role, n.stage.Buffer.Name, err)
		}
	}
	out := map[string]*Array{}
	for _, b := range p.plan.Buffers {
		if b.Output {
			out[b.Name] = run.arrays[b.Name]
		}
	}
	return out, nil
}

// execution is one run of a program.
type execution struct {
	ctx    context.Context
	opts   RunOptions
	in     *Inputs
	params map[ir.Expr]uint64
	arrays map[string]*Array // inputs and buffers
	stage  int               // that runs now
	stages int
	shown  time.Time // when progress was last told
}

func (p *Program) start(ctx context.Context, in *Inputs) (*execution, error) {
	run := &execution{ctx: ctx, opts: p.opts, in: in, params: map[ir.Expr]uint64{}, arrays: map[string]*Array{}, stages: len(p.nests)}
	for _, k := range p.plan.Program.Params {
		run.params[k.Var] = in.Params[k.Name]
	}
	for _, d := range p.plan.Program.Inputs {
		run.arrays[d.Name] = in.Arrays[d.Name]
	}
	for _, n := range p.plan.Needs {
		s := newScalars(run)
		holds := s.compile(n.Cond)() != 0
		if err := s.takeError(); err != nil {
			return nil, err
		}
		if !holds {
			return nil, errors.New(n.Message)
		}
	}
	for _, b := range p.plan.Buffers {
		if err := run.allocate(b); err != nil {
			return nil, err
		}
	}
	return run, nil
}

// maxElements bounds the buffers of a program.
const maxElements = 1 << 32

func (run *execution) allocate(b *rfactor.Buffer) error {
	var dims []rfactor.FixedExtent
	size := 1
	s := newScalars(run)
	for i, d := range b.Dims {
		e := rfactor.FixedExtent{Min: int(int64(s.compile(d.Min)())), Extent: max(int(int64(s.compile(d.Extent)())), 0)}
		if err := s.takeError(); err != nil {
			return fmt.Errorf("dimension %d of %s: %w", i+1, b.Name, err)
		}
		if e.Min+e.Extent-1 > math.MaxInt32 {
			return fmt.Errorf("dimension %d of %s is %d..%d, more than coordinates, which are i32, can count", i+1, b.Name, e.Min, e.Min+e.Extent-1)
		}
		if e.Extent > 0 && size > maxElements/e.Extent {
			return fmt.Errorf("%s would have more than %d elements", b.Name, maxElements)
		}
		size *= e.Extent
		dims = append(dims, e)
	}
	run.arrays[b.Name] = NewArray(b.Types, dims...)
	return nil
}

// tell reports progress, at most ten times a second.
func (run *execution) tell(share float64) {
	if run.opts.Progress != nil && time.Since(run.shown) > 100*time.Millisecond {
		run.shown = time.Now()
		run.opts.Progress(float64(run.stage)+share, run.stages)
	}
}
