package read

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A struct variable that each step makes, and that only its own loads and stores can reach, is read as its fields: a load of a field gives
// what the step stored there last, or zero.
//
//	for _, v := range a { p := pair{v.x, 1}; if p.x > s { s = p.x + p.y } }   →   select(x0 < y0, y0 + 1, x0)

// whole is a value with parts: both parts of a complex number, or the fields of a struct.
func (r *reader) whole(what string, parts []value) value {
	var key strings.Builder
	key.WriteString("whole " + what)
	k := invariant
	for _, p := range parts {
		key.WriteString(" " + p.id())
		k = max(k, p.kind)
	}
	return value{number: r.number(key.String()), parts: parts, kind: k}
}

// isTemporary reports whether an allocation of the loop is such a variable.
func (r *reader) isTemporary(a *ssa.Alloc) bool {
	known, ok := r.temporaries[a]
	if !ok {
		_, isStruct := a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
		known = isStruct && r.out.Holds(a) && r.innerOf(a.Block()) == nil && r.usedByField(a)
		r.temporaries[a] = known
	}
	return known
}

// usedByField reports whether an address is used for loads and stores alone, and for addresses of fields that are used so.
func (r *reader) usedByField(address ssa.Value) bool {
	for _, use := range *address.Referrers() {
		if r.search && !r.out.Has(use.Block()) {
			continue
		}
		if !r.out.Has(use.Block()) || r.innerOf(use.Block()) != nil {
			return false
		}
		switch use := use.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if use.Op != token.MUL {
				return false
			}
		case *ssa.Store:
			if use.Addr != address || use.Val == address {
				return false
			}
		case *ssa.FieldAddr:
			if !r.usedByField(use) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// temporaryOf returns the variable in which an address lies, and the fields on the way there; nil where it lies in none.
func (r *reader) temporaryOf(address ssa.Value) (a *ssa.Alloc, path []int) {
	for {
		switch v := address.(type) {
		case *ssa.FieldAddr:
			path = append(path, v.Field)
			address = v.X
		case *ssa.Alloc:
			if !r.out.Holds(v) || !r.isTemporary(v) {
				return nil, nil
			}
			slices.Reverse(path)
			return v, path
		default:
			return nil, nil
		}
	}
}

// loadTemporary is what a load of a temporary variable, or of a field of one, gives.
func (r *reader) loadTemporary(load *ssa.UnOp, a *ssa.Alloc, path []int) value {
	v := r.temporaryBefore(load.Block(), load, a)
	for n, field := range path {
		if r.split {
			v = r.spread(v)
		}
		if n < len(path)-1 && v.parts == nil { // a struct in a struct
			v = value{number: r.number(fieldKey(v, field)), kind: v.kind}
		} else {
			v = r.fieldOf(v, field, load)
		}
	}
	return v
}

// fieldKey names the field of a struct whose fields are not known, for the table of numbers.
func fieldKey(of value, field int) string { return "field " + itoa(field) + " " + of.id() }

// temporaryAt is a temporary variable at the beginning of a block.
type temporaryAt struct {
	block *ssa.BasicBlock
	alloc *ssa.Alloc
}

// temporaryBefore is a variable before an instruction of a block; at the end of the block for nil.
func (r *reader) temporaryBefore(b *ssa.BasicBlock, before ssa.Instruction, a *ssa.Alloc) value {
	var stores []*ssa.Store
	made := false
	for _, i := range b.Instrs {
		if i == before {
			break
		}
		if i == ssa.Instruction(a) {
			made, stores = true, nil
		}
		if s, ok := i.(*ssa.Store); ok {
			if to, _ := r.temporaryOf(s.Addr); to == a {
				stores = append(stores, s)
			}
		}
	}
	var v value
	if made {
		v = r.zero(a.Type().Underlying().(*types.Pointer).Elem())
	} else {
		v = r.temporaryStart(b, a)
	}
	for _, s := range stores {
		_, path := r.temporaryOf(s.Addr)
		v = r.with(v, path, r.value(s.Val))
	}
	return v
}

// temporaryStart is a variable at the beginning of a block that its allocation dominates.
func (r *reader) temporaryStart(b *ssa.BasicBlock, a *ssa.Alloc) value {
	if !a.Block().Dominates(b) || b == r.out.Header {
		panic("internal: a variable before it is made")
	}
	at := temporaryAt{b, a}
	v, ok := r.starts[at]
	if !ok {
		v = r.join(b.Idom(), b, func(slot int) value { return r.temporaryBefore(b.Preds[slot], nil, a) })
		r.starts[at] = v
	}
	return v
}

// zero is the zero value of a type.
func (r *reader) zero(t types.Type) value {
	if s, ok := t.Underlying().(*types.Struct); ok && s.NumFields() > 0 {
		var parts []value
		for f := range s.Fields() {
			parts = append(parts, r.zero(f.Type()))
		}
		return r.whole(types.TypeString(t, nil), parts)
	}
	if _, ok := t.Underlying().(*types.Array); ok {
		return value{number: r.number("zero " + types.TypeString(t, nil))}
	}
	return r.literal(ssa.NewConst(nil, t))
}

// with is the struct v with another value at a path of fields. Where the fields of v are not known, the result is an opaque value that
// depends on both.
func (r *reader) with(v value, path []int, part value) value {
	if len(path) == 0 {
		return part
	}
	if v.parts == nil {
		return value{number: r.number("with " + v.id() + " " + strconv.Itoa(path[0]) + " " + part.id()), kind: max(v.kind, part.kind)}
	}
	parts := slices.Clone(v.parts)
	parts[path[0]] = r.with(parts[path[0]], path[1:], part)
	return r.whole("struct", parts)
}

// fieldOf is a field of a struct that v computes.
func (r *reader) fieldOf(of value, field int, v ssa.Value) value {
	if r.split {
		of = r.spread(of)
	}
	if of.parts != nil {
		return of.parts[field]
	}
	return r.composeOf(v, fieldKey(of, field), of.kind)
}
