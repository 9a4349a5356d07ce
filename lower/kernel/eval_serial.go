package kernel

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// expr is an expression over a state, the right operand of a merge, and the element at a place.
func (m *machine) expr(e ir.Expr, state, right []uint64, at int) uint64 {
	return ir.Eval(e, &ir.Env{Var: func(e ir.Expr) uint64 {
		switch op, i, _ := Operand(e); op {
		case State:
			return state[i]
		case Right:
			return right[i]
		case Load:
			return m.in.Streams[i][at]
		case Scalar:
			return m.in.Scalars[i]
		case Place:
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
func (m *machine) element(where, to []ir.Expr) {
	for _, w := range where {
		if m.expr(w, m.state, nil, m.start) == 0 {
			return
		}
	}
	m.state = m.all(to, m.state, nil, m.start)
}

// rest takes elements up to a place as the serial kernel does.
func (m *machine) rest(end int) {
	of := machine{k: m.k.Serial, in: m.in, state: m.state, start: m.start, end: end}
	of.nodes(m.k.Serial.Body)
	m.state, m.start = of.state, end
}

// advance composes steps as often as they were taken.
func (m *machine) advance(a Advance) {
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

func (m *machine) chunks(c *Chunks) {
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
