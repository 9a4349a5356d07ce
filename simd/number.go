package simd

// Signed is any signed integer type. Operations wrap.
type Signed interface{ int8 | int16 | int32 | int64 }

// Unsigned is any unsigned integer type. Operations wrap.
type Unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

// Integer is any integer type. Operations wrap.
type Integer interface{ Signed | Unsigned }

// Float is any floating-point type. Minimum and maximum are those of Go: NaN wins, and −0 is below
// +0.
type Float interface{ float32 | float64 }

// Number is any type of elements that has kernels.
type Number interface{ Integer | Float }
