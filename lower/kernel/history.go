package kernel

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// History is a run in which some components are what the last elements make of them, whatever was before. The first elements are taken by steps.
// From there on such a component is an expression over elements behind the one that a step takes, and kernels of the others read these as
// streams. What the last elements say is left in the end.
//
//	{in(r), x1 + abs(in(r) - x0)}   →   a step, then x1 + abs(in(r) - in(r - 1)), and the last element
type History struct {
	Depth int // how many elements behind the one that a step takes are read at most
	Past  []int
	Same  []int // components that stay as they are, once the first steps are taken
	Rest  []Part
}

// Part computes components of a run, in a kernel of its own.
type Part struct {
	Streams []Shift
	Serial  *Kernel
	Kernel  *Kernel // in lanes
	For     []Served
}

// Shift is a stream, begun so many elements earlier.
type Shift struct{ Stream, Behind int }

// Served is the components that a component of a part computes. It begins as the only one, or as what Op leaves as it is, and is then
// joined by Op to each.
type Served struct {
	Comps []int
	Op    ir.Op
	Start uint64
}

func (History) node() {}

// Join is a component behind a part that serves it.
func (s *Served) Join(p *ir.Pool, comp int, t ir.Type) ir.Expr {
	return ir.Make(s.Op, p.X(comp, t), p.Y(comp, t))
}

// shape shapes the kernels of what is left.
func (h History) shape(t *Target) (out History, lacks string) {
	out = h
	out.Rest = slices.Clone(h.Rest)
	for i, p := range h.Rest {
		if out.Rest[i].Kernel, lacks = p.Kernel.Shape(t); lacks != "" {
			return out, lacks
		}
	}
	return out, ""
}
