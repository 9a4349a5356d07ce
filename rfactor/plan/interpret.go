package plan

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
)

// Run interprets the plan slowly, element by element, as its loops say: it is what package lower's
// executor is compared with. Loops that may run in any order, those in parallel and in lanes, run
// in an order that depends on the seed. Arrays may have 2^28 elements.
//
// The outputs, by their names, are new arrays. It is an error where in does not fit the program
// (see Inputs.Check), where a Need does not hold, where an array is read or written outside of
// its range, and where p is not made by Factor or in is nil. Then there are no outputs.
func (p *Plan) Run(in *Inputs, seed uint64) (map[string]*ndarray.Array, error) {
	return p.interpret(in, seed, nil)
}

// noStep reports whether a stage stems from an update whose domain is empty: what its identity and its operator read may be missing then.
func (r *run) noStep(s *Stage) bool {
	return s.From != nil && s.From.Domain != nil && slices.ContainsFunc(s.From.Domain.Dims, func(d program.Dim) bool {
		n, err := r.eval(d.Extent)
		return err == nil && int64(n) <= 0
	})
}

// interpret does what Run does, with a shadow beside it, where that is not nil. Scans are then run as the serial loops that they are.
func (p *Plan) interpret(in *Inputs, seed uint64, beside *shadow) (map[string]*ndarray.Array, error) {
	if p == nil || p.Program == nil || in == nil {
		return nil, errors.New("plan: Run needs a plan that Factor made, and inputs")
	}
	if err := in.Check(p.Program); err != nil {
		return nil, err
	}
	r := &run{in: in, vars: map[ir.Expr]uint64{}, arrays: map[string]*storage{}, rng: rand.New(rand.NewPCG(seed, 1)), shadow: beside}
	for _, d := range p.Program.Inputs {
		r.hold(d.Name, in.Arrays[d.Name])
	}
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
		if r.noStep(s) {
			continue
		}
		if err := r.stage(s); err != nil {
			return nil, fmt.Errorf("%s of %s: %w", s.Role, s.Buffer.Name, err)
		}
	}
	out := map[string]*ndarray.Array{}
	for _, b := range p.Buffers {
		if b.Output {
			out[b.Name] = r.arrays[b.Name].Array
		}
	}
	return out, nil
}

// RunSerial interprets a program without its schedule: what it gives is what every plan of the
// program must give. Of opts only Extents count. Errors are those of Factor and of Run.
func RunSerial(prog *program.Program, opts Options, in *Inputs) (map[string]*ndarray.Array, error) {
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

// run is one interpretation of a plan.
type run struct {
	in     *Inputs
	vars   map[ir.Expr]uint64
	arrays map[string]*storage // inputs and buffers
	rng    *rand.Rand
	env    ir.Env
	err    error   // of a read
	shadow *shadow // nil for most
}

// storage is an array with access to its components.
type storage struct {
	*ndarray.Array
	parts []ndarray.Elements
}

func (r *run) hold(name string, a *ndarray.Array) {
	h := &storage{Array: a}
	for c := range a.Data {
		h.parts = append(h.parts, a.Elements(c))
	}
	r.arrays[name] = h
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
	a := r.arrays[c.Name()]
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
	return a.parts[c.Index()].At(i)
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

func (r *run) span(s Span) (ndarray.Range, error) {
	lo, err := r.eval(s.Min)
	if err != nil {
		return ndarray.Range{}, err
	}
	n, err := r.eval(s.Extent)
	return ndarray.Range{Min: int(int64(lo)), Extent: int(int64(n))}, err
}

// maxElements bounds the arrays of the interpreter, which is for small ones.
const maxElements = 1 << 28

func (r *run) allocate(b *Buffer) error {
	var dims []ndarray.Range
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
	r.hold(b.Name, ndarray.New(b.Types, dims...))
	if r.shadow != nil {
		r.shadow.allocate(b, size)
	}
	return nil
}

func (r *run) stage(s *Stage) error {
	loops := s.Loops
	if s.Scan != nil { // its loop runs inside of all others, whose spans do not depend on it
		i := slices.IndexFunc(loops, func(l Loop) bool { return l.Var == s.Scan.Var })
		loops = append(slices.Delete(slices.Clone(loops), i, i+1), loops[i])
	}
	return r.loop(s, loops)
}

func (r *run) loop(s *Stage, loops []Loop) error {
	if len(loops) == 0 {
		return r.point(s)
	}
	l := loops[0]
	if s.Scan != nil && l.Var == s.Scan.Var && r.shadow == nil {
		return r.inTiles(s, l)
	}
	span, err := r.span(l.Span)
	if err != nil {
		return fmt.Errorf("loop %s: %w", l.Var, err)
	}
	later := s.Ends != nil && s.Ends.Later && l.Var == s.Loops[0].Var
	if later || s.Places != nil { // what comes behind a result that has ended is not computed, nor are its errors found
		l.How = InOrder
	}
	over := s.EndsOver(loops, s.Index)
	for i := range r.iterations(l, span.Extent) {
		r.vars[l.Var] = uint64(int64(span.Min + i))
		if err := r.loop(s, loops[1:]); err != nil {
			return err
		}
		if (later || over) && r.hasEnded(s) {
			break
		}
	}
	delete(r.vars, l.Var)
	return nil
}

// iterations yields the iterations of a loop in the order in which it runs. In parallel that is i ↦ (a*i + b) mod n, for some
// a that has no divisor in common with n.
func (r *run) iterations(l Loop, n int) iter.Seq[int] {
	a, b := 1, 0
	switch {
	case n <= 1:
	case l.How == InParallel:
		for a = 1 + r.rng.IntN(n); gcd(a, n) > 1; a = 1 + r.rng.IntN(n) {
		}
		b = r.rng.IntN(n)
	case l.How == AsLanes:
		a, b = n-1, n-1
	}
	return func(yield func(int) bool) {
		for i, at := 0, b; i < n && yield(at); i++ {
			if at >= n-a {
				at -= n - a
			} else {
				at += a
			}
		}
	}
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// hasEnded reports whether the element that a stage updates now is in a state from which on nothing changes.
func (r *run) hasEnded(s *Stage) bool {
	a := r.arrays[s.Buffer.Name]
	i, err := a.Dims.Offset(signed(ir.EvalAll(s.Index, &r.env)))
	return err == nil && s.Ends.Holds(a.parts[s.Ends.Component].At(i))
}

// point updates one element.
func (r *run) point(s *Stage) error {
	if ok, err := r.holds(s.Where); err != nil || !ok {
		return err
	}
	at := ir.EvalAll(s.Index, &r.env)
	if err := r.takeError(); err != nil {
		return err
	}
	a := r.arrays[s.Buffer.Name]
	i, err := a.Dims.Offset(signed(at))
	if err != nil {
		return fmt.Errorf("%s is written where it has no element: %w", s.Buffer.Name, err)
	}
	if len(s.Values) == 0 {
		return nil
	}
	if s.Ends != nil && s.Ends.Holds(a.parts[s.Ends.Component].At(i)) {
		return nil
	}
	p := s.Values[0].Pool()
	for c, t := range s.Buffer.Types {
		r.vars[p.X(c, t)] = a.parts[c].At(i)
	}
	values := ir.EvalAll(s.Values, &r.env)
	if r.shadow != nil && r.err == nil {
		r.shadow.step(r, s, i, values)
	}
	for c := range values {
		a.parts[c].Set(i, values[c])
	}
	if s.Places != nil {
		count := r.arrays[s.Places.Counter.Name].parts[0]
		count.Set(0, ir.I32.Wrap(count.At(0)+1))
	}
	return r.takeError()
}

// write sets an element of a buffer.
func (r *run) write(b *Buffer, at, values []uint64) error {
	a := r.arrays[b.Name]
	i, err := a.Dims.Offset(signed(at))
	if err != nil {
		return fmt.Errorf("%s is written where it has no element: %w", b.Name, err)
	}
	for c := range values {
		a.parts[c].Set(i, values[c])
	}
	return nil
}
