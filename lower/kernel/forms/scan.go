package forms

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Scan is a run that keeps every state of one component, in lanes: each takes those below it, and all take the state before them.
//
//	f(r) = f(r - 1) + select(in(r) > 9, 1, 0)   →   Add of masked(1, y0 > 9)
//	f(r) = f(r - 1)*a(r) + in(r)                →   steps x ↦ x·y0 + y1
type Scan struct {
	Elem    ir.Type
	Op      ir.Op // of plain scans; ir.Add of others
	Kind    ScanKind
	Values  []*kernel.Value // what a step injects: one value of plain scans, of others the factor and the summand, or all parameters
	Streams []ir.Type       // what elements are loaded as: narrow ones as numbers of lanes that hold a state
	Combine []*kernel.Value // of a ComposedScan, the parameters of two steps, over State, those of the earlier one, and Right
	Apply   []*kernel.Value // of a ComposedScan, the state behind steps, over State, the one before them, and Right, their parameters
}

// ScanKind says how a step of a scan changes the state x.
type ScanKind uint8

// Kinds of scans.
const (
	PlainScan    ScanKind = iota // x op y
	AffineScan                   // x·a + b
	StopScan                     // x&a + b, where a is 0 at a stop, else −1
	ComposedScan                 // any, with parameters that compose
)

// ScanOf makes lanes of what a serial kernel gives as the values of an element; of a StopScan the first of them tells where the scan stops. It is nil,
// and says why, where lanes do not compute them. Sums, products and steps of floats are those of a tree.
func ScanOf(k *kernel.Kernel, op ir.Op, kind ScanKind) (*Scan, string) {
	values := k.Each().To
	t := values[len(values)-1].Type()
	switch {
	case !kernel.HasVectors(t):
		return nil, differ
	case !canScan(op, kind, t):
		return nil, "lanes of " + t.String() + " have no such operation"
	}
	s := &Scan{Elem: t, Op: op, Kind: kind}
	if lacks := s.build(k, values); lacks != "" {
		return nil, lacks
	}
	return s, ""
}

// ComposedOf returns the form of a scan whose steps have parameters that compose. The kernel computes three groups of values: the
// parameters of a step, those of two steps composed (over ir.State and ir.Leaf), and the state after a step with given parameters.
// The result is nil, with a reason, where lanes cannot compute these, or where a vector of them takes longer than its elements one
// after another at the given cycles each.
func ComposedOf(k *kernel.Kernel, params int, plain float64) (*Scan, string) {
	values := k.Each().To
	t := values[0].Type()
	for _, v := range values {
		if v.Type() != t || t.Bits() < 32 || !kernel.HasVectors(t) {
			return nil, "its parameters are no numbers of one type with lanes"
		}
	}
	if loopnest.Operations(values) > mostOperations/4 { // as a tree has some four levels
		return nil, "steps take too many operations for lanes that compose them"
	}
	s := &Scan{Elem: t, Kind: ComposedScan}
	if lacks := s.build(k, values); lacks != "" {
		return nil, lacks
	}
	s.Values, s.Combine, s.Apply = s.Values[:params], s.Values[params:2*params], s.Values[2*params:]
	if waiting*s.cost() > kernel.Alike*plain {
		return nil, "steps that lanes compose are estimated to take as long as the loop"
	}
	return s, ""
}

// cost is how many cycles an element of a ComposedScan takes: its step is composed at each level of a tree, of floats with those before the vector and
// with the other half of a block of eight, and what comes of it is looked at.
func (s *Scan) cost() float64 {
	lanes, varies := kernel.Archsimd.LanesOf(s.Elem), s.varying()
	levels := bits.Len(uint(lanes)) - 1
	work := kernel.VectorCost(slices.Concat(s.Values, s.Apply), len(s.Streams), 0)
	if s.Elem.IsFloat() {
		levels++
		if lanes < 8 {
			levels++
		}
		work += float64(len(s.Values)+len(s.Apply)) / kernel.OpsACycle
	}
	var combined []*kernel.Value
	for i, v := range s.Combine {
		if varies[i] {
			combined = append(combined, v)
		}
	}
	work += float64(float64(levels) * (kernel.VectorCost(combined, 0, 0) + float64(shuffled*float64(len(combined)))))
	return work / float64(lanes)
}

// Costs of composed steps: the cycles in which a parameter is moved to the lanes that take it, and chosen there; and by how much a vector was found
// to take longer than its operations, of which few go side by side.
const (
	shuffled = 1.5
	waiting  = 1.3
)

// varying reports which parameters of composed steps depend on elements.
func (s *Scan) varying() []bool {
	varies := make([]bool, len(s.Values))
	for i, v := range s.Values {
		varies[i] = v.Varies(nil)
	}
	for range varies { // until nothing is added
		for i, v := range s.Combine {
			varies[i] = varies[i] || v.Varies(varies)
		}
	}
	return varies
}

// build makes the values, and says what lanes lack.
func (s *Scan) build(k *kernel.Kernel, values []ir.Expr) string {
	t, word := s.Elem, kernel.LaneWord(s.Elem)
	s.Streams = append([]ir.Type{}, k.Streams...)
	for i, of := range k.Streams {
		if of := kernel.LaneType(of); of.Bits() < word.Bits() && !kernel.Extends(of, word) && kernel.Mentions(values, kernel.Load, i) {
			return differ
		}
	}
	b := serial{k, k.Each()}.Builder(t.Bits(), func(e ir.Expr) *kernel.Value {
		of, i, _ := kernel.Operand(e)
		if s.Kind == ComposedScan && (of == kernel.State || of == kernel.Right) && e.Type() == t {
			return kernel.Leaf(of, i, t)
		}
		if of != kernel.Load || e.Type() != word || !kernel.Extends(k.Streams[i], word) {
			return nil
		}
		s.Streams[i] = word
		return kernel.Leaf(kernel.Load, i, word)
	})
	b.Truth = func(e ir.Expr) *kernel.Value { // truth values are bytes
		of, i, _ := kernel.Operand(e)
		if of != kernel.Load || !kernel.Extends(ir.U8, word) {
			return nil
		}
		s.Streams[i] = word
		return kernel.Apply(ir.Ne, kernel.Leaf(kernel.Load, i, word), kernel.Spread(word, 0))
	}
	for i, e := range values {
		e, ok := widened(e, word)
		if !ok {
			return differ
		}
		v := (*kernel.Value)(nil)
		if s.Kind == StopScan && i == 0 {
			if m := b.Mask(e); m != nil {
				v = kernel.SameBits(kernel.Apply(ir.BitNot, kernel.MaskLanes(m, word)), t)
			}
		} else {
			v = b.Value(e)
		}
		if v == nil {
			return b.Lacks()
		}
		s.Values = append(s.Values, v)
	}
	var lacks string
	s.Values, lacks = kernel.Archsimd.Legalize(s.Values)
	return lacks
}

// canScan reports whether lanes of a type are combined so.
func canScan(op ir.Op, kind ScanKind, t ir.Type) bool {
	switch {
	case kind == StopScan:
		return t.IsInt()
	case kind == AffineScan || op == ir.Mul:
		return t.IsFloat() || t.Bits() == 16 || t.Bits() == 32
	case op == ir.Min || op == ir.Max:
		return t == ir.F32 || kernel.NarrowInt(t)
	}
	return op == ir.Add || t.IsInt() && (op == ir.BitAnd || op == ir.BitOr || op == ir.BitXor)
}
