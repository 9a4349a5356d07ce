package simd

import "fmt"

// Fold names a reduction. Reduce.Several does several of them in one pass over the elements.
type Fold int

// The folds are the kernels of Reduce and Count of the same names. FoldSquares is Dot of the
// elements with themselves. NumFolds is the number of folds.
const (
	FoldAdd Fold = iota
	FoldMul
	FoldMin
	FoldMax
	FoldAnd
	FoldOr
	FoldXor
	FoldAddAbs
	FoldMaxAbs
	FoldSquares
	CountEq
	CountNe
	CountLt
	CountLe
	CountGt
	CountGe
	CountMaskedEq
	NumFolds
)

// Folded tells Reduce.Several which folds to do, and holds their results. Several panics for a
// wanted fold that Reduce.Beside does not have.
type Folded[T Number] struct {
	Want  [NumFolds]bool
	Value [NumFolds]T // of a fold: init at first, then the result
	K     [NumFolds]T // of a count: what elements are compared with
	Mask  T           // of CountMaskedEq
	Count [NumFolds]int
}

// check panics for a wanted fold that is not there.
func (f *Folded[T]) check(beside *[NumFolds]bool) {
	for i, want := range f.Want {
		if want && !beside[i] {
			panic(fmt.Sprintf("simd: Several has no fold %d for this type: see Reduce.Beside", i))
		}
	}
}

// oneByOne puts in Several as a row of the other kernels.
func oneByOne[T Number](t *Table[T]) {
	r, c := &t.Reduce, &t.Count
	folds := [...]func(x []T, init T) T{
		FoldAdd: r.Add, FoldMul: r.Mul, FoldMin: r.Min, FoldMax: r.Max, FoldAnd: r.And, FoldOr: r.Or, FoldXor: r.Xor,
		FoldAddAbs: r.AddAbs, FoldMaxAbs: r.MaxAbs, FoldSquares: func(x []T, init T) T { return r.Dot(x, x, init) },
	}
	counts := [...]func(x []T, k T) int{CountEq: c.Eq, CountNe: c.Ne, CountLt: c.Lt, CountLe: c.Le, CountGt: c.Gt, CountGe: c.Ge}
	for i, fold := range folds {
		r.Beside[i] = fold != nil
	}
	for i, count := range counts {
		r.Beside[i] = r.Beside[i] || count != nil
	}
	r.Beside[CountMaskedEq] = c.MaskedEq != nil
	r.Several = func(x []T, f *Folded[T]) {
		f.check(&r.Beside)
		for i, fold := range folds {
			if f.Want[i] {
				f.Value[i] = fold(x, f.Value[i])
			}
		}
		for i, count := range counts {
			if f.Want[i] && count != nil {
				f.Count[i] += count(x, f.K[i])
			}
		}
		if f.Want[CountMaskedEq] {
			f.Count[CountMaskedEq] += c.MaskedEq(x, f.Mask, f.K[CountMaskedEq])
		}
	}
}
