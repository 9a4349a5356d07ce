package forms

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Hits is a condition on the elements of a run, in lanes: for searches of the first element at which it holds.
type Hits struct {
	Bits  int // of a lane
	Holds *kernel.Value
}

// HitsOf makes lanes of a condition on what a serial kernel reads; nil where lanes do not compute it.
func HitsOf(k *kernel.Kernel, cond ir.Expr) *Hits {
	s := serial{k, k.Each()}
	bits := s.laneBits(cond)
	if bits == 0 {
		return nil // elements of several widths, or of one that vectors do not have
	}
	b := s.Builder(bits, func(e ir.Expr) *kernel.Value {
		if op, _, _ := kernel.Operand(e); op == kernel.Place && bits == 32 {
			return kernel.Leaf(kernel.Place, 0, ir.I32)
		}
		return nil
	})
	mask := b.Mask(cond)
	if mask == nil {
		return nil
	}
	values, lacks := kernel.Archsimd.Legalize([]*kernel.Value{mask})
	if lacks != "" {
		return nil
	}
	return &Hits{bits, values[0]}
}
