package kernel

import (
	"github.com/rfactor-go/rfactor/ir"
)

// Hits is a condition on the elements of a run, in lanes: for searches of the first element at which it holds.
type Hits struct {
	Bits  int // of a lane
	Holds *Value
}

// HitsOf makes lanes of a condition on what a serial kernel reads; nil where lanes do not compute it.
func (k *Kernel) HitsOf(cond ir.Expr) *Hits {
	s := serial{k, k.Each()}
	bits := s.laneBits(cond)
	if bits == 0 {
		return nil // elements of several widths, or of one that vectors do not have
	}
	b := s.builder(bits, func(e ir.Expr) *Value {
		if op, _, _ := Operand(e); op == Place && bits == 32 {
			return Leaf(Place, 0, ir.I32)
		}
		return nil
	})
	mask := b.Mask(cond)
	if mask == nil {
		return nil
	}
	values, lacks := Archsimd.Legalize([]*Value{mask})
	if lacks != "" {
		return nil
	}
	return &Hits{bits, values[0]}
}
