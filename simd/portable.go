package simd

// portableNumber returns the twins that every type has.
func portableNumber[T Number]() *Table[T] {
	return &Table[T]{
		Map: Map[T]{
			Add: add[T], Sub: sub[T], Mul: mul[T], Min: minimum[T], Max: maximum[T], Neg: neg[T], Select: choose[T],
		},
		Compare: Compare[T]{Eq: eq[T], Lt: lt[T]},
	}
}

func portableInteger[T Integer]() *Table[T] {
	t := portableNumber[T]()
	t.Map.And, t.Map.Or, t.Map.Xor, t.Map.Not = and[T], or[T], xor[T], not[T]
	return t
}

func portableSigned[T Signed]() *Table[T] {
	t := portableInteger[T]()
	t.Map.Abs = abs[T]
	return t
}

// An unsigned number is its own absolute value.
func portableUnsigned[T Unsigned]() *Table[T] {
	t := portableInteger[T]()
	t.Map.Abs = func(dst, x []T) { copy(dst, x[:len(dst)]) }
	return t
}

func portableFloat[T Float]() *Table[T] {
	t := portableNumber[T]()
	t.Map.Abs = absFloat[T]
	return t
}
