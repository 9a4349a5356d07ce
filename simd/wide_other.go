//go:build goexperiment.simd && go1.27 && !amd64

package simd

// On this architecture the portable package is all there is.

func widen(tables) {}

func endVectors() {}
