// Package kernel is the language for what runs inside of a slice, as data: loops over single elements, and values in the lanes of vectors.
//
//	serial.go   a stage becomes a kernel, one element after another
//	chunks.go   the same as a plain loop: steps in chunks that compose, the first element apart
//	tabled.go   steps of few states are looked up, the element a byte
//	form.go     the table of forms, which make kernels in lanes of serial ones; a file each
//	history.go  components that are what earlier elements say become streams
//	powers.go   lanes take elements by turns, which powers of a linear step (linear.go, linear_bits.go) keep apart
//	owned.go    lanes own parts of a run, in 32 bits where bounds show that these do (narrow.go)
//	build.go    expressions of the notation become values
//	strip.go    sums are kept in narrow lanes, and flushed before these overflow
//	places.go   loops read several places at once
//	lanes.go    lanes are moved to others
//	share.go    equal values become one
//	select.go   values become those that a target has operations for
//	target.go   targets: tables of operations, of package simd and of simd/archsimd
//	print.go    values as Go for a target
//
// Nothing here reads text: what a value mentions, a walk over it tells.
package kernel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// Shape is how many elements a value has.
type Shape uint8

// A value is one element, an element in each lane, or a truth value in each lane.
const (
	One Shape = iota
	Vector
	Mask
)

// Type is the type of a value. Lanes of a mask are as wide as those of the vectors that it was made of, which Elem is the type of.
type Type struct {
	Elem  ir.Type
	Shape Shape
}

// Value is an operation on other values. Values do not change, and are shared.
type Value struct {
	Op   Op
	Type Type
	Args []*Value
	Imm  uint64 // of a leaf: which one; of a literal: its bits; of shifts: by how many; of movements: which lanes
	At   int    // of Load: so many elements behind the place of the vector
}

// Op is an operation: one of package ir on each lane, or one of those below.
type Op uint16

// Leaves: what they stand for is for whoever prints or evaluates them to say.
const (
	Literal Op = iota + 256 // of one element
	Scalar                  // does not change during the run
	State                   // a component or an accumulator
	Right                   // the right operand of a merge
	Load                    // the elements of a stream
	Place                   // the coordinates of the elements
	Still                   // a vector that does not change within a block
	Comp                    // of one element: a component, which changes where loops end
)

// Operations that package ir has not.
const (
	Broadcast  Op = iota + 300 // one element, in all lanes
	Bits                       // the same bits, as another type of the same width
	Convert                    // the same number, as another type of the same width
	Choose                     // (a, mask, b): a where the mask holds, else b
	Masked                     // (a, mask): a where the mask holds, else 0
	Lanes                      // of a mask: −1 where it holds, else 0
	MulAdd                     // (a, b, c): a·b + c, rounded once
	Reshape                    // the same bits, as lanes of another width
	SumAbsDiff                 // (a, b): sums of eight absolute differences of bytes, in lanes of 64 bits
	Sums                       // sums of the neighbours that a lane of 64 bits has room for
	DotPairs                   // (a, b): sums of the products of two neighbours, in lanes of twice the width
	Widen                      // the same numbers in wider lanes, of which vectors have fewer
	Table                      // (a, b): sixteen bytes, of which two literals hold eight each, in each 128 bits
	LookUp                     // (table, places below 16): the byte of the table at each place
	Bytes                      // (a, b): in each 128 bits, those of a above those of b from byte Imm on
	Halves                     // (a, b): 128 bits of the four that a and b have, and others, by the digits of Imm
	Pick                       // (a, b): in each 128 bits, the lanes of a and b there that the digits of Imm say
	Permute                    // (a, places): the lane of a at each place
)

var opNames = map[Op]string{
	Literal: "literal", Scalar: "scalar", State: "state", Right: "right", Load: "load", Place: "place", Still: "still", Comp: "comp", Broadcast: "broadcast",
	Bits: "bits", Convert: "convert", Choose: "choose", Masked: "masked", Lanes: "lanes", MulAdd: "muladd",
	Reshape: "reshape", SumAbsDiff: "sumabsdiff", Sums: "sums", DotPairs: "dotpairs", Widen: "widen", Table: "table", LookUp: "lookup",
	Bytes: "bytes", Halves: "halves", Pick: "pick", Permute: "permute",
}

// String names the operation.
func (o Op) String() string {
	if name := opNames[o]; name != "" {
		return name
	}
	return ir.Op(o).String()
}

// IsLeaf reports whether the operation has no operands.
func (o Op) IsLeaf() bool { return o >= Literal && o <= Comp }

// String is canonical: values that compute the same from the same leaves in the same way have one string.
func (v *Value) String() string {
	switch {
	case v.At != 0:
		return fmt.Sprintf("%s%d%+d:%s", v.Op, v.Imm, v.At, v.Type.Elem)
	case v.Op.IsLeaf():
		return fmt.Sprintf("%s%d:%s", v.Op, v.Imm, v.Type.Elem)
	}
	var args []string
	for _, a := range v.Args {
		args = append(args, a.String())
	}
	if v.Op == Op(ir.Shl) || v.Op == Op(ir.Shr) {
		args = append(args, fmt.Sprint(v.Imm))
	} else if v.Imm != 0 {
		args = append(args, v.lanes())
	}
	return fmt.Sprintf("%s:%s(%s)", v.Op, v.Type.Elem, strings.Join(args, ", "))
}

// Walk calls f for the value and all that it is made of, in the order in which they are written, for what is shared once.
func (v *Value) Walk(f func(*Value)) {
	seen := map[*Value]bool{}
	var visit func(*Value)
	visit = func(v *Value) {
		if !seen[v] {
			seen[v] = true
			f(v)
			for _, a := range v.Args {
				visit(a)
			}
		}
	}
	visit(v)
}

// Uses reports whether a leaf occurs in the values.
func Uses(values []*Value, op Op, imm int) bool {
	found := false
	for _, v := range values {
		v.Walk(func(w *Value) { found = found || w.Op == op && w.Imm == uint64(imm) })
	}
	return found
}

// Shared lists what the values use more than once and what takes so many operations, operands before what is made of them, but for what does not change. Go's compiler computes it once
// in any case; a reader sees it once.
func Shared(values []*Value, least int) (out []*Value) {
	uses, size := map[*Value]int{}, map[*Value]int{}
	var visit func(v *Value)
	visit = func(v *Value) {
		if uses[v]++; uses[v] > 1 || v.Op.IsLeaf() || !v.Varies() {
			return
		}
		size[v] = 1
		for _, a := range v.Args {
			visit(a)
			size[v] += size[a]
		}
		out = append(out, v)
	}
	for _, v := range values {
		visit(v)
	}
	return slices.DeleteFunc(out, func(v *Value) bool { return uses[v] < 2 || size[v] < least })
}

// Leaf is a leaf in all lanes of a vector.
func Leaf(op Op, imm int, elem ir.Type) *Value {
	return &Value{Op: op, Type: Type{elem, Vector}, Imm: uint64(imm)}
}

// spread is one element in all lanes.
func spread(op Op, imm uint64, elem ir.Type) *Value {
	return &Value{Op: Broadcast, Type: Type{elem, Vector}, Args: []*Value{{Op: op, Type: Type{elem, One}, Imm: imm}}}
}

// Spread is a literal in all lanes.
func Spread(elem ir.Type, bits uint64) *Value { return spread(Literal, bits, elem) }

// SpreadComp is a component in all lanes, as it is before a loop.
func SpreadComp(number int, elem ir.Type) *Value { return spread(Comp, uint64(number), elem) }

// SpreadScalar is a scalar in all lanes.
func SpreadScalar(number int, elem ir.Type) *Value { return spread(Scalar, uint64(number), elem) }

// Literal gives the literal that all lanes of v are.
func (v *Value) Literal() (bits uint64, ok bool) {
	if v.Op == Broadcast && v.Args[0].Op == Literal {
		return v.Args[0].Imm, true
	}
	return 0, false
}

// Apply makes a value of vectors: a mask where the operation compares or joins masks, else a vector of the type of the first operand.
func Apply(op ir.Op, args ...*Value) *Value {
	t := args[0].Type
	if op.IsComparison() {
		t.Shape = Mask
	}
	return &Value{Op: Op(op), Type: t, Args: args}
}

// as makes a value of another type than its operands have.
func as(op Op, elem ir.Type, args ...*Value) *Value {
	return &Value{Op: op, Type: Type{elem, Vector}, Args: args}
}

// LookUpIn is the bytes of a table at places below 16.
func LookUpIn(table [16]byte, places *Value) *Value {
	return as(LookUp, ir.U8, constant(table), places)
}

// SameBits is v's bits as another type of the same width; v where it has that type.
func SameBits(v *Value, elem ir.Type) *Value {
	if v.Type.Elem == elem {
		return v
	}
	return as(Bits, elem, v)
}

// Magnitude is the absolute value of floats, as integers that are ordered as these are: NaN lies above infinity.
func Magnitude(v *Value, ints ir.Type) *Value {
	u := ints.Unsigned()
	return SameBits(Apply(ir.BitAnd, SameBits(v, u), Spread(u, ints.Max())), ints)
}

// MaskLanes is −1 in the lanes in which a mask holds, else 0.
func MaskLanes(mask *Value, elem ir.Type) *Value { return as(Lanes, elem, mask) }

// Chosen is a where a mask holds, else b.
func Chosen(a, mask, b *Value) *Value { return as(Choose, a.Type.Elem, a, mask, b) }

// FMA is a·b + c, rounded once.
func FMA(a, b, c *Value) *Value { return as(MulAdd, a.Type.Elem, a, b, c) }

// SumAbsDiffs is the sums of eight absolute differences of bytes.
func SumAbsDiffs(a, b *Value) *Value { return as(SumAbsDiff, ir.U64, a, b) }

// SumsOf is the sums of the neighbours that a lane of 64 bits has room for.
func SumsOf(v *Value) *Value { return as(Sums, ir.U64, v) }

// Widened is floats in lanes of 64 bits.
func Widened(v *Value) *Value { return as(Widen, ir.F64, v) }

// SignedOf is the signed type of a width.
func SignedOf(bits int) ir.Type {
	return map[int]ir.Type{8: ir.I8, 16: ir.I16, 32: ir.I32, 64: ir.I64}[bits]
}

// Varies reports whether a value depends on elements, on their places, or on what changes from step to step.
func (v *Value) Varies() bool {
	varies := false
	v.Walk(func(v *Value) {
		varies = varies || v.Op == State || v.Op == Right || v.Op == Load || v.Op == Place || v.Op == Still
	})
	return varies
}
