package forms

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// history makes streams of components that are what the last elements say.
func history(k serial) (*kernel.Kernel, string) {
	h := historian{serial: k, past: Past(k.To)}
	if n := len(h.past); n == 0 || n == len(k.To) || len(k.Where) > 0 {
		return nil, ""
	}
	for s := range k.Streams {
		h.streams = append(h.streams, kernel.Shift{Stream: s, Behind: 0})
	}
	h.rewrite()
	rest, why := h.parts()
	switch {
	case why != "" && len(h.streams) == len(k.Streams): // nothing but a flag is known
		return nil, ""
	case why != "":
		return nil, "where earlier elements are read, " + why
	}
	out := k.NewKernel()
	out.About, out.Least = ", which read earlier elements where components are what these say", 1
	out.Body = []kernel.Node{kernel.History{Depth: h.depth, Past: h.past, Same: h.same, Rest: rest}, kernel.Rest{}}
	return out, ""
}

// Past lists, in order, the components that hold earlier elements: the next value of each reads only inputs and other components of this
// kind.
func Past(to []ir.Expr) (past []int) {
	for changed := true; changed; {
		changed = false
		for i, v := range to {
			reads := v.States()
			for _, j := range past {
				reads &^= 1 << j
			}
			if reads == 0 && !slices.Contains(past, i) {
				past, changed = append(past, i), true
			}
		}
	}
	slices.Sort(past)
	return past
}

// historian makes the kernels of what is left.
type historian struct {
	serial
	past    []int
	streams []kernel.Shift // of what is left, by their numbers
	depth   int
	same    []int
	left    []leftover
}

// leftover is a component that is left: its next value, over State 0 and the historian's streams.
type leftover struct {
	comps []int
	to    ir.Expr
	own   bool // it reads no other component that is left
	fold  folds.Part
	folds bool
}

// behind is an expression over the elements so many steps earlier.
func (h *historian) behind(e ir.Expr, by int) ir.Expr {
	var from, to []ir.Expr
	ir.Walk([]ir.Expr{e}, func(leaf ir.Expr) {
		switch op, i, _ := kernel.Operand(leaf); {
		case op == kernel.Load:
			from, to = append(from, leaf), append(to, kernel.Elem(leaf.Pool(), h.stream(i, by), leaf.Type()))
		case op == kernel.Place && by > 0:
			from, to = append(from, leaf), append(to, ir.SubOf(leaf, leaf.Pool().Int(ir.I32, int64(by))))
		case op == kernel.State && slices.Contains(h.past, i):
			from, to = append(from, leaf), append(to, h.behind(h.To[i], by+1))
		}
	})
	return canon.Decided(ir.Subst(e, from, to))
}

func (h *historian) stream(s, behind int) int {
	h.depth = max(h.depth, behind)
	want := kernel.Shift{Stream: s, Behind: behind}
	i := slices.Index(h.streams, want)
	if i < 0 {
		i = len(h.streams)
		h.streams = append(h.streams, want)
	}
	return i
}

// rewrite finds what is left of the components. Those that fold the same elements are computed once.
func (h *historian) rewrite() {
	for i, v := range h.To {
		if slices.Contains(h.past, i) {
			h.depth = max(h.depth, Reach(h.To, h.past, i))
			continue
		}
		l := leftover{comps: []int{i}, to: h.behind(v, 0)}
		if l.to == v.Pool().X(i, v.Type()) {
			h.same = append(h.same, i)
			continue
		}
		l.own = l.to.States()&^(1<<i) == 0
		if p, ok := folds.Of(l.to, i); ok && p.Op != ir.Const {
			l.fold, l.folds = p, !l.to.Type().IsFloat() || h.May.Regroup || p.Op == ir.Min || p.Op == ir.Max
		}
		same := slices.IndexFunc(h.left, func(o leftover) bool { return l.folds && o.folds && o.fold == l.fold && o.to.Type() == l.to.Type() })
		if same >= 0 {
			h.left[same].comps = append(h.left[same].comps, i)
			continue
		}
		h.left = append(h.left, l)
	}
}

// Reach is how many steps decide what a component of the past is.
func Reach(to []ir.Expr, past []int, i int) int {
	steps := 1
	for _, j := range past {
		if to[i].States()>>j&1 != 0 {
			steps = max(steps, 1+Reach(to, past, j))
		}
	}
	return steps
}

// parts makes a kernel in lanes of all that is left, else one of each component; nil, and why, where lanes do not compute some.
func (h *historian) parts() (parts []kernel.Part, why string) {
	if len(h.left) == 0 {
		return nil, "nothing is left to compute"
	}
	p, why := h.part(h.left)
	if p != nil {
		return []kernel.Part{*p}, ""
	}
	for _, l := range h.left {
		if !l.own || len(h.left) == 1 {
			return nil, why
		}
		p, why := h.part([]leftover{l})
		if p == nil {
			return nil, why
		}
		parts = append(parts, *p)
	}
	return parts, ""
}

func (h *historian) part(left []leftover) (*kernel.Part, string) {
	p := kernel.Part{}
	var from, to, values []ir.Expr
	for i, l := range left {
		from, to = append(from, l.to.Pool().X(l.comps[0], l.to.Type())), append(to, l.to.Pool().X(i, l.to.Type()))
		s := kernel.Served{Comps: l.comps}
		if len(l.comps) > 1 {
			s.Op, s.Start = l.fold.Op, folds.NeutralValue(l.fold.Op, l.to.Type())
		}
		p.For = append(p.For, s)
	}
	for _, l := range left {
		values = append(values, l.to)
	}
	for i, s := range h.streams {
		if !kernel.Mentions(values, kernel.Load, i) {
			continue
		}
		t := h.Streams[s.Stream]
		from, to = append(from, kernel.Elem(h.To[0].Pool(), i, t)), append(to, kernel.Elem(h.To[0].Pool(), len(p.Streams), t))
		p.Streams = append(p.Streams, s)
	}
	if len(p.Streams) == 0 {
		return nil, "a component reads no element"
	}
	p.Serial = &kernel.Kernel{Scalars: h.Scalars, May: kernel.May{Regroup: h.May.Regroup}}
	each := kernel.Each{}
	for _, l := range left {
		p.Serial.State = append(p.Serial.State, l.to.Type())
		each.To = append(each.To, ir.Subst(l.to, from, to))
	}
	for _, s := range p.Streams {
		p.Serial.Streams = append(p.Serial.Streams, h.Streams[s.Stream])
	}
	p.Serial.Body = []kernel.Node{each}
	best, ok, why := Cheapest(Choices(p.Serial))
	if !ok {
		return nil, why
	}
	p.Kernel = best.Kernel
	return &p, ""
}
