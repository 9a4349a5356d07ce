// Package panics tells how the steps of a loop may panic, and which of that the state decides.
//
//	for i := range a { if ok && b[i] == 0 { ok = false } }
//
// A step may panic at b[i], by bounds. It does only while ok holds: the state decides. Steps that run in another order, from
// another state, may panic there where the loop does not, and the other way round.
package panics

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Calls tells how a call of a function may panic.
type Calls func(*ssa.Function) []string

// Of names the ways in which an instruction may panic by itself; none where it cannot.
func Of(i ssa.Instruction, calls Calls) []string {
	switch i := i.(type) {
	case *ssa.IndexAddr:
		return append(boundsOf(i.X, i.Index), nilOf(i.X)...)
	case *ssa.Index:
		return boundsOf(i.X, i.Index)
	case *ssa.Slice:
		if i.Low == nil && i.High == nil && i.Max == nil {
			return nilOf(i.X)
		}
		return append([]string{"bounds"}, nilOf(i.X)...)
	case *ssa.SliceToArrayPointer:
		return []string{"bounds"}
	case *ssa.TypeAssert:
		if !i.CommaOk {
			return []string{"type assertion"}
		}
	case *ssa.Lookup:
		return lookup(i)
	case *ssa.UnOp:
		if i.Op == token.MUL {
			return nilOf(i.X)
		}
	case *ssa.FieldAddr:
		return nilOf(i.X)
	case *ssa.BinOp:
		return operator(i)
	case *ssa.Panic:
		return []string{"panic"}
	case *ssa.Call:
		if f, ok := i.Call.Value.(*ssa.Function); ok {
			return calls(f)
		}
	}
	return nil
}

// boundsOf leaves out literal indices of arrays: the compiler has looked at them.
func boundsOf(x, index ssa.Value) []string {
	if _, isLiteral := index.(*ssa.Const); isLiteral && arrayLen(x) >= 0 {
		return nil
	}
	return []string{"bounds"}
}

// arrayLen is the length of an array, or of one that is pointed to; -1 of anything else.
func arrayLen(x ssa.Value) int64 {
	t := x.Type().Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if a, ok := t.(*types.Array); ok {
		return a.Len()
	}
	return -1
}

// nilOf names a load through a pointer that is not the address of a variable or of a part of one.
func nilOf(address ssa.Value) []string {
	if _, isPointer := address.Type().Underlying().(*types.Pointer); !isPointer {
		return nil
	}
	switch address.(type) {
	case *ssa.IndexAddr, *ssa.FieldAddr, *ssa.Global, *ssa.FreeVar, *ssa.Alloc:
		return nil
	}
	return []string{"nil"}
}

// lookup names keys that cannot be hashed.
func lookup(i *ssa.Lookup) []string {
	m, ok := i.X.Type().Underlying().(*types.Map)
	if !ok {
		return []string{"bounds"}
	}
	if holdsInterface(m.Key()) {
		return []string{"map key"}
	}
	return nil
}

// holdsInterface reports whether values of a type may not be comparable at run time.
func holdsInterface(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Interface: // of a type parameter, too
		return true
	case *types.Array:
		return holdsInterface(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if holdsInterface(f.Type()) {
				return true
			}
		}
	}
	return false
}

func operator(i *ssa.BinOp) []string {
	literal, isLiteral := i.Y.(*ssa.Const)
	switch i.Op {
	case token.QUO, token.REM:
		if !isLiteral && mayBe(i.X.Type(), types.IsInteger) {
			return []string{"division"}
		}
	case token.SHL, token.SHR:
		if !isLiteral && !mayOnlyBe(i.Y.Type(), types.IsUnsigned) {
			return []string{"shift count"}
		}
	case token.EQL, token.NEQ:
		isNil := isLiteral && literal.Value == nil
		if c, ok := i.X.(*ssa.Const); ok && c.Value == nil {
			isNil = true
		}
		if !isNil && holdsInterface(i.X.Type()) {
			return []string{"comparison"}
		}
	}
	return nil
}

// mayBe reports whether a type has a property, or is a parameter.
func mayBe(t types.Type, property types.BasicInfo) bool {
	if _, isParam := types.Unalias(t).(*types.TypeParam); isParam {
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&property != 0
}

func mayOnlyBe(t types.Type, property types.BasicInfo) bool {
	_, isParam := types.Unalias(t).(*types.TypeParam)
	return !isParam && mayBe(t, property)
}

// Doomed tells of each block of a function whether every way from it leads to a panic.
func Doomed(f *ssa.Function) map[*ssa.BasicBlock]bool {
	doomed := map[*ssa.BasicBlock]bool{}
	for changed := true; changed; {
		changed = false
		for _, b := range f.Blocks {
			if !doomed[b] && isDoomed(b, doomed) {
				doomed[b], changed = true, true
			}
		}
	}
	return doomed
}

func isDoomed(b *ssa.BasicBlock, doomed map[*ssa.BasicBlock]bool) bool {
	if len(b.Succs) == 0 {
		_, panics := b.Instrs[len(b.Instrs)-1].(*ssa.Panic)
		return panics
	}
	return !slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return !doomed[s] })
}
