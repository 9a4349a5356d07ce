package read

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/ir"
)

// A store at an address that is counted is no obstacle where nothing that the loop loads can have been stored by it:
//
//	for i, v := range a { s += v; b[i] = s }   →   x0 + y0, if b does not overlap a
//
// Variables of different types do not overlap, in packages that do not import unsafe. An element that each step loads before it stores it is another one in
// each step. Otherwise a load and a store of different slices are taken to be apart, and the claim says so (noalias).

// stores decides which stores are obstacles.
func (r *reader) stores() {
	for _, s := range r.elementwise {
		if r.mayBeReadBack(s) {
			r.stop(Store, s.Pos(), "")
			continue
		}
		if r.value(s.Val).kind == onState {
			r.out.StoresState = true
		}
		r.out.Stores = true
	}
}

// mayBeReadBack reports whether a later load of the loop may, or must, see what a store wrote. What depends
// on variables of different names only is noted as an assumption.
func (r *reader) mayBeReadBack(s *ssa.Store) bool {
	for _, b := range r.out.Blocks() {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.UnOp:
				if i.Op == token.MUL && (r.isUnsafe() || !disjoint(i.Type(), s.Val.Type())) && r.overlaps(i, s) {
					return true
				}
			case *ssa.Call:
				if !readsNothing(i) {
					return true
				}
			case *ssa.Convert: // of bytes to a string, for one
				if r.scalar(i.Type()) == ir.Invalid {
					return true
				}
			}
		}
	}
	return false
}

// isUnsafe reports whether the package can make variables of different types overlap.
func (r *reader) isUnsafe() bool {
	pkg := r.out.Func.Pkg
	if pkg == nil {
		return true
	}
	return slices.Contains(pkg.Pkg.Imports(), types.Unsafe)
}

// readsNothing reports whether a call does not look at memory that a loop may write.
func readsNothing(i *ssa.Call) bool {
	switch f := i.Call.Value.(type) {
	case *ssa.Builtin:
		return f.Name() != "copy"
	case *ssa.Function:
		return strings.HasPrefix(f.RelString(nil), "math.") || strings.HasPrefix(f.RelString(nil), "math/bits.")
	}
	return false
}

// disjoint reports whether variables of two types never overlap, as the language has it without package unsafe.
func disjoint(a, b types.Type) bool {
	isWhole := func(t types.Type) bool { // that is, no part of it is a variable
		if _, ok := types.Unalias(t).(*types.TypeParam); ok {
			return false
		}
		switch t.Underlying().(type) {
		case *types.Struct, *types.Array:
			return false
		}
		return true
	}
	return isWhole(a) && isWhole(b) && !types.Identical(a.Underlying(), b.Underlying())
}

// overlaps reports whether a load may read what the store wrote, in this step or in one before.
func (r *reader) overlaps(load *ssa.UnOp, s *ssa.Store) bool {
	if id := r.value(load.X).id(); id == r.value(s.Addr).id() {
		if c := r.cellOf(id); c != nil {
			return !types.Identical(c.Type, load.Type())
		}
		return !r.isNewEachStep(s.Addr) || !precedes(load, s)
	}
	if from, to := r.place(load.X), r.place(s.Addr); strings.HasPrefix(from, to) || strings.HasPrefix(to, from) {
		return true
	}
	r.out.NoAlias = true
	return false
}

// place names the variable that a value or an address comes from, with the fields on the way. Elements of one array are
// at one place, and so are two loads of one variable. The place of a part begins with that of the whole.
func (r *reader) place(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return r.place(v.X) + "." + itoa(v.Field)
	case *ssa.Field:
		return r.place(v.X) + "." + itoa(v.Field)
	case *ssa.IndexAddr:
		return r.place(v.X)
	case *ssa.Slice:
		return r.place(v.X)
	case *ssa.ChangeType:
		return r.place(v.X)
	case *ssa.Convert:
		return r.place(v.X)
	case *ssa.UnOp:
		return r.place(v.X) + "*"
	case *ssa.Phi:
		if _, ok := r.counter[v]; ok { // a slice that loses prefixes
			for slot, p := range r.out.Header.Preds {
				if !r.out.Has(p) {
					return r.place(v.Edges[slot])
				}
			}
		}
	}
	return fmt.Sprintf("%p", v)
}

// isNewEachStep reports whether an address is an element of one slice or array, by an index that steps by a
// literal. An index that wraps around is out of bounds before.
func (r *reader) isNewEachStep(address ssa.Value) bool {
	const most = 1 << 16
	a, ok := address.(*ssa.IndexAddr)
	if !ok || !r.isFixed(a.X) {
		return false
	}
	e := r.value(a.Index).expr
	if !e.IsValid() || e.Type().Bits() != 64 {
		return false
	}
	if e.Op() == ir.Add && e.Arg(1).Op() == ir.Const {
		e = e.Arg(0)
	}
	for _, c := range r.out.Counters {
		if c.Var != e || !c.Var.IsValid() {
			continue
		}
		next := r.carried(c.Phi).expr
		if next.Op() == ir.Add && next.Arg(0) == e && next.Arg(1).Op() == ir.Const || next.Op() == ir.Sub && next.Arg(0) == e && next.Arg(1).Op() == ir.Const {
			n := next.Arg(1).Int()
			return n != 0 && -most < n && n < most
		}
	}
	return false
}

// precedes reports whether a load runs before the store in every step that stores.
func precedes(load *ssa.UnOp, s *ssa.Store) bool {
	if load.Block() != s.Block() {
		return load.Block().Dominates(s.Block())
	}
	for _, i := range s.Block().Instrs {
		switch i {
		case ssa.Instruction(load):
			return true
		case ssa.Instruction(s):
			return false
		}
	}
	return false
}
