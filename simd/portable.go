package simd

import "unsafe"

// portableNumber returns the twins that every type has.
func portableNumber[T Number]() *Table[T] {
	return &Table[T]{
		Map: Map[T]{
			Add: add[T], Sub: sub[T], Mul: mul[T], Min: minimum[T], Max: maximum[T], Neg: neg[T], Select: choose[T],
			MulAdd: mulAdd[T], MulAddMul: mulAddMul[T], MulSubMul: mulSubMul[T],
		},
		Compare: Compare[T]{Eq: eq[T], Ne: ne[T], Lt: lt[T], Le: le[T], Gt: gt[T], Ge: ge[T]},
		Reduce: Reduce[T]{
			Add: reduceAdd[T], Mul: reduceMul[T], Min: reduceMin[T], Max: reduceMax[T],
			Dot: dot[T], MulComplex: mulComplex[T],
		},
		Count: Count[T]{Eq: countEq[T], Ne: countNe[T], Lt: countLt[T], Le: countLe[T], Gt: countGt[T], Ge: countGe[T]},
		Find:  Find[T]{MinFirst: minFirst[T], MinLast: minLast[T], MaxFirst: maxFirst[T], MaxLast: maxLast[T], First: index[T], Last: lastIndex[T]},
	}
}

func portableInteger[T Integer]() *Table[T] {
	t := portableNumber[T]()
	t.Map.And, t.Map.Or, t.Map.Xor, t.Map.Not = and[T], or[T], xor[T], not[T]
	t.Map.Shl, t.Map.Shr = shl[T], shr[T]
	t.Count.MaskedEq = countMaskedEq[T]
	t.Reduce.And, t.Reduce.Or, t.Reduce.Xor = reduceAnd[T], reduceOr[T], reduceXor[T]
	if unsafe.Sizeof(T(0)) <= 2 {
		t.Map.AddSat, t.Map.SubSat = addSat[T], subSat[T]
	}
	return t
}

func portableSigned[T Signed]() *Table[T] {
	t := portableInteger[T]()
	t.Map.Abs, t.Reduce.AddAbs, t.Reduce.MaxAbs = abs[T], addAbs[T], maxAbs[T]
	oneByOne(t)
	return t
}

// An unsigned number is its own absolute value.
func portableUnsigned[T Unsigned]() *Table[T] {
	t := portableInteger[T]()
	t.Map.Abs, t.Reduce.AddAbs, t.Reduce.MaxAbs = func(dst, x []T) { copy(dst, x[:len(dst)]) }, reduceAdd[T], reduceMax[T]
	oneByOne(t)
	return t
}

func portableFloat[T Float]() *Table[T] {
	t := portableNumber[T]()
	t.Map.Div, t.Map.Sqrt = div[T], sqrt[T]
	t.Reduce.Min, t.Reduce.Max = reduceMinFloat[T], reduceMaxFloat[T]
	t.Map.Abs, t.Reduce.AddAbs, t.Reduce.MaxAbs = absFloat[T], addAbsFloat[T], maxAbsFloat[T]
	oneByOne(t)
	return t
}
