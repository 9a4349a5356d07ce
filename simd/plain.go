//go:build !(goexperiment.simd && go1.27)

package simd

// In this build there are no vectors.
var (
	kernels    = portables
	converters []any
	sums       []any
)

// Vector returns the number of bits of the vectors that For uses, 0 for none.
func Vector() (bits int) { return 0 }
