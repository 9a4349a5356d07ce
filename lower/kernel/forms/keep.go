package forms

import (
	"fmt"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// KeepOf makes lanes of a serial kernel that keeps elements. It is nil, and says why, where lanes do not compute what is kept.
func KeepOf(k *kernel.Kernel) (*kernel.Kernel, string) {
	each := k.Each()
	if len(each.Where) == 0 {
		return nil, "every element is kept"
	}
	bits := kernel.LaneBits(each.Keep[0].Type())
	if bits != 32 && bits != 64 {
		return nil, fmt.Sprintf("lanes of %s are not moved together", each.Keep[0].Type())
	}
	b := k.Builder(bits, placesIn(bits))
	n := kernel.Keep{Holds: b.Mask(folds.Conjunction(each.Where))}
	missing := n.Holds == nil
	for _, e := range each.Keep {
		n.Values = append(n.Values, b.Value(e))
		missing = missing || n.Values[len(n.Values)-1] == nil
	}
	if missing {
		return nil, b.Lacks()
	}
	return looped(k, 1, n)
}

// UntilOf makes lanes of a serial kernel that looks for the first element at which a condition holds; nil where lanes do not compute it.
func UntilOf(k *kernel.Kernel) *kernel.Kernel {
	s := serial{k, k.Each()}
	bits := s.laneBits(s.Until)
	if bits == 0 {
		return nil // elements of several widths, or of one that vectors do not have
	}
	mask := k.Builder(bits, placesIn(bits)).Mask(s.Until)
	if mask == nil {
		return nil
	}
	out, _ := looped(k, 4, kernel.Until{Holds: mask})
	return out
}

// placesIn gives the coordinates of elements to lanes of 32 bits.
func placesIn(bits int) func(ir.Expr) *kernel.Value {
	return func(e ir.Expr) *kernel.Value {
		if op, _, _ := kernel.Operand(e); op == kernel.Place && bits == 32 {
			return kernel.Leaf(kernel.Place, 0, ir.I32)
		}
		return nil
	}
}

// looped is a kernel that does the same with all vectors of 256 bits.
func looped(k *kernel.Kernel, vectors int, n kernel.Node) (*kernel.Kernel, string) {
	out := k.NewKernel()
	out.Outputs, out.Bits, out.Least = k.Outputs, kernel.Archsimd.Bits, 1
	out.Body = []kernel.Node{kernel.Loop{Vectors: vectors, Copies: 1, Parts: 1, Single: true, Do: []kernel.Node{n}}, kernel.Leave{}, kernel.Rest{}}
	shaped, lacks := out.Shape(kernel.Archsimd)
	if shaped == nil {
		return nil, lacks
	}
	return out, ""
}
