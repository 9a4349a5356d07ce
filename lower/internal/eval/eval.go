// Package eval computes kernels in this process, in the order and with the lanes of the code that is printed of them: what they mean, for tests.
package eval

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Lanes computes a value in vectors of so many bits; leaf gives what a leaf is in each lane, of a scalar in one. A mask is 1 where it
// holds.
func Lanes(v *kernel.Value, bits int, leaf func(*kernel.Value) []uint64) []uint64 {
	done := map[*kernel.Value][]uint64{}
	var of func(v *kernel.Value) []uint64
	of = func(v *kernel.Value) []uint64 {
		if done[v] == nil {
			done[v] = applied(v, bits, leaf, of)
		}
		return done[v]
	}
	return of(v)
}

// applied computes a value whose operands of gives.
func applied(v *kernel.Value, bits int, leaf, of func(*kernel.Value) []uint64) []uint64 {
	if v.Op.IsLeaf() {
		return leaf(v)
	}
	out := make([]uint64, bits/v.Type.Elem.Bits())
	if v.Op == kernel.Broadcast {
		e := v.Args[0]
		x := e.Imm
		if e.Op != kernel.Literal {
			x = leaf(e)[0]
		}
		for i := range out {
			out[i] = x
		}
		return out
	}
	if v.Op == kernel.Table {
		for i := range out {
			out[i] = v.Args[i/8%2].Imm >> (8 * (i % 8)) & 255
		}
		return out
	}
	args := make([][]uint64, len(v.Args))
	for i, a := range v.Args {
		args[i] = of(a)
	}
	switch {
	case v.Op == kernel.LookUp:
		for i, place := range args[1] {
			out[i] = args[0][i/16*16+int(place)]
		}
		return out
	case v.Op == kernel.Permute:
		for i, place := range args[1] {
			out[i] = args[0][place]
		}
		return out
	case v.Op == kernel.Bytes || v.Op == kernel.Halves || v.Op == kernel.Pick:
		return moved(v, out, args[0], args[1])
	case v.Op == kernel.Reshape && len(args[0]) < len(out):
		return parted(v, out, args[0])
	case len(args[0]) > len(out):
		return joined(v, out, args)
	}
	at := make([]uint64, len(args))
	for i := range out {
		for j := range args {
			at[j] = args[j][i]
		}
		out[i] = lane(v, at)
	}
	return out
}

// moved computes what moves lanes of two vectors.
func moved(v *kernel.Value, out, a, b []uint64) []uint64 {
	n := 128 / v.Type.Elem.Bits()
	for i := range out {
		from := i - i%n // of the same half
		switch at := 0; v.Op {
		case kernel.Bytes:
			if at = i%n + int(v.Imm); at < n {
				out[i] = b[from+at]
			} else {
				out[i] = a[from+at-n]
			}
		case kernel.Halves:
			if at = v.Picked()[i/n]; at < 2 {
				out[i] = a[at*n+i%n]
			} else {
				out[i] = b[(at-2)*n+i%n]
			}
		case kernel.Pick:
			if at = v.Picked()[i%n]; at < n {
				out[i] = a[from+at]
			} else {
				out[i] = b[from+at-n]
			}
		}
	}
	return out
}

// parted makes several lanes of the bits of one, the lowest first.
func parted(v *kernel.Value, out, of []uint64) []uint64 {
	each := len(out) / len(of)
	for i := range out {
		out[i] = v.Type.Elem.Wrap(of[i/each] >> (i % each * v.Type.Elem.Bits()))
	}
	return out
}

// joined computes operations that make one lane of several.
func joined(v *kernel.Value, out []uint64, args [][]uint64) []uint64 {
	each, narrow := len(args[0])/len(out), v.Args[0].Type.Elem
	for i := range out {
		for j := range each {
			x := args[0][i*each+j]
			switch v.Op {
			case kernel.Reshape: // the first one is the lowest
				out[i] |= narrow.Unsigned().Wrap(x) << (j * narrow.Bits())
			case kernel.SumAbsDiff:
				y := args[1][i*each+j]
				out[i] += max(x, y) - min(x, y)
			case kernel.Sums:
				out[i] += x // values are kept with their sign
			case kernel.DotPairs:
				out[i] = v.Type.Elem.Wrap(out[i] + x*args[1][i*each+j])
			}
		}
	}
	return out
}

// lane computes one lane of an operation.
func lane(v *kernel.Value, args []uint64) uint64 {
	t := v.Type.Elem
	switch v.Op {
	case kernel.Bits:
		if t.IsFloat() {
			return args[0] << (64 - t.Bits()) >> (64 - t.Bits())
		}
		return t.Wrap(args[0])
	case kernel.Convert, kernel.Widen:
		return ir.Apply1(ir.Cast, v.Args[0].Type.Elem, t, args[0])
	case kernel.Choose:
		if args[1] != 0 {
			return args[0]
		}
		return args[2]
	case kernel.Masked:
		return args[0] * args[1]
	case kernel.Lanes:
		return t.Wrap(-args[0])
	case kernel.MulAdd:
		return ir.FloatBits(t, math.FMA(ir.Float(t, args[0]), ir.Float(t, args[1]), ir.Float(t, args[2])))
	case kernel.Op(ir.Shl), kernel.Op(ir.Shr):
		return ir.Apply2(ir.Op(v.Op), t, args[0], v.Imm)
	case kernel.Op(ir.Not), kernel.Op(ir.And), kernel.Op(ir.Or):
		t = ir.Bool
	default:
		t = v.OperandType()
	}
	if len(args) == 1 {
		return ir.Apply1(ir.Op(v.Op), t, t, args[0])
	}
	return ir.Apply2(ir.Op(v.Op), t, args[0], args[1])
}

// Input is what a kernel runs on: elements of its streams, scalars, and the state before the run.
type Input struct {
	Bits    int        // of a vector
	Streams [][]uint64 // equally long
	Scalars []uint64
	First   int      // the coordinate of the first element
	State   []uint64 // before the run
}

// Output is what a run leaves.
type Output struct {
	State []uint64   // after the run
	Put   [][]uint64 // what was written to each output
	End   int        // the place of the element that ended it, or how many there are
}

// State returns the state after the run of a kernel.
func State(k *kernel.Kernel, in Input) []uint64 { return Run(k, in).State }

// Run returns what a run of a kernel leaves. It computes in the order and with the number of lanes of the emitted code.
func Run(k *kernel.Kernel, in Input) Output {
	if p, ok := kernel.First[kernel.Powers](k.Body); ok {
		v, _ := p.Expand(k, in.Bits)
		return Run(v, in)
	}
	if k.Bits > 0 {
		in.Bits = k.Bits
	}
	m := &machine{k: k, in: in, state: append([]uint64{}, in.State...), copies: make([][][]uint64, len(k.Accumulators)), lanes: make([][]uint64, len(k.Accumulators)), end: len(in.Streams[0])}
	m.n = in.Bits / k.Wide().Bits()
	m.out = make([][]uint64, len(k.Outputs))
	if m.end < k.Least*m.n {
		m.rest(m.end)
	} else {
		m.nodes(k.Body)
	}
	return Output{m.state, m.out, m.start}
}

// machine computes a kernel.
type machine struct {
	k          *kernel.Kernel
	in         Input
	n          int // elements that a vector takes
	state      []uint64
	copies     [][][]uint64 // of each accumulator, the lanes of each copy
	lanes      [][]uint64   // of each accumulator, what was stored
	start, end int          // what is left of the run, or of the part or block in which the machine is
	found      []int        // of what a search looks for, where its block starts; -1 for none
	out        [][]uint64   // what was written to each output
	ended      bool         // by the element at start
}

func (m *machine) nodes(body []kernel.Node) {
	for _, n := range body {
		if m.ended {
			return
		}
		switch n := n.(type) {
		case kernel.Start:
			m.starts(n.Accumulators)
		case kernel.Head:
			m.rest(min(m.start+n.Elements, m.end))
		case kernel.Last:
			for _, i := range n.Accumulators {
				lanes := m.lanes[i]
				m.state[m.k.Accumulators[i].Comp] = lanes[len(lanes)-1]
			}
		case kernel.Tree:
			m.tree(n)
		case kernel.Loop:
			m.loop(&n)
		case kernel.Runs:
			m.runs(n)
		case kernel.Flush:
			for _, g := range n.Merges {
				m.merge(g)
			}
			m.set(n.Into)
		case kernel.Store:
			m.store(n.Merges)
		case kernel.Fold:
			m.fold(n.Merges)
		case kernel.Search:
			m.search(&n)
		case kernel.Find:
			m.find(n.Search)
		case kernel.Skip:
			m.skip(n)
		case kernel.Rest:
			m.rest(m.end)
		case kernel.Each:
			for ; m.start < m.end && !m.ended; m.start++ {
				if m.ended = n.Until.IsValid() && m.expr(n.Until, m.state, nil, m.start) != 0; m.ended {
					break
				}
				m.element(n)
			}
		case kernel.Peeled:
			if m.start < m.end && m.state[len(m.state)-1] == 0 {
				m.element(kernel.Each{To: n.To})
				m.start++
			}
		case kernel.Chunks:
			m.chunks(&n)
		case kernel.Begin:
			m.begin(n)
		case kernel.Owned:
			m.owned(&n)
		case kernel.Advance:
			m.advance(n)
		case kernel.Finite:
			m.finite()
		case kernel.History:
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
func (m *machine) begin(b kernel.Begin) {
	m.starts(b.Accumulators)
	copies := m.k.Accumulators[b.Accumulators[0]].Copies
	for c := range copies {
		m.done(b.Do, func(v *kernel.Value) []uint64 { return m.leaf(v, m.start+c*m.n) }, m.start+c*m.n)
		for i, a := range b.Accumulators {
			m.copies[a][c] = Lanes(b.To[i], m.in.Bits, func(v *kernel.Value) []uint64 { return m.leaf(v, m.start+c*m.n) })
		}
	}
	if len(m.k.Loads(b.Values())) > 0 {
		m.start += copies * m.n
	}
}

// done writes or looks at what is made of the vectors from a place on.
func (m *machine) done(nodes []kernel.Node, leaf func(*kernel.Value) []uint64, at int) {
	for _, n := range nodes {
		switch n := n.(type) {
		case kernel.Put:
			m.out[n.Output] = append(m.out[n.Output], Lanes(n.Value, m.in.Bits, leaf)...)
		case kernel.Keep:
			for l, holds := range Lanes(n.Holds, m.in.Bits, leaf) {
				for i, v := range n.Values {
					if holds != 0 {
						m.out[i] = append(m.out[i], Lanes(v, m.in.Bits, leaf)[l])
					}
				}
			}
		case kernel.Until:
			if l := slices.IndexFunc(Lanes(n.Holds, m.in.Bits, leaf), func(holds uint64) bool { return holds != 0 }); l >= 0 {
				m.start, m.ended = at+l, true
			}
		}
	}
}

// loop takes the parts first, then what they leave vector by vector.
func (m *machine) loop(l *kernel.Loop) {
	n := m.n
	step, reach := l.Vectors*n, 0
	if l.Single || l.Leaves {
		reach = 1 // a step leaves an element
	}
	part := (m.end - m.start) / step * step / l.Parts
	if reach > 0 {
		part = max(m.end-m.start-1, 0) / step * step / l.Parts
	}
	start := m.start
	for at := 0; at+step/l.Parts <= part; at += step / l.Parts {
		for j := 0; j < l.Vectors; j += max(l.Block, 1) {
			if m.step(l, j, start+j%l.Parts*part+at+j/l.Parts*n); m.ended {
				return
			}
		}
	}
	m.start += l.Parts * part
	for ; l.Single && m.end-m.start >= n && !m.ended; m.start += n {
		if m.step(l, 0, m.start); m.ended {
			return
		}
	}
}

// step gives the vector from a place on to a copy.
func (m *machine) step(l *kernel.Loop, vector, at int) {
	copy := vector % l.Copies
	leaf := func(v *kernel.Value) []uint64 {
		if v.Op == kernel.State {
			return m.copies[v.Imm][copy]
		}
		return m.leaf(v, at)
	}
	if m.done(l.Do, leaf, at); m.ended {
		return
	}
	for _, s := range l.Body {
		var to [][]uint64
		for _, v := range s.To {
			to = append(to, Lanes(v, m.in.Bits, leaf))
		}
		for i, a := range s.Accumulators {
			m.copies[a][copy] = to[i]
		}
	}
}

// leaf is what does not depend on accumulators, for the vector from a place on.
func (m *machine) leaf(v *kernel.Value, at int) []uint64 {
	switch v.Op {
	case kernel.Load:
		return m.in.Streams[v.Imm][at+v.At : at+v.At+m.n]
	case kernel.Comp:
		return m.state[v.Imm : v.Imm+1]
	case kernel.Scalar:
		return m.in.Scalars[v.Imm : v.Imm+1]
	case kernel.Place:
		out := make([]uint64, m.n)
		for l := range out {
			out[l] = uint64(m.in.First + at + l)
		}
		return out
	}
	panic("kernel: internal: " + v.String() + " has no value in a loop")
}

func (m *machine) runs(r kernel.Runs) {
	end, step := m.end, r.Step*m.n
	for end-m.start >= step {
		m.end = m.start + min((end-m.start)/step, r.Most)*step
		m.nodes(r.Body)
	}
	m.end = end
}

// merge merges the copies of accumulators into the first ones.
func (m *machine) merge(g kernel.Merge) {
	for c := 1; c < m.k.Accumulators[g.Accumulators[0]].Copies; c++ {
		var to [][]uint64
		for _, v := range g.Lanes {
			to = append(to, Lanes(v, m.in.Bits, func(v *kernel.Value) []uint64 {
				switch v.Op {
				case kernel.State:
					return m.copies[v.Imm][0]
				case kernel.Right:
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
func (m *machine) set(s kernel.Set) {
	for i, a := range s.Accumulators {
		m.copies[a][0] = Lanes(s.To[i], m.in.Bits, func(v *kernel.Value) []uint64 { return m.copies[v.Imm][0] })
	}
}

func (m *machine) store(merges []kernel.Merge) {
	for _, g := range merges {
		m.merge(g)
		for _, i := range g.Accumulators {
			a := m.k.Accumulators[i]
			bits := kernel.SameBits(kernel.Leaf(kernel.State, i, a.Elem), a.Out)
			m.lanes[i] = Lanes(bits, m.in.Bits, func(*kernel.Value) []uint64 { return m.copies[i][0] })
		}
	}
}

func (m *machine) fold(merges []kernel.Merge) {
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
func (m *machine) search(s *kernel.Search) {
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
			if better(b, m.k.State[comp], best[i], m.state[comp]) {
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
func better(b kernel.Best, t ir.Type, later, one uint64) bool {
	op := map[ir.Op]ir.Op{ir.Min: ir.Lt, ir.Max: ir.Gt}[b.Op]
	return ir.Apply2(op, t, later, one) != 0 || !b.First && ir.Apply2(ir.Eq, t, later, one) != 0
}

func (m *machine) find(s *kernel.Search) {
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

func (m *machine) skip(s kernel.Skip) {
	step := 4 * m.n
	whole := m.end / step * step
	for m.start < whole {
		next := min(m.start+s.Block, whole)
		any := s.Seen && m.state[len(m.state)-1] == 0
		for at := m.start; at < next && !any; at += m.n {
			mask := Lanes(s.Changes[0], m.in.Bits, func(v *kernel.Value) []uint64 {
				if v.Op != kernel.Still {
					return m.leaf(v, at)
				}
				x := m.expr(s.Still[v.Imm], m.state, nil, m.start)
				return Lanes(kernel.Spread(v.Type.Elem, x), m.in.Bits, nil)
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
