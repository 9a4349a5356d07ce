package kernel

import "github.com/rfactor-go/rfactor/ir"

// Scan is a run that keeps every state of one component, in lanes: each takes those below it, and all take the state before them.
//
//	f(r) = f(r - 1) + select(in(r) > 9, 1, 0)   →   Add of masked(1, y0 > 9)
//	f(r) = f(r - 1)*a(r) + in(r)                →   steps x ↦ x·y0 + y1
type Scan struct {
	Elem    ir.Type
	Op      ir.Op // of plain scans; ir.Add of others
	Kind    ScanKind
	Values  []*Value  // what a step injects: one value of plain scans, of others the factor and the summand
	Streams []ir.Type // what elements are loaded as: narrow ones as numbers of lanes that hold a state
}

// ScanKind is what a step of a scan does with the state x.
type ScanKind uint8

// Kinds of scans.
const (
	PlainScan  ScanKind = iota // x op y
	AffineScan                 // x·a + b
	StopScan                   // x&a + b, where a is 0 at a stop, else −1
)

// ScanOf makes lanes of what a serial kernel gives as the values of an element; of a StopScan the first of them tells where the scan stops. It is nil,
// and says why, where lanes do not compute them. Sums, products and steps of floats are those of a tree.
func (k *Kernel) ScanOf(op ir.Op, kind ScanKind) (*Scan, string) {
	values := k.Each().To
	t := values[len(values)-1].Type()
	switch {
	case !HasVectors(t):
		return nil, differ
	case !canScan(op, kind, t):
		return nil, "lanes of " + t.String() + " have no such operation"
	}
	s := &Scan{Elem: t, Op: op, Kind: kind, Streams: append([]ir.Type{}, k.Streams...)}
	word := laneWord(t)
	for i, of := range k.Streams {
		if of := LaneType(of); of.Bits() < word.Bits() && !extends(of, word) && Mentions(values, Load, i) {
			return nil, differ
		}
	}
	b := serial{k, k.Each()}.builder(t.Bits(), func(e ir.Expr) *Value {
		of, i, _ := Operand(e)
		if of != Load || e.Type() != word || !extends(k.Streams[i], word) {
			return nil
		}
		s.Streams[i] = word
		return Leaf(Load, i, word)
	})
	b.Truth = func(e ir.Expr) *Value { // truth values are bytes
		of, i, _ := Operand(e)
		if of != Load || !extends(ir.U8, word) {
			return nil
		}
		s.Streams[i] = word
		return apply(ir.Ne, Leaf(Load, i, word), Spread(word, 0))
	}
	for i, e := range values {
		e, ok := widened(e, word)
		if !ok {
			return nil, differ
		}
		v := (*Value)(nil)
		if kind == StopScan && i == 0 {
			if m := b.Mask(e); m != nil {
				v = SameBits(apply(ir.BitNot, MaskLanes(m, word)), t)
			}
		} else {
			v = b.Value(e)
		}
		if v == nil {
			return nil, b.Lacks()
		}
		s.Values = append(s.Values, v)
	}
	var lacks string
	s.Values, lacks = Archsimd.Legalize(s.Values)
	if lacks != "" {
		return nil, lacks
	}
	return s, ""
}

// canScan reports whether lanes of a type are combined so.
func canScan(op ir.Op, kind ScanKind, t ir.Type) bool {
	switch {
	case kind == StopScan:
		return t.IsInt()
	case kind == AffineScan || op == ir.Mul:
		return t.IsFloat() || t.Bits() == 16 || t.Bits() == 32
	case op == ir.Min || op == ir.Max:
		return t == ir.F32 || narrowInt(t)
	}
	return op == ir.Add || t.IsInt() && (op == ir.BitAnd || op == ir.BitOr || op == ir.BitXor)
}

// extends reports whether elements are loaded as wider numbers by one instruction for each vector.
func extends(from, word ir.Type) bool {
	return from.IsInt() && (from.Bits() == 8 && word.Bits() <= 32 || from.Bits() == 16 && word.Bits() == 32) && from.Bits() < word.Bits()
}

// Extended is a vector of 256 bits of the first elements of a slice, as numbers of a wider type. It reads 16 bytes.
func (t *Target) Extended(from, word ir.Type, slice string) string {
	load := t.LoadLanes(from, 128/from.Bits(), slice)
	u := word
	if from.IsUnsigned() {
		u = word.Unsigned()
	}
	name := "ExtendTo" + types[u] + "()"
	if from.Bits() == 8 && word.Bits() == 32 {
		name = "ExtendLo8To" + types[u] + "()"
	}
	load += "." + name
	if u != word {
		load += ".BitsTo" + types[word] + "()"
	}
	return load
}
