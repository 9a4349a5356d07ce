// Package exec runs plans in this process.
//
// Compile prepares a plan's stages. A run compiles loops of stages that have many points to machine code, by package wasm, and interprets others by closures,
// which is what the machine code means. What was compiled serves run after run.
//
//	f() = f() + in(r)   over 10⁶ elements   →   a compiled loop over slice after slice, on goroutines
package exec

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Options say how a Program runs. The zero value is what most want. A number below 1 stands for
// its default.
type Options struct {
	Block      int // points between two looks at the context, fewer of steps with many operations; by default 65,536
	Compile    int // points of a stage that are interpreted, run after run, before it is compiled, which takes as long; by default 4,096
	Grain      int // least number of bytes that a goroutine reads; by default 256 KiB. Updates that read less than twice as much run in one piece
	Goroutines int // most goroutines of a run; by default runtime.GOMAXPROCS(0)

	Scalar bool // compile loops without vectors, a step after another, to measure what vectors gain

	// Progress, if it is not nil, is told how many stages have ended and how far the next one
	// is: 1.5 is the middle of the second. It is called at most ten times a second, and calls of
	// one run do not overlap.
	Progress func(done float64, stages int)
}

func (o Options) withDefaults() Options {
	if o.Block <= 0 {
		o.Block = 1 << 16
	}
	if o.Compile <= 0 {
		o.Compile = compilePoints
	}
	if o.Grain <= 0 {
		o.Grain = 256 << 10
	}
	if o.Goroutines <= 0 {
		o.Goroutines = runtime.GOMAXPROCS(0)
	}
	return o
}

// Program is a plan that Compile prepared. Several goroutines may run it at once. The zero
// Program cannot run.
type Program struct {
	plan   *plan.Plan
	opts   Options
	nests  []*stage // of the stages
	groups []group
	idle   sync.Pool // of *execution
}

// Compile prepares the stages of a plan. It adds to the pool of the plan's program; runs only
// read it. It is an error where the plan is nil or not made by plan.Factor.
func Compile(planned *plan.Plan, opts Options) (*Program, error) {
	if planned == nil || planned.Program == nil {
		return nil, errors.New("exec: Compile needs a plan that plan.Factor made")
	}
	p := &Program{plan: planned, opts: opts.withDefaults()}
	for _, s := range planned.Stages {
		n, err := newStage(planned, s)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", s.Role, s.Buffer.Name, err)
		}
		p.nests = append(p.nests, n)
	}
	var err error
	p.groups, err = newGroups(planned, p.nests)
	return p, err
}

// Run runs the stages one after another and gives the outputs by their names, which are new
// arrays. Inputs are only read.
//
// It is an error where in does not fit the program (see plan.Inputs.Check), where the program
// reads or writes outside of an array, and where ctx ends. Then there are no outputs. It is an
// error, too, where p, ctx or in is nil.
func (p *Program) Run(ctx context.Context, in *plan.Inputs) (map[string]*ndarray.Array, error) {
	if p == nil || p.plan == nil || ctx == nil || in == nil {
		return nil, errors.New("exec: Run needs a Program that Compile made, a context and inputs")
	}
	if err := in.Check(p.plan.Program); err != nil {
		return nil, err
	}
	run, ok := p.idle.Get().(*execution)
	if !ok {
		run = newExecution(p)
	}
	out, err := run.all(ctx, in)
	if err != nil {
		return nil, err
	}
	run.release()
	p.idle.Put(run)
	return out, nil
}

// execution runs a program, one run at a time. What it compiled serves the runs to come, in
// which arrays may be others and of other sizes.
type execution struct {
	program *Program
	opts    Options
	scalar.Names
	head     *scalar.Scalars // of needs and dims
	needs    []func() uint64
	dims     [][][2]func() uint64 // least coordinate and extent of buffers
	walkers  map[*stage][]*walker
	compiled map[*stage][]*compiled
	points   map[*stage]int // that were interpreted, of stages that are not compiled
	whole    []bool         // the groups that run whole
	inputs   []int          // extents of inputs and parameters for which that is so

	shape []int // extents and parameters of this run

	boxes []ndarray.Box // of the buffers

	ctx   context.Context
	stage int       // that runs now
	shown time.Time // when progress was last told
}

func newExecution(p *Program) *execution {
	run := &execution{program: p, opts: p.opts, Names: scalar.Names{Params: map[ir.Expr]*uint64{}, Arrays: map[string]*scalar.Memory{}}, walkers: map[*stage][]*walker{}, compiled: map[*stage][]*compiled{}, points: map[*stage]int{}, whole: make([]bool, len(p.groups)), boxes: make([]ndarray.Box, len(p.plan.Buffers))}
	for _, k := range p.plan.Program.Params {
		run.Params[k.Var] = new(uint64)
	}
	for _, d := range p.plan.Program.Inputs {
		run.Arrays[d.Name] = scalar.NewMemory(d.Types)
	}
	for _, b := range p.plan.Buffers {
		run.Arrays[b.Name] = scalar.NewMemory(b.Types)
	}
	run.head = scalar.NewScalars(&run.Names)
	for _, n := range p.plan.Needs {
		run.needs = append(run.needs, run.head.Compile(n.Cond))
	}
	for _, b := range p.plan.Buffers {
		var dims [][2]func() uint64
		for _, d := range b.Dims {
			dims = append(dims, [2]func() uint64{run.head.Compile(d.Min), run.head.Compile(d.Extent)})
		}
		run.dims = append(run.dims, dims)
	}
	return run
}

// all runs the stages.
func (run *execution) all(ctx context.Context, in *plan.Inputs) (map[string]*ndarray.Array, error) {
	p := run.program
	if err := run.start(ctx, in); err != nil {
		return nil, err
	}
	run.stage = 0
	for i := range p.groups {
		g := &p.groups[i]
		nests := g.stages
		if run.whole[i] {
			nests = []*stage{g.whole}
		}
		for j, n := range nests {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := run.nest(n); err != nil {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				return nil, fmt.Errorf("%s of %s: %w", n.Role, n.Buffer.Name, err)
			}
			if run.stage++; j == len(nests)-1 {
				run.stage += len(g.stages) - len(nests)
			}
		}
	}
	out := map[string]*ndarray.Array{}
	for _, b := range p.plan.Buffers {
		if b.Output {
			out[b.Name] = run.Arrays[b.Name].Array
		}
	}
	return out, nil
}

// start lets names mean the inputs of this run and makes the buffers.
func (run *execution) start(ctx context.Context, in *plan.Inputs) error {
	p := run.program.plan
	run.ctx, run.shown = ctx, time.Time{}
	run.shape = run.shape[:0]
	for _, k := range p.Program.Params {
		*run.Params[k.Var] = in.Params[k.Name]
		run.shape = append(run.shape, int(in.Params[k.Name]))
	}
	for _, d := range p.Program.Inputs {
		run.place(run.Arrays[d.Name], in.Arrays[d.Name])
	}
	run.head.Point++
	for i, holds := range run.needs {
		h := holds()
		if err := run.head.TakeError(); err != nil {
			return err
		}
		if h == 0 {
			return errors.New(p.Needs[i].Message)
		}
	}
	if run.inputs == nil || !slices.Equal(run.shape, run.inputs) {
		run.inputs = append(run.inputs[:0], run.shape...)
		for i := range run.program.groups {
			run.whole[i] = run.few(&run.program.groups[i])
		}
	}
	if err := run.allocate(); err != nil {
		return err
	}
	return nil
}

// needless reports whether a buffer is one of a group that runs whole.
func (run *execution) needless(b *plan.Buffer) bool {
	for i, whole := range run.whole {
		if whole && slices.Contains(run.program.groups[i].buffers, b) {
			return true
		}
	}
	return false
}

// place puts an array into memory.
func (run *execution) place(m *scalar.Memory, a *ndarray.Array) {
	m.Hold(a)
	for _, d := range a.Dims {
		run.shape = append(run.shape, d.Min, d.Extent)
	}
}

// release forgets the arrays that are the caller's.
func (run *execution) release() {
	run.ctx = nil
	for _, d := range run.program.plan.Program.Inputs {
		run.Arrays[d.Name].Forget()
	}
	for _, b := range run.program.plan.Buffers {
		if b.Output {
			run.Arrays[b.Name].Forget()
		}
	}
}

// tell reports progress, at most ten times a second.
func (run *execution) tell(share float64) {
	if run.opts.Progress != nil && time.Since(run.shown) > 100*time.Millisecond {
		run.shown = time.Now()
		run.opts.Progress(float64(run.stage)+share, len(run.program.nests))
	}
}
