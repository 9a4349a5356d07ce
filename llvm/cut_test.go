package llvm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/exec"
	"github.com/rfactor-go/rfactor/llvm/internal/flow"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
	"github.com/rfactor-go/rfactor/rfactor"
)

// arraySize is the length in bytes of the array behind each pointer.
const arraySize = 512

// call is a call of a function: its arguments and the arrays that pointers among them point to.
type call struct {
	f      *syntax.Func
	args   []exec.Value
	memory exec.Memory
}

// element is the type of what a function loads first; nil where it loads no scalar.
func element(f *syntax.Func) *syntax.Type {
	for _, b := range f.Blocks {
		for _, in := range b.Insts {
			if k := in.Type; in.Op == "load" && (k.Kind == syntax.Integer && k.Bits <= 64 || k.Kind == syntax.FloatType || k.Kind == syntax.DoubleType) {
				return k
			}
		}
	}
	return nil
}

// draw makes a call at random. The first integer among the parameters is a length; it reports false where a parameter is none of
// a pointer, an integer and a float. All numbers are of one kind, which is drawn as well if it is
// anyKind.
func draw(f *syntax.Func, rng *rand.Rand, kind int) (c *call, ok bool) {
	c = &call{f: f}
	elem := element(f)
	if kind == anyKind {
		kind = rng.IntN(anyKind)
	}
	hasLength := false
	for _, p := range f.Params {
		var v exec.Value
		switch {
		case p.Type.Kind == syntax.Pointer && elem != nil:
			v.Bits = exec.Base + uint64(len(c.memory))
			size, _ := elem.Size()
			for range arraySize / size {
				b := binary.LittleEndian.AppendUint64(nil, drawn(elem, rng, kind))
				c.memory = append(c.memory, b[:size]...)
			}
		case p.Type.Kind == syntax.Integer && !hasLength:
			hasLength = true
			v.Bits = uint64(rng.IntN(41))
		case p.Type.Kind == syntax.Integer || p.Type.Kind == syntax.FloatType || p.Type.Kind == syntax.DoubleType:
			v.Bits = drawn(p.Type, rng, kind)
		default:
			return nil, false
		}
		c.args = append(c.args, v)
	}
	return c, true
}

// The kinds of numbers that are drawn.
const (
	smallNumbers   = iota
	naturalNumbers // small and not negative
	anyBits
	specialNumbers // the ends of ranges, NaN, infinities
	anyKind
)

// drawn is a number of a type and a kind.
func drawn(t *syntax.Type, rng *rand.Rand, kind int) uint64 {
	bits := 64
	if t.Kind == syntax.Integer {
		bits = t.Bits
	}
	n := int64(rng.IntN(41)) - 20
	if kind == naturalNumbers {
		n = int64(rng.IntN(16))
	}
	if t.Kind == syntax.Integer {
		switch {
		case kind == anyBits:
			n = int64(rng.Uint64())
		case kind == specialNumbers && rng.IntN(3) == 0:
			n = []int64{0, 1, -1, 1 << (bits - 1), 1<<(bits-1) - 1}[rng.IntN(5)]
		}
		return uint64(n) & (math.MaxUint64 >> (64 - bits))
	}
	v := float64(n)
	switch {
	case kind == anyBits:
		v = rng.NormFloat64()
	case kind == specialNumbers:
		v = []float64{0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e-300, 7}[rng.IntN(10)]
	default:
		v /= 16
	}
	if t.Kind == syntax.FloatType {
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(v)
}

// cutter runs a loop serially, and in slices that its operator merges.
type cutter struct {
	loop   *Loop
	answer *rfactor.Answer
	of     *syntax.Func
	nested bool     // the loop is within another one, so that it runs several times
	inside []string // results of the instructions of the loop, but for the phis of its header
}

func newCutter(m *Module, l *Loop, a *rfactor.Answer) *cutter {
	k := &cutter{loop: l, answer: a}
	for _, f := range m.m.Funcs {
		if f.Name == l.Func {
			k.of = f
		}
	}
	for _, fl := range flow.Of(k.of).Loops() {
		header := k.of.Blocks[fl.Header]
		if header.Name != l.Block {
			k.nested = k.nested || fl.Has(k.of.Named[l.Block].Index)
			continue
		}
		for _, b := range fl.Blocks {
			for _, in := range k.of.Blocks[b].Insts {
				if in.Res != "" && (in.Op != "phi" || b != fl.Header) {
					k.inside = append(k.inside, in.Res)
				}
			}
		}
	}
	return k
}

// trace is what a serial run was.
type trace struct {
	result exec.Value
	err    error
	start  []exec.Value            // the values of the state's phis before the first step
	steps  []map[string]exec.Value // the values of all instructions in the steps that went on to another one
}

// serial runs a call, and records the steps of the loop.
func (k *cutter) serial(c *call) *trace {
	tr := &trace{}
	var phis []string
	for _, in := range k.of.Named[k.loop.Block].Insts {
		if in.Op == "phi" {
			phis = append(phis, in.Res)
		}
	}
	entered := false
	kept := map[string]exec.Value{} // phis of the step that runs
	tr.result, tr.err = exec.Run(k.of, c.args, c.memory, func(fr *exec.Frame, b *syntax.Block) {
		if b.Name != k.loop.Block {
			return
		}
		if entered {
			values := map[string]exec.Value{}
			for name, v := range fr.Values {
				values[name] = v
			}
			for name, v := range kept {
				values[name] = v
			}
			tr.steps = append(tr.steps, values)
		} else {
			for _, name := range k.loop.State {
				tr.start = append(tr.start, fr.Values[name])
			}
		}
		entered = true
		for _, name := range k.inside { // a step computes them anew, or not at all
			delete(fr.Values, name)
		}
		for _, name := range phis {
			kept[name] = fr.Values[name]
		}
	})
	return tr
}

// parallel runs the same call, but the steps that were recorded are cut into slices and merged.
func (k *cutter) parallel(c *call, tr *trace, rng *rand.Rand) (exec.Value, error) {
	state := k.merged(tr, rng)
	n := 0
	return exec.Run(k.of, c.args, c.memory, func(fr *exec.Frame, b *syntax.Block) {
		if b.Name != k.loop.Block {
			return
		}
		if n++; n != len(tr.steps)+1 {
			return
		}
		for i, name := range k.loop.State {
			fr.Values[name] = k.widened(name, k.loop.Update.Types[i], state[i])
		}
	})
}

// widened is a component as the phi that it is.
func (k *cutter) widened(phi string, t ir.Type, bits uint64) exec.Value {
	wide := k.of.Defs[phi].Type
	switch {
	case t == ir.Bool:
		bits &= 1
	case t.IsSigned():
		bits = uint64(int64(bits) << (64 - t.Bits()) >> (64 - t.Bits()))
	case t.IsUnsigned():
		bits &= math.MaxUint64 >> (64 - t.Bits())
	}
	if wide.Kind == syntax.Integer {
		bits &= math.MaxUint64 >> (64 - wide.Bits)
	}
	return exec.Value{Bits: bits}
}

// bitsOf is a value as a variable of a type. What has no value is any.
func bitsOf(v exec.Value, known bool, t ir.Type, rng *rand.Rand) uint64 {
	switch {
	case !known || v.Poison:
		v.Bits = rng.Uint64()
		if t.IsFloat() {
			return ir.FloatBits(t, rng.NormFloat64())
		}
	case t.IsFloat():
		return v.Bits
	}
	if t == ir.Bool {
		return min(v.Bits, 1)
	}
	return t.Wrap(v.Bits)
}

// inputIn is the value of an input in a step, if the step computes it.
func (k *cutter) inputIn(step map[string]exec.Value, v ir.Expr) (exec.Value, bool) {
	for _, in := range k.loop.Inputs {
		if in.Var.Name() == v.Name() {
			value, ok := step[in.Name]
			return value, ok
		}
	}
	panic("there is no input " + v.Name())
}

// merged cuts the steps at random, reduces each slice from its first step, merges the slices and applies them to the start.
func (k *cutter) merged(tr *trace, rng *rand.Rand) []uint64 {
	a, u := k.answer, k.loop.Update
	state := make([]uint64, len(u.Types))
	for i, t := range u.Types {
		state[i] = bitsOf(tr.start[i], true, t, rng)
	}
	if len(tr.steps) == 0 {
		return state
	}
	constants := map[ir.Expr]uint64{}
	constant := func(v ir.Expr) uint64 {
		if known, ok := constants[v]; ok {
			return known
		}
		for _, step := range tr.steps { // it may be computed in some steps only
			if value, ok := k.inputIn(step, v); ok {
				constants[v] = bitsOf(value, true, v.Type(), rng)
				return constants[v]
			}
		}
		constants[v] = bitsOf(exec.Value{}, false, v.Type(), rng)
		return constants[v]
	}
	combine := func(x, y []uint64) []uint64 {
		return ir.EvalAll(a.Operator.Exprs, &ir.Env{Var: func(v ir.Expr) uint64 {
			switch v.Kind() {
			case ir.State:
				return x[v.Index()]
			case ir.Leaf:
				return y[v.Index()]
			}
			return constant(v)
		}})
	}
	inject := func(step map[string]exec.Value) []uint64 {
		known := map[ir.Expr]uint64{} // a leaf without a value has the same one each time
		return ir.EvalAll(a.Inject, &ir.Env{Var: func(v ir.Expr) uint64 {
			if _, ok := known[v]; !ok {
				source := v
				for _, leaf := range a.Leaves {
					if leaf.Var == v {
						source = leaf.Source
					}
				}
				if source.Kind() == ir.Param {
					return constant(source)
				}
				value, ok := k.inputIn(step, source)
				known[v] = bitsOf(value, ok, v.Type(), rng)
			}
			return known[v]
		}})
	}
	var all []uint64
	for from := 0; from < len(tr.steps); {
		to := from + 1 + rng.IntN(len(tr.steps)-from)
		slice := inject(tr.steps[from])
		for _, step := range tr.steps[from+1 : to] {
			slice = combine(slice, inject(step))
		}
		if from = to; all == nil {
			all = slice
		} else {
			all = combine(all, slice)
		}
	}
	if a.Lift == nil {
		return combine(state, all)
	}
	return ir.EvalAll(a.Lift.Apply, &ir.Env{Var: func(v ir.Expr) uint64 {
		if v.Kind() == ir.State {
			return state[v.Index()]
		}
		if i := slices.Index(a.Lift.Params, v); i >= 0 {
			return all[i]
		}
		return constant(v)
	}})
}

// agree reports whether two results are one: bit for bit but for which NaN it is, or nearly so.
func agree(t *syntax.Type, a, b exec.Value, nearly bool) bool {
	var x, y float64
	switch t.Kind {
	case syntax.FloatType:
		x, y = float64(math.Float32frombits(uint32(a.Bits))), float64(math.Float32frombits(uint32(b.Bits)))
	case syntax.DoubleType:
		x, y = math.Float64frombits(a.Bits), math.Float64frombits(b.Bits)
	default:
		return a.Bits == b.Bits
	}
	return a.Bits == b.Bits || x != x && y != y || nearly && math.Abs(x-y) <= 1e-3*(1+math.Abs(x))
}

// kind is that of the numbers that an answer is compared on: partial results may hold sums that the loop never does, which need
// a wider type, and floats should be near to the reals where they are taken for such.
func (k *cutter) kind(nearly bool) int {
	switch {
	case k.answer.Assumes&ir.NUW != 0:
		return naturalNumbers
	case k.answer.Assumes&ir.NSW != 0 || nearly:
		return smallNumbers
	}
	return anyKind
}

// errShort is the error of a comparison that says little.
var errShort = errors.New("no call ran three steps to a defined result")

// compare runs a loop that was answered on calls that are drawn, serially and cut. It returns the calls whose result is defined,
// with these results. If nearly is set rounding may make a difference.
func (k *cutter) compare(rng *rand.Rand, trials int, nearly bool) (calls []*call, results []exec.Value, err error) {
	long := 0
	for range trials {
		c, ok := draw(k.of, rng, k.kind(nearly))
		if !ok {
			return nil, nil, errors.New("parameters that are not drawn")
		}
		tr := k.serial(c)
		if errors.Is(tr.err, exec.ErrUndefined) || tr.result.Poison || len(tr.start) == 0 {
			continue
		}
		if tr.err != nil {
			return nil, nil, tr.err
		}
		for i, e := range k.loop.Update.Init {
			if e.IsValid() && ir.Eval(e, nil) != bitsOf(tr.start[i], true, e.Type(), rng) {
				return nil, nil, fmt.Errorf("component %d starts as %d, not %s", i, tr.start[i].Bits, e)
			}
		}
		for range 2 {
			got, err := k.parallel(c, tr, rng)
			if err != nil || got.Poison || !agree(k.of.Ret, tr.result, got, nearly) {
				return nil, nil, fmt.Errorf("%x, but in slices %x %v; %d steps of %v", tr.result.Bits, got.Bits, err, len(tr.steps), c.args)
			}
		}
		if len(tr.steps) > 2 {
			long++
		}
		calls, results = append(calls, c), append(results, tr.result)
	}
	if long == 0 {
		return nil, nil, errShort
	}
	return calls, results, nil
}

// encode writes calls for a program in C: the number of the function, its arguments, and memory.
func encode(b *bytes.Buffer, number int, c *call) {
	write := func(v uint64) { b.Write(binary.LittleEndian.AppendUint64(nil, v)) }
	write(uint64(number))
	write(uint64(len(c.memory)))
	for i := range 4 {
		if i < len(c.args) {
			write(c.args[i].Bits)
		} else {
			write(0)
		}
	}
	b.Write(c.memory)
}
