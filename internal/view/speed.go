package view

import (
	"encoding/binary"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Speed is a module of WebAssembly that a page times: serial runs the loop as it is written, slices reduces four slices of the
// same data at the same time, on one thread. Each stores the state at the end, in eight bytes for each component.
type Speed struct {
	Module []byte   `json:"module"`
	Steps  int      `json:"steps"`
	Types  []string `json:"types"`
	Inputs []Input  `json:"inputs"` // the page fills them with what they begin with, again and again
}

// Input is where an input lies in the memory of a Speed, and how many bytes of it there are at first.
type Input struct {
	At   int `json:"at"`
	Size int `json:"size"`
	All  int `json:"all"`
}

// The slices of a Speed, and where the states are at the end.
const (
	slicesTimed = 4
	serialAt    = 0
	slicesAt    = 512
	inputsAt    = 1024
)

// Speed returns the module of an answer over so many steps, a multiple of 32. It is nil where there is no operator, or an
// operation that WebAssembly does not have: there is nothing to time.
func (v *Update) Speed(steps int) *Speed {
	a := v.answer
	if a == nil || a.Operator == nil || a.Status == rfactor.Staged || len(a.Keep) > 0 || len(a.Types) > 64 {
		return nil
	}
	m := &timed{a: a, at: map[string]int{}, steps: steps}
	out := &Speed{Steps: steps, Inputs: []Input{}}
	for _, t := range a.Types {
		out.Types = append(out.Types, t.String())
	}
	var data []byte
	d, end := draw(a, v.init), inputsAt
	for _, l := range a.Leaves {
		t := l.Var.Type()
		size := wasmSize(t)
		var begin []byte
		for _, step := range d.steps {
			begin = append(begin, binary.LittleEndian.AppendUint64(nil, step[l.Var.Name()])[:size]...)
		}
		m.at[l.Var.Name()] = end
		out.Inputs = append(out.Inputs, Input{At: end, Size: len(begin), All: steps * size})
		data = append(data, wasmData(end, begin)...)
		end += steps * size
	}
	serial, slices := m.serial(d.start), m.slices(d.start)
	if m.missing {
		return nil
	}
	out.Module = wasmModule(end, serial, slices, len(a.Leaves), data)
	return out
}

// timed writes the loops of an answer.
type timed struct {
	a       *rfactor.Answer
	at      map[string]int // where inputs begin, by the names of leaves
	steps   int
	missing bool // something has no form
}

// serial is the loop as it is written.
func (m *timed) serial(start []uint64) []byte {
	f := &wasmFunc{missing: &m.missing}
	state := f.constants(m.a.Types, start)
	f.loop(m.steps, func(i uint32) { f.move(state, f.terms(m.a.Update, m.vars(f, state, nil, i, 0))) })
	f.store(serialAt, state)
	return f.body()
}

// slices reduces slices at the same time, combines their totals in order, and then the start with what comes.
func (m *timed) slices(start []uint64) []byte {
	f := &wasmFunc{missing: &m.missing}
	each := m.steps / slicesTimed
	state := f.constants(m.a.Types, start)
	i := f.local(ir.I32)
	combine := func(x, y []wasmValue) []wasmValue {
		return f.terms(m.a.Operator.Exprs, m.vars(f, x, y, i, 0))
	}
	totals := make([][]wasmValue, slicesTimed)
	for s := range totals {
		totals[s] = f.copied(f.terms(m.a.Inject, m.vars(f, nil, nil, i, s*each)))
	}
	f.loopFrom(i, 1, each, func() {
		for s, total := range totals {
			f.move(total, combine(total, f.terms(m.a.Inject, m.vars(f, nil, nil, i, s*each))))
		}
	})
	f.set(i, 0)
	total := totals[0]
	for _, t := range totals[1:] {
		total = combine(total, t)
	}
	if l := m.a.Lift; l == nil {
		state = combine(state, total)
	} else {
		own := m.vars(f, state, nil, i, 0)
		state = f.terms(l.Apply, func(v ir.Expr) wasmValue {
			if at := slices.Index(l.Params, v); at >= 0 {
				return total[at]
			}
			return own(v)
		})
	}
	f.store(slicesAt, state)
	return f.body()
}

// vars are the variables of a step: the state, the operands y if there are any, and inputs of step i and so many after it.
func (m *timed) vars(f *wasmFunc, x, y []wasmValue, i uint32, after int) func(ir.Expr) wasmValue {
	return func(v ir.Expr) wasmValue {
		switch {
		case v.Kind() == ir.State && v.Index() < len(x):
			return x[v.Index()]
		case v.Kind() == ir.Leaf && y != nil && v.Index() < len(y):
			return y[v.Index()]
		}
		at, ok := m.at[v.Name()]
		if !ok {
			m.missing = true
		}
		if v.Kind() == ir.Param { // the same at each step
			return f.load(v.Type(), f.local(ir.I32), at)
		}
		return f.load(v.Type(), i, at+after*wasmSize(v.Type()))
	}
}
