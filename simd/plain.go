//go:build !(goexperiment.simd && go1.27)

package simd

// In this build there are no vectors.
var kernels = portables
