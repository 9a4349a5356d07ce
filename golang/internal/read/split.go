package read

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/ir"
)

// A state that is a small struct of numbers is read as these where steps compute them. As a token, which is tried first, the struct could only be
// passed on.
//
//	for _, p := range a { c = c.plus(p) }   →   {x0 + y0, x1 + y1}, where y0 is a[i].x and y1 is a[i].y

// Field is the part of a struct that is the first number in it; Field + n is the one behind n others.
const Field Part = Token + 1

// mostNumbers bounds the numbers of a struct, each a component: matching takes longer the more there are.
const mostNumbers = 8

// numberIn is a number in a struct.
type numberIn struct {
	path []int // the fields on the way there
	typ  types.Type
}

// numbersIn lists the numbers and booleans in a struct, of structs in it, too; false where something else is in it, or t is no struct.
func numbersIn(t types.Type) (list []numberIn, ok bool) {
	s, isStruct := t.Underlying().(*types.Struct)
	if !isStruct || isTypeParam(t) {
		return nil, false
	}
	for i := range s.NumFields() {
		field := s.Field(i).Type()
		if b, isBasic := field.Underlying().(*types.Basic); isBasic && !isTypeParam(field) && b.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat) != 0 {
			list = append(list, numberIn{[]int{i}, field})
			continue
		}
		inner, ok := numbersIn(field)
		if !ok {
			return nil, false
		}
		for _, n := range inner {
			list = append(list, numberIn{append([]int{i}, n.path...), n.typ})
		}
	}
	return list, 0 < len(list) && len(list) <= mostNumbers
}

// partsOf lists the parts of a value that may be arguments or results of a body: the numbers of a struct, or the whole.
func partsOf(t types.Type) (list []Part) {
	numbers, ok := numbersIn(t)
	if !ok {
		return []Part{All}
	}
	for n := range numbers {
		list = append(list, Field+Part(n))
	}
	return list
}

// Path returns the fields on the way to the number that is a part of a struct, and the type of that number.
func (p Part) Path(t types.Type) (path []int, of types.Type) {
	numbers, _ := numbersIn(t)
	n := numbers[p-Field]
	return n.path, n.typ
}

// structOf is a struct of a type, made of its numbers.
func (r *reader) structOf(t types.Type, number func(part Part, t ir.Type) value) value {
	next := Field
	var made func(t types.Type) value
	made = func(t types.Type) value {
		s, isStruct := t.Underlying().(*types.Struct)
		if !isStruct {
			next++
			return number(next-1, r.scalar(t))
		}
		var parts []value
		for f := range s.Fields() {
			parts = append(parts, made(f.Type()))
		}
		return r.whole("struct", parts)
	}
	return made(t)
}

// spread is a struct as its numbers, which are leaves if it is an input. Another value stays what it is.
func (r *reader) spread(v value) value {
	if v.parts != nil || v.expr.IsValid() || v.of == nil || v.kind == onState {
		return v
	}
	if _, ok := numbersIn(v.of.Type()); !ok {
		return v
	}
	return r.structOf(v.of.Type(), func(part Part, t ir.Type) value {
		return r.partLeaf(v.of, t, fmt.Sprint("number ", part-Field, " of ", v.id()), v.kind, part)
	})
}

// flat lists the expressions of a value: of a struct those of the numbers in it. Ones that are not known are zero.
func (r *reader) flat(v value) (list []ir.Expr) {
	v = r.spread(v)
	if v.parts == nil {
		return []ir.Expr{v.expr}
	}
	for _, p := range v.parts {
		list = append(list, r.flat(p)...)
	}
	return list
}

// numberOf is one of the numbers of a struct; false where that is not known.
func (r *reader) numberOf(v value, t types.Type, part Part) (ir.Expr, bool) {
	list := r.flat(v)
	if all := partsOf(t); len(list) != len(all) || !list[part-Field].IsValid() {
		return ir.Expr{}, false
	}
	return list[part-Field], true
}

// stateOf is a struct whose numbers are components, the first of which is given.
func (r *reader) stateOf(t types.Type, first int) value {
	return r.structOf(t, func(part Part, t ir.Type) value {
		return value{expr: r.pool.X(first+int(part-Field), t), kind: onState}
	})
}

// stopsAtStruct reports whether a loop was not read that has a struct of numbers for a token.
func (l *Loop) stopsAtStruct() bool {
	isStruct := func(part Part, t types.Type) bool {
		_, ok := numbersIn(t)
		return ok && part == Token
	}
	for i, phi := range l.States {
		if isStruct(l.Parts[i], phi.Type()) {
			return l.Update == nil
		}
	}
	for _, c := range l.Cells {
		if isStruct(c.Part, c.Type) {
			return l.Update == nil
		}
	}
	return false
}

// fieldOfCell is what a load gives of a part of a struct in memory whose numbers are components.
func (r *reader) fieldOfCell(load *ssa.UnOp, c *Cell) value {
	var path []int
	for at := load.X; ; {
		field, ok := at.(*ssa.FieldAddr)
		if !ok {
			break
		}
		path, at = append([]int{field.Field}, path...), field.X
	}
	v := r.cellBefore(load.Block(), load, c)
	for _, field := range path {
		if v = r.spread(v); v.parts == nil {
			return r.composeOf(load, key(load), onState)
		}
		v = v.parts[field]
	}
	return v
}
