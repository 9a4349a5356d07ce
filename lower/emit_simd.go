package lower

import (
	"github.com/rfactor-go/rfactor/rfactor"
)

// vectorForm writes a kernel on vectors.
type vectorForm interface {
	write(g *generator, k *kernel)
}

// vectorise is how a kernel runs on vectors, nil where it does not.
func vectorise(plan *rfactor.Plan, k *kernel) vectorForm { return nil }

// vectorKernels is the file on the portable package simd.
func (g *generator) vectorKernels() string {
	g.file = newUnit()
	for _, k := range g.kernels {
		if k.vector != nil {
			k.vector.write(g, k)
		}
	}
	return header + "//go:build " + simdTag + "\n\npackage " + g.pkg + "\n\n" + withImports(g.file.b.String())
}
