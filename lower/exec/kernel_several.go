package exec

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

// pass goes over a block for one component. Where all passes of a row read one register and
// nothing has to be computed for them, they become one: what it waits for from memory is
// waited for once, and behind the others' work.
type pass struct {
	alone step

	// How it is done beside others:
	kind kind // of the elements; nil where it can only be done alone
	over any
	fold simd.Fold
	k    func() uint64 // of a count: what elements are compared with
	mask uint64
	rest bool                     // those are counted that the mask does not find
	from func() uint64            // what a fold begins with; nil for a count
	took func(k, n int, v uint64) // is told what a block came to: of a count, how many
}

// fold is what simd.Several calls it, -1 where that does not do it.
func (f *folding) fold() simd.Fold {
	switch {
	case f.exact || f.lanes > 0 || f.leaf == nil:
		return -1
	case f.factor != nil:
		if f.factor == f.leaf {
			return simd.FoldSquares
		}
		return -1
	case f.abs && f.op == ir.Add:
		return simd.FoldAddAbs
	case f.abs:
		return simd.FoldMaxAbs
	}
	fold, ok := map[ir.Op]simd.Fold{ir.Add: simd.FoldAdd, ir.Mul: simd.FoldMul, ir.Min: simd.FoldMin, ir.Max: simd.FoldMax,
		ir.BitAnd: simd.FoldAnd, ir.BitOr: simd.FoldOr, ir.BitXor: simd.FoldXor}[f.op]
	if !ok {
		return -1
	}
	return fold
}

func (z typed[T]) beside(f simd.Fold) bool { return f >= 0 && z.Reduce.Beside[f] }

func (z typed[T]) several(over any, passes []pass) step {
	x, several := over.(*vector[T]), z.Reduce.Several
	var f simd.Folded[T]
	for _, p := range passes {
		f.Want[p.fold] = true
	}
	return func(k, n int) {
		for i := range passes {
			p := &passes[i]
			if p.from != nil {
				f.Value[p.fold] = z.uncarry(p.from())
				continue
			}
			f.K[p.fold], f.Count[p.fold] = z.uncarry(p.k()), 0
			if p.fold == simd.CountMaskedEq {
				f.Mask = T(p.mask)
			}
		}
		several(x.v[:n], &f)
		for i := range passes {
			if p := &passes[i]; p.from != nil {
				p.took(k, n, z.carry(f.Value[p.fold]))
			} else if p.rest {
				p.took(k, n, uint64(n-f.Count[p.fold]))
			} else {
				p.took(k, n, uint64(f.Count[p.fold]))
			}
		}
	}
}
