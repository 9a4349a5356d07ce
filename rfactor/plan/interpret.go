package plan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// Inputs is what a program reads. Coordinates of inputs start at 0.
type Inputs struct {
	Arrays map[string]*Array
	Params map[string]uint64 // carried as package ir says
}

// Run interprets the plan: slowly, element by element, as its loops say. Loops that may run
// in any order, those in parallel and in lanes, run in an order that depends on the seed.
// The outputs are new arrays; where something is wrong there are none.
func (p *Plan) Run(in *Inputs, seed uint64) (map[string]*Array, error) {
	if p == nil || p.Program == nil || in == nil {
		return nil, errors.New("plan: Run needs a plan that Factor made, and inputs")
	}
	if err := in.check(p.Program); err != nil {
		return nil, err
	}
	r := &run{in: in, vars: map[ir.Expr]uint64{}, buffers: map[string]*Array{}, rng: rand.New(rand.NewPCG(seed, 1))}
	r.env = ir.Env{Var: r.variable, Call: r.call}
	for _, k := range p.Program.Params {
		r.vars[k.Var] = in.Params[k.Name]
	}
	for _, n := range p.Needs {
		ok, err := r.eval(n.Cond)
		if err != nil {
			return nil, err
		}
		if ok == 0 {
			return nil, errors.New(n.Message)
		}
	}
	for _, b := range p.Buffers {
		if err := r.allocate(b); err != nil {
			return nil, err
		}
	}
	for _, s := range p.Stages {
		if err := r.stage(s); err != nil {
			return nil, fmt.Errorf("%s of %s: %w", s.Role, s.Buffer.Name, err)
		}
	}
	out := map[string]*Array{}
	for _, b := range p.Buffers {
		if b.Output {
			out[b.Name] = r.buffers[b.Name]
		}
	}
	return out, nil
}

// RunSerial interprets a program without its schedule.
func RunSerial(prog *program.Program, opts Options, in *Inputs) (map[string]*Array, error) {
	if prog == nil {
		return nil, errors.New("plan: RunSerial needs a program")
	}
	plain := *prog
	plain.Schedule = nil
	opts.Auto = false
	p, err := Factor(context.Background(), &plain, opts)
	if err != nil {
		return nil, err
	}
	return p.Run(in, 0)
}

// check compares inputs with what the program declares.
func (in *Inputs) check(prog *program.Program) error {
	if err := prog.CheckParams(in.Params); err != nil {
		return err
	}
	for _, d := range prog.Inputs {
		a := in.Arrays[d.Name]
		switch {
		case a == nil:
			return fmt.Errorf("the input %s is missing", d.Name)
		case !slices.Equal(a.Types, d.Types):
			return fmt.Errorf("the input %s is declared %v and holds %v", d.Name, d.Types, a.Types)
		case d.Dims >= 0 && len(a.Dims) != d.Dims:
			return fmt.Errorf("the input %s is declared with %d dimensions and has %d", d.Name, d.Dims, len(a.Dims))
		case len(a.Data) != len(a.Types):
			return fmt.Errorf("the input %s has %d arrays for %d components", d.Name, len(a.Data), len(a.Types))
		}
		for i, data := range a.Data {
			if len(data) != a.Dims.Len() {
				return fmt.Errorf("the input %s has %d elements of component %d, where its dimensions make %d", d.Name, len(data), i, a.Dims.Len())
			}
		}
		for i, dim := range a.Dims {
			if dim.Extent > math.MaxInt32 {
				return fmt.Errorf("the input %s has %d elements in dimension %d, more than coordinates have values", d.Name, dim.Extent, i+1)
			}
			if dim.Min != 0 || dim.Extent < 0 {
				return fmt.Errorf("the input %s starts at %d in dimension %d and has %d elements there; coordinates of inputs start at 0", d.Name, dim.Min, i+1, dim.Extent)
			}
		}
	}
	return nil
}

// run is one interpretation of a plan.
type run struct {
	in      *Inputs
	vars    map[ir.Expr]uint64
	buffers map[string]*Array
	rng     *rand.Rand
	env     ir.Env
	err     error // of a read
}

func (r *run) variable(v ir.Expr) uint64 {
	x, ok := r.vars[v]
	if !ok {
		panic("plan: internal: no value of " + v.String())
	}
	return x
}

// call is a read of an array, or of an extent.
func (r *run) call(c ir.Expr, args []uint64) uint64 {
	a := r.buffers[c.Name()]
	if a == nil {
		a = r.in.Arrays[c.Name()]
	}
	if a == nil {
		return r.size(c)
	}
	if len(args) != len(a.Dims) {
		r.fail(fmt.Errorf("%s has %d dimensions and is read at %d coordinates", c.Name(), len(a.Dims), len(args)))
		return 0
	}
	i, err := a.Dims.Offset(signed(args))
	if err != nil {
		r.fail(fmt.Errorf("%s is read where it has no element: %w (%s)", c.Name(), err, c))
		return 0
	}
	return a.Data[c.Index()][i]
}

func (r *run) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func signed(args []uint64) []int64 {
	out := make([]int64, len(args))
	for i, a := range args {
		out[i] = int64(a)
	}
	return out
}

// size is in.width() and the like.
func (r *run) size(c ir.Expr) uint64 {
	name, what, _ := strings.Cut(c.Name(), ".")
	a := r.in.Arrays[name]
	dim, last := 0, false
	switch what {
	case "left", "top":
		return 0
	case "right":
		last = true
	case "bottom":
		dim, last = 1, true
	case "height":
		dim = 1
	case "channels":
		dim = 2
	}
	if a == nil || dim >= len(a.Dims) {
		r.fail(fmt.Errorf("%s is not known: %s has no dimension %d", c, name, dim+1))
		return 0
	}
	n := a.Dims[dim].Extent
	if last {
		n--
	}
	return ir.I32.Wrap(uint64(n))
}

func (r *run) eval(e ir.Expr) (uint64, error) {
	v := ir.Eval(e, &r.env)
	return v, r.takeError()
}

func (r *run) takeError() error {
	err := r.err
	r.err = nil
	return err
}

func (r *run) span(s Span) (FixedExtent, error) {
	lo, err := r.eval(s.Min)
	if err != nil {
		return FixedExtent{}, err
	}
	n, err := r.eval(s.Extent)
	return FixedExtent{int(int64(lo)), int(int64(n))}, err
}

func (r *run) allocate(b *Buffer) error {
	var dims []FixedExtent
	size := 1
	for i, d := range b.Dims {
		f, err := r.span(d)
		if err != nil {
			return fmt.Errorf("dimension %d of %s: %w", i+1, b.Name, err)
		}
		f.Extent = max(f.Extent, 0)
		if f.Extent > 0 && size > maxElements/f.Extent {
			return fmt.Errorf("%s would have more than %d elements", b.Name, maxElements)
		}
		size *= f.Extent
		dims = append(dims, f)
	}
	r.buffers[b.Name] = NewArray(b.Types, dims...)
	return nil
}

func (r *run) stage(s *Stage) error { return r.loop(s, s.Loops) }

func (r *run) loop(s *Stage, loops []Loop) error {
	if len(loops) == 0 {
		return r.point(s)
	}
	l := loops[0]
	span, err := r.span(l.Span)
	if err != nil {
		return fmt.Errorf("loop %s: %w", l.Var, err)
	}
	for _, i := range r.iterations(l, span.Extent) {
		r.vars[l.Var] = uint64(int64(span.Min + i))
		if err := r.loop(s, loops[1:]); err != nil {
			return err
		}
	}
	delete(r.vars, l.Var)
	return nil
}

// iterations is the order in which a loop runs.
func (r *run) iterations(l Loop, n int) []int {
	list := make([]int, max(n, 0))
	for i := range list {
		list[i] = i
	}
	switch l.How {
	case InParallel:
		r.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	case AsLanes:
		slices.Reverse(list)
	}
	return list
}

// point updates one element.
func (r *run) point(s *Stage) error {
	for _, w := range s.Where {
		if ok, err := r.eval(w); err != nil || ok == 0 {
			return err
		}
	}
	at := ir.EvalAll(s.Index, &r.env)
	if err := r.takeError(); err != nil {
		return err
	}
	a := r.buffers[s.Buffer.Name]
	i, err := a.Dims.Offset(signed(at))
	if err != nil {
		return fmt.Errorf("%s is written where it has no element: %w", s.Buffer.Name, err)
	}
	if len(s.Values) == 0 {
		return nil
	}
	p := s.Values[0].Pool()
	for c, t := range a.Types {
		r.vars[p.X(c, t)] = a.Data[c][i]
	}
	values := ir.EvalAll(s.Values, &r.env)
	for c := range values {
		a.Data[c][i] = values[c]
	}
	return r.takeError()
}
