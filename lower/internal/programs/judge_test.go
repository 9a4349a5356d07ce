package programs

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// verdict says what became of a program.
type verdict struct {
	refused string // by whom, before anything ran
	wrong   string // where what it gives is not what the loop gives
	detail  string
	lost    bool // the reference tells nothing of some element: assumptions do not hold, or nothing bounds an order
	runs    int
}

// prepared is a program that was planned.
type prepared struct {
	*whole
	prog    *program.Program
	plan    *plan.Plan
	opts    plan.Options
	assumed ir.Assume // by some answer
	data    []*sample
}

// sample is data for a program, with what its loop gives.
type sample struct {
	in       *plan.Inputs
	want     *reference
	refErr   error
	signless bool // the sign of zero does not matter
}

// catch makes a panic an error.
func catch(what string, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %s: %v", what, p)
		}
	}()
	return f()
}

func panicked(err error) bool {
	return err != nil && (strings.HasPrefix(err.Error(), "panic: ") || strings.Contains(err.Error(), "internal"))
}

// prepare plans the program, draws data that fit what its answers assume, and runs the reference on them. Of three programs in four it leaves out the
// directives that are refused, so that long chains run.
func (w *whole) prepare() (*prepared, verdict) {
	p := &prepared{whole: w}
	err := p.planned()
	for w.strikes(err) {
		err = p.planned()
	}
	if p.prog == nil {
		return nil, verdict{refused: "parse", detail: err.Error()}
	}
	switch {
	case panicked(err):
		return nil, verdict{wrong: "plan", detail: err.Error()}
	case err != nil:
		return nil, verdict{refused: "plan", detail: err.Error()}
	case w.mode == "strict" && len(p.plan.Serial) > 0:
		if v := p.takesAway(); v.wrong != "" {
			return nil, v
		}
		return nil, verdict{refused: "strict", detail: p.plan.Serial[0].Reason}
	}
	for _, a := range p.plan.Answers {
		p.assumed |= a.Assumes
	}
	rng := rand.New(rand.NewPCG(w.seed, w.number+1<<32))
	for range 2 {
		s, err := p.sample(rng)
		if err != nil {
			return nil, verdict{refused: "extents", detail: err.Error()}
		}
		p.data = append(p.data, s)
	}
	return p, verdict{}
}

// planned parses the program and plans it, with extents where that asks for them.
func (p *prepared) planned() (err error) {
	if p.prog, err = program.ParseProgram(ir.NewPool(), "drawn.rf", p.text(), ir.Invalid); err != nil {
		p.prog = nil
		return err
	}
	allowed, err := ir.ParseAssume(p.assume)
	if err != nil {
		panic(err)
	}
	p.opts = plan.Options{Match: rfactor.Options{Allowed: allowed}, Grain: p.grain, Auto: p.mode == "auto" || p.mode == "strict"}
	if p.given != "" {
		p.opts.Given = []string{p.given}
	}
	box, known := p.box()
	if known && p.extents {
		p.opts.Extents = map[string]ndarray.Box{"f": box}
	}
	err = p.factor()
	if known && err != nil && strings.Contains(err.Error(), "give its extent") {
		p.opts.Extents = map[string]ndarray.Box{"f": box}
		err = p.factor()
	}
	return err
}

// strikes leaves out the directive that was refused, if it was one and the program goes on.
func (w *whole) strikes(err error) bool {
	list, ok := err.(ir.ErrorList)
	if !ok || w.number%4 == 0 {
		return false
	}
	at := list[0].Line - 1 - (strings.Count(w.text(), "\n") - len(w.schedule))
	if at < 0 || at >= len(w.schedule) {
		return false
	}
	w.schedule = slices.Delete(slices.Clone(w.schedule), at, at+1)
	return true
}

func (p *prepared) factor() error {
	return catch("plan", func() (err error) {
		p.plan, err = lower.Factor(context.Background(), p.prog, p.opts)
		return err
	})
}

// takesAway reports a promise without which the program would not be serial.
func (p *prepared) takesAway() verdict {
	if p.given == "" || strings.Contains(p.plan.Serial[0].Reason, "does not hold of the initial value") {
		return verdict{}
	}
	opts := p.opts
	opts.Given = nil
	other, err := lower.Factor(context.Background(), p.prog, opts)
	if err == nil && len(other.Serial) == 0 {
		return verdict{wrong: "given", detail: "serial for what is given: " + p.plan.Serial[0].Reason}
	}
	return verdict{}
}

// box returns the dimensions of f, where they are literal.
func (w *whole) box() (box ndarray.Box, ok bool) {
	if w.source != "" {
		return ndarray.Box{{Extent: 4}}, true
	}
	for _, n := range w.size[0] {
		box = append(box, ndarray.Range{Extent: n})
	}
	switch w.kind {
	case "keyed":
		n := w.keys
		if strings.Contains(lefts[w.left], "1, K") {
			n++
		}
		return append(box, ndarray.Range{Extent: n}), true
	case "kept":
		return nil, false
	case "scan":
		return append(box, ndarray.Range{Extent: w.least[0] + w.size[1][0] + 2}), true
	}
	return box, true
}

// sample draws inputs and runs the reference.
func (p *prepared) sample(rng *rand.Rand) (*sample, error) {
	s := &sample{in: p.draw(rng), signless: p.assumed&(ir.NSZ|ir.Reassoc|ir.AFN) != 0}
	r := &reference{prog: p.prog, in: s.in, arrays: map[string][]value{}, dims: map[string]ndarray.Box{}, vars: map[ir.Expr]value{}}
	for _, b := range p.plan.Buffers {
		if !b.Output {
			continue
		}
		box := ndarray.Box{}
		for _, d := range b.Dims {
			lo, n := r.eval(d.Min), r.eval(d.Extent)
			box = append(box, ndarray.Range{Min: int(int64(lo.bits)), Extent: max(int(int64(n.bits)), 0)})
		}
		if box.Len() > 1<<20 {
			return nil, fmt.Errorf("%s has %d elements", b.Name, box.Len())
		}
		r.dims[b.Name] = box
	}
	s.want = r
	s.refErr = r.run(func(d *program.Definition) (ir.Assume, []ir.Expr) {
		a := p.plan.Answers[d]
		if a == nil || len(p.opts.Given) == 0 {
			return p.assumptions(a), nil
		}
		given, err := program.ParseGiven(d.Matched(), p.opts.Given...)
		if err != nil {
			panic(err)
		}
		return p.assumptions(a), given
	})
	return s, nil
}

func (p *prepared) assumptions(a *rfactor.Answer) ir.Assume {
	if a == nil {
		return 0
	}
	return a.Assumes
}

// draw draws inputs: wild ones where answers assume nothing of floats; else such as keep to what is assumed.
func (p *prepared) draw(rng *rand.Rand) *plan.Inputs {
	in := &plan.Inputs{Arrays: map[string]*ndarray.Array{}, Params: map[string]uint64{}}
	how := rng.IntN(4)
	for _, d := range p.prog.Inputs {
		extents := slices.Repeat([]int{p.elements}, max(d.Dims, 0))
		if p.source == "" {
			_, extents = p.read(p.drawnName(d.Name))
		}
		var box ndarray.Box
		for _, n := range extents {
			box = append(box, ndarray.Range{Extent: max(n, 0)})
		}
		a := ndarray.New(d.Types, box...)
		for c, t := range d.Types {
			to := a.Elements(c)
			for i := range to.Len() {
				to.Set(i, p.value(rng, t, how))
			}
		}
		in.Arrays[d.Name] = a
	}
	for _, k := range p.prog.Params {
		in.Params[k.Name] = p.value(rng, k.Var.Type(), 0)
	}
	return in
}

var wildFloats = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, 5e-324, -1e-310, 1e-40, -1e-45, 1, -1, 0.1, 3.5, -7, 1e30, -1e38, 1e300, 16777217, 98.9}

// value draws a value; how is 0 for small ones, 1 for few different ones, 2 for any, 3 for wild ones where they may be.
func (p *prepared) value(rng *rand.Rand, t ir.Type, how int) uint64 {
	small := int64(rng.IntN(9) - 2)
	switch {
	case t == ir.Bool:
		return uint64(rng.IntN(2))
	case t.IsFloat() && p.assumed&(ir.Reassoc|ir.AFN|ir.NNaN|ir.NInf) == 0 && how == 3:
		return ir.FloatBits(t, wildFloats[rng.IntN(len(wildFloats))])
	case t.IsFloat() && how >= 2:
		return ir.FloatBits(t, math.Round(rng.NormFloat64()*1e4)/64+float64(rng.IntN(3)-1)*0.1)
	case t.IsFloat():
		return ir.FloatBits(t, float64(small))
	case how >= 2 && p.assumed&(ir.NSW|ir.NUW) == 0:
		return t.Wrap([]uint64{rng.Uint64(), uint64(small), t.Max(), t.Min(), 1 << rng.IntN(64)}[rng.IntN(5)])
	case !t.IsSigned() && small < 0:
		small = -small
	case how == 1:
		small = int64(rng.IntN(2))
	}
	return t.Wrap(uint64(small))
}

// engines are the ways to run a plan in this process.
var engines = []struct {
	name string
	opts lower.RunOptions
}{
	{"in process", lower.RunOptions{}},
	{"in process, compiled", lower.RunOptions{Block: 300, Compile: 1, Grain: 64, Goroutines: 2}},
	{"in process, one goroutine", lower.RunOptions{Block: 7, Compile: 1, Grain: 1, Goroutines: 1}},
}

// judge runs the program on all that runs in this process.
func (p *prepared) judge() (v verdict) {
	for i, s := range p.data {
		if p.unknown(s) {
			v.lost = true
			continue
		}
		got, err := p.interpret(s, uint64(i))
		v.runs++
		if bad := p.compare(s, got, err); bad != "" {
			v.wrong, v.detail = "interpreter", bad
			return v
		}
	}
	for _, e := range engines {
		var run *lower.Program
		if err := catch("compile", func() (err error) { run, err = lower.Compile(p.plan, e.opts); return err }); err != nil {
			if panicked(err) {
				return verdict{wrong: e.name, detail: err.Error()}
			}
			return verdict{refused: e.name, detail: err.Error()}
		}
		for _, s := range p.data {
			if p.unknown(s) {
				continue
			}
			var got map[string]*ndarray.Array
			err := catch("run", func() (err error) { got, err = run.Run(context.Background(), s.in); return err })
			v.runs++
			if bad := p.compare(s, got, err); bad != "" {
				v.wrong, v.detail = e.name, bad
				return v
			}
		}
	}
	return v
}

func (p *prepared) interpret(s *sample, seed uint64) (got map[string]*ndarray.Array, err error) {
	err = catch("interpreter", func() (err error) { got, err = p.plan.Run(s.in, seed); return err })
	return got, err
}

// unknown reports that what answers assume does not hold of the data, so that any result is right.
func (p *prepared) unknown(s *sample) bool {
	promised := p.assumed
	if promised&(ir.Reassoc|ir.AFN) != 0 { // numbers are those of a field, which has no infinity
		promised |= ir.NNaN | ir.NInf
	}
	return s.want.broken&promised != 0 || s.want.unkept
}

// compare reports how results differ from those of the reference; empty where they do not.
func (p *prepared) compare(s *sample, got map[string]*ndarray.Array, err error) string {
	switch {
	case panicked(err):
		return err.Error()
	case s.refErr != nil && err == nil:
		return fmt.Sprintf("no error, where the loop has one: %v", s.refErr)
	case s.refErr != nil:
		return ""
	case err != nil:
		return "refused though valid: " + err.Error()
	}
	for _, f := range p.prog.Funcs {
		a := got[f.Name]
		if a == nil || !slices.Equal(a.Dims, s.want.dims[f.Name]) {
			return fmt.Sprintf("%s has the dimensions %v", f.Name, s.want.dims[f.Name])
		}
		for c, t := range f.Types {
			if bad := s.differs(f.Name, c, t, a.Elements(c).At); bad != "" {
				return bad
			}
		}
	}
	return ""
}

// differs compares a component with the reference's.
func (s *sample) differs(name string, c int, t ir.Type, at func(int) uint64) string {
	n := s.want.dims[name].Len()
	for i := range n {
		if v := s.want.arrays[name][c*n+i]; !s.want.allowed(t, v, at(i), s.signless) {
			return fmt.Sprintf("%s[%d], element %d of %d: got %s, want %s%s", name, c, i, n, shown(t, at(i)), shown(t, v.bits), map[bool]string{true: fmt.Sprintf(" (size %g)", v.size)}[v.loose])
		}
	}
	return ""
}

func shown(t ir.Type, bits uint64) string {
	switch {
	case t.IsFloat():
		return fmt.Sprint(ir.Float(t, bits))
	case t.IsSigned():
		return fmt.Sprint(int64(bits))
	}
	return fmt.Sprint(bits)
}
