package read

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/ir"
)

// A slice that steps only append to is a component by its length: what is appended is stored where the length says.
//
//	for _, v := range a { if v > 0 { out = append(out, v) } }   →   x0 + select(0 < y0, 1, 0), where x0 is len(out)
//
// Such a slice is used in no other way in the loop: as the first operand of append, in len, in phis and in stores to a
// variable from which it was loaded. So no step sees the elements, and none tells nil from empty.

// findAppended finds the values of the loop that are such slices: those that are left when all that are made or used
// in another way have been taken away.
func (r *reader) findAppended() {
	r.appended = map[ssa.Value]bool{}
	defer func() { r.settled = true }()
	for _, b := range r.out.Blocks() {
		for _, i := range b.Instrs {
			v, ok := i.(ssa.Value)
			if !ok || !isSlice(v.Type()) {
				continue
			}
			switch v := v.(type) {
			case *ssa.Phi:
				r.appended[v] = true
			case *ssa.Call:
				r.appended[v] = isAppend(v)
			case *ssa.UnOp:
				r.appended[v] = v.Op == token.MUL && r.isFixed(v.X)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for v, is := range r.appended {
			if is && !(r.madeByAppend(v) && r.usedByAppend(v)) {
				r.appended[v], changed = false, true
			}
		}
	}
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

func isAppend(i *ssa.Call) bool {
	f, ok := i.Call.Value.(*ssa.Builtin)
	return ok && f.Name() == "append"
}

// madeByAppend reports whether a value is what a slice was at the beginning of the step, with or without more elements.
func (r *reader) madeByAppend(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Phi:
		for slot, p := range v.Block().Preds {
			if v.Block() == r.out.Header && !r.out.Has(p) {
				continue
			}
			if !r.appended[v.Edges[slot]] {
				return false
			}
		}
		return true
	case *ssa.Call:
		return r.appended[v.Call.Args[0]]
	case *ssa.UnOp:
		return r.isAppendedIn(v.X)
	}
	return false
}

// isAppendedIn reports whether all that steps store at an address, or load from there, are slices that are appended to.
func (r *reader) isAppendedIn(address ssa.Value) bool {
	id, stored := r.value(address).id(), false
	is := func(a ssa.Value) bool { return r.isFixed(a) && r.value(a).id() == id }
	for _, b := range r.out.Blocks() {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Store:
				if is(i.Addr) {
					if !r.appended[i.Val] {
						return false
					}
					stored = true
				}
			case *ssa.UnOp:
				if i.Op == token.MUL && is(i.X) && !r.appended[i] {
					return false
				}
			}
		}
	}
	return stored
}

// usedByAppend reports whether the loop does no more with a slice than to append to it, to ask for its length, and to
// carry it on.
func (r *reader) usedByAppend(v ssa.Value) bool {
	for _, use := range *v.Referrers() {
		if !r.out.Has(use.Block()) {
			continue
		}
		switch use := use.(type) {
		case *ssa.DebugRef:
		case *ssa.Phi:
			if !r.appended[use] {
				return false
			}
		case *ssa.Call:
			f, ok := use.Call.Value.(*ssa.Builtin)
			switch {
			case ok && f.Name() == "len":
			case ok && r.appended[use] && use.Call.Args[0] == v && use.Call.Args[1] != v:
			default:
				return false
			}
		case *ssa.Store:
			if use.Addr == v || !r.isFixed(use.Addr) || !r.isAppendedIn(use.Addr) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// typeOf returns the type of the component that a value of the loop is; Invalid where it is none. Of a slice that is
// appended to it is that of its length.
func (r *reader) typeOf(v ssa.Value) ir.Type {
	if r.appended[v] {
		return r.scalar(types.Typ[types.Int])
	}
	return r.scalar(v.Type())
}

// appendTo is the length of a slice after append.
func (r *reader) appendTo(v *ssa.Call) value {
	before, more := r.value(v.Call.Args[0]), r.lengthOf(v.Call.Args[1])
	return value{expr: ir.AddOf(before.expr, more.expr), kind: onState}
}

// lengthOf is the length of a slice or a string that is appended.
func (r *reader) lengthOf(v ssa.Value) value {
	t := r.scalar(types.Typ[types.Int])
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return value{expr: r.pool.Int(t, 0)}
		}
		return value{expr: r.pool.Int(t, int64(len(constant.StringVal(v.Value))))}
	case *ssa.Slice:
		if a := arguments(v); a != nil {
			return value{expr: r.pool.Int(t, a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array).Len())}
		}
		if r.out.Holds(v) && v.High != nil {
			return r.between(v, t)
		}
	}
	a := r.value(v)
	if a.kind == onState {
		r.stop(StateType, v.Pos(), "append")
	}
	return r.leaf(v, t, "call len "+a.id(), a.kind)
}

// between is the length of a part of a slice or a string.
func (r *reader) between(v *ssa.Slice, t ir.Type) value {
	high := r.value(v.High)
	length := value{expr: ir.CastTo(t, high.expr), kind: high.kind}
	if v.Low != nil {
		low := r.value(v.Low)
		length = value{expr: ir.SubOf(length.expr, ir.CastTo(t, low.expr)), kind: max(high.kind, low.kind)}
	}
	return length
}

// arguments returns the array that a call with a variable number of arguments is made of, which is seen by
// nothing but an append; nil where v is something else.
func arguments(v *ssa.Slice) *ssa.Alloc {
	a, ok := v.X.(*ssa.Alloc)
	if !ok || a.Comment != "varargs" || v.Low != nil || v.High != nil || v.Max != nil {
		return nil
	}
	for _, use := range *v.Referrers() {
		if call, ok := use.(*ssa.Call); !ok || !isAppend(call) || call.Call.Args[0] == v {
			return nil
		}
	}
	for _, use := range *a.Referrers() {
		switch use := use.(type) {
		case *ssa.DebugRef:
		case *ssa.Slice:
			if use != v {
				return nil
			}
		case *ssa.IndexAddr:
			for _, s := range *use.Referrers() {
				if s, ok := s.(*ssa.Store); !ok || s.Addr != use {
					return nil
				}
			}
		default:
			return nil
		}
	}
	return a
}

// isArguments reports whether an allocation holds no more than the arguments of an append to a slice that is a component.
func (r *reader) isArguments(a *ssa.Alloc) bool {
	for _, use := range *a.Referrers() {
		s, ok := use.(*ssa.Slice)
		if !ok {
			continue
		}
		if arguments(s) != a {
			return false
		}
		for _, call := range *s.Referrers() {
			if call, ok := call.(*ssa.Call); !ok || !r.appended[call] {
				return false
			}
		}
		return true
	}
	return false
}

// start returns what a slice that is appended to was before the loop; nil where that is not one value.
func (r *reader) start(v ssa.Value) (found ssa.Value) {
	for depth := 0; depth < 100; depth++ {
		switch x := v.(type) {
		case *ssa.Call:
			v = x.Call.Args[0]
			continue
		case *ssa.Phi:
			if x.Block() != r.out.Header {
				v = x.Edges[0]
				continue
			}
			for slot, p := range r.out.Header.Preds {
				if r.out.Has(p) {
					continue
				}
				if found != nil && found != x.Edges[slot] {
					return nil
				}
				found = x.Edges[slot]
			}
			return found
		}
		return nil
	}
	return nil
}

// isNewSlice reports whether nothing but the loop reaches the elements of a slice that is appended to: it was nil, or
// made before the loop and used nowhere else.
func (r *reader) isNewSlice(v ssa.Value) bool {
	if !r.settled || !r.appended[v] {
		return false
	}
	onlyUse := func(v ssa.Value) bool {
		n := 0
		for _, use := range *v.Referrers() {
			if _, ok := use.(*ssa.DebugRef); !ok {
				n++
			}
		}
		return n == 1
	}
	for w, is := range r.appended { // which a call might load
		if _, isLoad := w.(*ssa.UnOp); is && isLoad {
			return false
		}
	}
	switch s := r.start(v).(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeSlice:
		return onlyUse(s)
	case *ssa.Slice: // of an array that make takes for a constant capacity
		a, ok := s.X.(*ssa.Alloc)
		return ok && a.Comment == "makeslice" && onlyUse(a) && onlyUse(s)
	}
	return false
}

// appendsFixed reports whether v is a slice with a literal number of elements more than phi.
func (r *reader) appendsFixed(v ssa.Value, phi *ssa.Phi) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	if part, ok := call.Call.Args[1].(*ssa.Slice); !ok || arguments(part) == nil {
		return false
	}
	return call.Call.Args[0] == phi || r.appendsFixed(call.Call.Args[0], phi)
}
