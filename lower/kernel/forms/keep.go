package forms

import (
	"fmt"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Keep is a run in lanes of which some elements are kept, one behind another.
type Keep struct {
	Bits   int // of a lane
	Holds  *kernel.Value
	Values []*kernel.Value // of an element that is kept
}

// KeepOf makes lanes of a serial kernel whose values are what it keeps of an element. It is nil, and says why, where lanes do not compute them.
func KeepOf(k *kernel.Kernel) (*Keep, string) {
	each := k.Each()
	if len(each.Where) == 0 {
		return nil, "every element is kept"
	}
	keep := &Keep{Bits: kernel.LaneBits(each.To[0].Type())}
	if keep.Bits != 32 && keep.Bits != 64 {
		return nil, fmt.Sprintf("lanes of %s are not moved together", each.To[0].Type())
	}
	b := serial{k, each}.Builder(keep.Bits, func(e ir.Expr) *kernel.Value {
		if op, _, _ := kernel.Operand(e); op == kernel.Place && keep.Bits == 32 {
			return kernel.Leaf(kernel.Place, 0, ir.I32)
		}
		return nil
	})
	values := []*kernel.Value{b.Mask(folds.Conjunction(each.Where))}
	for _, e := range each.To {
		values = append(values, b.Value(e))
	}
	for _, v := range values {
		if v == nil {
			return nil, b.Lacks()
		}
	}
	values, lacks := kernel.Archsimd.Legalize(values)
	if lacks != "" {
		return nil, lacks
	}
	keep.Holds, keep.Values = values[0], values[1:]
	return keep, ""
}
