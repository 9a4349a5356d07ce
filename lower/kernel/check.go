package kernel

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Check gives an error where a kernel is not well formed: operands of another type or width than an operation takes, leaves that have no
// value where they stand, accumulators that are used before they start, a body that ends without the rest.
func (k *Kernel) Check(t *Target) error {
	c := checker{k: k, target: t, started: make([]bool, len(k.Accumulators))}
	for i, a := range k.Accumulators {
		if a.Comp < NoComp || a.Comp >= len(k.State) || a.Copies < 1 || a.Elem.Bits() != a.Out.Bits() {
			c.failf("accumulator %d is none of the state", i)
		}
	}
	if c.err != nil {
		return c.err
	}
	c.nodes(k.Body)
	if len(k.Body) == 0 {
		c.failf("there is no body")
		return c.err
	}
	switch k.Body[len(k.Body)-1].(type) {
	case Rest:
		if k.Serial == nil {
			c.failf("there is no serial kernel for the rest of the run")
		}
	case Each, Tree:
	default:
		c.failf("the rest of the run is left out")
	}
	return c.err
}

type checker struct {
	k       *Kernel
	target  *Target
	started []bool
	stored  bool
	err     error
}

func (c *checker) failf(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("kernel: "+format, args...)
	}
}

func (c *checker) nodes(body []Node) {
	for _, n := range body {
		switch n := n.(type) {
		case Each:
			c.exprs(slices.Concat(n.Where, n.Keep), State, Load, Scalar, Place)
			if n.To != nil || n.Keep == nil && !n.Until.IsValid() {
				c.components(n.To, State, Load, Scalar, Place)
			}
		case Tree:
			if n.Block < 2 || len(n.Apply)+len(n.Inject)+2 != len(c.k.State) || len(n.Combine) != len(n.Inject) {
				c.failf("a tree of %d parameters for %d components", len(n.Inject), len(c.k.State))
			}
		case Peeled:
			c.components(n.To, State, Load, Scalar, Place)
		case Chunks:
			c.components(n.To, State, Load, Scalar, Place)
			c.components(n.Join, State, Right, Scalar)
			if n.Parts < 2 || n.Least < 1 || len(n.Start) != len(c.k.State) || len(n.Same) != len(c.k.State) {
				c.failf("%d chunks of %d elements", n.Parts, n.Least)
			}
		case Start:
			c.start(n.Accumulators)
		case Loop:
			c.loop(&n)
		case Runs:
			if n.Step < 1 || n.Most < 1 {
				c.failf("runs of no steps")
			}
			c.nodes(n.Body)
		case Flush:
			for _, m := range n.Merges {
				c.lanes(m)
			}
			for i, a := range n.Into.Accumulators {
				c.accumulator(a, n.Into.To[i])
				c.value(n.Into.To[i], Vector, State)
			}
		case Store:
			c.stored = true
			for _, m := range n.Merges {
				c.merge(m)
			}
		case Fold:
			if !c.stored {
				c.failf("lanes are merged with the state before they are stored")
			}
		case Search:
			for _, b := range n.For {
				c.start([]int{b.Accumulator})
				if b.Stream >= len(c.k.Streams) || b.Op != ir.Min && b.Op != ir.Max {
					c.failf("a search for no element")
				}
			}
			c.loop(&n.Loop)
		case Begin:
			c.start(n.Accumulators)
			for i, a := range n.Accumulators {
				c.accumulator(a, n.To[i])
				c.value(n.To[i], Vector, Load, Scalar, Comp, Place)
			}
			c.do(n.Do, Load, Scalar, Comp, Place)
		case Last:
			if !c.stored {
				c.failf("the last lane is taken before it is stored")
			}
		case Owned:
			c.owned(n)
		case History:
			c.history(n)
		case Skip:
			for _, v := range n.Changes {
				c.value(v, Mask, Load, Still, Scalar)
			}
		}
	}
}

// history checks that each component is of the past, or is served by one part.
func (c *checker) history(h History) {
	served := make([]int, len(c.k.State))
	for _, i := range append(append([]int{}, h.Past...), h.Same...) {
		served[i]++
	}
	for _, p := range h.Rest {
		if err := p.Kernel.Check(c.target); err != nil {
			c.failf("a part: %v", err)
		}
		for i, s := range p.For {
			for _, comp := range s.Comps {
				if served[comp]++; c.k.State[comp] != p.Kernel.State[i] {
					c.failf("component %d of %s is served by %s", comp, c.k.State[comp], p.Kernel.State[i])
				}
			}
		}
		for _, s := range p.Streams {
			if s.Behind < 0 || s.Behind > h.Depth {
				c.failf("a stream begins %d elements earlier", s.Behind)
			}
		}
	}
	if h.Depth < 1 || slices.ContainsFunc(served, func(n int) bool { return n != 1 }) {
		c.failf("components are served %d times, behind %d steps", served, h.Depth)
	}
}

// components checks values of all components.
func (c *checker) components(es []ir.Expr, leaves ...Op) {
	if len(es) != len(c.k.State) {
		c.failf("%d values for %d components", len(es), len(c.k.State))
		return
	}
	for i, e := range es {
		if e.Type() != c.k.State[i] {
			c.failf("component %d of %s gets %s", i, c.k.State[i], e)
		}
	}
	c.exprs(es, leaves...)
}

// exprs checks that expressions are over such leaves, of the types that these have.
func (c *checker) exprs(es []ir.Expr, leaves ...Op) {
	types := map[Op][]ir.Type{State: c.k.State, Right: c.k.State, Load: c.k.Streams, Scalar: c.k.Scalars, Place: {ir.I32}}
	ir.Walk(es, func(e ir.Expr) {
		if e.Op() != ir.Var && e.Op() != ir.Call {
			return
		}
		op, i, ok := Operand(e)
		if of := types[op]; !ok || !slices.Contains(leaves, op) || i >= len(of) || of[i] != e.Type() {
			c.failf("%s has no value here", e)
		}
	})
}

func (c *checker) start(accumulators []int) {
	for _, i := range accumulators {
		c.started[i] = true
	}
}

// accumulator reports whether a value of a type may be given to an accumulator.
func (c *checker) accumulator(i int, v *Value) {
	switch {
	case i >= len(c.started) || !c.started[i]:
		c.failf("accumulator %d has no value to begin with", i)
	case v == nil:
		c.failf("accumulator %d gets no value", i)
	case v.Type.Elem != c.k.Accumulators[i].Elem:
		c.failf("accumulator %d of %s gets %s", i, c.k.Accumulators[i].Elem, v)
	}
}

func (c *checker) loop(l *Loop) {
	if l.Vectors < 1 || l.Parts < 1 || l.Copies < 1 || l.Vectors%l.Parts > 0 || l.Copies > l.Vectors {
		c.failf("a loop takes %d vectors from %d parts to %d copies", l.Vectors, l.Parts, l.Copies)
	}
	if l.Parts > 1 && Uses(l.Values(), Place, 0) {
		c.failf("coordinates of parts do not advance from one vector to the next")
	}
	c.do(l.Do, Load, State, Place, Scalar, Comp)
	var set []int
	for _, s := range l.Body {
		for _, a := range set {
			if Uses(s.To, State, a) {
				c.failf("accumulator %d is read after it got a new value", a)
			}
		}
		set = append(set, s.Accumulators...)
		for i, a := range s.Accumulators {
			c.accumulator(a, s.To[i])
			if a < len(c.k.Accumulators) && c.k.Accumulators[a].Copies != l.Copies {
				c.failf("accumulator %d has not the copies of its loop", a)
			}
			c.value(s.To[i], Vector, Load, State, Place, Scalar, Comp)
		}
	}
}

// do checks what is done with vectors.
func (c *checker) do(nodes []Node, leaves ...Op) {
	for _, n := range nodes {
		switch n := n.(type) {
		case Put:
			if c.value(n.Value, Vector, leaves...); n.Output >= len(c.k.Outputs) || n.Value.Type.Elem != c.k.Outputs[n.Output] {
				c.failf("output %d is none, or of another type than %s", n.Output, n.Value)
			}
		case Keep:
			c.value(n.Holds, Mask, leaves...)
			for _, v := range n.Values {
				c.value(v, Vector, leaves...)
			}
		case Until:
			c.value(n.Holds, Mask, leaves...)
		default:
			c.failf("%T is done with no vector", n)
		}
	}
}

// lanes checks how copies merge.
func (c *checker) lanes(m Merge) {
	for i, v := range m.Lanes {
		c.accumulator(m.Accumulators[i], v)
		c.value(v, Vector, State, Right, Scalar)
	}
}

func (c *checker) merge(m Merge) {
	c.lanes(m)
	for i, a := range m.Accumulators {
		if c.k.Accumulators[a].Comp == NoComp {
			c.failf("accumulator %d is stored, and is no component", a)
			return
		} else if m.Plain == nil { // whose last lane is taken
			continue
		}
		if want := c.k.State[c.k.Accumulators[a].Comp]; m.Plain[i].Type() != want {
			c.failf("component %d is merged as %s", c.k.Accumulators[a].Comp, m.Plain[i].Type())
		}
	}
}

// value checks that the target has a value's operations, at types that these take, and that it is made of such leaves.
func (c *checker) value(v *Value, shape Shape, leaves ...Op) {
	if v == nil || v.Type.Shape != shape {
		c.failf("%v is no vector, or no mask, where there has to be one", v)
		return
	}
	v.Walk(func(v *Value) {
		switch {
		case v.Op == Literal:
		case v.Op.IsLeaf():
			allowed := false
			for _, op := range leaves {
				allowed = allowed || v.Op == op
			}
			if !allowed {
				c.failf("%s has no value here", v)
			}
		case !c.target.Has(v):
			c.failf("the target has no %s", v)
		default:
			c.operands(v)
		}
	})
}

// operands checks that operands have lanes of the width of the result, and those of ordinary operations one type.
func (c *checker) operands(v *Value) {
	for _, a := range v.Args {
		mask := a.Type.Shape == Mask
		switch {
		case v.Op == Reshape || v.Op == Table || v.Op == Permute:
		case v.Op == SumAbsDiff || v.Op == Sums || v.Op == DotPairs || v.Op == Widen:
			if a.Type.Elem.Bits() >= v.Type.Elem.Bits() {
				c.failf("lanes of %s are no wider than those of its operand", v)
			}
		case a.Type.Elem.Bits() != v.Type.Elem.Bits():
			c.failf("lanes of %s differ in width", v)
		case v.Op == Bits || v.Op == Convert || v.Op == Lanes || mask && (v.Op == Choose || v.Op == Masked):
		case v.Type.Shape == Mask && mask && v.Op != Op(ir.And) && v.Op != Op(ir.Or):
			c.failf("%s compares masks", v)
		case !mask && a.Type.Elem != v.Args[0].Type.Elem:
			c.failf("operands of %s differ in type", v)
		}
	}
}
