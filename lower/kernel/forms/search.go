package forms

import (
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// bestPart is a component that is a least or greatest element, which carries a payload. It is searched block by block:
//
//	the least value of each block, without places   →   the block that has it   →   its place in that block
type bestPart struct {
	comp int
	kernel.Best
}

// bests lists the searches of a run, and the components that they compute.
func (k serial) bests() (out []bestPart, of map[int]bool) {
	of = map[int]bool{}
	for i := range k.To {
		if a, ok := k.bestPart(i); ok {
			out = append(out, a)
			of[i] = true
			for _, p := range a.Payload {
				of[p.Comp] = true
			}
		}
	}
	return out, of
}

// bestPart takes min(x, y), or of floats select(y < x, y, x), with its selects apart. How floats
// are treated holds where there is no NaN.
func (k serial) bestPart(i int) (a bestPart, ok bool) {
	e := k.To[i]
	x, op := e.Pool().X(i, e.Type()), e.Op()
	var v ir.Expr
	c, element := folds.Chosen(e, i)
	switch {
	case element:
		v, op, a.First = c.Leaf, c.Op(), !c.Last
	case op != ir.Min && op != ir.Max || e.Arg(0) != x:
		return a, false
	default:
		v = e.Arg(1)
	}
	s := k.streamOf(v)
	if s < 0 && v.Op() == ir.Cast && v.Type().IsInt() && v.Arg(0).Type().IsInt() && v.Arg(0).Type().Bits() < v.Type().Bits() {
		s = k.streamOf(v.Arg(0))
	}
	if s < 0 {
		return a, false
	}
	a.comp, a.Op, a.Stream, a.Element = i, op, s, element
	for j, q := range k.To {
		if j == i || q.States()&(1<<i) == 0 {
			continue
		}
		p, first, ok := payloadOf(q, j, x, v, op)
		if !ok || (element || len(a.Payload) > 0) && first != a.First {
			return a, false
		}
		a.First = first
		a.Payload = append(a.Payload, kernel.Payload{Comp: j, Expr: p})
	}
	return a, element || len(a.Payload) > 0
}

// payloadOf takes select(c, x_j, p) apart, where c says that x stays.
func payloadOf(q ir.Expr, j int, x, v ir.Expr, op ir.Op) (p ir.Expr, first, ok bool) {
	if q.Op() != ir.Select || !q.Arg(0).Op().IsComparison() {
		return p, false, false
	}
	c, yes, no := q.Arg(0), q.Arg(1), q.Arg(2)
	cmp, l, r := c.Op(), c.Arg(0), c.Arg(1)
	if l == v && r == x {
		l, r = r, l
		cmp = map[ir.Op]ir.Op{ir.Lt: ir.Gt, ir.Gt: ir.Lt, ir.Le: ir.Ge, ir.Ge: ir.Le}[cmp]
	}
	if l != x || r != v {
		return p, false, false
	}
	if yes.IsLeaf() { // the condition says that x goes
		yes, no = no, yes
		cmp = map[ir.Op]ir.Op{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Gt: ir.Le, ir.Le: ir.Gt}[cmp]
	}
	if yes.Op() != ir.Var || yes.Kind() != ir.State || yes.Index() != j || !no.IsLeaf() {
		return p, false, false
	}
	keep := map[ir.Op][2]ir.Op{ir.Min: {ir.Lt, ir.Le}, ir.Max: {ir.Gt, ir.Ge}}[op]
	return no, cmp == keep[1], cmp == keep[0] || cmp == keep[1]
}

// searchBlock is how many elements of 32 bits are reduced before their least value is compared; those
// of 8 bits have more lanes, which take longer to combine.
const searchBlock = 2048

// search is the body of kernels that search, beside components of their own, whose merges are given and whose updates l has.
func (k serial) search(out *kernel.Kernel, l kernel.Loop, best []bestPart, merges []kernel.Merge) {
	out.About = ": blocks are searched for the value alone, and the one that has it for its place"
	own, floats := kernel.Below(len(out.Accumulators)), false
	s := kernel.Search{Block: searchBlock * 32 / k.Streams[0].Bits()}
	for _, a := range best {
		t := k.Streams[a.Stream]
		a.Accumulator = len(out.Accumulators)
		floats = floats || k.State[a.comp].IsFloat()
		out.Accumulators = append(out.Accumulators, kernel.Accumulator{Comp: a.comp, Elem: t, Out: t, Start: identityOf(a.Op, t), Copies: l.Copies})
		x := kernel.Leaf(kernel.State, a.Accumulator, t)
		a.Merge = kernel.Merge{Accumulators: []int{a.Accumulator}, Lanes: []*kernel.Value{kernel.Apply(a.Op, x, kernel.Leaf(kernel.Right, a.Accumulator, t))}}
		s.For = append(s.For, a.Best)
		to := kernel.Apply(a.Op, x, kernel.Leaf(kernel.Load, a.Stream, t))
		l.Body = append(l.Body, kernel.Set{Accumulators: []int{a.Accumulator}, To: []*kernel.Value{to}})
	}
	l.Vectors, l.Parts, l.Single = 2*out.Least, 1, true
	s.Loop = l
	if len(own) > 0 {
		out.Body = append(out.Body, kernel.Start{Accumulators: own})
	}
	out.Body = append(out.Body, s)
	if len(own) > 0 {
		out.Body = append(out.Body, kernel.Store{Merges: merges}, kernel.Leave{}, kernel.Fold{Merges: merges})
	} else if !floats {
		out.Body = append(out.Body, kernel.Leave{})
	}
	out.Body = append(out.Body, kernel.Find{Search: &s}, kernel.Rest{})
}
