package read

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A loop of a function with one type parameter is read once for each type that this may be, where these are basic types:
//
//	func sum[T int | float64](a []T) (s T) { for _, v := range a { s += v } … }   →   x0 + y0, as ints and as floats

// Actual is the type that a type parameter stands for, and any other type itself.
func (l *Loop) Actual(t types.Type) types.Type {
	if l.instance != nil && isTypeParam(t) {
		return l.instance
	}
	return t
}

// typesOf lists the basic types that the type parameter of a function may be; none where it may be another one, or there are several.
func typesOf(f *ssa.Function) []types.Type {
	for f.Parent() != nil {
		f = f.Parent()
	}
	params := f.TypeParams()
	if params == nil || params.Len() != 1 {
		return nil
	}
	list, ok := termsOf(params.At(0).Constraint())
	if !ok {
		return nil
	}
	return list
}

// termsOf lists the types of a constraint; false where it does not name them, or names others than basic ones.
func termsOf(t types.Type) (list []types.Type, ok bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return []types.Type{u}, u.Kind() != types.UnsafePointer
	case *types.Interface:
		if u.NumEmbeddeds() != 1 {
			return nil, false
		}
		return termsIn(u.EmbeddedType(0))
	}
	return nil, false
}

// termsIn lists the types of what a constraint embeds.
func termsIn(t types.Type) (list []types.Type, ok bool) {
	union, isUnion := t.(*types.Union)
	if !isUnion {
		return termsOf(t)
	}
	for term := range union.Terms() {
		more, ok := termsOf(term.Type())
		if !ok {
			return nil, false
		}
		for _, m := range more {
			if !slices.ContainsFunc(list, func(known types.Type) bool { return types.Identical(known, m) }) {
				list = append(list, m)
			}
		}
	}
	return list, true
}
