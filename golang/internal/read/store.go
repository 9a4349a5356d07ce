package read

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/ir"
)

// A store is no obstacle where nothing that decides the state, or the way through the loop, can have been stored by it:
//
//	for i, v := range a { s += v; b[i] = s }   →   x0 + y0, if b does not overlap a
//
// Variables of different types do not overlap, in packages that do not import unsafe. An element that each step loads before it stores it is another one in
// each step. Otherwise a load and a store of different slices are taken to be apart, and the claim says so (noalias).

// write is a store of a step to memory that others may see, or an append.
type write struct {
	to  ssa.Value  // an address; of an append the slice
	typ types.Type // of what is stored
	by  ssa.Instruction
}

// allWrites lists what steps may store. Temporary variables are obstacles, or seen by nobody.
func (r *reader) allWrites() (list []write) {
	if r.writes != nil {
		return r.writes
	}
	defer func() { r.writes = list }()
	for _, b := range r.out.Blocks() {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Store:
				if !r.inTemporary(i.Addr) && !isJump(i.Addr) {
					list = append(list, write{i.Addr, i.Val.Type(), i})
				}
			case *ssa.Call:
				if isAppend(i) {
					list = append(list, write{i.Call.Args[0], elementOf(i.Type()), i})
				}
			}
		}
	}
	return list
}

// elementOf returns the type of the elements of a slice. A type parameter stands for itself: it may be anything.
func elementOf(t types.Type) types.Type {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return t
}

// is reports whether two writes go to the same address.
func (w write) is(other write, r *reader) bool {
	_, isStore := w.by.(*ssa.Store)
	return isStore && r.value(w.to).id() == r.value(other.to).id()
}

// stores decides which stores are obstacles, and says of the others where they go.
func (r *reader) stores() {
	for _, w := range r.allWrites() {
		switch by := w.by.(type) {
		case *ssa.Store:
			a := r.value(w.to)
			if r.cellOf(a.id()) != nil {
				continue
			}
			if r.mayBeReadBack(w) {
				r.stop(storeObstacle(a.kind), by.Pos(), "")
				continue
			}
			r.out.Compacts = r.out.Compacts || a.kind == onState
			r.out.Scatters = r.out.Scatters || a.kind == onInput
			r.storesValue(by.Val)
		case *ssa.Call:
			if !r.appended[by] {
				continue // an obstacle already
			}
			if !r.isNewSlice(w.to) && r.mayBeReadBack(w) {
				r.stop(Compaction, by.Pos(), "append")
				continue
			}
			r.out.Compacts = true
			r.storesArguments(by)
		}
	}
}

// storesValue looks at a value that no state depends on: it is no obstacle, however it is computed.
func (r *reader) storesValue(v ssa.Value) {
	r.out.Stores = true
	n := len(r.out.Obstacles)
	defer func() { r.out.Obstacles = r.out.Obstacles[:n] }()
	if r.value(v).kind == onState {
		r.out.StoresState = true
	}
}

// storesArguments looks at what is appended.
func (r *reader) storesArguments(call *ssa.Call) {
	r.out.Stores = true
	part, ok := call.Call.Args[1].(*ssa.Slice)
	if !ok || arguments(part) == nil {
		r.storesValue(call.Call.Args[1])
		return
	}
	for _, use := range *arguments(part).Referrers() {
		if element, ok := use.(*ssa.IndexAddr); ok {
			for _, s := range *element.Referrers() {
				if s, ok := s.(*ssa.Store); ok {
					r.storesValue(s.Val)
				}
			}
		}
	}
}

// storeObstacle names a store by what its address depends on.
func storeObstacle(address kind) Kind {
	switch address {
	case invariant:
		return Scalar
	case counted:
		return Store
	case onInput:
		return Scatter
	}
	return Compaction
}

// mayBeReadBack reports whether the state, or the way through the loop, may depend on what a step wrote to memory and
// loads from there, or a later one. What depends on variables of different names only is noted as an assumption.
func (r *reader) mayBeReadBack(w write) bool {
	for _, b := range r.out.Blocks() {
		for _, i := range b.Instrs {
			if !r.mayLoad(i, w) {
				continue
			}
			if r.isRelevant(i.(ssa.Value)) {
				return true
			}
			r.out.Rereads = true
			if r.cellOf(r.value(w.to).id()) != nil {
				r.out.StoresState = true
			}
		}
	}
	return false
}

// mayLoad reports whether an instruction may load what was written.
func (r *reader) mayLoad(i ssa.Instruction, w write) bool {
	switch i := i.(type) {
	case *ssa.UnOp:
		if a, _ := r.temporaryOf(i.X); a != nil {
			return false
		}
		return i.Op == token.MUL && (r.isUnsafe() || !disjoint(i.Type(), w.typ)) && r.overlaps(i, w)
	case *ssa.Call:
		return !r.readsNothing(i) && !(r.isYield() && r.isCellAddress(w.to))
	case *ssa.Convert: // of bytes to a string, for one
		return r.scalar(i.Type()) == ir.Invalid
	case *ssa.Index:
		return r.isWritten(i.X, w)
	case *ssa.Lookup:
		return r.isWritten(i.X, w)
	case *ssa.Next:
		over, ok := i.Iter.(*ssa.Range)
		return ok && r.isWritten(over.X, w)
	}
	return false
}

// isWritten reports whether the function itself made a string of the bytes that are written, by unsafe.String. No other string changes.
func (r *reader) isWritten(s ssa.Value, w write) bool {
	return isString(s.Type()) && r.isUnsafe() && r.purity.memoryOf(r.out.Func).relate(s, w.to) == overlapping
}

// isRelevant reports whether the state, a counter or the way through the loop depends on a value of the loop.
func (r *reader) isRelevant(v ssa.Value) bool {
	if r.relevant == nil {
		r.relevant = map[ssa.Value]bool{}
		r.findRelevant()
	}
	return r.relevant[v]
}

func (r *reader) findRelevant() {
	var add func(v ssa.Value)
	add = func(v ssa.Value) {
		if !r.out.Holds(v) || r.relevant[v] {
			return
		}
		r.relevant[v] = true
		for _, o := range v.(ssa.Instruction).Operands(nil) {
			if *o != nil {
				add(*o)
			}
		}
	}
	for _, b := range r.out.Blocks() {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.If:
				add(i.Cond)
			case *ssa.Phi:
				if b == r.out.Header {
					add(i)
				}
			case *ssa.Store: // to a cell, or to a temporary variable
				if r.inTemporary(i.Addr) && !r.isArgument(i.Addr) || r.cellOf(r.value(i.Addr).id()) != nil {
					add(i.Val)
					add(i.Addr)
				}
			}
		}
	}
}

// isArgument reports whether an address is that of an argument of append.
func (r *reader) isArgument(address ssa.Value) bool {
	element, ok := address.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	a, ok := element.X.(*ssa.Alloc)
	return ok && r.isArguments(a)
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
func (r *reader) readsNothing(i *ssa.Call) bool {
	switch f := i.Call.Value.(type) {
	case *ssa.Builtin:
		return f.Name() != "copy"
	case *ssa.Function:
		return strings.HasPrefix(f.RelString(nil), "math.") || strings.HasPrefix(f.RelString(nil), "math/bits.") ||
			r.purity.Body(f) != nil && len(r.purity.Panics(f)) == 0 // else what it loads may decide whether it panics
	}
	return false
}

// disjoint reports whether variables of two types never overlap, as the language has it without package unsafe. A pointer may be converted
// to one whose type differs by the tags of structs.
func disjoint(a, b types.Type) bool {
	return hasNoParts(a) && hasNoParts(b) && !types.IdenticalIgnoreTags(a.Underlying(), b.Underlying())
}

// hasNoParts reports whether no part of a variable of a type is a variable.
func hasNoParts(t types.Type) bool {
	if isTypeParam(t) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return false
	}
	return true
}

// overlaps reports whether a load may read what was written, in this step or in one before.
func (r *reader) overlaps(load *ssa.UnOp, w write) bool {
	if s, isStore := w.by.(*ssa.Store); isStore {
		if c := r.wholeCell(load.X); c != nil && c == r.cellOf(r.value(w.to).id()) {
			return false
		}
		if id := r.value(load.X).id(); id == r.value(w.to).id() {
			if c := r.cellOf(id); c != nil {
				return !types.Identical(c.Type, load.Type())
			}
			return !r.isNewEachStep(w.to) || !precedes(load, s)
		}
	}
	return r.mayBeOne(load.X, w.to)
}

// mayBeOne reports whether two addresses may overlap. If they are apart unless two names mean one variable, that is noted as an assumption.
func (r *reader) mayBeOne(a, b ssa.Value) bool {
	if r.isYield() && a != b && (r.isCellAddress(a) || r.isCellAddress(b)) { // nothing else knows it: see isPrivate
		return false
	}
	if !r.isUnsafe() && (otherFields(a, b) || otherContainers(a, b)) {
		return false
	}
	switch r.purity.memoryOf(r.out.Func).relate(a, b) {
	case overlapping:
		return true
	case assumed:
		r.out.NoAlias = true
	}
	return false
}

func (r *reader) isCellAddress(v ssa.Value) bool {
	_, ok := v.(*ssa.FreeVar)
	return ok && r.cellOf(r.value(v).id()) != nil
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
