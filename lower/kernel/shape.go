package kernel

import "github.com/rfactor-go/rfactor/ir"

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
	if shaped, lacks = Places(Strip(k, t)).Legalize(t); shaped == nil {
		return nil, lacks
	}
	for _, quirk := range t.Quirks {
		shaped = quirk(shaped)
	}
	return shaped, ""
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

// Beyond reports whether a target computes the kernel by an operation that another one has not.
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
