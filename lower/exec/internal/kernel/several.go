package kernel

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

// Pass goes over a block for one component. Where all passes of a row read one register and
// nothing has to be computed for them, Several makes them one pass, which reads memory once.
type Pass struct {
	Alone Step // does the pass on its own

	// For Several:
	Kind Kind                     // of the elements; nil where the pass can only be done alone
	Over any                      // the register that is read
	Fold simd.Fold                // what is done with it: a fold or a count
	K    func() uint64            // of a count: what elements are compared with
	Mask uint64                   // of simd.CountMaskedEq
	Rest bool                     // of that count: the other elements are counted
	From func() uint64            // what a fold begins with; nil for a count
	Took func(k, n int, v uint64) // takes the value of the fold after a block, or the block's count
}

// Fold is the fold by the name that simd.Several has for it; -1 where it has none.
func (f *Folding) Fold() simd.Fold {
	switch {
	case f.Exact || f.Lanes > 0 || f.Leaf == nil:
		return -1
	case f.Factor != nil:
		if f.Factor == f.Leaf {
			return simd.FoldSquares
		}
		return -1
	case f.Abs && f.Op == ir.Add:
		return simd.FoldAddAbs
	case f.Abs:
		return simd.FoldMaxAbs
	}
	fold, ok := map[ir.Op]simd.Fold{ir.Add: simd.FoldAdd, ir.Mul: simd.FoldMul, ir.Min: simd.FoldMin, ir.Max: simd.FoldMax,
		ir.BitAnd: simd.FoldAnd, ir.BitOr: simd.FoldOr, ir.BitXor: simd.FoldXor}[f.Op]
	if !ok {
		return -1
	}
	return fold
}

func (z *typed[T]) Beside(f simd.Fold) bool { return f >= 0 && z.Reduce.Beside[f] }

func (z *typed[T]) Several(over any, passes []Pass) Step {
	x, several := over.(*Vector[T]), z.Reduce.Several
	var f simd.Folded[T]
	for _, p := range passes {
		f.Want[p.Fold] = true
	}
	return func(k, n int) {
		for i := range passes {
			p := &passes[i]
			if p.From != nil {
				f.Value[p.Fold] = z.uncarry(p.From())
				continue
			}
			f.K[p.Fold], f.Count[p.Fold] = z.uncarry(p.K()), 0
			if p.Fold == simd.CountMaskedEq {
				f.Mask = T(p.Mask)
			}
		}
		several(x.V[:n], &f)
		for i := range passes {
			if p := &passes[i]; p.From != nil {
				p.Took(k, n, z.carry(f.Value[p.Fold]))
			} else if p.Rest {
				p.Took(k, n, uint64(n-f.Count[p.Fold]))
			} else {
				p.Took(k, n, uint64(f.Count[p.Fold]))
			}
		}
	}
}
