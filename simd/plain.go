//go:build !(goexperiment.simd && go1.27)

package simd

// In this build there are no vectors.
var (
	kernels    = portables
	converters []any
	sums       []any
)

// Vector tells whether For uses vectors, and how many bits they have.
func Vector() (bits int) { return 0 }
