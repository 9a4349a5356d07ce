//go:build goexperiment.simd && go1.27 && !amd64

package simd

// On this architecture the portable package is all there is.

var converters []any

func wideSums() []any { return nil }

func widen(tables) {}

func endVectors() {}
