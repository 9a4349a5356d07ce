package kernel

import "github.com/rfactor-go/rfactor/ir"

// Powers is a run whose components are linear, each in itself: next = M·x ⊕ y. What lies n elements apart meets Mⁿ, which is a literal where the
// lanes of vectors are counted. So lanes take elements by turns, and add up acc = Mⁿ·acc ⊕ y; the last lane begins with the state. At the end
// lanes are combined by steps: x = M·x ⊕ acc.
//
//	x*31 + in(r)   →   acc = acc*31ⁿ + in on whole vectors
type Powers struct {
	For     []Linear
	Advance Advance
}

// Linear is a component that is linear.
type Linear struct {
	Comp int
	Step LinearMap
	Y    ir.Expr // over elements, as wide as the component
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
	t := k.State[p.For[0].Comp]
	each, lanes := t.Bits()/k.Streams[0].Bits(), bits/t.Bits()
	l := Loop{Copies: max(1, min(8/len(p.For), 4)), Parts: 1}
	if each == 1 {
		l.Copies = max(1, 8/len(p.For))
	}
	l.Vectors = l.Copies
	out.Least = l.Vectors
	apart := each * lanes
	var merges []Merge
	for i, f := range p.For {
		typ, op := k.State[f.Comp], f.Step.Combines()
		for _, n := range []int{each, apart, apart * l.Vectors} {
			if m := f.Step.Power(n); !m.Cheap() {
				return nil, "powers of a step vanish, or take many operations"
			}
		}
		start := uint64(0)
		to := f.Step.Power(apart * l.Vectors).value(Leaf(State, i, typ))
		sum := (*Value)(nil)
		for e := range each { // what a lane takes at once
			y, why := s.elementOf(f.Y, typ, each, e)
			if y == nil {
				return nil, why
			}
			if sum == nil {
				sum = y
			} else {
				sum = Apply(op, f.Step.value(sum), y)
			}
		}
		l.Body = append(l.Body, Set{Accumulators: []int{i}, To: []*Value{Apply(op, to, sum)}})
		out.Accumulators = append(out.Accumulators, Accumulator{Comp: f.Comp, Elem: typ, Out: typ, Start: start, Copies: l.Copies, Last: true})
		pool := k.Serial.Each().To[0].Pool()
		merges = append(merges, Merge{
			Accumulators: []int{i},
			Lanes:        []*Value{Apply(op, f.Step.Power(apart).value(Leaf(State, i, typ)), Leaf(Right, i, typ))},
			Plain:        []ir.Expr{ir.Make(op, f.Step.Power(each).Expr(pool.X(f.Comp, typ)), pool.Y(f.Comp, typ))},
		})
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
