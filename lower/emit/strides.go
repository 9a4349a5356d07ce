package emit

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// plainPart is a component x = x ⊕ h of its own, where ⊕ commutes.
type plainPart struct {
	comp int
	op   ir.Op
	h    ir.Expr
	bits bool // of max(x, abs(y)) on f32: the bit patterns are compared as integers
}

// independent runs components that do not depend on one another.
//
//	{x0 + in(r), max(x1, in(r))}   →   s = s.Add(v); m = m.Max(v) on whole vectors v
//
// Each lane has partial results of its own. Values that carry an index go block by block: see search.
func independent(planned *plan.Plan, k *run) *kernel.Kernel {
	bits := k.streams[0].call.Type().Bits()
	for _, s := range k.streams {
		if s.call.Type().Bits() != bits || !kernel.HasVectors(s.call.Type()) {
			return nil
		}
	}
	best, inGroup := k.bests()
	var plain []plainPart
	for i := range k.values {
		if inGroup[i] {
			continue
		}
		p, ok := k.plainPart(planned, i)
		if !ok || k.types[i].Bits() != bits {
			return nil
		}
		plain = append(plain, p)
	}
	if len(plain) > 0 && slices.ContainsFunc(best, func(a bestPart) bool { return k.types[a.comp].IsFloat() }) {
		return nil // a block with NaN would be added twice
	}
	l, least := kernel.Loop{Copies: 1}, 2 // more chains would not stay in 16 registers
	switch n := len(plain) + len(best); {
	case n == 1:
		l.Copies, least = 4, 4
	case n <= 4:
		l.Copies = 2
	}
	out := k.newKernel()
	out.Least = least
	b := k.builder(bits, func(e ir.Expr) *kernel.Value {
		switch {
		case e.Op() == ir.Var && e.Kind() == ir.State:
			i := slices.IndexFunc(plain, func(p plainPart) bool { return p.comp == e.Index() })
			return kernel.Leaf(kernel.State, i, e.Type())
		case e == k.loop.Var && bits == 32 && len(best) == 0:
			return kernel.Leaf(kernel.Place, 0, ir.I32)
		}
		return nil
	})
	var merges []kernel.Merge
	for i, p := range plain {
		to, a, m := k.inLanes(b, i, p)
		if to == nil {
			return nil
		}
		a.Copies = l.Copies
		out.Accumulators, merges = append(out.Accumulators, a), append(merges, m)
		l.Body = append(l.Body, kernel.Set{Accumulators: []int{i}, To: []*kernel.Value{to}})
	}
	if len(best) > 0 {
		k.search(out, l, best, merges)
		return out
	}
	k.strides(out, l, merges)
	return out
}

// strides is the body of kernels whose lanes hold partial results of their own, until the end.
func (k *run) strides(out *kernel.Kernel, l kernel.Loop, merges []kernel.Merge) {
	out.About = ": lanes hold partial results of their own, which are combined at the end"
	all := numbers(len(out.Accumulators))
	l.Parts = 1
	if l.Vectors = out.Least; !kernel.Uses(l.Values(), kernel.Place, 0) {
		l.Vectors, l.Single = l.Copies, true
	}
	out.Body = []kernel.Node{kernel.Start{Accumulators: all}, l, kernel.Store{Merges: merges}, kernel.Leave{}, kernel.Fold{Merges: merges}, kernel.Rest{}}
}

// inLanes is the update of a component in the accumulator i, and how partial results merge. The update is nil where lanes do not
// compute it.
func (k *run) inLanes(b *kernel.Builder, i int, p plainPart) (to *kernel.Value, a kernel.Accumulator, m kernel.Merge) {
	t, op := k.types[p.comp], p.op
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
func (k *run) plainPart(planned *plan.Plan, i int) (p plainPart, ok bool) {
	e, t := k.values[i], k.types[i]
	if e.NumArgs() != 2 || e.Op() == ir.Call || e.States() != 1<<i {
		return p, false
	}
	x, h := e.Arg(0), e.Arg(1)
	if e.Op().Commutes() && x.States() == 0 {
		x, h = h, x
	}
	if x.Op() != ir.Var || x.Kind() != ir.State || !h.IsLeaf() {
		return p, false
	}
	p = plainPart{comp: i, op: e.Op(), h: h}
	switch p.op {
	case ir.Add, ir.Sub, ir.Mul:
		if t.IsFloat() && !regroups(planned, k) {
			return p, false
		}
	case ir.Max:
		p.bits = t == ir.F32 && h.Op() == ir.Abs
	case ir.Min, ir.BitAnd, ir.BitOr, ir.BitXor:
	default:
		return p, false
	}
	return p, true
}

// regroups reports whether the stage's operator was found under the assumption that float
// arithmetic may be regrouped.
func regroups(p *plan.Plan, k *run) bool {
	a := p.Answers[k.nest.From]
	return a != nil && k.factored() && a.Assumes.Has(ir.Reassoc)
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
	case op == ir.Add && t.IsFloat():
		return ir.FloatBits(t, math.Copysign(0, -1))
	}
	return 0
}

// coupled runs components that depend on one another, of an operator that commutes. Each lane
// has a tuple of its own, which starts as the identity.
//
//	{x0*y0 - x1*y1, x0*y1 + x1*y0}   →   re = re.Mul(a).Sub(im.Mul(b)), … on whole vectors
func coupled(p *plan.Plan, k *run) *kernel.Kernel {
	answer := p.Answers[k.nest.From]
	if answer == nil || !k.factored() || k.nest.Buffer.Seen || !answer.Operator.Commutative || k.first || len(k.nest.Operator) != len(k.types) {
		return nil
	}
	bits, start := k.types[0].Bits(), identityValues(p, k.nest)
	for i, t := range k.types {
		if t.Bits() != bits || t == ir.Bool || start == nil || !start[i].IsClosed() {
			return nil
		}
	}
	for _, s := range k.streams {
		if s.call.Type().Bits() != bits || s.call.Type() == ir.Bool {
			return nil
		}
	}
	out, l := k.newKernel(), kernel.Loop{Copies: 3}
	if len(k.types) > 2 {
		l.Copies = 2
	}
	if len(k.types) > 4 {
		l.Copies = 1
	}
	out.Least = l.Copies
	all := numbers(len(k.types))
	step, merge := kernel.Set{Accumulators: all}, kernel.Merge{Accumulators: all, Plain: k.nest.Operator}
	b := k.builder(bits, func(e ir.Expr) *kernel.Value {
		switch {
		case e.Op() == ir.Var && e.Kind() == ir.State:
			return kernel.Leaf(kernel.State, e.Index(), e.Type())
		case e.Op() == ir.Var && e.Kind() == ir.Leaf && k.streamOf(e) < 0:
			return kernel.Leaf(kernel.Right, e.Index(), e.Type())
		}
		return nil
	})
	for i, t := range k.types {
		to, merged := b.Value(k.values[i]), b.Value(k.nest.Operator[i])
		if to == nil || merged == nil {
			return nil
		}
		step.To, merge.Lanes = append(step.To, to), append(merge.Lanes, merged)
		out.Accumulators = append(out.Accumulators, kernel.Accumulator{Comp: i, Elem: t, Out: t, Start: ir.Eval(start[i], &ir.Env{}), Copies: l.Copies})
	}
	l.Body = []kernel.Set{step}
	k.strides(out, l, []kernel.Merge{merge})
	out.About = ": lanes hold tuples of their own, which are combined at\n// the end, since the operator commutes"
	return out
}

// identityValues lists the values with which lanes of a kernel start: the first values of the
// element that it updates or, where that is an output, of those that hold partial results.
func identityValues(p *plan.Plan, n *nest) []ir.Expr {
	if !n.Buffer.Output {
		return firstValues(p, n.Buffer)
	}
	for _, s := range p.Stages {
		if s.Role == plan.First && s.From == n.From && slices.Equal(s.Buffer.Types, n.Buffer.Types) {
			return s.Values
		}
	}
	return nil
}

// firstValues lists the values with which elements of a buffer start.
func firstValues(p *plan.Plan, b *plan.Buffer) []ir.Expr {
	for _, s := range p.Stages {
		if s.Role == plan.First && s.Buffer == b {
			return s.Values
		}
	}
	return nil
}
