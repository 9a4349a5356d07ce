package kernel

import "github.com/rfactor-go/rfactor/ir"

// Powers is a run whose components are linear: next = M·x ⊕ y. What lies n elements apart meets Mⁿ, which is a literal where the
// lanes of vectors are counted. So lanes take elements by turns, and add up acc = Mⁿ·acc ⊕ y; the last lane begins with the state. At the end
// lanes are combined by steps: x = M·x ⊕ acc.
//
//	x*31 + in(r)   →   acc = acc*31ⁿ + in on whole vectors
type Powers struct {
	For     []Linear
	Advance Advance
}

// Advance is components that no element changes, behind as many steps as loops have taken: these compose to a power of one.
type Advance struct {
	Comps []int
	Step  []uint64  // of each
	Join  []ir.Expr // composes two of each, over State and Right of these components
}

func (Powers) node() {}

// Expand is the kernel on vectors of so many bits; nil, and why, where lanes do not compute it.
func (p Powers) Expand(k *Kernel, bits int) (*Kernel, string) {
	s := k.Serial
	out := s.NewKernel()
	out.About, out.Bits = k.About, bits
	t := k.State[p.For[0].Comps[0]]
	each, lanes := t.Bits()/k.Streams[0].Bits(), bits/t.Bits()
	comps := 0
	for _, f := range p.For {
		comps += len(f.Comps)
	}
	l := Loop{Copies: max(1, min(8/comps, 4)), Parts: 1}
	if each == 1 {
		l.Copies = max(1, 8/comps)
	}
	l.Vectors = l.Copies
	out.Least = l.Vectors
	apart := each * lanes
	pool := k.Serial.Each().To[0].Pool()
	var merges []Merge
	for _, f := range p.For {
		for _, n := range []int{each, apart, apart * l.Vectors} {
			if !f.Step.Power(n).Cheap() {
				return nil, "powers of a step vanish, or take many operations"
			}
		}
		sums, why := s.sums(f, t, each)
		if sums == nil {
			return nil, why
		}
		op, set, merge := f.Step.Combines(), Set{}, Merge{}
		var states, right []*Value
		for _, c := range f.Comps {
			i := len(out.Accumulators)
			set.Accumulators = append(set.Accumulators, i)
			states, right = append(states, Leaf(State, i, t)), append(right, Leaf(Right, i, t))
			out.Accumulators = append(out.Accumulators, Accumulator{Comp: c, Elem: t, Out: t, Copies: l.Copies, Last: true})
		}
		set.To = combined(op, f.Step.Power(apart*l.Vectors).values(states), sums)
		merge.Accumulators = set.Accumulators
		merge.Lanes = combined(op, f.Step.Power(apart).values(states), right)
		for i, e := range f.Step.Power(each).Exprs(statesOf(k, f.Comps)) {
			merge.Plain = append(merge.Plain, ir.Make(op, e, pool.Y(f.Comps[i], t)))
		}
		l.Body, merges = append(l.Body, set), append(merges, merge)
	}
	all := Below(len(out.Accumulators))
	out.Body = []Node{Start{Accumulators: all}, l, Store{Merges: merges}, Leave{}, Fold{Merges: merges}}
	if t.IsFloat() {
		out.Body = append(out.Body, Finite{})
	}
	if len(p.Advance.Comps) > 0 {
		out.Body = append(out.Body, p.Advance)
	}
	out.Body = append(out.Body, Rest{})
	return out, ""
}

// statesOf are the variables of components.
func statesOf(k *Kernel, comps []int) (out []ir.Expr) {
	pool := k.Serial.Each().To[0].Pool()
	for _, c := range comps {
		out = append(out, pool.X(c, k.State[c]))
	}
	return out
}

// sums are what a lane makes of the elements that it takes at once, of which there are so many; nil, and why, where lanes do not.
func (k *Kernel) sums(f Linear, t ir.Type, each int) (sums []*Value, why string) {
	for e := range each {
		ys := make([]*Value, len(f.Y))
		for i, y := range f.Y {
			if ys[i] = Spread(t, 0); !y.IsValid() {
				continue
			}
			if ys[i], why = k.elementOf(y, t, each, e); ys[i] == nil {
				return nil, why
			}
		}
		if sums == nil {
			sums = ys
		} else {
			sums = combined(f.Step.Combines(), f.Step.values(sums), ys)
		}
	}
	return sums, ""
}

// combined are values combined one by one.
func combined(op ir.Op, as, bs []*Value) []*Value {
	var out []*Value
	for i, a := range as {
		if y, ok := bs[i].Literal(); !ok || y != 0 {
			a = Apply(op, a, bs[i])
		}
		out = append(out, a)
	}
	return out
}

// Finite leaves the whole run to steps where what lanes have computed is not finite: a product with a power may be no number where one with a
// factor after the other is infinite.
type Finite struct{}

func (Advance) node() {}

func (Finite) node() {}

// elementOf is a value of element e of those that a lane takes at once.
func (k *Kernel) elementOf(y ir.Expr, typ ir.Type, each, e int) (*Value, string) {
	word := LaneWord(typ)
	b := k.Builder(typ.Bits(), func(x ir.Expr) *Value {
		op, i, _ := Operand(x)
		if op != Load || each == 1 || x.Type() != word {
			return nil
		}
		return inWord(Leaf(Load, i, k.Streams[i]), word, e)
	})
	v := b.Value(y)
	return v, b.Lacks()
}

// inWord is lane element t of the words that a vector of narrow elements is, from the lowest on.
func inWord(v *Value, word ir.Type, t int) *Value {
	bits, wide := v.Type.Elem.Bits(), word.Bits()
	u := word.Unsigned()
	w := as(Reshape, u, SameBits(v, v.Type.Elem.Unsigned()))
	if v.Type.Elem.IsSigned() {
		if up := wide - bits*(t+1); up > 0 {
			w = Shifted(ir.Shl, w, up)
		}
		return Shifted(ir.Shr, SameBits(w, word), wide-bits)
	}
	if t > 0 {
		w = Shifted(ir.Shr, w, bits*t)
	}
	if bits*(t+1) < wide {
		w = Apply(ir.BitAnd, w, Spread(u, 1<<bits-1))
	}
	return SameBits(w, word)
}

// LaneWord returns the signed integer type as wide as t. Elements of narrower streams are widened to it, so that each lane can
// hold a component of type t.
func LaneWord(t ir.Type) ir.Type { return SignedOf(t.Bits()) }
