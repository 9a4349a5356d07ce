package kernel

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Shape gives a kernel as a target runs it; nil, and the first operation that is lacking, where the target cannot.
func (k *Kernel) Shape(t *Target) (shaped *Kernel, lacks string) {
	if h, ok := First[History](k.Body); ok {
		out := *k
		h, lacks := h.shape(t)
		if lacks != "" {
			return nil, lacks
		}
		out.Body = []Node{h, Rest{}}
		return &out, ""
	}
	if k.Bits > 0 && t.Bits != k.Bits {
		return nil, fmt.Sprintf("it is one for vectors of %d bits", k.Bits)
	}
	if _, ok := First[Owned](k.Body); ok && t.Bits != 256 {
		return nil, "parts that lanes own are transposed in vectors of 256 bits"
	}
	if p, ok := First[Powers](k.Body); ok {
		if t.Bits == 0 {
			return nil, "powers of a step are literals, and package simd does not say how many lanes there are"
		}
		if k, lacks = p.Expand(k, t.Bits); k == nil {
			return nil, lacks
		}
		if t.Bits > 256 && merges(k.LoopOf().Values(), false) {
			return nil, refusedBits
		}
		shaped, lacks = k.Legalize(t)
	} else {
		shaped, lacks = Places(Strip(k, t)).Legalize(t)
		if shaped != nil && shaped.LoopOf() != nil && t.Bits != 256 && merges(shaped.LoopOf().Values(), true) {
			return nil, refusedBits
		}
	}
	if shaped == nil {
		return nil, lacks
	}
	values := []*Value{}
	if l := shaped.LoopOf(); l != nil {
		values = l.Values()
	} else if skip, ok := First[Skip](shaped.Body); ok {
		values = skip.Changes
	}
	if t.Bits != 256 && Confused(values) {
		return nil, confusedBits
	}
	for _, quirk := range t.Quirks {
		shaped = quirk(shaped)
	}
	return shaped, ""
}

// refusedBits is why no kernel for vectors of 512 bits, or of any number, has two bit operations one in another, or a shift that is chosen.
const refusedBits = "Go 1.27 makes an instruction of two bit operations on 512 bits, or of a shift and a choice, and its assembler refuses that"

// merges reports whether Go 1.27 makes an instruction of two operations that its assembler refuses: a bit operation has another one as an operand, which
// it refuses where that is in memory, or a choice a shift. Moving leaves out bit operations on what is the same for all elements.
func merges(values []*Value, moving bool) bool {
	still := func(v *Value) bool { return v.Op == Broadcast || v.Op == Still }
	bit := func(v *Value) bool {
		return v.Op == Op(ir.BitAnd) || v.Op == Op(ir.BitOr) || v.Op == Op(ir.BitXor) || v.Op == Op(ir.BitNot) || moving && v.Op == Masked
	}
	inner := func(v *Value) bool { return bit(v) && !(moving && slices.ContainsFunc(v.Args, still)) }
	shift := func(v *Value) bool { return v.Op == Op(ir.Shl) || v.Op == Op(ir.Shr) }
	found := false
	for _, v := range values {
		v.Walk(func(v *Value) {
			found = found || bit(v) && slices.ContainsFunc(v.Args, inner) || (v.Op == Choose || v.Op == Masked) && slices.ContainsFunc(v.Args, shift)
		})
	}
	return found
}

// confusedBits is why no kernel for vectors of 512 bits, or of any number, has three operations on bits or masks one in another.
const confusedBits = "Go 1.27 makes an instruction of three bit operations on 512 bits of which some are used again, and leaves out an operand"

// Confused reports whether Go 1.27 may leave out an operand: of three operations on bits or masks, one in another, it makes an instruction, and where
// an inner one is used again, or is the same for all elements, it may take that one's operands for those that it had before.
//
//	y & (a & b & c), z & (a & b & c)   →   y & (a & b & c), z & (a & b)
func Confused(values []*Value) bool {
	bit := func(v *Value) bool {
		switch ir.Op(v.Op) {
		case ir.BitAnd, ir.BitOr, ir.BitXor, ir.BitNot, ir.And, ir.Or, ir.Not:
			return true
		}
		return v.Op == Masked || v.Op == Choose
	}
	type node struct {
		number      int
		moves, used bool // from element to element; by some value
		again       bool // by more than one, or it is the same for all elements
	}
	nodes, of := map[string]*node{}, map[*Value]*node{}
	var visit func(v *Value) *node
	visit = func(v *Value) *node {
		n := node{moves: v.Op == Load || v.Op == Place || v.Op == State}
		key, args := fmt.Sprint(v.Op, v.Type, v.Imm), []*node{}
		for _, a := range v.Args {
			x := visit(a)
			key, args, n.moves = key+fmt.Sprint(" ", x.number), append(args, x), n.moves || x.moves
		}
		if nodes[key] == nil {
			n.number, n.again = len(nodes), !n.moves
			nodes[key] = &n
			for _, x := range args {
				x.again, x.used = x.again || x.used, true
			}
		}
		of[v] = nodes[key]
		return of[v]
	}
	for _, v := range values {
		visit(v)
	}
	found := false
	for _, v := range values {
		v.Walk(func(v *Value) {
			for _, m := range v.Args {
				for _, i := range m.Args {
					found = found || bit(v) && bit(m) && bit(i) && (of[m].again || of[i].again)
				}
			}
		})
	}
	return found
}

// floatsInMemory keeps float arguments in memory while vectors are in use. Go's compiler takes instructions of 128 bits for floats, and moves
// those that live across a loop about inside of it. Processors that keep the upper parts of registers apart make each change between these
// and wider instructions wait: 100 ns and more where it was measured, as long as 4,000 elements take.
func floatsInMemory(k *Kernel) *Kernel {
	out := *k
	for _, t := range []ir.Type{ir.F32, ir.F64} {
		if a := (Args{t, placesOf(k.State, t), placesOf(k.Scalars, t)}); len(a.State)+len(a.Scalars) > 0 {
			out.InMemory = append(out.InMemory, a)
		}
	}
	return &out
}

func placesOf(types []ir.Type, t ir.Type) (out []int) {
	for i, of := range types {
		if of == t {
			out = append(out, i)
		}
	}
	return out
}

// Beyond reports whether a target computes the kernel by some operation that the other target lacks.
func (k *Kernel) Beyond(other, t *Target) bool {
	shaped, _ := k.Shape(t)
	beyond := false
	if shaped != nil {
		shaped.mapped(func(v *Value) *Value {
			v.Walk(func(v *Value) { beyond = beyond || !v.Op.IsLeaf() && !other.Has(v) })
			return v
		})
	}
	return beyond
}

// Operations is how many operations on vectors a shaped kernel has, as they are written.
func (k *Kernel) Operations() (n int) {
	if h, ok := First[History](k.Body); ok {
		for _, p := range h.Rest {
			n = max(n, p.Kernel.Operations())
		}
		return n
	}
	seen := map[*Value]bool{}
	var count func(v *Value)
	count = func(v *Value) {
		if !seen[v] {
			seen[v] = true
			if !v.Op.IsLeaf() {
				n++
			}
			for _, a := range v.Args {
				count(a)
			}
		}
	}
	k.mapped(func(v *Value) *Value {
		count(v)
		return v
	})
	if l := k.LoopOf(); l != nil {
		n *= max(l.Vectors, 1)
	}
	if o, ok := First[Owned](k.Body); ok {
		n *= o.Copies
	}
	return n
}
