package eval

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// owned computes blocks of parts.
func (m *machine) owned(o *kernel.Owned) {
	lanes := o.Lanes(m.in.Bits)
	for {
		part := o.Part(m.end-m.start, m.in.Bits)
		if part == 0 {
			return
		}
		for c := range o.Copies {
			states := m.ownedStart(o, c, part, lanes)
			from := 0
			if o.First != nil {
				from = 1
			}
			for at := from; at < part; at += o.Each {
				for _, step := range o.Steps {
					next := make([][]uint64, len(step))
					for i, v := range step {
						next[i] = Lanes(v, m.in.Bits, func(v *kernel.Value) []uint64 { return m.ownedLeaf(o, v, states, c, part, at) })
					}
					copy(states, next)
				}
			}
			for l := range lanes {
				m.ownedJoin(o, states, l)
			}
		}
		m.start += lanes * o.Copies * part
	}
}

func (m *machine) ownedStart(o *kernel.Owned, c, part, lanes int) [][]uint64 {
	states := make([][]uint64, len(m.k.Accumulators))
	for i, a := range m.k.Accumulators {
		for l := range lanes {
			x := a.Start
			if o.First != nil {
				if x = m.expr(o.First[i], nil, nil, m.start+(c*lanes+l)*part); m.k.State[i] == ir.Bool {
					x = -x
				}
				if a.Elem.IsInt() {
					x = a.Elem.Wrap(x)
				}
			}
			states[i] = append(states[i], x)
		}
	}
	return states
}

// ownedLeaf returns the value of a leaf for all lanes. A stream gives each lane the word at place at of its part; a state or a
// scalar is the same at every place.
func (m *machine) ownedLeaf(o *kernel.Owned, v *kernel.Value, states [][]uint64, c, part, at int) (out []uint64) {
	switch v.Op {
	case kernel.State:
		return states[v.Imm]
	case kernel.Scalar:
		return m.in.Scalars[v.Imm : v.Imm+1]
	}
	elem := kernel.LaneType(m.k.Streams[v.Imm]).Unsigned()
	lanes := o.Lanes(m.in.Bits)
	for l := range lanes {
		word := uint64(0)
		for e := range o.Each {
			x := m.in.Streams[v.Imm][m.start+(c*lanes+l)*part+at+e]
			if o.Each > 1 {
				x = elem.Wrap(x)
			}
			word |= x << (e * elem.Bits())
		}
		out = append(out, o.Word.Wrap(word))
	}
	return out
}

func (m *machine) ownedJoin(o *kernel.Owned, states [][]uint64, lane int) {
	right := make([]uint64, len(m.state))
	for i, a := range m.k.Accumulators {
		right[a.Comp] = states[i][lane]
		if t := m.k.State[i]; t == ir.Bool {
			right[a.Comp] = min(right[a.Comp], 1)
		} else if t != a.Elem {
			right[a.Comp] = ir.Apply1(ir.Cast, a.Elem, t, right[a.Comp])
		}
	}
	copy(m.state, m.all(o.Join, m.state, right, 0))
}

// history computes a run as its code does.
func (m *machine) history(h kernel.History) {
	if m.end-m.start < 2*h.Depth {
		return
	}
	first, last := m.start, m.end
	m.rest(first + h.Depth)
	for _, p := range h.Rest {
		in := Input{Bits: m.in.Bits, Scalars: m.in.Scalars, First: m.in.First + first + h.Depth}
		for _, s := range p.Streams {
			in.Streams = append(in.Streams, m.in.Streams[s.Stream][first+h.Depth-s.Behind:last-s.Behind])
		}
		for _, s := range p.For {
			if in.State = append(in.State, s.Start); len(s.Comps) == 1 {
				in.State[len(in.State)-1] = m.state[s.Comps[0]]
			}
		}
		for i, total := range State(p.Kernel, in) {
			s := p.For[i]
			if len(s.Comps) == 1 {
				m.state[s.Comps[0]] = total
				continue
			}
			for _, c := range s.Comps {
				m.state[c] = ir.Apply2(s.Op, m.k.State[c], m.state[c], total)
			}
		}
	}
	of := machine{k: m.k, in: m.in, state: slices.Clone(m.state), start: last - h.Depth, end: last}
	of.rest(last)
	for _, c := range h.Past {
		m.state[c] = of.state[c]
	}
	m.start = last
}
