//go:build !(goexperiment.simd && go1.27 && amd64)

package simd

// In this build scans have no vectors.
var scans = plainScans
