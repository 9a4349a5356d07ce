package forms

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// plainPart is a component x = x ⊕ h of its own, where ⊕ commutes.
type plainPart struct {
	comp int
	op   ir.Op
	h    ir.Expr
	bits bool // of max(x, abs(y)) on f32: the bit patterns are compared as integers
}

// calls reports whether the operation is a function of several instructions, whose operands take registers.
func (p plainPart) calls() bool {
	return p.h.Type().IsFloat() && (p.op == ir.Min || p.op == ir.Max) && !p.bits
}

// independent runs components that do not depend on one another.
//
//	{x0 + in(r), max(x1, in(r))}   →   s = s.Add(v); m = m.Max(v) on whole vectors v
//
// Each lane has partial results of its own. Values that carry an index go block by block: see search.
func independent(k serial) (*kernel.Kernel, string) {
	bits := k.Streams[0].Bits()
	for _, t := range k.Streams {
		if t.Bits() != bits || !kernel.HasVectors(t) {
			return nil, ""
		}
	}
	best, inGroup := k.bests()
	var plain []plainPart
	for i := range k.To {
		if inGroup[i] {
			continue
		}
		p, ok := k.plainPart(i)
		if !ok || k.State[i].Bits() != bits {
			return nil, ""
		}
		plain = append(plain, p)
	}
	if len(plain) > 0 && slices.ContainsFunc(best, func(a bestPart) bool { return k.State[a.comp].IsFloat() }) {
		return nil, "" // a block with NaN would be added twice
	}
	l, least := kernel.Loop{Copies: 1}, 2 // more chains would not stay in 16 registers
	switch n := len(plain) + len(best); {
	case n == 1:
		l.Copies, least = 4, 4
	case n == 2 && len(best) == 0 && !slices.ContainsFunc(plain, plainPart.calls):
		l.Copies, least = 3, 3
	case n <= 4:
		l.Copies = 2
	}
	out := k.NewKernel()
	out.Least = least
	b := k.Builder(bits, func(e ir.Expr) *kernel.Value {
		switch {
		case e.Op() == ir.Var && e.Kind() == ir.State:
			i := slices.IndexFunc(plain, func(p plainPart) bool { return p.comp == e.Index() })
			return kernel.Leaf(kernel.State, i, e.Type())
		case e == kernel.At(e.Pool()) && bits == 32 && len(best) == 0:
			return kernel.Leaf(kernel.Place, 0, ir.I32)
		}
		return nil
	})
	var merges []kernel.Merge
	for i, p := range plain {
		to, a, m := k.inLanes(b, i, p)
		if to == nil {
			return nil, ""
		}
		a.Copies = l.Copies
		out.Accumulators, merges = append(out.Accumulators, a), append(merges, m)
		l.Body = append(l.Body, kernel.Set{Accumulators: []int{i}, To: []*kernel.Value{to}})
	}
	if len(best) > 0 {
		k.search(out, l, best, merges)
		return out, ""
	}
	k.strides(out, l, merges)
	return out, ""
}

// strides is the body of kernels whose lanes hold partial results of their own, until the end.
func (k serial) strides(out *kernel.Kernel, l kernel.Loop, merges []kernel.Merge) {
	out.About = ": lanes hold partial results of their own, which are combined at the end"
	all := kernel.Below(len(out.Accumulators))
	l.Parts, l.Vectors, l.Single = 1, l.Copies, true
	out.Body = []kernel.Node{kernel.Start{Accumulators: all}, l, kernel.Store{Merges: merges}, kernel.Leave{}, kernel.Fold{Merges: merges}, kernel.Rest{}}
}

// added is the kernel of a sum that adds a value, in lanes of its type, to runs of so many vectors at least. A lane is another type than the sum
// where that is the same modulo the sum's width.
func (k serial) added(v *kernel.Value, least int) *kernel.Kernel {
	out, l, elem := k.NewKernel(), kernel.Loop{Copies: 4}, v.Type.Elem
	out.Least, out.Accumulators = least, []kernel.Accumulator{{Elem: elem, Out: elem, Copies: 4}}
	s, x := kernel.Leaf(kernel.State, 0, elem), k.To[0].Pool().X(0, k.State[0])
	l.Body = []kernel.Set{{Accumulators: []int{0}, To: []*kernel.Value{kernel.Apply(ir.Add, s, v)}}}
	k.strides(out, l, []kernel.Merge{{
		Accumulators: []int{0}, Lanes: []*kernel.Value{kernel.Apply(ir.Add, s, kernel.Leaf(kernel.Right, 0, elem))},
		Plain: []ir.Expr{ir.AddOf(x, ir.CastTo(k.State[0], x.Pool().Y(0, elem)))},
	}})
	return out
}

// inLanes is the update of a component in the accumulator i, and how partial results merge. The update is nil where lanes do not
// compute it.
func (k serial) inLanes(b *kernel.Builder, i int, p plainPart) (to *kernel.Value, a kernel.Accumulator, m kernel.Merge) {
	t, op := k.State[p.comp], p.op
	pool := p.h.Pool()
	state := pool.X(p.comp, t)
	a = kernel.Accumulator{Comp: p.comp, Elem: t, Out: t, Start: identityOf(op, t)}
	if p.bits {
		h := b.Value(p.h.Arg(0))
		if h == nil {
			return nil, a, m
		}
		a.Elem, a.Start = ir.I32, 0
		a.Note = "Without the sign, bit patterns are ordered as the numbers are, and NaN lies above infinity."
		to = kernel.Apply(ir.Max, kernel.Leaf(kernel.State, i, a.Elem), kernel.Magnitude(h, a.Elem))
	} else {
		to = b.Value(ir.Make(op, state, p.h))
	}
	if op == ir.Sub {
		op = ir.Add // lanes hold 0 − h − …
	}
	return to, a, kernel.Merge{
		Accumulators: []int{i},
		Lanes:        []*kernel.Value{kernel.Apply(op, kernel.Leaf(kernel.State, i, a.Elem), kernel.Leaf(kernel.Right, i, a.Elem))},
		Plain:        []ir.Expr{ir.Make(op, state, pool.Y(p.comp, t))},
	}
}

// plainPart takes x = x ⊕ h apart.
func (k serial) plainPart(i int) (p plainPart, ok bool) {
	f, ok := folds.Of(k.To[i], i)
	p = plainPart{comp: i, op: f.Op, h: f.Leaf}
	float := k.State[i].IsFloat()
	switch {
	case !ok || p.op == ir.Const || p.op == ir.And || p.op == ir.Or:
		return p, false
	case p.op == ir.Add && p.h.Op() == ir.Neg:
		p.op, p.h = ir.Sub, p.h.Arg(0)
	case p.op == ir.Max:
		p.bits = k.State[i] == ir.F32 && p.h.Op() == ir.Abs
	}
	return p, !float || k.May.Regroup || p.op == ir.Min || p.op == ir.Max
}

// identityOf is where lanes start.
func identityOf(op ir.Op, t ir.Type) uint64 {
	switch {
	case op == ir.Mul && t.IsFloat():
		return ir.FloatBits(t, 1)
	case op == ir.Mul:
		return 1
	case op == ir.Min:
		return t.Max()
	case op == ir.Max:
		return t.Min()
	case op == ir.BitAnd:
		return t.Wrap(^uint64(0))
	case (op == ir.Add || op == ir.Sub) && t.IsFloat():
		return ir.FloatBits(t, math.Copysign(0, -1))
	}
	return 0
}

// coupled runs components that depend on one another, of an operator that commutes. Each lane
// has a tuple of its own, which starts as the identity.
//
//	{x0*y0 - x1*y1, x0*y1 + x1*y0}   →   re = re.Mul(a).Sub(im.Mul(b)), … on whole vectors
func coupled(k serial) (*kernel.Kernel, string) {
	bits := k.State[0].Bits()
	for _, t := range slices.Concat(k.State[:len(k.Operator)], k.Streams) {
		if t.Bits() != bits || t == ir.Bool {
			return nil, differ
		}
	}
	comps := len(k.Operator)
	to, first := k.To, []ir.Expr(nil)
	if k.May.Seen {
		var ok bool
		if first, to, ok = k.begun(); !ok {
			return nil, noFlag.why
		}
	}
	out, l := k.NewKernel(), kernel.Loop{Copies: 3}
	if comps > 2 {
		l.Copies = 2
	}
	if comps > 4 {
		l.Copies = 1
	}
	out.Least = l.Copies
	all := kernel.Below(comps)
	step, merge := kernel.Set{Accumulators: all}, kernel.Merge{Accumulators: all, Plain: k.Operator}
	b := k.Builder(bits, func(e ir.Expr) *kernel.Value {
		switch {
		case e.Op() == ir.Var && e.Kind() == ir.State:
			return kernel.Leaf(kernel.State, e.Index(), e.Type())
		case e.Op() == ir.Var && e.Kind() == ir.Leaf:
			return kernel.Leaf(kernel.Right, e.Index(), e.Type())
		}
		return nil
	})
	begin := kernel.Begin{Set: kernel.Set{Accumulators: all}}
	for i, t := range k.State[:comps] {
		to, merged := b.Value(to[i]), b.Value(k.Operator[i])
		if to == nil || merged == nil {
			return nil, b.Lacks()
		}
		a := kernel.Accumulator{Comp: i, Elem: t, Out: t, Copies: l.Copies}
		if first != nil {
			from := b.Value(first[i])
			if from == nil {
				return nil, b.Lacks()
			}
			begin.To = append(begin.To, from)
		} else {
			a.Start = k.Identity[i]
		}
		step.To, merge.Lanes = append(step.To, to), append(merge.Lanes, merged)
		out.Accumulators = append(out.Accumulators, a)
	}
	l.Body = []kernel.Set{step}
	k.strides(out, l, []kernel.Merge{merge})
	if first != nil {
		out.Least++ // an element is taken first
		out.Body = append([]kernel.Node{kernel.Peeled{To: first}, begin}, out.Body[1:]...)
	}
	out.About = ": lanes hold tuples of their own, which are combined at\n// the end, since the operator commutes"
	return out, ""
}
