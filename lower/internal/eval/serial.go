package eval

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// expr is an expression over a state, the right operand of a merge, and the element at a place.
func (m *machine) expr(e ir.Expr, state, right []uint64, at int) uint64 {
	return ir.Eval(e, &ir.Env{Var: func(e ir.Expr) uint64 {
		switch op, i, _ := kernel.Operand(e); op {
		case kernel.State:
			return state[i]
		case kernel.Right:
			return right[i]
		case kernel.Load:
			return m.in.Streams[i][at]
		case kernel.Scalar:
			return m.in.Scalars[i]
		case kernel.Place:
			return uint64(m.in.First + at)
		}
		panic("kernel: internal: " + e.String() + " has no value")
	}})
}

// all is several expressions at once.
func (m *machine) all(es []ir.Expr, state, right []uint64, at int) (out []uint64) {
	for _, e := range es {
		out = append(out, m.expr(e, state, right, at))
	}
	return out
}

// element takes the next element.
func (m *machine) element(e kernel.Each) {
	for _, w := range e.Where {
		if m.expr(w, m.state, nil, m.start) == 0 {
			return
		}
	}
	for i, v := range m.all(e.Keep, m.state, nil, m.start) {
		m.out[i] = append(m.out[i], v)
	}
	if e.To != nil {
		m.state = m.all(e.To, m.state, nil, m.start)
	}
	for i, c := range e.Put {
		m.out[i] = append(m.out[i], m.state[c])
	}
}

// rest takes elements up to a place as the serial kernel does.
func (m *machine) rest(end int) {
	of := machine{k: m.k.Serial, in: m.in, state: m.state, start: m.start, end: end, out: m.out}
	of.nodes(m.k.Serial.Body)
	m.state, m.start, m.ended = of.state, of.start, of.ended
}

// tree composes steps in blocks.
func (m *machine) tree(t kernel.Tree) {
	n, p := len(t.Apply), len(t.Inject)
	so, fine, begun := m.state[n:n+p], &m.state[n+p], &m.state[n+p+1]
	for m.start < m.end {
		block := min(t.Block, m.end-m.start)
		steps := make([][]uint64, block)
		for i := range steps {
			steps[i] = m.all(t.Inject, nil, nil, m.start+i)
		}
		for by := 1; by < block; by *= 2 {
			for i := by; i < block; i++ {
				if i&by != 0 {
					steps[i] = m.all(t.Combine, steps[i&^(by-1)-1], steps[i], 0)
				}
			}
		}
		for i, s := range steps {
			if *begun != 0 {
				steps[i] = m.all(t.Combine, so, s, 0)
			}
			states := m.all(t.Apply, m.state[:n], steps[i], 0)
			m.out[0] = append(m.out[0], states[t.Keep])
			if t.Finite {
				states = append(states, steps[i]...)
			}
			for _, v := range append(states, m.state[:n]...) {
				if x := ir.Float(m.k.State[0], v); x-x != 0 {
					*fine = ir.FloatBits(m.k.State[0], math.NaN())
				}
			}
		}
		copy(so, steps[block-1])
		*begun = 1
		m.start += block
	}
}

// advance composes steps as often as they were taken.
func (m *machine) advance(a kernel.Advance) {
	step := slices.Clone(m.state)
	for i, c := range a.Comps {
		step[c] = a.Step[i]
	}
	join := func(left []uint64) []uint64 {
		out := slices.Clone(left)
		for i, c := range a.Comps {
			out[c] = m.expr(a.Join[i], left, step, 0)
		}
		return out
	}
	for n := m.start; n > 0; n >>= 1 {
		if n&1 == 1 {
			m.state = join(m.state)
		}
		step = join(step)
	}
}

// finite begins again with steps where a component is not finite.
func (m *machine) finite() {
	for i, t := range m.k.State {
		if x := ir.Float(t, m.state[i]); t.IsFloat() && x-x != 0 {
			m.state, m.start = append([]uint64{}, m.in.State...), 0
			return
		}
	}
}

func (m *machine) chunks(c *kernel.Chunks) {
	n := (m.end - m.start) / c.Parts
	if n < c.Least {
		return
	}
	parts := make([][]uint64, c.Parts)
	for j := range parts {
		parts[j] = c.Start
	}
	for i := range n {
		for j := range parts {
			parts[j] = m.all(c.To, parts[j], nil, m.start+j*n+i)
		}
	}
	for _, p := range parts {
		m.state = m.all(c.Join, m.state, p, 0)
	}
	m.start += c.Parts * n
}
