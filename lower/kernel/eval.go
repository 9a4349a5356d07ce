package kernel

import (
	"math"

	"github.com/rfactor-go/rfactor/ir"
)

// Lanes computes a value in vectors of so many bits; leaf gives what a leaf is in each lane, of a scalar in one. A mask is 1 where it
// holds.
func (v *Value) Lanes(bits int, leaf func(*Value) []uint64) []uint64 {
	if v.Op.IsLeaf() {
		return leaf(v)
	}
	out := make([]uint64, bits/v.Type.Elem.Bits())
	if v.Op == Broadcast {
		e := v.Args[0]
		x := e.Imm
		if e.Op != Literal {
			x = leaf(e)[0]
		}
		for i := range out {
			out[i] = x
		}
		return out
	}
	if v.Op == Table {
		for i := range out {
			out[i] = v.Args[i/8%2].Imm >> (8 * (i % 8)) & 255
		}
		return out
	}
	args := make([][]uint64, len(v.Args))
	for i, a := range v.Args {
		args[i] = a.Lanes(bits, leaf)
	}
	switch {
	case v.Op == LookUp:
		for i, place := range args[1] {
			out[i] = args[0][i/16*16+int(place)]
		}
		return out
	case v.Op == Reshape && len(args[0]) < len(out):
		return v.parted(out, args[0])
	case len(args[0]) > len(out):
		return v.joined(out, args)
	}
	at := make([]uint64, len(args))
	for i := range out {
		for j := range args {
			at[j] = args[j][i]
		}
		out[i] = v.lane(at)
	}
	return out
}

// parted makes several lanes of the bits of one, the lowest first.
func (v *Value) parted(out, of []uint64) []uint64 {
	each := len(out) / len(of)
	for i := range out {
		out[i] = v.Type.Elem.Wrap(of[i/each] >> (i % each * v.Type.Elem.Bits()))
	}
	return out
}

// joined computes operations that make one lane of several.
func (v *Value) joined(out []uint64, args [][]uint64) []uint64 {
	each, narrow := len(args[0])/len(out), v.Args[0].Type.Elem
	for i := range out {
		for j := range each {
			x := args[0][i*each+j]
			switch v.Op {
			case Reshape: // the first one is the lowest
				out[i] |= narrow.Unsigned().Wrap(x) << (j * narrow.Bits())
			case SumAbsDiff:
				y := args[1][i*each+j]
				out[i] += max(x, y) - min(x, y)
			case Sums:
				out[i] += x // values are kept with their sign
			case DotPairs:
				out[i] = v.Type.Elem.Wrap(out[i] + x*args[1][i*each+j])
			}
		}
	}
	return out
}

// lane computes one lane of an operation.
func (v *Value) lane(args []uint64) uint64 {
	t := v.Type.Elem
	switch v.Op {
	case Bits:
		if t.IsFloat() {
			return args[0] << (64 - t.Bits()) >> (64 - t.Bits())
		}
		return t.Wrap(args[0])
	case Convert, Widen:
		return ir.Apply1(ir.Cast, v.Args[0].Type.Elem, t, args[0])
	case Choose:
		if args[1] != 0 {
			return args[0]
		}
		return args[2]
	case Masked:
		return args[0] * args[1]
	case Lanes:
		return t.Wrap(-args[0])
	case MulAdd:
		return ir.FloatBits(t, math.FMA(ir.Float(t, args[0]), ir.Float(t, args[1]), ir.Float(t, args[2])))
	case Op(ir.Shl), Op(ir.Shr):
		return ir.Apply2(ir.Op(v.Op), t, args[0], v.Imm)
	case Op(ir.Not), Op(ir.And), Op(ir.Or):
		t = ir.Bool
	default:
		t = v.operandType()
	}
	if len(args) == 1 {
		return ir.Apply1(ir.Op(v.Op), t, t, args[0])
	}
	return ir.Apply2(ir.Op(v.Op), t, args[0], args[1])
}

// Input is what Eval runs a kernel on: elements of its streams, scalars, and the state before the run.
type Input struct {
	Bits    int        // of a vector
	Streams [][]uint64 // equally long
	Scalars []uint64
	First   int      // the coordinate of the first element
	State   []uint64 // before the run
}

// Eval returns the state after the run. It computes in the order and with the number of lanes of the emitted code.
func (k *Kernel) Eval(in Input) []uint64 {
	if p, ok := First[Powers](k.Body); ok {
		v, _ := p.Expand(k, in.Bits)
		return v.Eval(in)
	}
	if k.Bits > 0 {
		in.Bits = k.Bits
	}
	m := &machine{k: k, in: in, state: append([]uint64{}, in.State...), copies: make([][][]uint64, len(k.Accumulators)), lanes: make([][]uint64, len(k.Accumulators)), end: len(in.Streams[0])}
	m.n = in.Bits / k.Wide().Bits()
	if m.end < k.Least*m.n {
		m.rest(m.end)
	} else {
		m.nodes(k.Body)
	}
	return m.state
}

// machine computes a kernel.
type machine struct {
	k          *Kernel
	in         Input
	n          int // elements that a vector takes
	state      []uint64
	copies     [][][]uint64 // of each accumulator, the lanes of each copy
	lanes      [][]uint64   // of each accumulator, what was stored
	start, end int          // what is left of the run, or of the part or block in which the machine is
	found      []int        // of what a search looks for, where its block starts; -1 for none
}

func (m *machine) nodes(body []Node) {
	for _, n := range body {
		switch n := n.(type) {
		case Start:
			m.starts(n.Accumulators)
		case Loop:
			m.loop(&n)
		case Runs:
			m.runs(n)
		case Flush:
			for _, g := range n.Merges {
				m.merge(g)
			}
			m.set(n.Into)
		case Store:
			m.store(n.Merges)
		case Fold:
			m.fold(n.Merges)
		case Search:
			m.search(&n)
		case Find:
			m.find(n.Search)
		case Skip:
			m.skip(n)
		case Rest:
			m.rest(m.end)
		case Each:
			for ; m.start < m.end; m.start++ {
				m.element(n.Where, n.To)
			}
		case Peeled:
			if m.start < m.end && m.state[len(m.state)-1] == 0 {
				m.element(nil, n.To)
				m.start++
			}
		case Chunks:
			m.chunks(&n)
		case Begin:
			m.begin(n)
		case Owned:
			m.owned(&n)
		case Advance:
			m.advance(n)
		case Finite:
			m.finite()
		case History:
			m.history(n)
		}
	}
}

func (m *machine) starts(accumulators []int) {
	for _, i := range accumulators {
		a := m.k.Accumulators[i]
		m.copies[i] = make([][]uint64, a.Copies)
		for c := range m.copies[i] {
			m.copies[i][c] = make([]uint64, m.in.Bits/a.Elem.Bits())
			for l := range m.copies[i][c] {
				m.copies[i][c][l] = a.Start
			}
			if a.Last && c == a.Copies-1 {
				m.copies[i][c][len(m.copies[i][c])-1] = m.state[a.Comp]
			}
		}
	}
}

// begin gives each copy what a vector of first elements makes of it.
func (m *machine) begin(b Begin) {
	m.starts(b.Accumulators)
	copies := m.k.Accumulators[b.Accumulators[0]].Copies
	for c := range copies {
		for i, a := range b.Accumulators {
			m.copies[a][c] = b.To[i].Lanes(m.in.Bits, func(v *Value) []uint64 { return m.leaf(v, m.start+c*m.n) })
		}
	}
	m.start += copies * m.n
}

// loop takes the parts first, then what they leave vector by vector.
func (m *machine) loop(l *Loop) {
	n := m.n
	step, reach := l.Vectors*n, 0
	if l.Single {
		reach = 1 // a step leaves an element
	}
	part := (m.end - m.start) / step * step / l.Parts
	if reach > 0 {
		part = max(m.end-m.start-1, 0) / step * step / l.Parts
	}
	for at := 0; at+step/l.Parts <= part; at += step / l.Parts {
		for j := range l.Vectors {
			m.step(l, j, m.start+j%l.Parts*part+at+j/l.Parts*n)
		}
	}
	m.start += l.Parts * part
	for ; l.Single && m.end-m.start >= n; m.start += n {
		m.step(l, 0, m.start)
	}
}

// step gives the vector from a place on to a copy.
func (m *machine) step(l *Loop, vector, at int) {
	copy := vector % l.Copies
	for _, s := range l.Body {
		var to [][]uint64
		for _, v := range s.To {
			to = append(to, v.Lanes(m.in.Bits, func(v *Value) []uint64 {
				if v.Op == State {
					return m.copies[v.Imm][copy]
				}
				return m.leaf(v, at)
			}))
		}
		for i, a := range s.Accumulators {
			m.copies[a][copy] = to[i]
		}
	}
}

// leaf is what does not depend on accumulators, for the vector from a place on.
func (m *machine) leaf(v *Value, at int) []uint64 {
	switch v.Op {
	case Load:
		return m.in.Streams[v.Imm][at : at+m.n]
	case Scalar:
		return m.in.Scalars[v.Imm : v.Imm+1]
	case Place:
		out := make([]uint64, m.n)
		for l := range out {
			out[l] = uint64(m.in.First + at + l)
		}
		return out
	}
	panic("kernel: internal: " + v.String() + " has no value in a loop")
}

func (m *machine) runs(r Runs) {
	end, step := m.end, r.Step*m.n
	for end-m.start >= step {
		m.end = m.start + min((end-m.start)/step, r.Most)*step
		m.nodes(r.Body)
	}
	m.end = end
}

// merge merges the copies of accumulators into the first ones.
func (m *machine) merge(g Merge) {
	for c := 1; c < m.k.Accumulators[g.Accumulators[0]].Copies; c++ {
		var to [][]uint64
		for _, v := range g.Lanes {
			to = append(to, v.Lanes(m.in.Bits, func(v *Value) []uint64 {
				switch v.Op {
				case State:
					return m.copies[v.Imm][0]
				case Right:
					return m.copies[v.Imm][c]
				}
				return m.leaf(v, 0)
			}))
		}
		for i, a := range g.Accumulators {
			m.copies[a][0] = to[i]
		}
	}
}

// set gives the first copies of accumulators new values.
func (m *machine) set(s Set) {
	for i, a := range s.Accumulators {
		m.copies[a][0] = s.To[i].Lanes(m.in.Bits, func(v *Value) []uint64 { return m.copies[v.Imm][0] })
	}
}

func (m *machine) store(merges []Merge) {
	for _, g := range merges {
		m.merge(g)
		for _, i := range g.Accumulators {
			a := m.k.Accumulators[i]
			bits := SameBits(Leaf(State, i, a.Elem), a.Out)
			m.lanes[i] = bits.Lanes(m.in.Bits, func(*Value) []uint64 { return m.copies[i][0] })
		}
	}
}

func (m *machine) fold(merges []Merge) {
	for _, g := range merges {
		for _, i := range g.Accumulators {
			a := m.k.Accumulators[i]
			if a.Bias != 0 {
				m.state[a.Comp] = m.k.State[a.Comp].Wrap(m.state[a.Comp] - uint64(a.Bias)*uint64(m.start))
			}
			if a.Last {
				m.state[a.Comp] = a.Start
			}
		}
		for l := range m.lanes[g.Accumulators[0]] {
			right := make([]uint64, len(m.state))
			for _, i := range g.Accumulators {
				right[m.k.Accumulators[i].Comp] = m.lanes[i][l]
			}
			next := append([]uint64{}, m.state...)
			for j, i := range g.Accumulators {
				next[m.k.Accumulators[i].Comp] = m.expr(g.Plain[j], m.state, right, 0)
			}
			m.state = next
		}
	}
}

// search leaves what begins with a block that has NaN.
func (m *machine) search(s *Search) {
	step := m.k.Least * m.n
	end, whole := m.end, m.end/step*step
	for range s.For {
		m.found = append(m.found, -1)
	}
	for at := 0; at < whole; at += s.Block {
		m.start, m.end = at, min(at+s.Block, whole)
		var best []uint64
		nan := false
		for _, b := range s.For {
			m.starts([]int{b.Accumulator})
		}
		m.loop(&s.Loop)
		for _, b := range s.For {
			a := m.k.Accumulators[b.Accumulator]
			value := m.copies[b.Accumulator][0][0]
			for _, lanes := range m.copies[b.Accumulator] {
				for _, x := range lanes {
					value = ir.Apply2(b.Op, a.Elem, value, x)
				}
			}
			value = ir.Apply1(ir.Cast, a.Elem, m.k.State[a.Comp], value)
			best = append(best, value)
			nan = nan || a.Elem.IsFloat() && (math.IsNaN(ir.Float(a.Elem, value)) || math.IsNaN(ir.Float(a.Elem, m.state[a.Comp])))
		}
		if nan {
			m.start, m.end = at, end
			return
		}
		for i, b := range s.For {
			comp := m.k.Accumulators[b.Accumulator].Comp
			if b.better(m.k.State[comp], best[i], m.state[comp]) {
				m.found[i] = at
			}
			if b.Element && m.found[i] == at {
				m.state[comp] = best[i]
			} else if !b.Element {
				m.state[comp] = ir.Apply2(b.Op, m.k.State[comp], m.state[comp], best[i])
			}
		}
	}
	m.start, m.end = whole, end
}

// better reports whether a value that comes later takes the place of one.
func (b *Best) better(t ir.Type, later, one uint64) bool {
	op := map[ir.Op]ir.Op{ir.Min: ir.Lt, ir.Max: ir.Gt}[b.Op]
	return ir.Apply2(op, t, later, one) != 0 || !b.First && ir.Apply2(ir.Eq, t, later, one) != 0
}

func (m *machine) find(s *Search) {
	for i, b := range s.For {
		if m.found[i] < 0 {
			continue
		}
		comp := m.k.Accumulators[b.Accumulator].Comp
		in, elem := m.in.Streams[b.Stream], m.k.Accumulators[b.Accumulator].Elem
		place := -1
		for at := m.found[i]; at < min(m.found[i]+s.Block, m.start); at++ {
			same := ir.Apply2(ir.Eq, m.k.State[comp], ir.Apply1(ir.Cast, elem, m.k.State[comp], in[at]), m.state[comp]) != 0
			if same && (place < 0 || !b.First) {
				place = at
			}
		}
		next := append([]uint64{}, m.state...)
		if b.Element {
			next[comp] = in[place]
		}
		for _, p := range b.Payload {
			next[p.Comp] = m.expr(p.Expr, m.state, nil, place)
		}
		m.state = next
	}
}

func (m *machine) skip(s Skip) {
	step := 4 * m.n
	whole := m.end / step * step
	for m.start < whole {
		next := min(m.start+s.Block, whole)
		any := s.Seen && m.state[len(m.state)-1] == 0
		for at := m.start; at < next && !any; at += m.n {
			mask := s.Changes[0].Lanes(m.in.Bits, func(v *Value) []uint64 {
				if v.Op != Still {
					return m.leaf(v, at)
				}
				x := m.expr(s.Still[v.Imm], m.state, nil, m.start)
				return Spread(v.Type.Elem, x).Lanes(m.in.Bits, nil)
			})
			for _, holds := range mask {
				any = any || holds != 0
			}
		}
		if any {
			m.rest(next)
		}
		m.start = next
	}
}
