package simd

// Table holds the kernels of one element type. A field that makes no sense for the
// type is nil.
type Table[T Number] struct {
	Map     Map[T]
	Compare Compare[T]
	Reduce  Reduce[T]
	Count   Count[T]
	Find    Find[T]
}

// Map holds the elementwise kernels.
type Map[T Number] struct {
	Add, Sub, Mul, Div, Min, Max func(dst, x, y []T)
	And, Or, Xor                 func(dst, x, y []T)
	AddSat, SubSat               func(dst, x, y []T)
	Neg, Abs, Not, Sqrt          func(dst, x []T)

	// MulAdd is a·b + c, MulAddMul a·b + c·d, MulSubMul a·b − c·d. Each product is
	// rounded before it is added.
	MulAdd               func(dst, a, b, c []T)
	MulAddMul, MulSubMul func(dst, a, b, c, d []T)

	// Shl and Shr shift by a constant; a count of the width or more leaves 0, or
	// the sign when Shr shifts a signed type.
	Shl, Shr func(dst, x []T, count uint)

	// Select takes x where cond holds and y elsewhere.
	Select func(dst []T, cond []bool, x, y []T)
}

// Compare holds the comparisons of two slices.
type Compare[T Number] struct {
	Eq, Ne, Lt, Le, Gt, Ge func(dst []bool, x, y []T)
}

// Reduce holds the reductions of a slice to one value, init being merged as one
// more element: for an empty slice the result is init.
type Reduce[T Number] struct {
	Add, Mul, Min, Max func(x []T, init T) T
	And, Or, Xor       func(x []T, init T) T

	// AddAbs adds, and MaxAbs takes the largest of, the absolute values of x; init
	// itself is taken as it is.
	AddAbs, MaxAbs func(x []T, init T) T

	// Dot adds products, each rounded before it is added.
	Dot func(x, y []T, init T) T

	// MulComplex multiplies complex numbers given as real and imaginary parts.
	MulComplex func(re, im []T, initRe, initIm T) (T, T)

	// Several does reductions side by side, those of which Beside says that it can: its
	// results are those of the other kernels, bit for bit but for sums and products of
	// floats.
	Several func(x []T, f *Folded[T])
	Beside  [NumFolds]bool
}

// Count holds the numbers of elements that compare so with k.
type Count[T Number] struct {
	Eq, Ne, Lt, Le, Gt, Ge func(x []T, k T) int

	// MaskedEq counts integers of which the bits in mask are k.
	MaskedEq func(x []T, mask, k T) int
}

// Find holds the reductions that carry an index. MinFirst is the loop
//
//	v, at := init, -1
//	for i, e := range x {
//		if e < v {
//			v, at = e, i
//		}
//	}
//
// so that NaN is never taken and −0 and +0 tie; MinLast has <= in place of <, and
// MaxFirst and MaxLast have > and >=.
type Find[T Number] struct {
	MinFirst, MinLast, MaxFirst, MaxLast func(x []T, init T) (v T, at int)

	// First and Last are the places of the first and of the last v in x, which must have it.
	First, Last func(x []T, v T) int
}

// For returns the kernels of T in this build, on this machine. Callers must not change the table.
func For[T Number]() *Table[T] { return lookup[T](kernels) }

// Portable returns the twins in plain Go, whatever the build. Callers must not change the table.
func Portable[T Number]() *Table[T] { return lookup[T](portables) }

var portables = tables{
	portableSigned[int8](), portableSigned[int16](), portableSigned[int32](), portableSigned[int64](),
	portableUnsigned[uint8](), portableUnsigned[uint16](), portableUnsigned[uint32](), portableUnsigned[uint64](),
	portableFloat[float32](), portableFloat[float64](),
}

// tables holds one *Table of each element type.
type tables []any

func lookup[T Number](in tables) *Table[T] {
	for _, t := range in {
		if t, ok := t.(*Table[T]); ok {
			return t
		}
	}
	panic("internal: no table for the type")
}
