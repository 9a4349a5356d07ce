package kernel

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// Target is a package of vectors that Go is written for.
type Target struct {
	Package string         // the name by which it is called
	Bits    int            // of a vector; 0 where that is known when the program runs
	Suffix  string         // of functions that are declared once for each target
	Ops     map[Key]string // how operations are written: formats of their operands
	Quirks  []func(*Kernel) *Kernel
}

// Key is an operation at a type: that of its operands where it gives a mask, else that of its result.
type Key struct {
	Op   Op
	Elem ir.Type
}

// Simd is the portable package simd of Go 1.27.
var Simd = newTarget("simd", 0)

// Archsimd is vectors of 256 bits of package simd/archsimd, whose operations the compiler knows itself.
var Archsimd = newTarget("archsimd", 256)

// Archsimd512 is the same for 512 bits.
var Archsimd512 = newTarget("archsimd", 512)

var types = [ir.NumTypes]string{
	ir.I8: "Int8", ir.I16: "Int16", ir.I32: "Int32", ir.I64: "Int64",
	ir.U8: "Uint8", ir.U16: "Uint16", ir.U32: "Uint32", ir.U64: "Uint64", ir.F32: "Float32", ir.F64: "Float64",
}

// HasVectors reports whether there are vectors of elements of a type.
func HasVectors(t ir.Type) bool { return types[t] != "" }

// Operations are those of package simd, which both targets have: how each is written, and the types that have it. Other integers
// than these have no order, minimum or product of their own.
var Operations = []struct {
	Op   Op
	text string
	has  func(t ir.Type) bool
}{
	{Op(ir.Neg), "%s.Neg()", func(t ir.Type) bool { return !t.IsUnsigned() }},
	{Op(ir.BitNot), "%s.Not()", ir.Type.IsInt},
	{Op(ir.Abs), "%s.Abs()", func(t ir.Type) bool { return !t.IsUnsigned() && t != ir.I64 }},
	{Op(ir.Sqrt), "%s.Sqrt()", ir.Type.IsFloat},
	{Op(ir.Add), "%s.Add(%s)", ir.Type.IsNumeric},
	{Op(ir.Sub), "%s.Sub(%s)", ir.Type.IsNumeric},
	{Op(ir.Mul), "%s.Mul(%s)", func(t ir.Type) bool { return t.IsFloat() || t.Bits() == 16 || t.Bits() == 32 }},
	{Op(ir.Div), "%s.Div(%s)", ir.Type.IsFloat},
	{Op(ir.BitAnd), "%s.And(%s)", ir.Type.IsInt},
	{Op(ir.BitOr), "%s.Or(%s)", ir.Type.IsInt},
	{Op(ir.BitXor), "%s.Xor(%s)", ir.Type.IsInt},
	{Op(ir.Shl), "%s.ShiftAllLeft(%d)", func(t ir.Type) bool { return t.IsInt() && t.Bits() > 8 }},
	{Op(ir.Shr), "%s.ShiftAllRight(%d)", func(t ir.Type) bool { return t.IsInt() && t.Bits() > 8 && t != ir.I64 }},
	{Op(ir.Min), "%s.Min(%s)", NarrowInt},
	{Op(ir.Max), "%s.Max(%s)", NarrowInt},
	{Op(ir.Eq), "%s.Equal(%s)", ir.Type.IsNumeric},
	{Op(ir.Ne), "%s.NotEqual(%s)", ir.Type.IsNumeric},
	{Op(ir.Lt), "%s.Less(%s)", ordered},
	{Op(ir.Le), "%s.LessEqual(%s)", ordered},
	{Op(ir.Gt), "%s.Greater(%s)", ordered},
	{Op(ir.Ge), "%s.GreaterEqual(%s)", ordered},
	{Op(ir.And), "%s.And(%s)", ir.Type.IsNumeric},
	{Op(ir.Or), "%s.Or(%s)", ir.Type.IsNumeric},
	{Choose, "%s.IfElse(%s, %s)", ir.Type.IsNumeric},
	{Masked, "%s.Masked(%s)", ir.Type.IsNumeric},
	{MulAdd, "%s.MulAdd(%s, %s)", ir.Type.IsFloat},
}

// NarrowInt reports whether a type is one of integers of less than 64 bits.
func NarrowInt(t ir.Type) bool { return t.IsInt() && t.Bits() < 64 }

func ordered(t ir.Type) bool { return t.IsNumeric() && t != ir.U8 }

func newTarget(pkg string, bits int) *Target {
	t := &Target{Package: pkg, Bits: bits, Ops: map[Key]string{}, Quirks: []func(*Kernel) *Kernel{floatsInMemory}}
	if bits > 0 {
		t.Suffix = fmt.Sprint(bits)
	}
	for e, name := range types {
		elem := ir.Type(e)
		if name == "" {
			continue
		}
		for _, o := range Operations {
			if o.has(elem) {
				t.Ops[Key{o.Op, elem}] = o.text
			}
		}
		t.Ops[Key{Broadcast, elem}] = t.Package + ".Broadcast" + t.name(elem) + "(%s)"
		t.Ops[Key{Convert, elem}] = "%s.ConvertTo" + name + "()"
		if elem.IsSigned() {
			t.Ops[Key{Lanes, elem}] = "%s.To" + t.name(elem) + "()"
		}
		if elem.IsFloat() {
			t.Ops[Key{Op(ir.Min), elem}] = t.Order(ir.Min, elem) + "(%s, %s)"
			t.Ops[Key{Op(ir.Max), elem}] = t.Order(ir.Max, elem) + "(%s, %s)"
		}
		t.Ops[Key{Reshape, elem}] = "%s.ReshapeTo" + name + "s()"
		t.Ops[Key{Bits, elem}] = "%s.BitsTo" + name + "()"
		if elem.IsUnsigned() {
			t.Ops[Key{Bits, elem}] = "%s.ToBits()"
		}
	}
	if bits > 0 {
		t.Ops[Key{SumAbsDiff, ir.U64}] = "%s.SumOf8AbsDiff(%s)"
		t.Ops[Key{DotPairs, ir.I32}] = "%s.DotProductPairs(%s)"
		t.Ops[Key{Widen, ir.F64}] = "%s.ConvertToFloat64()"
		t.Ops[Key{LookUp, ir.U8}] = "%s.PermuteOrZeroGrouped(%s.BitsToInt8())"
		t.Ops[Key{Table, ir.U8}] = "%s.InterleaveLoGrouped(%s).ReshapeToUint8s()"
	}
	if bits == 256 {
		t.movements()
	}
	return t
}

// movements adds what moves lanes within and between halves of 256 bits.
func (t *Target) movements() {
	t.Ops[Key{Bytes, ir.U8}] = "%[1]s.ConcatShiftBytesRightGrouped(%[2]s, %[3]s)"
	for e, name := range types {
		elem := ir.Type(e)
		if name == "" {
			continue
		}
		t.Ops[Key{Halves, elem}] = "%[1]s.ConcatPermute128Scalars(%[3]s, %[2]s)"
		if elem.Bits() >= 32 {
			t.Ops[Key{Pick, elem}] = "%[1]s.ConcatPermuteScalarsGrouped(%[3]s, %[2]s)"
		}
		if elem.Bits() == 32 {
			t.Ops[Key{Permute, elem}] = "%s.Permute(%s)"
		}
	}
}

// Order names the function for the lesser or greater of two vectors of floats, by Go's rules: a file that uses it declares it.
func (t *Target) Order(op ir.Op, elem ir.Type) string {
	return map[ir.Op]string{ir.Min: "lesser", ir.Max: "greater"}[op] + types[elem] + "s" + t.Suffix
}

// Has reports whether the target computes a value from its operands.
func (t *Target) Has(v *Value) bool { return t.Ops[keyOf(v)] != "" }

func keyOf(v *Value) Key { return Key{v.Op, v.OperandType()} }

// LanesOf is the number of lanes of elements of a type; 0 where that is known when the program runs.
func (t *Target) LanesOf(elem ir.Type) int { return t.Bits / elem.Bits() }

// nameOf is the name of the type of so many lanes within the package; lanes are 0 where that is known when the program runs.
func (t *Target) nameOf(elem ir.Type, lanes int) string {
	if lanes == 0 {
		return types[elem] + "s"
	}
	return fmt.Sprintf("%sx%d", types[elem], lanes)
}

// name is the name of the type of whole vectors.
func (t *Target) name(elem ir.Type) string {
	return t.nameOf(elem, t.LanesOf(elem))
}

// Vector is the type of vectors of elements.
func (t *Target) Vector(elem ir.Type) string { return t.Package + "." + t.name(elem) }

// Load is a vector of the first elements of a slice.
func (t *Target) Load(elem ir.Type, slice string) string {
	return t.LoadLanes(elem, t.LanesOf(elem), slice)
}

// LoadLanes is a vector of so many lanes; 0 where that is known when the program runs. Vectors of known width are loaded from arrays: the
// compiler makes an instruction of that, and leaves a mark among the instructions for a load from a slice.
func (t *Target) LoadLanes(elem ir.Type, lanes int, slice string) string {
	if lanes == 0 {
		return fmt.Sprintf("simd.Load%s(%s)", t.name(elem), slice)
	}
	return fmt.Sprintf("%s.Load%sArray(%s)", t.Package, t.nameOf(elem, lanes), array(elem, lanes, slice))
}

// Store stores a vector to the first elements of a slice, as Load loads it.
func (t *Target) Store(elem ir.Type, vector, slice string) string {
	if t.Bits == 0 {
		return fmt.Sprintf("%s.Store(%s)", vector, slice)
	}
	return fmt.Sprintf("%s.StoreArray(%s)", vector, array(elem, t.LanesOf(elem), slice))
}

func array(elem ir.Type, lanes int, slice string) string {
	return fmt.Sprintf("(*[%d]%s)(%s)", lanes, strings.ToLower(types[elem]), slice)
}

// Broadcast is one element in all lanes.
func (t *Target) Broadcast(elem ir.Type, element string) string {
	return fmt.Sprintf(t.Ops[Key{Broadcast, elem}], element)
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

// Extends reports whether elements are loaded as wider numbers by one instruction for each vector.
func Extends(from, word ir.Type) bool {
	return from.IsInt() && (from.Bits() == 8 && word.Bits() <= 32 || from.Bits() == 16 && word.Bits() == 32) && from.Bits() < word.Bits()
}

// LaneBits is the width of the lanes that hold elements of a type, 0 where vectors hold none.
func LaneBits(t ir.Type) int {
	if t = LaneType(t); HasVectors(t) {
		return t.Bits()
	}
	return 0
}

// Targets are the packages of vectors that kernels are written for, the widest vectors first.
var Targets = []*Target{Archsimd512, Archsimd, Simd}
