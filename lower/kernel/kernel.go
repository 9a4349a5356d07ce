package kernel

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Kernel updates a state with a run of elements, the same run of each of its streams: one after another, as Build gives it, or whole vectors of
// them in lanes, and the rest as the serial kernel does.
type Kernel struct {
	About        string    // what it does with lanes: the end of a comment
	Streams      []ir.Type // the elements of what it reads
	Outputs      []ir.Type // and of what it writes
	State        []ir.Type // the components
	Scalars      []ir.Type // what does not change during the run
	Least        int       // vectors: shorter runs are left to the plain loop
	Accumulators []Accumulator
	Body         []Node
	Operator     []ir.Expr // combines partial results, over ir.State and ir.Leaf, but for a flag May.Seen; nil for none
	Identity     []uint64  // what Operator leaves as it is; nil where that is no literal
	May          May
	Serial       *Kernel // what Rest does; nil in a serial kernel
	Table        bool    // steps are looked up, as package folds tabulates them
	Bits         int     // of the vectors that it is for; 0 for any
	InMemory     []Args  // what lies in memory while vectors are in use
}

// Args is arguments of one type: components and scalars.
type Args struct {
	Type           ir.Type
	State, Scalars []int
}

// NoComp is the component of accumulators that are flushed into others.
const NoComp = -1

// Accumulator is a component in lanes, or a part of one.
type Accumulator struct {
	Comp   int
	Elem   ir.Type
	Out    ir.Type // of its bits where they are stored; a lane of it is what Merge.Plain merges
	Start  uint64  // of each lane
	Last   bool    // the last lane starts with the component, and the fold with Start
	Copies int     // that the vectors of a step go to by turns: one would wait for the last
	Bias   int64   // by how much the sum is too great for each element taken, modulo the component's width; Fold takes it off
	Note   string  // why it starts so, for a comment
}

// Merge is how partial results of some accumulators become one.
type Merge struct {
	Accumulators []int
	Lanes        []*Value  // over State and Right, accumulators by their numbers
	Plain        []ir.Expr // the same of the components, over ir.State and ir.Leaf
}

// Node is a part of a kernel's body.
type Node interface{ node() }

// Each takes one element after another.
type Each struct {
	Where []ir.Expr // conditions, under which alone an element counts
	To    []ir.Expr // the components' values after it
	Put   []int     // the components that are written behind it, one to each output
	Keep  []ir.Expr // what is appended to the outputs
	Until ir.Expr   // ends the run before the element; the zero Expr where none does
}

// Tree writes a component of the state behind each element. An element has a step, and steps have parameters that compose, in blocks: the upper half of
// each 2, then 4, then 8 steps takes the last one of the lower half, and all take what was composed before. Behind the state, which stays, the kernel
// has components for that, one that is 0 while all states are finite, and one that tells whether any step was composed.
type Tree struct {
	Block   int
	Inject  []ir.Expr // the parameters of an element's step
	Combine []ir.Expr // those of two steps, over State and Right
	Apply   []ir.Expr // the state behind steps, over State, the one before all of them, and Right
	Keep    int       // the component that is written
	Finite  bool      // parameters have to be finite, too: states may be where these are not
}

// Peeled takes one element, if there is one and the last component is false.
type Peeled struct{ To []ir.Expr }

// Chunks cuts the run into parts of one length. Every step takes one element of each part. Each part has a state of its own, and
// these are joined with the state in the order of the parts.
type Chunks struct {
	Parts int
	Least int       // elements of a part: shorter runs stay whole
	Start []uint64  // of each part
	To    []ir.Expr // an element's step
	Same  []bool    // components that are the same in all parts, which are kept once
	Join  []ir.Expr // of the state and a part's, over ir.State and ir.Leaf
}

// Start gives accumulators the values that they start with.
type Start struct{ Accumulators []int }

// Loop takes whole vectors of the streams, as many as there are.
type Loop struct {
	Vectors int  // that a step takes
	Copies  int  // of the accumulators: vector j of a step goes to copy j % Copies
	Parts   int  // in which the streams are cut, all of which a step advances in
	Single  bool // what long steps leave is taken vector by vector
	Leaves  bool // steps leave an element or more
	Block   int  // vectors that Body and Do take together; 0 for one
	Before  int  // how many elements before a vector's place are read, too
	Body    []Set
	Do      []Node // Put, Keep, Until: with the accumulators as they are before the sets
}

// block is how many vectors the body takes together.
func (l *Loop) block() int { return max(l.Block, 1) }

// Put writes a vector behind what was written to an output.
type Put struct {
	Output int
	Value  *Value
	At     int // elements from the first vector of a block
}

// Keep moves the elements for which a mask holds together, and appends what is made of them to the outputs.
type Keep struct {
	Holds  *Value
	Values []*Value
}

// Until ends the run before the first element for which a mask holds.
type Until struct{ Holds *Value }

// Head takes so many elements as the serial kernel does.
type Head struct{ Elements int }

// Last gives components the last lane of accumulators, which a Store wrote.
type Last struct{ Accumulators []int }

// Set assigns new values to several accumulators. All values are computed before the first is assigned.
type Set struct {
	Accumulators []int
	To           []*Value // over State, Load, Place and scalars
}

// Runs runs its body on one part of the streams after another, of so many vectors at most.
type Runs struct {
	Step int // vectors: parts are of whole steps
	Most int // steps
	Body []Node
}

// Flush merges the copies of accumulators that are no components, and gives their values to others.
type Flush struct {
	Merges []Merge // of lanes alone
	Into   Set
}

// Store merges the copies of accumulators, and stores their lanes.
type Store struct{ Merges []Merge }

// Leave ends the use of vector registers, so that scalar float code may follow.
type Leave struct{}

// Fold merges the lanes that a Store wrote into the state.
type Fold struct{ Merges []Merge }

// Search finds the least or greatest element for some components, and its place. It computes the best value of each block without a
// place, and looks for the place in the best block alone.
type Search struct {
	Block int // elements
	For   []Best
	Loop  Loop
}

// Best is a component that becomes the least or the greatest element of a stream, with the components computed from that element.
type Best struct {
	Accumulator int
	Op          ir.Op // ir.Min or ir.Max
	Stream      int
	First       bool // of equal elements the first one counts, else the last one
	Element     bool // of floats: the component becomes an element, of zeros, too, not their minimum or maximum
	Payload     []Payload
	Merge       Merge // of the copies and lanes of a block
}

// Payload is a component that is computed from the element that is best.
type Payload struct {
	Comp int
	Expr ir.Expr
}

// Find finds the places of what Search has found in their blocks, and computes the payloads.
type Find struct{ Search *Search }

// Skip leaves out blocks of elements that change nothing.
type Skip struct {
	Block   int       // elements
	Changes []*Value  // one mask: which elements change the state, over Load, Still and scalars
	Still   []ir.Expr // what the leaves Still are, over the state at the beginning of a block
	Seen    bool      // the last component tells whether any element has come: until then nothing is left out
	Absorbs ir.Op     // ir.And or ir.Or where the only component stays once that operator has absorbed it
}

// Rest takes what is left of the streams as the serial kernel does.
type Rest struct{}

func (Each) node()   {}
func (Peeled) node() {}
func (Chunks) node() {}
func (Start) node()  {}
func (Loop) node()   {}
func (Runs) node()   {}
func (Flush) node()  {}
func (Store) node()  {}
func (Leave) node()  {}
func (Fold) node()   {}
func (Search) node() {}
func (Find) node()   {}
func (Skip) node()   {}
func (Rest) node()   {}
func (Tree) node()   {}
func (Put) node()    {}
func (Keep) node()   {}
func (Until) node()  {}
func (Head) node()   {}
func (Last) node()   {}

// Loads lists the streams that some values read.
func (k *Kernel) Loads(values []*Value) (out []int) {
	for s := range k.Streams {
		if Uses(values, Load, s) {
			out = append(out, s)
		}
	}
	return out
}

// Values lists what a loop computes.
func (l *Loop) Values() (out []*Value) {
	for _, s := range l.Body {
		out = append(out, s.To...)
	}
	return append(out, valuesOf(l.Do)...)
}

// Values lists what first elements are made into.
func (b *Begin) Values() []*Value { return append(slices.Clone(b.To), valuesOf(b.Do)...) }

// Takes reports whether a node needs a value.
func Takes(n Node, v *Value) bool {
	takes := false
	for _, of := range ValuesOf(n) {
		of.Walk(func(w *Value) { takes = takes || w == v })
	}
	return takes
}

// ValuesOf lists what a node takes.
func ValuesOf(n Node) []*Value { return valuesOf([]Node{n}) }

func valuesOf(nodes []Node) (out []*Value) {
	mappedNodes(nodes, func(v *Value) *Value {
		out = append(out, v)
		return v
	})
	return out
}

// First gives the first node of a type, also of those in runs; ok is false where there is none.
func First[N Node](body []Node) (n N, ok bool) {
	for _, b := range body {
		if n, ok := b.(N); ok {
			return n, true
		}
		if r, ok := b.(Runs); ok {
			if n, ok := First[N](r.Body); ok {
				return n, true
			}
		}
	}
	return n, false
}

// LoopOf is the loop over vectors that a kernel has; nil where it has none.
func (k *Kernel) LoopOf() *Loop {
	if s, ok := First[Search](k.Body); ok {
		return &s.Loop
	}
	if l, ok := First[Loop](k.Body); ok {
		return &l
	}
	return nil
}

// Wide is the type of which as many elements are a vector as a step takes of each stream: that of what is put, else of the first stream that lanes
// read, or the one that it is widened to.
func (k *Kernel) Wide() ir.Type {
	values := []*Value{}
	if l := k.LoopOf(); l != nil {
		for _, n := range l.Do {
			if p, ok := n.(Put); ok {
				return p.Value.Type.Elem
			}
		}
		values = l.Values()
	} else if s, ok := First[Skip](k.Body); ok {
		values = s.Changes
	}
	wide, least := LaneType(k.Streams[0]), len(k.Streams)
	for _, v := range values {
		v.Walk(func(v *Value) {
			if v.Op == Load && int(v.Imm) < least {
				wide, least = LaneType(v.Type.Elem), int(v.Imm)
			}
		})
	}
	for _, v := range values {
		v.Walk(func(v *Value) {
			if v.Op == Widen {
				wide = v.Type.Elem
			}
		})
	}
	return wide
}

// LaneType is the type of the lanes that hold elements of a type: truth values are bytes.
func LaneType(t ir.Type) ir.Type {
	if t == ir.Bool {
		return ir.U8
	}
	return t
}

// mapped is a kernel whose values are what f makes of them.
func (k *Kernel) mapped(f func(*Value) *Value) *Kernel {
	out := *k
	out.Body = mappedNodes(k.Body, f)
	return &out
}

func mappedNodes(body []Node, f func(*Value) *Value) (out []Node) {
	all := func(values []*Value) (out []*Value) {
		for _, v := range values {
			out = append(out, f(v))
		}
		return out
	}
	loop := func(l Loop) Loop {
		l.Body = slices.Clone(l.Body)
		for i, s := range l.Body {
			l.Body[i].To = all(s.To)
		}
		l.Do = mappedNodes(l.Do, f)
		return l
	}
	merges := func(ms []Merge) []Merge {
		ms = slices.Clone(ms)
		for i, m := range ms {
			ms[i].Lanes = all(m.Lanes)
		}
		return ms
	}
	for _, n := range body {
		switch n := n.(type) {
		case Loop:
			out = append(out, loop(n))
		case Runs:
			n.Body = mappedNodes(n.Body, f)
			out = append(out, n)
		case Flush:
			out = append(out, Flush{merges(n.Merges), Set{n.Into.Accumulators, all(n.Into.To)}})
		case Store:
			out = append(out, Store{merges(n.Merges)})
		case Search:
			n.Loop = loop(n.Loop)
			n.For = slices.Clone(n.For)
			for i, b := range n.For {
				n.For[i].Merge.Lanes = all(b.Merge.Lanes)
			}
			out = append(out, n)
		case Begin:
			out = append(out, Begin{Set{n.Accumulators, all(n.To)}, mappedNodes(n.Do, f)})
		case Put:
			out = append(out, Put{n.Output, f(n.Value), n.At})
		case Keep:
			out = append(out, Keep{f(n.Holds), all(n.Values)})
		case Until:
			out = append(out, Until{f(n.Holds)})
		case Owned:
			n.Steps = slices.Clone(n.Steps)
			for i, s := range n.Steps {
				n.Steps[i] = all(s)
			}
			out = append(out, n)
		case Skip:
			n.Changes = all(n.Changes)
			out = append(out, n)
		default:
			out = append(out, n)
		}
	}
	return out
}

// Begin starts accumulators with what first elements make of them, a vector for each copy, or with what depends on no elements.
type Begin struct {
	Set
	Do []Node // Put
}

func (Begin) node() {}

// Below lists the numbers below n.
func Below(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}
