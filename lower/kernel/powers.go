package kernel

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Powers is a run whose components are linear, each in itself: next = M·x ⊕ y. What lies n elements apart meets Mⁿ, which is a literal where the
// lanes of vectors are counted. So lanes take elements by turns, and add up acc = Mⁿ·acc ⊕ y; the last lane begins with the state. At the end
// lanes are combined by steps: x = M·x ⊕ acc.
//
//	x*31 + in(r)   →   acc = acc*31ⁿ + in on whole vectors
type Powers struct {
	For     []Linear
	Advance []Advance
}

// Linear is a component that is linear.
type Linear struct {
	comp int
	step linearMap
	y    ir.Expr // over elements, as wide as the component
}

// Advance is a component that no element changes, behind as many steps as loops have taken: these compose to a power of one.
type Advance struct {
	Comp int
	Step uint64
	Join ir.Expr // composes two, over State and Right of the component
}

func (Powers) node() {}

// powers makes lanes of components that are linear with literals. Of floats that are regrouped a run that is not finite in lanes is left to steps.
func powers(k serial) (*Kernel, string) {
	if len(k.Where) > 0 || k.May.Seen || k.UsesPlace() {
		return nil, ""
	}
	p, moving := Powers{}, false
	same := k.same(k.To)
	for i, v := range k.To {
		if a, ok := k.advance(i, same); ok {
			p.Advance = append(p.Advance, a)
			continue
		}
		m, y, ok := linear(v, i)
		if !ok || !y.IsValid() || y.States() != 0 {
			return nil, ""
		}
		moving = moving || m.kind != times || m.factor != m.one().factor
		y, ok = widened(y, laneWord(v.Type()))
		if !ok {
			return nil, differ
		}
		p.For = append(p.For, Linear{i, m, y})
	}
	if !moving {
		return nil, ""
	}
	of := k.State[p.For[0].comp]
	if of.IsFloat() && !k.May.Regroup {
		return nil, "sums of floats are not regrouped"
	}
	if slices.ContainsFunc(p.For, func(l Linear) bool { return k.State[l.comp] != of }) {
		return nil, differ
	}
	bits, elem := of.Bits(), k.Streams[0].Bits()
	if elem > bits || slices.ContainsFunc(k.Streams, func(t ir.Type) bool { return !HasVectors(t) || t.Bits() != elem || elem < bits && t.IsFloat() }) {
		return nil, ""
	}
	out := k.newKernel()
	out.About, out.Least = ": lanes take elements by turns, and powers of a step keep them apart", 1
	out.Body = []Node{p, Rest{}}
	if v, why := p.expand(out, Archsimd.Bits); v == nil {
		return nil, why
	}
	return out, ""
}

// laneWord is the type in which the elements of narrower streams are numbers of lanes that hold a component.
func laneWord(t ir.Type) ir.Type { return SignedOf(t.Bits()) }

// advance is a component that is the same in all lanes.
func (k serial) advance(i int, same []bool) (a Advance, ok bool) {
	if !same[i] || len(k.Operator) != len(k.State) || len(k.Identity) != len(k.State) || k.To[i].States()&^(1<<i) != 0 {
		return a, false
	}
	join, x := k.Operator[i], k.To[0].Pool().X(i, k.State[i])
	exact := true
	ir.Walk([]ir.Expr{join, k.To[i]}, func(e ir.Expr) {
		op, c, leaf := Operand(e)
		switch {
		case leaf:
			exact = exact && (op == State || op == Right) && c == i
		case e.IsClosed():
		default: // which compose whatever overflows
			exact = exact && slices.Contains([]ir.Op{ir.Add, ir.Mul, ir.BitAnd, ir.BitXor, ir.BitOr}, e.Op())
		}
	})
	if !exact || k.State[i].IsFloat() && !k.May.Regroup {
		return a, false
	}
	step := ir.Subst(k.To[i], []ir.Expr{x}, []ir.Expr{x.Pool().Const(k.State[i], k.Identity[i])})
	return Advance{i, ir.Eval(step, &ir.Env{}), join}, true
}

// widened is an expression whose narrow elements are those of a wider type: where they are compared, and where they become that type.
func widened(e ir.Expr, word ir.Type) (out ir.Expr, ok bool) {
	ok = true
	done := map[ir.Expr]ir.Expr{}
	narrow := func(e ir.Expr) bool { return e.Type().IsInt() && e.Type().Bits() < word.Bits() }
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		args := make([]ir.Expr, e.NumArgs())
		changed := false
		for i := range args {
			args[i] = done[e.Arg(i)]
			changed = changed || args[i].Type() != e.Arg(i).Type()
		}
		op, stream, _ := Operand(e)
		switch {
		case narrow(e) && op == Load:
			done[e] = Elem(e.Pool(), stream, word)
		case narrow(e) && e.IsClosed():
			done[e] = e.Pool().Int(word, int64(ir.Eval(e, &ir.Env{})))
		case narrow(e) && e.Op() == ir.Select:
			done[e] = ir.SelectOf(args[0], args[1], args[2])
		case narrow(e) && (e.Op() == ir.Min || e.Op() == ir.Max):
			done[e] = ir.Make(e.Op(), args...)
		case narrow(e):
			ok = false
			done[e] = e.Pool().Int(word, 0)
		case changed && e.Op().IsComparison():
			done[e] = ir.Make(e.Op(), args...)
		case changed && e.Op() == ir.Cast:
			done[e] = ir.CastTo(e.Type(), args[0])
		case changed:
			ok = false
			done[e] = e
		case len(args) == 0:
			done[e] = e
		default:
			done[e] = ir.Rebuild(e, args)
		}
	})
	return done[e], ok
}

// inWord is lane element t of the words that a vector of narrow elements is, from the lowest on.
func inWord(v *Value, word ir.Type, t int) *Value {
	bits, wide := v.Type.Elem.Bits(), word.Bits()
	u := word.Unsigned()
	w := as(Reshape, u, SameBits(v, v.Type.Elem.Unsigned()))
	if v.Type.Elem.IsSigned() {
		if up := wide - bits*(t+1); up > 0 {
			w = shifted(ir.Shl, w, up)
		}
		return shifted(ir.Shr, SameBits(w, word), wide-bits)
	}
	if t > 0 {
		w = shifted(ir.Shr, w, bits*t)
	}
	if bits*(t+1) < wide {
		w = apply(ir.BitAnd, w, Spread(u, 1<<bits-1))
	}
	return SameBits(w, word)
}

// expand is the kernel on vectors of so many bits; nil, and why, where lanes do not compute it.
func (p Powers) expand(k *Kernel, bits int) (*Kernel, string) {
	s := serial{k.Serial, k.Serial.Each()}
	out := s.newKernel()
	out.About, out.Bits = k.About, bits
	t := k.State[p.For[0].comp]
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
		typ, op := k.State[f.comp], f.step.combines()
		for _, n := range []int{each, apart, apart * l.Vectors} {
			if m := f.step.power(n); !m.cheap() {
				return nil, "powers of a step vanish, or take many operations"
			}
		}
		start := uint64(0)
		to := f.step.power(apart * l.Vectors).value(Leaf(State, i, typ))
		sum := (*Value)(nil)
		for e := range each { // what a lane takes at once
			y, why := s.elementOf(f.y, typ, each, e)
			if y == nil {
				return nil, why
			}
			if sum == nil {
				sum = y
			} else {
				sum = apply(op, f.step.value(sum), y)
			}
		}
		l.Body = append(l.Body, Set{Accumulators: []int{i}, To: []*Value{apply(op, to, sum)}})
		out.Accumulators = append(out.Accumulators, Accumulator{Comp: f.comp, Elem: typ, Out: typ, Start: start, Copies: l.Copies, Last: true})
		pool := k.Serial.Each().To[0].Pool()
		merges = append(merges, Merge{
			Accumulators: []int{i},
			Lanes:        []*Value{apply(op, f.step.power(apart).value(Leaf(State, i, typ)), Leaf(Right, i, typ))},
			Plain:        []ir.Expr{ir.Make(op, f.step.power(each).expr(pool.X(f.comp, typ)), pool.Y(f.comp, typ))},
		})
	}
	all := below(len(out.Accumulators))
	out.Body = []Node{Start{Accumulators: all}, l, Store{Merges: merges}, Leave{}, Fold{Merges: merges}}
	if t.IsFloat() {
		out.Body = append(out.Body, Finite{})
	}
	for _, a := range p.Advance {
		out.Body = append(out.Body, a)
	}
	out.Body = append(out.Body, Rest{})
	return out, ""
}

// Finite leaves the whole run to steps where what lanes have computed is not finite: a product with a power may be no number where one with a
// factor after the other is infinite.
type Finite struct{}

func (Advance) node() {}
func (Finite) node()  {}

// elementOf is a value of element e of those that a lane takes at once.
func (k serial) elementOf(y ir.Expr, typ ir.Type, each, e int) (*Value, string) {
	word := laneWord(typ)
	b := k.builder(typ.Bits(), func(x ir.Expr) *Value {
		op, i, _ := Operand(x)
		if op != Load || each == 1 || x.Type() != word {
			return nil
		}
		return inWord(Leaf(Load, i, k.Streams[i]), word, e)
	})
	v := b.Value(y)
	return v, b.Lacks()
}
