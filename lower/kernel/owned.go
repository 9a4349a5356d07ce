package kernel

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Owned cuts runs into parts that lanes own: each lane combines the elements of its part, or composes their steps, in their order, and the parts'
// are joined with the state in the order of the parts. Elements come from as many places as there are lanes, as words as wide as these, which are transposed.
type Owned struct {
	Copies int
	Word   ir.Type    // of the lanes, unsigned
	Each   int        // elements in a word
	Steps  [][]*Value // of each of them, the components' values; Load is the words of a stream
	First  []ir.Expr  // what the first element of a part makes of its components; nil where parts start with what changes nothing
	Join   []ir.Expr  // of the state and a part's, over State and Right
	Most   int        // elements of a part
	Least  int        // shorter parts are left to steps
}

func (Owned) node() {}

// Parts are at most so long that the nearest caches hold them beside one another, and shorter ones take longer to join than they gain.
const (
	ownedMost  = 2048
	ownedLeast = 32
)

// owned lets lanes own parts of runs whose operator does not commute, and of runs of steps, which compose in their order.
func owned(k serial) (*Kernel, string) {
	if !k.May.Compose && (!k.May.Factored || k.May.Commute || !k.May.Wrap) || len(k.Where) > 0 || k.Operator == nil || !k.May.Seen && len(k.Identity) != len(k.State) {
		return nil, ""
	}
	if k.UsesPlace() {
		return nil, "coordinates of elements are no numbers of lanes that own parts"
	}
	o := Owned{Join: k.Operator, Most: ownedMost, Least: ownedLeast}
	to, comps := k.To, len(k.Operator)
	out := k.newKernel()
	if k.May.Seen {
		first, rest, ok := k.begun()
		if !ok {
			return nil, noFlag.why
		}
		out.Body = []Node{Peeled{first}}
		o.First, to = first[:comps], rest
	}
	types := slices.Clone(k.State[:comps]) // of the lanes
	if first, narrow, ok := k.narrowed(); ok {
		o.First, to, o.Most = first, narrow, narrowMost
		for i, t := range types {
			if t == ir.I64 {
				types[i] = ir.I32
			}
		}
	}
	word, why := k.ownedWord(types)
	if why != "" {
		return nil, why
	}
	o.Word, o.Each = word, word.Bits()/LaneType(k.Streams[0]).Bits()
	o.Least = max(o.Least, o.Line())
	if o.Copies = 1; comps <= 3 && o.Each == 1 && len(k.Streams) == 1 { // more places would be more than processors fetch ahead of
		o.Copies = 2
	}
	for e := range o.Each {
		step := []*Value{}
		for i := range comps {
			v, why := k.ownedValue(to[i], word, e)
			if v == nil {
				return nil, why
			}
			step = append(step, v)
		}
		o.Steps = append(o.Steps, step)
	}
	for i := range comps {
		a := Accumulator{Comp: i, Elem: laneOf(types[i], word), Copies: o.Copies}
		a.Out = a.Elem
		if o.First == nil {
			a.Start = k.Identity[i]
		}
		if k.State[i] == ir.Bool { // lanes of a mask
			a.Start = a.Elem.Wrap(-a.Start)
		}
		out.Accumulators = append(out.Accumulators, a)
	}
	out.About, out.Least = ": lanes own parts of the run, whose elements they take in their order", 1
	out.Body = append(out.Body, o, Rest{})
	if plain := k.Plain().Cost(nil); out.Cost(Archsimd) > alike*plain {
		return nil, "parts that lanes own are estimated to take as long as plain loops"
	}
	return out, ""
}

// begun is what the first element makes of a state, and the steps of those behind it, where a flag tells whether any has come. The first element
// decides what components are, whatever they were.
func (k serial) begun() (first, rest []ir.Expr, ok bool) {
	first, rest, ok = k.peeled()
	for _, v := range first {
		ok = ok && v.States() == 0
	}
	return first, rest, ok
}

// ownedWord is the unsigned type that is as wide as the components, in which the streams have whole elements.
func (k serial) ownedWord(types []ir.Type) (word ir.Type, why string) {
	for _, t := range types {
		switch {
		case t == ir.Bool:
		case word == 0:
			word = SignedOf(t.Bits()).Unsigned()
		case t.Bits() != word.Bits():
			return word, "components differ in width"
		}
	}
	elem := LaneType(k.Streams[0]).Bits()
	if word == 0 {
		word = ir.U32
	}
	if word.Bits() < 32 || elem > word.Bits() {
		return word, "parts are transposed in words of 32 and 64 bits alone"
	}
	for _, t := range k.Streams {
		if b := LaneType(t).Bits(); b != elem || b < word.Bits() && t.IsFloat() {
			return word, differ
		}
	}
	return word, ""
}

// laneOf is the type of the lanes that hold a component: masks are signed.
func laneOf(t, word ir.Type) ir.Type {
	if t == ir.Bool {
		return SignedOf(word.Bits())
	}
	return t
}

// ownedValue is the value of a component in lanes, of element e of the words that are taken.
func (k serial) ownedValue(to ir.Expr, word ir.Type, e int) (*Value, string) {
	wide := SignedOf(word.Bits())
	narrow, ok := widened(to, wide)
	if !ok {
		return nil, differ
	}
	b := &Builder{Bits: word.Bits(), Leaf: func(x ir.Expr) *Value {
		switch op, i, _ := Operand(x); {
		case op == State && x.Type() != ir.Bool:
			return Leaf(State, i, x.Type())
		case op == Load && x.Type() != ir.Bool:
			return wordElement(Leaf(Load, i, word), LaneType(k.Streams[i]), x.Type(), e)
		case op == Scalar && x.Type().Bits() == word.Bits():
			return SpreadScalar(i, x.Type())
		}
		return nil
	}, Truth: func(x ir.Expr) *Value {
		switch op, i, _ := Operand(x); op {
		case State:
			return apply(ir.Ne, Leaf(State, i, wide), Spread(wide, 0))
		case Load:
			return apply(ir.Ne, wordElement(Leaf(Load, i, word), ir.U8, wide, e), Spread(wide, 0))
		}
		return nil
	}}
	if to.Type() != ir.Bool {
		v := b.Value(narrow)
		return v, b.Lacks()
	}
	m := b.Mask(narrow)
	if m == nil {
		return nil, b.Lacks()
	}
	return truth(m, wide), ""
}

// truth is the lanes of a mask, as bit operations where it is made of masks that lanes hold.
func truth(m *Value, wide ir.Type) *Value {
	zero, ok := m.arg(1).literal()
	switch {
	case m.Op == Op(ir.Ne) && m.Args[0].Op == State && ok && zero == 0:
		return m.Args[0]
	case m.Op == Op(ir.And):
		return apply(ir.BitAnd, truth(m.Args[0], wide), truth(m.Args[1], wide))
	case m.Op == Op(ir.Or):
		return apply(ir.BitOr, truth(m.Args[0], wide), truth(m.Args[1], wide))
	}
	return MaskLanes(m, wide)
}

// wordElement is element e of words, from the lowest on, as a type as wide as they are.
func wordElement(w *Value, elem, as ir.Type, e int) *Value {
	bits, wide, word := elem.Bits(), w.Type.Elem.Bits(), w.Type.Elem
	if bits == wide {
		return SameBits(w, as)
	}
	if e > 0 {
		w = shifted(ir.Shr, w, bits*e)
	}
	if bits*(e+1) < wide {
		w = apply(ir.BitAnd, w, Spread(word, 1<<bits-1))
	}
	if elem.IsSigned() { // the sign's weight is that of the bit, taken twice
		half := Spread(word, 1<<(bits-1))
		w = apply(ir.Sub, apply(ir.BitXor, w, half), half)
	}
	return SameBits(w, as)
}

// Lanes is how many parts a copy has.
func (o *Owned) Lanes(bits int) int { return bits / o.Word.Bits() }

// cost is that of an element: what steps wait for one another, or operations, with those that transpose words.
func (o *Owned) cost(k *Kernel, bits int) float64 {
	work, waits := 0.0, 0.0
	for _, step := range o.Steps {
		seen := map[*Value]bool{}
		for _, v := range step {
			v.Walk(func(v *Value) {
				if !seen[v] {
					seen[v] = true
					work += laneOp(v).work
				}
			})
			waits = max(waits, laneArrival(v))
		}
	}
	const transposed = 5 // a word's operations and loads
	work += transposed * float64(len(k.Streams))
	return max(waits*float64(o.Each)/float64(o.Copies), work/opsACycle) / float64(o.Lanes(bits)*o.Each)
}

// part is how long the parts of a block are, of which so many elements are left; 0 where they are left to steps.
func (o *Owned) part(left, bits int) int {
	lanes := o.Lanes(bits) * o.Copies
	blocks := (left + lanes*o.Most - 1) / (lanes * o.Most)
	if blocks == 0 {
		return 0
	}
	part := left / (blocks * lanes)
	if o.First != nil {
		part--
	}
	if part < o.Least {
		return 0
	}
	if part = ((part/o.Line() - 1) | 1) * o.Line(); o.First != nil {
		part++
	}
	return part
}

// Tile is how many elements of a part are taken at once: as many as 128 bits have.
func (o *Owned) Tile() int { return 128 / o.Word.Bits() * o.Each }

// Line is how many elements a line of a cache has. Parts have an odd number of lines, so that no two begin in the same set of a cache.
func (o *Owned) Line() int { return 4 * o.Tile() }

// owned checks the values of steps.
func (c *checker) owned(o Owned) {
	for _, step := range o.Steps {
		if len(step) != len(c.k.Accumulators) {
			c.failf("a step of %d values for %d accumulators", len(step), len(c.k.Accumulators))
		}
	}
	if len(o.Steps) != o.Each {
		c.failf("%d steps for %d elements", len(o.Steps), o.Each)
	}
}
