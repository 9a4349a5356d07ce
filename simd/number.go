package simd

// Signed integer types.
type Signed interface{ int8 | int16 | int32 | int64 }

// Unsigned integer types.
type Unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

// Integer types. Their operations wrap.
type Integer interface{ Signed | Unsigned }

// Float types. Their minimum and maximum are Go's: NaN wins, and −0 is below +0.
type Float interface{ float32 | float64 }

// Number is any type of elements.
type Number interface{ Integer | Float }
