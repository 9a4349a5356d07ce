//go:build goexperiment.simd && go1.27

package simd

// What the portable package cannot do, AVX-512 can: the kernels here and in the
// generated files work on 512-bit vectors by name, and are used where those are
// what the portable package uses, too.

var converters []any

func wideSums() []any { return nil }

func widen(t tables) {}
