package ir

import (
	"fmt"
	"math"
)

// Type is the scalar type of an expression or of a tuple component: Bool, I8 to I64, U8 to U64,
// F32 or F64. Invalid is the type of no expression.
type Type uint8

// The scalar types: booleans, signed and unsigned integers, floats.
const (
	Invalid Type = iota
	Bool
	I8
	I16
	I32
	I64
	U8
	U16
	U32
	U64
	F32
	F64
)

// NumTypes is one more than the largest Type: the length of tables indexed by Type.
const NumTypes = int(F64) + 1

// TypeSet is a set of types: bit t for type t.
type TypeSet uint16

// The signed integer types, the unsigned ones, and the floating-point types.
const (
	SignedTypes   TypeSet = 1<<I8 | 1<<I16 | 1<<I32 | 1<<I64
	UnsignedTypes TypeSet = 1<<U8 | 1<<U16 | 1<<U32 | 1<<U64
	FloatTypes    TypeSet = 1<<F32 | 1<<F64
)

// TypesIn returns the set of the types of expressions and of their subterms.
func TypesIn(es []Expr) (all TypeSet) {
	for _, e := range es {
		all |= e.Types()
	}
	return all
}

var typeNames = [...]string{"invalid", "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"}

// typeBits has a place for every Type, so that no index is out of range.
var typeBits = [256]uint8{0, 1, 8, 16, 32, 64, 8, 16, 32, 64, 32, 64}

// String returns the type's name in the notation, such as i32; Type(99) where there is no such
// type.
func (t Type) String() string {
	if int(t) < NumTypes {
		return typeNames[t]
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

// Bits returns the width of a value in bits: 1 for Bool, 0 for Invalid.
func (t Type) Bits() int { return int(typeBits[t]) }

// IsInt reports whether t is a signed or unsigned integer type (Bool is none).
func (t Type) IsInt() bool { return t >= I8 && t <= U64 }

// IsSigned reports whether t is a signed integer type.
func (t Type) IsSigned() bool { return t >= I8 && t <= I64 }

// IsUnsigned reports whether t is an unsigned integer type.
func (t Type) IsUnsigned() bool { return t >= U8 && t <= U64 }

// IsFloat reports whether t is a floating-point type.
func (t Type) IsFloat() bool { return t == F32 || t == F64 }

// IsNumeric reports whether t is an integer or floating-point type.
func (t Type) IsNumeric() bool { return t >= I8 }

// Wider returns the type of the same kind with twice the bits, or Invalid where there is none.
func (t Type) Wider() Type {
	switch t {
	case I8, I16, I32, U8, U16, U32, F32:
		return t + 1
	}
	return Invalid
}

// Unsigned returns the unsigned integer type of the width of a signed t, and any other t itself.
func (t Type) Unsigned() Type {
	if t.IsSigned() {
		return t + (U8 - I8)
	}
	return t
}

// ParseType returns the type of which s is the String, and Invalid for any other word.
func ParseType(s string) Type {
	for t := Bool; t <= F64; t++ {
		if typeNames[t] == s {
			return t
		}
	}
	return Invalid
}

// Wrap reduces v modulo 2^width and extends it as values of t are carried in 64 bits: integers
// sign- or zero-extended from their width, booleans as 0 or 1, F64 as its IEEE bits, F32 as its
// IEEE bits in the low half. It returns a float as it is.
func (t Type) Wrap(v uint64) uint64 {
	switch t {
	case Bool:
		return v & 1
	case I8:
		return uint64(int64(int8(v)))
	case I16:
		return uint64(int64(int16(v)))
	case I32:
		return uint64(int64(int32(v)))
	case U8:
		return uint64(uint8(v))
	case U16:
		return uint64(uint16(v))
	case U32:
		return uint64(uint32(v))
	}
	return v
}

// Min returns the smallest value of t, carried as [Type.Wrap] says: for floats −∞, for Bool false.
func (t Type) Min() uint64 {
	switch {
	case t.IsSigned():
		return uint64(int64(-1) << (t.Bits() - 1))
	case t.IsFloat():
		return FloatBits(t, math.Inf(-1))
	}
	return 0
}

// Max returns the largest value of t, carried as [Type.Wrap] says: for floats +∞, for Bool true.
func (t Type) Max() uint64 {
	switch {
	case t.IsSigned():
		return uint64(1)<<(t.Bits()-1) - 1
	case t.IsFloat():
		return FloatBits(t, math.Inf(1))
	}
	return math.MaxUint64 >> (64 - t.Bits())
}

// nan is the one NaN that values have: which NaN an operation gives differs between
// machines, and nothing here may.
var nan = math.NaN()

// FloatBits returns f, rounded once, as a value of the floating-point type t is carried. It
// panics for another type.
func FloatBits(t Type, f float64) uint64 {
	if f != f {
		f = nan
	}
	switch t {
	case F32:
		return uint64(math.Float32bits(float32(f)))
	case F64:
		return math.Float64bits(f)
	}
	panic("ir: " + t.String() + " is not a floating-point type")
}

// Float returns the number that a carried value of the floating-point type t is. Of another type
// the result means nothing.
func Float(t Type, bits uint64) float64 {
	if t == F32 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}
