package simd

// Table holds the kernels of one element type. A field that makes no sense for the
// type is nil.
type Table[T Number] struct {
	Map     Map[T]
	Compare Compare[T]
}

// Map holds the elementwise kernels.
type Map[T Number] struct {
	Add, Sub, Mul, Min, Max func(dst, x, y []T)
	And, Or, Xor            func(dst, x, y []T)
	Neg, Abs, Not           func(dst, x []T)

	// Select takes x where cond holds and y elsewhere.
	Select func(dst []T, cond []bool, x, y []T)
}

// Compare holds the comparisons of two slices.
type Compare[T Number] struct {
	Eq, Lt func(dst []bool, x, y []T)
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
