package kernel

import "github.com/rfactor-go/rfactor/ir"

// Strip makes sums of neighbours operations that a target has. Bytes are distances from zero, eight of them at once, and pairs of 16 bits
// products with one, where the target has these; else neighbours are added as they lie, even + odd·2ⁿ, and the odd ones once more.
//
//	s + sums(y)   →   p + w, q + (w >> n) of wider lanes w, and before these overflow   s + sums of p − (q << n) and of q
//
// Elements lose or get a sign first, where the operation takes the others: the fold takes off what that adds (Accumulator.Bias).
func Strip(k *Kernel, t *Target) *Kernel {
	for i, n := range k.Body {
		if l, ok := n.(Loop); ok && len(l.Body) == 1 && len(l.Body[0].To) == 1 {
			if v := l.Body[0].To[0]; v.Op == Op(ir.Add) && v.Args[1].Op == Sums {
				s := stripper{out: *k, at: i, loop: l, sum: l.Body[0].Accumulators[0], of: v.Args[1].Args[0]}
				s.out.Accumulators = append([]Accumulator{}, k.Accumulators...)
				s.strip(t)
				return &s.out
			}
		}
	}
	return k
}

// stripper replaces the loop at a place of the body, which adds sums of a value to an accumulator.
type stripper struct {
	out  Kernel
	at   int
	loop Loop
	sum  int
	of   *Value
}

func (s *stripper) strip(t *Target) {
	switch bits := s.of.Type.Elem.Bits(); {
	case bits == 8 && t.Ops[Key{SumAbsDiff, ir.U64}] != "":
		s.bytes()
	case bits == 16 && t.Ops[Key{DotPairs, ir.I32}] != "":
		s.products()
	default:
		s.halves()
	}
}

// total is the accumulator of the sum.
func (s *stripper) total() *Value { return Leaf(State, s.sum, ir.U64) }

// flipped is the elements as numbers of another sign, less or greater by half of their range.
func (s *stripper) flipped(to ir.Type) *Value {
	from, unsigned := s.of.Type.Elem, s.of.Type.Elem.Unsigned()
	if from == to {
		return s.of
	}
	half := uint64(1) << (from.Bits() - 1)
	s.out.Accumulators[s.sum].Bias = int64(half)
	if to.IsSigned() {
		s.out.Accumulators[s.sum].Bias = -int64(half)
	}
	return SameBits(Apply(ir.BitXor, SameBits(s.of, unsigned), Spread(unsigned, half)), to)
}

func (s *stripper) bytes() {
	s.set([]int{s.sum}, Apply(ir.Add, s.total(), SumAbsDiffs(s.flipped(ir.U8), Spread(ir.U8, 0))))
	s.out.Body = s.replaced(s.loop)
}

// products adds products of 16 bits with one. So many pairs of the least number fit a lane of 32 bits.
func (s *stripper) products() {
	p := s.narrow(ir.I32, s.loop.Copies)
	s.set([]int{p}, Apply(ir.Add, Leaf(State, p, ir.I32), as(DotPairs, ir.I32, s.flipped(ir.I16), Spread(ir.I16, 1))))
	s.loop.Vectors = 2 * s.loop.Copies
	unsigned := Apply(ir.BitXor, SameBits(Leaf(State, p, ir.I32), ir.U32), Spread(ir.U32, 1<<31))
	s.flush(1, 1<<15, Apply(ir.Sub, neighbours(unsigned, ir.U64), Spread(ir.U64, 1<<32)), p)
}

// halves adds neighbours as they lie. So many of the greatest number fit a half of a lane.
func (s *stripper) halves() {
	bits := s.of.Type.Elem.Bits()
	wide := map[int]ir.Type{8: ir.U16, 16: ir.U32, 32: ir.U64}[bits]
	pairs, odd := s.narrow(wide, 2), s.narrow(wide, 2)
	w := as(Reshape, wide, s.flipped(s.of.Type.Elem.Unsigned()))
	p, q := Leaf(State, pairs, wide), Leaf(State, odd, wide)
	s.set([]int{pairs, odd}, Apply(ir.Add, p, w), Apply(ir.Add, q, Shifted(ir.Shr, w, bits)))
	s.loop.Vectors, s.loop.Copies, s.loop.Single = 4, 2, false
	s.out.Least = 4
	even, rest := Apply(ir.Sub, p, Shifted(ir.Shl, q, bits)), q // right where pairs wrapped
	for ; wide != ir.U64; even, rest = neighbours(even, wide), neighbours(rest, wide) {
		wide = map[ir.Type]ir.Type{ir.U16: ir.U32, ir.U32: ir.U64}[wide]
	}
	s.flush(4, map[int]int{8: 64, 16: 1 << 14, 32: 1 << 29}[bits], Apply(ir.Add, even, rest), pairs, odd)
}

// narrow is a new accumulator that is no component.
func (s *stripper) narrow(elem ir.Type, copies int) int {
	s.out.Accumulators = append(s.out.Accumulators, Accumulator{Comp: NoComp, Elem: elem, Out: elem, Copies: copies})
	return len(s.out.Accumulators) - 1
}

func (s *stripper) set(accumulators []int, to ...*Value) {
	s.loop.Body = []Set{{Accumulators: accumulators, To: to}}
}

// flush runs the loop on parts of the run, after each of which narrow accumulators give their value to the sum.
func (s *stripper) flush(step, most int, value *Value, narrow ...int) {
	s.out.Accumulators[s.sum].Copies = 1
	f := Flush{Into: Set{Accumulators: []int{s.sum}, To: []*Value{Apply(ir.Add, s.total(), value)}}}
	for _, i := range narrow {
		elem := s.out.Accumulators[i].Elem
		f.Merges = append(f.Merges, Merge{Accumulators: []int{i}, Lanes: []*Value{Apply(ir.Add, Leaf(State, i, elem), Leaf(Right, i, elem))}})
	}
	s.out.Body = s.replaced(Runs{Step: step, Most: most, Body: []Node{Start{narrow}, s.loop, f}})
}

func (s *stripper) replaced(n Node) []Node {
	body := append([]Node{}, s.out.Body...)
	body[s.at] = n
	return body
}

// neighbours is the sums of two neighbours each.
func neighbours(v *Value, wide ir.Type) *Value {
	half := wide.Bits() / 2
	w := as(Reshape, wide, v)
	return Apply(ir.Add, Apply(ir.BitAnd, w, Spread(wide, 1<<half-1)), Shifted(ir.Shr, w, half))
}

// Shifted is a shift by a literal.
func Shifted(op ir.Op, v *Value, by int) *Value {
	return &Value{Op: Op(op), Type: v.Type, Args: []*Value{v}, Imm: uint64(by)}
}
