package forms

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Bounds of the elements of a part. The parts of all lanes fit into the nearest caches. Below the least, joining takes longer than
// lanes gain.
const (
	ownedMost  = 2048
	ownedLeast = 32
)

// owned lets lanes own parts of runs whose operator does not commute, and of runs of steps, which compose in their order.
func owned(k serial) (*kernel.Kernel, string) {
	if !k.May.Compose && (!k.May.Factored || k.May.Commute || !k.May.Wrap && !k.May.Fit) || len(k.Where) > 0 || k.Operator == nil || !k.May.Seen && len(k.Identity) != len(k.State) {
		return nil, ""
	}
	if k.UsesPlace() {
		return nil, "coordinates of elements are no numbers of lanes that own parts"
	}
	if !slices.ContainsFunc(k.Operator, func(e ir.Expr) bool { return e.Op() != ir.Var || e.Kind() != ir.State }) {
		return nil, "results of parts change no component"
	}
	o := kernel.Owned{Join: k.Operator, Most: ownedMost, Least: ownedLeast}
	to, comps := k.To, len(k.Operator)
	out := k.NewKernel()
	if k.May.Seen {
		first, rest, ok := k.begun()
		if !ok {
			return nil, noFlag.why
		}
		out.Body = []kernel.Node{kernel.Peeled{To: first}}
		o.First, to = first[:comps], rest
	}
	types := slices.Clone(k.State[:comps]) // of the lanes
	for _, as := range []ir.Type{ir.I16, ir.I32} {
		if kernel.LaneType(k.Streams[0]).Bits() > as.Bits() {
			continue
		}
		if first, narrow, ok := k.narrowed(as, NarrowMost); ok {
			o.First, to, o.Most = first, narrow, NarrowMost
			for i, v := range narrow {
				types[i] = v.Type()
			}
			break
		}
	}
	word, why := k.ownedWord(types)
	if why != "" {
		return nil, why
	}
	o.Word, o.Each = word, word.Bits()/kernel.LaneType(k.Streams[0]).Bits()
	o.Least = max(o.Least, o.Line())
	if o.Copies = 1; comps <= 3 && o.Each == 1 && len(k.Streams) == 1 { // more places would be more than processors fetch ahead of
		o.Copies = 2
	}
	for e := range o.Each {
		step := []*kernel.Value{}
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
		a := kernel.Accumulator{Comp: i, Elem: laneOf(types[i], word), Copies: o.Copies}
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
	out.Body = append(out.Body, o, kernel.Rest{})
	if plain := k.Plain().Cost(nil); out.Cost(kernel.Archsimd) > kernel.Alike*plain {
		return nil, "parts that lanes own are estimated to take as long as plain loops"
	}
	return out, ""
}

// begun is what the first element makes of a state, and the steps of those behind it, where a flag tells whether any has come. The first element
// decides what components are, whatever they were.
func (k serial) begun() (first, rest []ir.Expr, ok bool) {
	first, rest, ok = k.Peeled()
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
			word = kernel.SignedOf(t.Bits()).Unsigned()
		case t.Bits() != word.Bits():
			return word, "components differ in width"
		}
	}
	elem := kernel.LaneType(k.Streams[0]).Bits()
	if word == 0 && elem <= 16 {
		word = ir.U16
	} else if word == 0 {
		word = ir.U32
	}
	if word.Bits() < 16 || elem > word.Bits() {
		return word, "parts are transposed in words of 16, 32 and 64 bits alone"
	}
	for _, t := range k.Streams {
		if b := kernel.LaneType(t).Bits(); b != elem || b < word.Bits() && t.IsFloat() {
			return word, differ
		}
	}
	return word, ""
}

// laneOf is the type of the lanes that hold a component: masks are signed.
func laneOf(t, word ir.Type) ir.Type {
	if t == ir.Bool {
		return kernel.SignedOf(word.Bits())
	}
	return t
}

// ownedValue is the value of a component in lanes, of element e of the words that are taken.
func (k serial) ownedValue(to ir.Expr, word ir.Type, e int) (*kernel.Value, string) {
	wide := kernel.SignedOf(word.Bits())
	narrow, ok := widened(to, wide)
	if !ok {
		return nil, differ
	}
	b := &kernel.Builder{Bits: word.Bits(), Leaf: func(x ir.Expr) *kernel.Value {
		switch op, i, _ := kernel.Operand(x); {
		case op == kernel.State && x.Type() != ir.Bool:
			return kernel.Leaf(kernel.State, i, x.Type())
		case op == kernel.Load && x.Type() != ir.Bool:
			return wordElement(kernel.Leaf(kernel.Load, i, word), kernel.LaneType(k.Streams[i]), x.Type(), e)
		case op == kernel.Scalar && x.Type().Bits() == word.Bits():
			return kernel.SpreadScalar(i, x.Type())
		}
		return nil
	}, Truth: func(x ir.Expr) *kernel.Value {
		switch op, i, _ := kernel.Operand(x); op {
		case kernel.State:
			return kernel.Apply(ir.Ne, kernel.Leaf(kernel.State, i, wide), kernel.Spread(wide, 0))
		case kernel.Load:
			return kernel.Apply(ir.Ne, wordElement(kernel.Leaf(kernel.Load, i, word), ir.U8, wide, e), kernel.Spread(wide, 0))
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
func truth(m *kernel.Value, wide ir.Type) *kernel.Value {
	zero, ok := m.Arg(1).Literal()
	switch {
	case m.Op == kernel.Op(ir.Ne) && m.Args[0].Op == kernel.State && ok && zero == 0:
		return m.Args[0]
	case m.Op == kernel.Op(ir.And):
		return kernel.Apply(ir.BitAnd, truth(m.Args[0], wide), truth(m.Args[1], wide))
	case m.Op == kernel.Op(ir.Or):
		return kernel.Apply(ir.BitOr, truth(m.Args[0], wide), truth(m.Args[1], wide))
	}
	return kernel.MaskLanes(m, wide)
}

// wordElement is element e of words, from the lowest on, as a type as wide as they are.
func wordElement(w *kernel.Value, elem, as ir.Type, e int) *kernel.Value {
	bits, wide, word := elem.Bits(), w.Type.Elem.Bits(), w.Type.Elem
	if bits == wide {
		return kernel.SameBits(w, as)
	}
	if e > 0 {
		w = kernel.Shifted(ir.Shr, w, bits*e)
	}
	if bits*(e+1) < wide {
		w = kernel.Apply(ir.BitAnd, w, kernel.Spread(word, 1<<bits-1))
	}
	if elem.IsSigned() { // the sign's weight is that of the bit, taken twice
		half := kernel.Spread(word, 1<<(bits-1))
		w = kernel.Apply(ir.Sub, kernel.Apply(ir.BitXor, w, half), half)
	}
	return kernel.SameBits(w, as)
}
