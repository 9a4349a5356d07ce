package simd

import "unsafe"

// Bools holds the kernels of blocks of bool. A bool is a byte that is 0 or 1.
type Bools struct {
	And, Or, Xor func(dst, x, y []bool)
	Not          func(dst, x []bool)
	Count        func(x []bool) int
}

// ForBool returns the kernels of bool in this build, on this machine.
func ForBool() *Bools { return boolsFrom(For[uint8](), Sum[uint64, uint8]()) }

// PortableBool returns the twins in plain Go.
func PortableBool() *Bools { return boolsFrom(Portable[uint8](), PortableSum[uint64, uint8]()) }

func boolsFrom(t *Table[uint8], sum func([]uint8) uint64) *Bools {
	return &Bools{
		And:   func(dst, x, y []bool) { t.Map.And(asBytes(dst), asBytes(x), asBytes(y)) },
		Or:    func(dst, x, y []bool) { t.Map.Or(asBytes(dst), asBytes(x), asBytes(y)) },
		Xor:   func(dst, x, y []bool) { t.Map.Xor(asBytes(dst), asBytes(x), asBytes(y)) },
		Not:   func(dst, x []bool) { notBool(t.Map.Xor, asBytes(dst), asBytes(x)) },
		Count: func(x []bool) int { return int(sum(asBytes(x))) },
	}
}

func asBytes(x []bool) []uint8 {
	return unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

var ones = func() (b [512]uint8) {
	for i := range b {
		b[i] = 1
	}
	return b
}()

func notBool(xor func(dst, x, y []uint8), dst, x []uint8) {
	x = x[:len(dst)]
	for len(dst) > 0 {
		n := min(len(dst), len(ones))
		xor(dst[:n], x[:n], ones[:n])
		dst, x = dst[n:], x[n:]
	}
}
