package read

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A loop of a function with type parameters is read once for all types that these may be, where these are basic types:
//
//	func sum[T int | float64](a []T) (s T) { for _, v := range a { s += v } … }   →   x0 + y0, as ints and as floats

// instance says which types type parameters stand for. It has none for those that may be other types than basic ones.
type instance map[*types.TypeParam]types.Type

// mostInstances bounds how often a loop is read. cmp.Ordered names 14 types.
const mostInstances = 32

// Actual is the type that a type parameter stands for, and any other type itself.
func (l *Loop) Actual(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok && l.instance[p] != nil {
		return l.instance[p]
	}
	return t
}

// instancesOf lists what the type parameters of a function may stand for together; nothing where that is too much, or no constraint names
// basic types alone.
func instancesOf(f *ssa.Function) []instance {
	for f.Parent() != nil {
		f = f.Parent()
	}
	list := []instance{{}}
	for p := range f.TypeParams().TypeParams() {
		all, ok := termsOf(p.Constraint())
		if !ok {
			continue
		}
		var longer []instance
		for _, as := range list {
			for _, t := range all {
				next := maps.Clone(as)
				next[p] = t
				longer = append(longer, next)
			}
		}
		if list = longer; len(list) > mostInstances {
			return nil
		}
	}
	if len(list) == 0 || len(list[0]) == 0 {
		return nil
	}
	return list
}

// termsOf lists the types of a constraint; false where it does not name them, or names others than basic ones. Methods besides make them fewer.
func termsOf(t types.Type) (list []types.Type, ok bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return []types.Type{u}, u.Kind() != types.UnsafePointer
	case *types.Interface:
		var sets []types.Type
		for t := range u.EmbeddedTypes() {
			if i, ok := t.Underlying().(*types.Interface); !ok || !i.IsMethodSet() {
				sets = append(sets, t)
			}
		}
		if len(sets) != 1 {
			return nil, false
		}
		return termsIn(sets[0])
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
