package ir

import "math"

// Type is the scalar type of an expression or of a tuple component.
type Type uint8

// The scalar types. Invalid is the type of no expression.
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

// The types of a kind.
const (
	SignedTypes   TypeSet = 1<<I8 | 1<<I16 | 1<<I32 | 1<<I64
	UnsignedTypes TypeSet = 1<<U8 | 1<<U16 | 1<<U32 | 1<<U64
	FloatTypes    TypeSet = 1<<F32 | 1<<F64
)

// TypesIn are the types of expressions and of their subterms.
func TypesIn(es []Expr) (all TypeSet) {
	for _, e := range es {
		all |= e.Types()
	}
	return all
}

var typeNames = [...]string{"invalid", "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"}
var typeBits = [...]uint8{0, 1, 8, 16, 32, 64, 8, 16, 32, 64, 32, 64}

// String is the type's name in the corpus notation, such as i32.
func (t Type) String() string { return typeNames[t] }

// Bits is the width of a value in bits; 1 for Bool.
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

// Wider is the type of the same kind with twice the bits, or Invalid where there is none.
func (t Type) Wider() Type {
	switch t {
	case I8, I16, I32, U8, U16, U32, F32:
		return t + 1
	}
	return Invalid
}

// Unsigned is the unsigned integer type of t's width.
func (t Type) Unsigned() Type {
	if t.IsSigned() {
		return t + (U8 - I8)
	}
	return t
}

// ParseType reads a type by the name that String gives it. It answers Invalid for any
// other word.
func ParseType(s string) Type {
	for t := Bool; t <= F64; t++ {
		if typeNames[t] == s {
			return t
		}
	}
	return Invalid
}

// A value of any type is carried in 64 bits: integers sign- or zero-extended from their
// width, booleans as 0 or 1, F64 as its IEEE bits, F32 as its IEEE bits in the low half.

// Wrap reduces v modulo 2^width and extends it as values of t are carried.
// It is the identity on floats.
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

// Min is the smallest value of t: for floats −∞, for Bool false.
func (t Type) Min() uint64 {
	switch {
	case t.IsSigned():
		return uint64(int64(-1) << (t.Bits() - 1))
	case t.IsFloat():
		return floatBits(t, math.Inf(-1))
	}
	return 0
}

// Max is the largest value of t: for floats +∞, for Bool true.
func (t Type) Max() uint64 {
	switch {
	case t.IsSigned():
		return uint64(1)<<(t.Bits()-1) - 1
	case t.IsFloat():
		return floatBits(t, math.Inf(1))
	}
	return math.MaxUint64 >> (64 - t.Bits())
}

// nan is the one NaN that values have: which NaN an operation gives differs between
// machines, and nothing here may.
var nan = math.NaN()

// floatBits carries f, rounded once, as a value of the floating-point type t.
func floatBits(t Type, f float64) uint64 {
	if f != f {
		f = nan
	}
	if t == F32 {
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// FloatBits carries f, rounded once, as a value of the floating-point type t.
func FloatBits(t Type, f float64) uint64 { return floatBits(t, f) }

// Float reads a value of the floating-point type t.
func Float(t Type, bits uint64) float64 {
	if t == F32 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}
