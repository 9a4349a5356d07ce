package forms

import (
	"slices"

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

// bests lists the searches of a run, and the components that they compute. How floats are treated holds where there is no NaN.
func (k serial) bests() (out []bestPart, of map[int]bool) {
	of = map[int]bool{}
	parts, ok := folds.All(k.To)
	for _, s := range folds.Searches(k.To, parts, ok) {
		stream := k.keyStream(s.Leaf)
		if stream < 0 || k.readElsewhere(s) {
			continue
		}
		a := bestPart{comp: s.Key, Best: kernel.Best{Op: s.Op(), Stream: stream, First: !s.Last, Element: s.Leaf.Type().IsFloat() && !s.Folded}}
		of[s.Key] = true
		for i, c := range s.Payload {
			of[c] = true
			a.Payload = append(a.Payload, kernel.Payload{Comp: c, Expr: s.Taken[i]})
		}
		out = append(out, a)
	}
	return out, of
}

// keyStream is the stream whose elements are ordered as a leaf is: its own, or the one that it extends; -1 for none.
func (k serial) keyStream(leaf ir.Expr) int {
	stream := k.streamOf(unextended(leaf))
	if pool, t := leaf.Pool(), leaf.Type(); stream >= 0 && k.streamOf(leaf) < 0 {
		x, y := pool.Y(0, k.Streams[stream]), pool.Y(1, k.Streams[stream])
		if !folds.Holds(0, ir.LtOf(ir.CastTo(t, x), ir.CastTo(t, y)), ir.LtOf(x, y)) {
			return -1
		}
	}
	return stream
}

// readElsewhere reports whether a component beside a search reads its key.
func (k serial) readElsewhere(s folds.Search) bool {
	for i, v := range k.To {
		if i != s.Key && v.States()>>s.Key&1 != 0 && !slices.Contains(s.Payload, i) {
			return true
		}
	}
	return false
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
