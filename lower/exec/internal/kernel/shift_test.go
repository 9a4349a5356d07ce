package kernel

import (
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Shifts of blocks are those of single elements, by any count.
func TestShifts(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 1))
	for _, typ := range []ir.Type{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64} {
		z, n := Of(typ), 400
		x, y, out := z.Register(n), z.Register(n), z.Register(n)
		for i := range n {
			z.Put(x)(i, typ.Wrap(rng.Uint64()))
			count := uint64(i % 80)
			if i > 300 {
				count = rng.Uint64()
			}
			z.Put(y)(i, typ.Wrap(count))
		}
		for _, op := range []ir.Op{ir.Shl, ir.Shr} {
			z.Binary(op, out, x, y)(0, n)
			for i := range n {
				a, b := z.Get(x)(i), z.Get(y)(i)
				if got, want := z.Get(out)(i), ir.Apply2(op, typ, a, b); got != want {
					t.Errorf("%s of %s: %#x by %#x is %#x, not %#x", op, typ, a, b, got, want)
				}
			}
		}
	}
}
